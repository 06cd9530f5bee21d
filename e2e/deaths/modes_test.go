package deaths_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// Everything that the server writes, also the log and the copies of plans, is
// readable for its owner only, whatever the umask of the client that started
// it.
func TestWhatIsKeptIsForItsOwnerAlone(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	data := filepath.Join(home, "share", "planb")
	w := rig.WireTo(t, exec.Command("sh", "-c", `umask 0; exec "$0" mcp`, rig.Planb(t)), data,
		"ASK_NO_OPEN=1", "HOME="+home, "XDG_STATE_HOME="+filepath.Join(home, "state"))
	w.Send(rig.LegacyHello)
	w.Receive()
	w.Send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"init_planb_session","arguments":{}}}`)
	session := rig.SessionOf(t, w.Receive())
	w.Send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"save_plan","arguments":{"sessionId":"` + session + `","plan":"# A plan"}}}`)
	w.Receive()
	if err := w.Stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if code := w.WaitExit(); code != 0 {
		t.Errorf("exit code %d", code)
	}

	seen := map[string]bool{}
	err := filepath.WalkDir(home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == home {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if entry.IsDir() {
			want = fs.ModeDir | 0o700
		}
		if info.Mode() != want {
			t.Errorf("%s: mode %v, want %v", path, info.Mode(), want)
		}
		seen[entry.Name()] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"planb.db", "planb.log", "v1.md"} {
		if !seen[name] {
			t.Errorf("no %s was written below %s", name, home)
		}
	}
}

// If the only state directory belongs to another user, as under sudo, the
// server starts no log there. It says so and works.
func TestNoLogIsWrittenInAnothersDirectory(t *testing.T) {
	t.Parallel()
	theirs := "/" // it belongs to root
	if os.Geteuid() == 0 {
		theirs = t.TempDir()
		if err := os.Chown(theirs, 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadDir(theirs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(rig.Planb(t), "mcp")
	cmd.Env = []string{"HOME=" + t.TempDir(), "XDG_STATE_HOME=" + theirs}
	out, err := cmd.CombinedOutput() // its input ends at once
	if err != nil || !strings.Contains(string(out), "no log file is written") || !strings.Contains(string(out), theirs) {
		t.Errorf("planb mcp: %v, %q", err, out)
	}
	after, err := os.ReadDir(theirs)
	if err != nil || len(after) != len(before) {
		t.Errorf("%s held %v, and holds %v now (%v)", theirs, before, after, err)
	}
}
