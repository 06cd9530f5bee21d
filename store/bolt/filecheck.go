package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"planb/store/kv"
)

// Check implements kv.Keeper. A damaged file can cause a memory fault or an endless recursion
// in bbolt. Both end the process; no recover helps.
func (e *Engine) Check() (kv.Inspection, error) {
	f, err := os.Open(e.path)
	if err != nil {
		return kv.Inspection{}, fault(e.path, err, false)
	}
	defer f.Close() // bbolt may have closed it; nothing was written
	info, err := f.Stat()
	if err != nil {
		return kv.Inspection{}, fault(e.path, err, false)
	}
	found := kv.Inspection{Size: info.Size()}
	// bbolt reads the list of free pages for its own check.
	if err := e.inspect(f, true); err != nil {
		return found, err
	}
	m, err := readMeta(f)
	if err != nil {
		return found, fault(e.path, err, false)
	}
	found.Pages = int(m.pages)
	if err := inspectTree(f, m); err != nil {
		return found, damaged(e.path, err.Error())
	}
	err = e.session(f, false, func(s *session) error {
		err := s.view(func(b buckets) error {
			found.Revision = int64(b.records.Sequence())
			for err := range b.records.Tx().Check() {
				addProblem(&found.Problems, "%v", err)
			}
			return b.records.ForEach(func(k, sealed []byte) error {
				found.Records++
				if _, err := kv.Unseal(kv.Key(k), sealed); err != nil {
					addProblem(&found.Problems, "the record %q: %v", k, err)
				}
				return nil
			})
		})
		found.FreePages = s.db.Stats().FreePageN
		return err
	})
	// A panic on the way is damage that was found, not a check that failed.
	if damage, ok := errors.AsType[*kv.Fault](err); ok && damage.Kind == kv.FaultDamaged && len(found.Problems) > 0 {
		addProblem(&found.Problems, "%s", damage.What)
		return found, nil
	}
	return found, err
}

// addProblem adds a sentence to a list of problems, unless the list is full.
func addProblem(list *[]string, format string, values ...any) {
	if len(*list) < kv.MaxProblems {
		*list = append(*list, fmt.Sprintf(format, values...))
	}
}

// compactSize is how many bytes are moved in one transaction.
const compactSize = 1 << 20

// Compact implements kv.Keeper. All others wait meanwhile; an engine that is open goes
// on with the new file.
func (e *Engine) Compact(ctx context.Context) error {
	dir := filepath.Dir(e.path)
	return e.locked(ctx, &locks{paths: e.paths, write: true}, func(f *os.File) error {
		if err := sweepNew(e.path); err != nil {
			return fault(dir, err, true)
		}
		if info, err := f.Stat(); err == nil {
			if err := checkRoom(dir, info.Size()); err != nil {
				return err
			}
		}
		made, err := emptyBeside(e.path)
		if err != nil {
			return fault(dir, err, true)
		}
		defer os.Remove(made) // it has the store's name when all went well
		return e.session(f, false, func(s *session) error {
			if err := s.compactInto(made); err != nil {
				return err
			}
			// Before bbolt closes the old file, and lets go its lock.
			return unlessFault(e.path, renameOver(made, e.path))
		})
	})
}

// compactInto copies everything into the empty file at path.
func (s *session) compactInto(path string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(s.path, p)
		}
	}()
	to, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		return fault(path, err, true)
	}
	if err := errors.Join(bbolt.Compact(to, s.db, compactSize), to.Sync(), to.Close()); err != nil {
		return fault(path, err, true)
	}
	return nil
}
