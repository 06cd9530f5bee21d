package deaths_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"planb/e2e/rig"
)

// remount has the disk take no writes, or take them again.
func (d fullDisk) remount(flags uintptr) {
	d.t.Helper()
	var err error
	rig.Until(d.t, "nobody has a file of the disk open", func() bool {
		err = unix.Mount("", d.disk, "", unix.MS_REMOUNT|flags, "")
		return err != unix.EBUSY
	})
	if err != nil {
		d.t.Fatal(err)
	}
}

// A file system that the kernel has made read-only is one that takes no writes.
func TestReadOnlyDiskLosesNothing(t *testing.T) {
	t.Parallel()
	d := newFullDisk(t)
	session := d.agent.Session("Read-only")
	call := d.agent.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form := d.tm.NewPane(d.home)
	d.tm.Ready(form)
	d.remount(unix.MS_RDONLY)
	d.tm.Text(form, "kept")
	d.tm.SavedIn(form, d.run)
	d.tm.Keys(form, "C-s")
	got := call.Reply()
	if got.Texts[0] != `{"name":"kept"}` {
		t.Errorf("the agent received %q", got)
	}
	saysElsewhere(t, got, d.run, d.disk, "the file system of "+d.disk+" is read-only")
	saysElsewhere(t, d.agent.Call("init_planb_session", map[string]any{"title": "Meanwhile", "projectPath": t.TempDir()}),
		d.run, d.disk, "the file system of "+d.disk+" is read-only")
	if says := d.doctor(); !strings.Contains(says, d.away()[0]+" stands in for it: the file system of "+d.disk+" is read-only") {
		t.Errorf("doctor says\n%s", says)
	}
	d.remount(0)
	d.agent.Call("init_planb_session", map[string]any{"title": "Again", "projectPath": t.TempDir()})
	d.movesHome(session, `{"name":"kept"}`)
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

// A data directory of the user's own whose permissions refuse is one that takes
// no writes.
func TestPermissionsThatRefuseLoseNothing(t *testing.T) {
	t.Parallel()
	n, tm := newNobody(), rig.StartTmux(t, 160, 40)
	data, run := n.dir(t), n.dir(t)
	n.opens(t, filepath.Dir(rig.Planb(t)))
	env := []string{"ASK_NO_OPEN=1", "PLANB_RUNTIME_DIR=" + run, "XDG_STATE_HOME=" + run}
	a := rig.StartAgentAs(t, data, env, n.runs(rig.Planb(t), "mcp")...)
	session := a.Session("Denied")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form := tm.Run(append([]string{"new-window", "-d", "-P", "-F", "#{pane_id}", "-e", "PLANB_DATA_DIR=" + data,
		"-e", "PLANB_RUNTIME_DIR=" + run, "-e", "HOME=" + run, "-e", "LC_ALL=C.UTF-8", "--"}, n.runs(rig.Planb(t), "tui", "ask")...)...)
	tm.Ready(form)
	file := filepath.Join(data, "planb.db")
	chmod(t, 0o400, file)
	chmod(t, 0o500, data)
	t.Cleanup(func() { chmod(t, 0o700, data) })
	tm.Text(form, "kept")
	tm.SavedIn(form, run)
	tm.Keys(form, "C-s")
	got := call.Reply()
	if got.Texts[0] != `{"name":"kept"}` {
		t.Errorf("the agent received %q", got)
	}
	saysElsewhere(t, got, run, data, "the permissions of "+data+" allow no writing")
	chmod(t, 0o700, data)
	chmod(t, 0o600, file)
	a.Session("Again")
	if left, err := filepath.Glob(filepath.Join(run, "*.db")); err != nil || len(left) > 0 {
		t.Errorf("something is still in %s, %v", left, err)
	}
	if err := os.Chown(data, os.Geteuid(), -1); err != nil { // who else reads it is refused
		t.Fatal(err)
	}
	rig.Delivered(t, data, session)
}
