package deaths_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"planb/e2e/rig"
)

// smallDisk mounts a file system of that many bytes in memory.
func smallDisk(t testing.TB, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size+",mode=700"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("mounting a small disk: %v; these tests need it", err)
		}
		t.Skipf("mounting a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill leaves no byte on the disk, and room makes some again.
func fill(t testing.TB, disk string) (room func()) {
	t.Helper()
	file, err := os.CreateTemp(disk, "ballast-*")
	if err != nil {
		t.Fatal(err)
	}
	for size := 64 << 10; size > 0; size /= 2 {
		for err = nil; err == nil; {
			_, err = file.Write(make([]byte, size))
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := os.Remove(file.Name()); err != nil {
			t.Fatal(err)
		}
	}
}

// remount makes the disk read-only, or writable again.
func remount(t testing.TB, disk string, flags uintptr) {
	t.Helper()
	var err error
	rig.Until(t, "nobody has a file of the disk open", func() bool {
		err = unix.Mount("", disk, "", unix.MS_REMOUNT|flags, "")
		return err != unix.EBUSY
	})
	if err != nil {
		t.Fatal(err)
	}
}

// nobody is a user whom permissions stop: the one who runs the tests, unless
// that is root.
type nobody struct{ uid int }

func newNobody() nobody {
	if uid := os.Geteuid(); uid != 0 {
		return nobody{uid}
	}
	return nobody{65534}
}

// runs is the command as that user runs it.
func (n nobody) runs(command ...string) []string {
	if n.uid == os.Geteuid() {
		return command
	}
	return append([]string{"setpriv", fmt.Sprintf("--reuid=%d", n.uid), fmt.Sprintf("--regid=%d", n.uid), "--clear-groups", "--"}, command...)
}

// dir is a directory of that user's.
func (n nobody) dir(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if n.uid != os.Geteuid() {
		if err := os.Chown(dir, n.uid, n.uid); err != nil {
			t.Fatal(err)
		}
		n.opens(t, filepath.Dir(dir))
	}
	return dir
}

// opens lets others through the directory.
func (n nobody) opens(t testing.TB, dir string) {
	t.Helper()
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
}

func chmod(t testing.TB, mode os.FileMode, paths ...string) {
	t.Helper()
	for _, path := range paths {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
}
