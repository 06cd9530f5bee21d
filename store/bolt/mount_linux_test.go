package bolt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"planb/store/kv"
)

// inMountNamespace makes cmd a process that may mount file systems for itself alone. They
// are gone when it ends.
func inMountNamespace(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	return cmd
}

// childMounted mounts a small file system in memory and does what is asked
// there. It exits with 77 if it may not mount.
func childMounted(dir string, args []string) error {
	err := errors.Join(
		unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""),
		unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m,mode=700"),
	)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(77)
	}
	path := filepath.Join(dir, "planb.db")
	switch args[0] {
	case "full":
		return fillDisk(path)
	case "full from the start":
		big := make([]byte, 1<<20)
		_ = os.WriteFile(filepath.Join(dir, "big"), big, 0o600) // as much as fits
		if err := childTry(path); err != nil {
			return err
		}
		left, err := os.ReadDir(dir)
		fmt.Printf("left\t\t%v\n", left)
		return err
	case "read-only":
		b, err := os.ReadFile(args[1])
		if err != nil {
			return err
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			return err
		}
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
			return err
		}
		return childTry(path)
	case "read-only and empty":
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
			return err
		}
		return childTry(path)
	}
	return fmt.Errorf("no task %q", args[0])
}

// mounted runs childMounted in a process of its own.
func mounted(t *testing.T, args ...string) (dir string, got map[string]outcome) {
	t.Helper()
	dir = t.TempDir()
	cmd := inMountNamespace(child(t, "mounted", append([]string{dir}, args...)...))
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 77 {
		needs(t, "mounting", errors.New(strings.TrimSpace(string(exit.Stderr))))
	} else if ok {
		t.Fatalf("%v: %s%s", err, out, exit.Stderr)
	} else if err != nil {
		needs(t, "a mount namespace", err)
	}
	return dir, parseOutcomes(out)
}

// fillDisk writes until the disk is full, and checks everything that was written.
func fillDisk(path string) error {
	ctx := context.Background()
	e, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	defer e.Close()
	ballast := path + ".ballast"
	if err := os.WriteFile(ballast, make([]byte, 64<<10), 0o600); err != nil {
		return err
	}
	acked := 0
	write := func() error {
		value := strings.Repeat("x", 3000+acked)
		return e.Commit(ctx, kv.Batch{Puts: []kv.Put{{Key: savedKey(acked), Value: []byte(value)}}})
	}
	for err == nil {
		if err = write(); err == nil {
			acked++
		}
	}
	fault, _ := errors.AsType[*kv.Fault](err)
	fmt.Printf("full\t%s\t%v\n", fault.Kind, err)
	fmt.Printf("cause\t\t%v\n", errors.Is(err, syscall.ENOSPC) && !errors.Is(err, kv.ErrUnclear))

	kept := func() error {
		for i := range acked {
			got, err := e.Get(ctx, savedKey(i))
			if err != nil {
				return err
			}
			if len(got[0].Value) != 3000+i {
				return fmt.Errorf("record %d of %d is lost", i, acked)
			}
		}
		got, err := e.Get(ctx, savedKey(acked))
		if err == nil && got[0].Exists() {
			err = errors.New("what was refused is there")
		}
		return err
	}
	fmt.Printf("kept\t\t%v\n", kept())
	if err := os.Remove(ballast); err != nil {
		return err
	}
	err = write()
	acked++
	fmt.Printf("with space again\t\t%v\n", err)
	fmt.Printf("kept at last\t\t%v of %v\n", kept(), acked > 10)
	return nil
}

const (
	fullText = " cannot be written, because its disk is full; free some space, or set PLANB_DATA_DIR to a directory on another disk"
	roText   = " cannot be written, because its file system is read-only; mount it for writing, or set PLANB_DATA_DIR to another directory"
)

func TestDiskFull(t *testing.T) {
	t.Parallel()
	dir, got := mounted(t, "full")
	path := filepath.Join(dir, "planb.db")
	wantOutcome(t, path, "full", got["full"], kv.FaultFull, "{file}"+fullText)
	wantOutcome(t, path, "cause", got["cause"], "", "true")
	wantOutcome(t, path, "kept", got["kept"], "", "")
	wantOutcome(t, path, "with space again", got["with space again"], "", "")
	wantOutcome(t, path, "kept at last", got["kept at last"], "", "<nil> of true")
}

// TestDiskFullFromTheStart checks that no half-made store is left behind.
func TestDiskFullFromTheStart(t *testing.T) {
	t.Parallel()
	dir, got := mounted(t, "full from the start")
	path := filepath.Join(dir, "planb.db")
	wantOutcome(t, path, "open", got["open"], kv.FaultFull, "{file}"+fullText)
	if left := got["left"].text; strings.Contains(left, "planb.db.new") || strings.Contains(left, "planb.db ") {
		t.Errorf("left behind: %s", left)
	}
}

func TestReadOnlyFileSystem(t *testing.T) {
	t.Parallel()
	whole := fillStore(t).path
	dir, got := mounted(t, "read-only", whole)
	path := filepath.Join(dir, "planb.db")
	wantOutcome(t, path, "open", got["open"], "", "")
	wantOutcome(t, path, "read", got["read"], "", "")
	wantOutcome(t, path, "write", got["write"], kv.FaultReadOnly, "{file}"+roText)

	dir, got = mounted(t, "read-only and empty")
	path = filepath.Join(dir, "planb.db")
	wantOutcome(t, path, "open", got["open"], kv.FaultReadOnly, "{dir}"+roText)
}
