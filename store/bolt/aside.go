package bolt

import (
	"errors"
	"os"
	"path/filepath"
)

// PutAside writes a file whole, for its owner only, into a directory that is made
// where there is none. When it returns, the disk has it under its name; a file of
// that name is replaced. The error is a *kv.Fault, as a commit's would be.
func PutAside(dir, name string, data []byte) error {
	if err := OwnDir(dir); err != nil {
		return err
	}
	path := filepath.Join(dir, name)
	file, err := os.CreateTemp(dir, "."+name+".*") // 0600
	if err != nil {
		return fault(path, err, true)
	}
	_, err = file.Write(data)
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return fault(path, errors.Join(err, os.Remove(file.Name())), true)
	}
	if err := errors.Join(syncDir(dir), syncAbove(dir, os.Geteuid())); err != nil {
		return fault(path, err, true)
	}
	return nil
}
