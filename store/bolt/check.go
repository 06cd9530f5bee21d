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

// Inspection is what Check found.
type Inspection struct {
	Size      int64 `json:"size"` // bytes
	Pages     int   `json:"pages"`
	FreePages int   `json:"freePages"`
	Records   int   `json:"records"`
	Revision  int64 `json:"revision"` // the last that was given
	// Problems says what is damaged, one sentence each, at most MaxProblems.
	Problems []string `json:"problems,omitempty"`
}

// MaxProblems is how many problems are listed; a damaged file may have one for
// each of its pages.
const MaxProblems = 20

func (i *Inspection) problem(format string, values ...any) {
	if len(i.Problems) < MaxProblems {
		i.Problems = append(i.Problems, fmt.Sprintf(format, values...))
	}
}

// Check looks through every page and every record of the file at path, which
// nobody else may write to meanwhile: a copy. It takes no lock and changes
// nothing. What is damaged is told in Problems; the error is a *kv.Fault for
// what cannot be looked through at all.
//
// A damaged file can end the whole process, by a memory fault or an endless
// recursion in bbolt that nothing recovers from: call it in a process of its own.
func Check(path string) (Inspection, error) {
	f, err := os.Open(path)
	if err != nil {
		return Inspection{}, fault(path, err, false)
	}
	defer f.Close() // bbolt may have closed it; nothing was written
	info, err := f.Stat()
	if err != nil {
		return Inspection{}, fault(path, err, false)
	}
	found := Inspection{Size: info.Size()}
	e, err := At(path, Options{}) // a copy may lie where no store may
	if err != nil {
		return Inspection{}, err
	}
	// bbolt reads the list of free pages for its own check.
	if err := e.inspect(f, true); err != nil {
		return found, err
	}
	m, err := readMeta(f)
	if err != nil {
		return found, fault(path, err, false)
	}
	found.Pages = int(m.pages)
	if err := inspectTree(f, m); err != nil {
		return found, damaged(path, err.Error())
	}
	err = e.session(f, false, func(s *session) error {
		err := s.view(func(b buckets) error {
			found.Revision = int64(b.records.Sequence())
			for err := range b.records.Tx().Check() {
				found.problem("%v", err)
			}
			return b.records.ForEach(func(k, sealed []byte) error {
				found.Records++
				if _, err := kv.Unseal(kv.Key(k), sealed); err != nil {
					found.problem("the record %q: %v", k, err)
				}
				return nil
			})
		})
		found.FreePages = s.db.Stats().FreePageN
		return err
	})
	// A panic on the way is damage that was found, not a check that failed.
	if damage, ok := errors.AsType[*kv.Fault](err); ok && damage.Kind == kv.FaultDamaged && len(found.Problems) > 0 {
		found.problem("%s", damage.What)
		return found, nil
	}
	return found, err
}

// compactSize is how many bytes are moved in one transaction.
const compactSize = 1 << 20

// Compact writes the store anew without its free pages. Everybody else waits
// meanwhile; who has it open goes on with the new file.
func (e *Engine) Compact(ctx context.Context) error {
	dir := filepath.Dir(e.path)
	return e.locked(ctx, &locks{files: e.files, write: true}, func(f *os.File) error {
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
			return unlessFault(e.path, takePlace(made, e.path))
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
