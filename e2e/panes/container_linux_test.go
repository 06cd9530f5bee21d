package panes_test

import (
	"os/exec"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// A server in a container, with namespaces of its own for processes and mounts,
// shares the store with a form outside. In the container the data directory is
// mounted at another path.
func TestAContainerSharesTheStoreOfItsHost(t *testing.T) {
	t.Parallel()
	data, mounted, tm := t.TempDir(), t.TempDir(), rig.StartTmux(t, 160, 40)
	isolate := isolation(t)
	inside := append(isolate, "sh", "-c", `mount --bind "$1" "$2" && exec "$3" mcp`, "sh", data, mounted, rig.Planb(t))
	w := rig.WireTo(t, exec.Command(inside[0], inside[1:]...), data, "PLANB_DATA_DIR="+mounted, "ASK_NO_OPEN=1", "PATH=/usr/sbin:/usr/bin:/sbin:/bin")
	session := w.ShakeHands()
	w.Send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":"` + session + `","title":"T","questions":[{"id":"name","kind":"text","label":"What shall it be called?"}]}}}`)
	rig.Asked(t, data)
	form := tm.Open(data, "tui", "ask")
	tm.Shows(form, "What shall it be called?")
	// The form cannot see the server's process, and knows all the same that it
	// is alive.
	if screen := tm.Screen(form); strings.Contains(screen, "stopped waiting") {
		t.Errorf("the form takes the server for dead:\n%s", screen)
	}
	tm.Text(form, "Aurora")
	tm.Keys(form, "C-s")
	if got := rig.WireText(t, w.Receive()); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
	if err := w.Stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if code := w.WaitExit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// isolation is the command that starts another command in namespaces of its
// own.
func isolation(t *testing.T) []string {
	t.Helper()
	if _, err := exec.LookPath("unshare"); err != nil {
		t.Fatal("unshare is missing; it is part of util-linux")
	}
	var said []byte
	for _, command := range [][]string{
		{"unshare", "--fork", "--kill-child", "--pid", "--mount", "--mount-proc"},
		{"unshare", "--user", "--map-root-user", "--fork", "--kill-child", "--pid", "--mount", "--mount-proc"},
	} {
		out, err := exec.Command(command[0], append(command[1:], "true")...).CombinedOutput()
		if err == nil {
			return command
		}
		said = out
	}
	t.Skipf("this system permits no namespaces: %s", said)
	return nil
}
