package files

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: a new file gets the owner and rights of its directory.
func keepOwner(*os.File, fs.FileInfo) error { return nil }
