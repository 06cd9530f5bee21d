package bolt

import (
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

// needs skips a test that the machine does not permit, and fails it in CI,
// where the machine is ours to choose.
func needs(t testing.TB, what string, err error) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is needed here: %v", what, err)
	}
	t.Skipf("%s is not permitted: %v", what, err)
}

// outcome is a line of childTry.
type outcome struct{ kind, text string }

func outcomes(t testing.TB, cmd *exec.Cmd) map[string]outcome {
	t.Helper()
	out, err := cmd.Output()
	if err != nil {
		var stderr []byte
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			stderr = exit.Stderr
		}
		t.Fatalf("%v: %s%s", err, out, stderr)
	}
	return parseOutcomes(out)
}

func parseOutcomes(out []byte) map[string]outcome {
	got := make(map[string]outcome)
	for line := range strings.Lines(string(out)) {
		what, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		kind, text, _ := strings.Cut(rest, "\t")
		got[what] = outcome{kind, text}
	}
	return got
}

// asNobody makes cmd another user's process.
func asNobody(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	return cmd
}

// forNobody is a directory of the user "nobody" and a copy of this test binary that this
// user can run. Root may do everything, so root needs another user to test permissions.
// Other users test with their own directory.
func forNobody(t *testing.T) (dir string, run func(name string, args ...string) *exec.Cmd) {
	t.Helper()
	if os.Geteuid() != 0 {
		return t.TempDir(), func(name string, args ...string) *exec.Cmd { return child(t, name, args...) }
	}
	dir, err := os.MkdirTemp("", "planb-bolt-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	binary := filepath.Join(dir, "child")
	self := readFile(t, os.Args[0])
	if err := errors.Join(os.WriteFile(binary, self, 0o755), os.Chmod(binary, 0o755), os.Chown(dir, 65534, 65534)); err != nil {
		t.Fatal(err)
	}
	return dir, func(name string, args ...string) *exec.Cmd {
		cmd := asNobody(child(t, name, args...))
		cmd.Path = binary
		cmd.Dir = dir
		return cmd
	}
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		file, dir     os.FileMode
		kind          kv.FaultKind
		wRead, wWrite string
	}{
		{
			"file that nobody may read", 0, 0o700, kv.FaultDenied,
			"{file} cannot be read, because its permissions do not allow it; make it and its directory yours (chmod u+rw)",
			"{file} cannot be written, because its permissions do not allow it; make it and its directory yours (chmod u+rw)",
		},
		{
			"file that is read only", 0o400, 0o700, kv.FaultDenied,
			"",
			"{file} cannot be written, because its permissions do not allow it; make it and its directory yours (chmod u+rw)",
		},
		{
			"directory that is read only, no turnstile", 0o400, 0o500, kv.FaultDenied,
			"",
			"{file} cannot be written, because its permissions do not allow it; make it and its directory yours (chmod u+rw)",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir, run := forNobody(t)
			e := fillStore(t)
			path := filepath.Join(dir, "data", "planb.db")
			owner := os.Geteuid()
			if owner == 0 {
				owner = 65534
			}
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			whole := readFile(t, e.path)
			writeFile(t, path, whole)
			err := errors.Join(
				os.Chown(path, owner, -1), os.Chmod(path, c.file),
				os.Chown(filepath.Dir(path), owner, -1), os.Chmod(filepath.Dir(path), c.dir),
			)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Chmod(filepath.Dir(path), 0o700) })

			got := outcomes(t, run("try", path))
			if got["open"].text != "<nil>" {
				t.Fatalf("open: %s", got["open"].text)
			}
			wantOutcome(t, path, "read", got["read"], c.kind, c.wRead)
			wantOutcome(t, path, "write", got["write"], c.kind, c.wWrite)
			if err := os.Chmod(path, 0o600); err != nil {
				t.Fatal(err)
			}
			if string(readFile(t, path)) != string(whole) {
				t.Error("the file was changed")
			}
		})
	}
}

// wantOutcome checks a child's outcome; an empty sentence means that it worked.
func wantOutcome(t testing.TB, path, what string, got outcome, kind kv.FaultKind, sentence string) {
	t.Helper()
	if sentence == "" {
		sentence, kind = "<nil>", ""
	}
	sentence = strings.ReplaceAll(sentence, "{file}", path)
	sentence = strings.ReplaceAll(sentence, "{dir}", filepath.Dir(path))
	if got.text != sentence || got.kind != string(kind) {
		t.Errorf("%s:\ngot  %q %s\nwant %q %s", what, got.kind, got.text, kind, sentence)
	}
}

// A directory that others can write to is refused, and stays as it is. A directory that
// others can only read, or that the user's own group can write to, is used.
func TestADirectoryThatOthersCanWriteTo(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		mode    os.FileMode
		shared  bool // with a group that is not the user's own
		refused bool
	}{
		{0o700, false, false}, {0o755, false, false}, {0o777, false, true}, {0o702, false, true}, {0o770, true, true}, {0o770, false, false},
	} {
		t.Run(fmt.Sprintf("%o, shared %v", test.mode, test.shared), func(t *testing.T) {
			dir, group := t.TempDir(), os.Getuid()
			if test.shared {
				group++
			}
			if err := os.Chown(dir, -1, group); err != nil {
				t.Skip("the group can't be set: ", err)
			}
			if err := os.Chmod(dir, test.mode); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "planb.db")
			e, err := Open(t.Context(), path, Options{})
			if !test.refused {
				if err != nil {
					t.Fatal(err)
				}
				e.Close()
				return
			}
			wantFault(t, path, err, kv.FaultExposed, fmt.Sprintf(
				"{dir} can be written to by other users (its mode is %04o); run  chmod 700 {dir}  if nobody else uses it, or set PLANB_DATA_DIR to a directory of your own", test.mode))
			wantEmptyDir(t, dir)
			if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != test.mode {
				t.Errorf("the mode is %v, %v", info.Mode(), err)
			}
		})
	}
}

// TestNotOwner checks that a store in another user's directory is neither made
// nor touched, although the permissions would allow it.
func TestNotOwner(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		err := checkOwner("/", os.Geteuid())
		wantFault(t, "/", err, kv.FaultNotOwner,
			fmt.Sprintf("/ belongs to root and you are user %d; run planb as root, without sudo, or set PLANB_DATA_DIR to a directory of your own", os.Geteuid()))
		return
	}
	t.Run("nobody in root's", func(t *testing.T) {
		_, run := forNobody(t)
		dir, err := os.MkdirTemp("", "planb-bolt-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "planb.db")
		got := outcomes(t, run("try", path))
		wantOutcome(t, path, "open", got["open"], kv.FaultNotOwner,
			"{dir} belongs to root and you are user 65534; run planb as root, without sudo, or set PLANB_DATA_DIR to a directory of your own")
		wantEmptyDir(t, dir)
	})
	t.Run("root in nobody's", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Chown(dir, 65534, 65534); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "planb.db")
		_, err := Open(t.Context(), path, Options{})
		wantFault(t, path, err, kv.FaultNotOwner,
			"{dir} belongs to user 65534 and you are root; run planb as user 65534, without sudo, or set PLANB_DATA_DIR to a directory of your own")
		// Nor is a directory made below another user's.
		_, err = Open(t.Context(), filepath.Join(dir, "share", "planb", "planb.db"), Options{})
		wantFault(t, path, err, kv.FaultNotOwner, "{dir} belongs to user 65534 and you are root; {…}")
		wantEmptyDir(t, dir)
	})
}

func wantEmptyDir(t testing.TB, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestModes(t *testing.T) {
	old := unix.Umask(0)
	defer unix.Umask(old)
	e := openAt(t, filepath.Join(t.TempDir(), "share", "planb", "planb.db"))
	if err := write(t, e); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(e.path)
	for path, want := range map[string]os.FileMode{
		e.path: 0o600, e.turn: 0o600, e.bell: 0o600,
		dir: os.ModeDir | 0o700, filepath.Dir(dir): os.ModeDir | 0o700,
	} {
		info, err := os.Stat(path)
		if err != nil || info.Mode() != want {
			t.Errorf("%s: mode %v, want %v; %v", path, info.Mode(), want, err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 3 {
		t.Errorf("in the directory: %v, %v", left, err)
	}
}

func TestNetworkFileSystem(t *testing.T) {
	t.Parallel()
	for magic, want := range map[uint32]string{
		unix.NFS_SUPER_MAGIC: "NFS", unix.CIFS_SUPER_MAGIC: "SMB", unix.SMB2_SUPER_MAGIC: "SMB", unix.SMB_SUPER_MAGIC: "SMB",
		unix.EXT4_SUPER_MAGIC: "", unix.TMPFS_MAGIC: "", unix.V9FS_MAGIC: "", unix.BTRFS_SUPER_MAGIC: "", unix.OVERLAYFS_SUPER_MAGIC: "",
	} {
		if got := networkKind(magic); got != want {
			t.Errorf("%#x: got %q, want %q", magic, got, want)
		}
	}
	want := "/d is on a network file system (NFS), where locks and shared memory cannot be trusted; " +
		"set PLANB_DATA_DIR to a directory on a local disk"
	if got := networked("/d", "NFS").Error(); got != want {
		t.Errorf("got %s", got)
	}
}
