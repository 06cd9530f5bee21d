package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"
	"unicode"

	berrors "go.etcd.io/bbolt/errors"

	"planb/store/kv"
)

// RepairIt tells a person what to do about a damaged file. The command keeps everything
// that can be read, and says what to do if nothing can.
const RepairIt = "save all that can be read of it with  planb doctor --repair"

func notStore(path, what string) *kv.Fault {
	return &kv.Fault{Kind: kv.FaultNotStore, Path: path, What: what, Do: RepairIt}
}

// inTheWay is the fault of a path at which there is no ordinary file.
func inTheWay(path, what string) *kv.Fault {
	return &kv.Fault{Kind: kv.FaultNotStore, Path: path, What: what, Do: "move it away, or set PLANB_DATA_DIR to another directory"}
}

func damaged(path, how string) *kv.Fault {
	return &kv.Fault{Kind: kv.FaultDamaged, Path: path, What: "is damaged: " + how, Do: RepairIt}
}

// damagedRecord is the fault of one record; the others can still be read.
func damagedRecord(path string, k kv.Key, err error) *kv.Fault {
	return &kv.Fault{
		Kind: kv.FaultDamaged,
		Path: path,
		Key:  k,
		What: fmt.Sprintf("holds a damaged record %q: %v", k, err),
		Do:   RepairIt,
		Err:  err,
	}
}

func otherFormat(path string, number uint64) *kv.Fault {
	if number < format {
		return damaged(path, fmt.Sprintf("its format has the number %d", number))
	}
	return &kv.Fault{
		Kind: kv.FaultNewer,
		Path: path,
		What: fmt.Sprintf("has format %d, and this planb knows formats up to %d", number, format),
		Do:   "use a newer planb",
	}
}

// panicked makes the fault of a recovered panic. A panic in a transaction of bbolt means
// that the file is damaged.
func panicked(path string, p any) *kv.Fault {
	err, ok := p.(error)
	if !ok {
		err = fmt.Errorf("%v", p)
	}
	how := printable(err.Error())
	if _, memory := errors.AsType[runtime.Error](err); memory {
		how = "what one of its pages refers to is not there"
	}
	f := damaged(path, how)
	f.Err = err
	return f
}

// held is the fault of an operation that waited longer than lockTimeout.
func (e *Engine) held() *kv.Fault {
	by := holder(e.path, e.turn)
	if by == "" {
		by = "another process"
	}
	return &kv.Fault{
		Kind: kv.FaultHeld,
		Path: e.path,
		What: fmt.Sprintf("has been held by %s for more than %v", by, e.lockTimeout),
		Do:   "wait for it to end, or end it",
	}
}

// described names a process in a sentence. The command line may be another user's text,
// and long.
func described(pid int, command string) string {
	const limit = 80
	command = printable(command)
	if len(command) > limit {
		command = command[:limit] + "…"
	}
	if pid == os.Getpid() {
		return fmt.Sprintf("this very process, %d (%s),", pid, command)
	}
	return fmt.Sprintf("process %d (%s)", pid, command)
}

// printable replaces what could move a terminal's cursor or change its colours.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}

// fault makes the sentence of an error from the system or bbolt. write says
// whether the operation wanted to write.
func fault(path string, err error, write bool) *kv.Fault {
	if f, ok := errors.AsType[*kv.Fault](err); ok {
		return f
	}
	f := &kv.Fault{Path: path, Err: err}
	verb := "read"
	if write {
		verb = "written"
	}
	because := func(kind kv.FaultKind, why, do string) {
		f.Kind, f.What, f.Do = kind, fmt.Sprintf("cannot be %s, because %s", verb, why), do
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.Kind, f.What, f.Do = kv.FaultMissing, "is gone", "if you moved it, move it back; otherwise go back to a backup with  planb restore"
	case errors.Is(err, syscall.EROFS):
		because(kv.FaultReadOnly, "its file system is read-only", "mount it for writing, or set PLANB_DATA_DIR to another directory")
	case errors.Is(err, fs.ErrPermission):
		because(kv.FaultDenied, "its permissions do not allow it", "make it and its directory yours (chmod u+rw)")
	case isFull(err):
		because(kv.FaultFull, "its disk is full", "free some space, or set PLANB_DATA_DIR to a directory on another disk")
	case errors.Is(err, syscall.EISDIR):
		f = inTheWay(path, "is a directory")
		f.Err = err
	case errors.Is(err, berrors.ErrTimeout):
		f.Kind, f.What, f.Do = kv.FaultHeld, "is held by another process", "wait for it to end, or end it"
	default:
		because(kv.FaultIO, "the system says: "+printable(reason(err)), "see to the disk, then try again")
	}
	return f
}

// reason is an error without the path, which the sentence has named already.
func reason(err error) string {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Op + ": " + p.Err.Error()
	}
	return err.Error()
}
