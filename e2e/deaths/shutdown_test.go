package deaths_test

import (
	"syscall"
	"testing"

	"planb/e2e/rig"
)

// A server that is asked to end leaves with code 0, in each way to ask, also
// while a question waits. The question stays open.
func TestTheServerLeavesWhenAsked(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*rig.Wire) error{
		"end of input": func(w *rig.Wire) error { return w.Stdin.Close() },
		"SIGTERM":      func(w *rig.Wire) error { return w.Cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":       func(w *rig.Wire) error { return w.Cmd.Process.Signal(syscall.SIGINT) },
		"SIGHUP":       func(w *rig.Wire) error { return w.Cmd.Process.Signal(syscall.SIGHUP) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			w := rig.StartWire(t, data, "ASK_NO_OPEN=1")
			w.Send(rig.LegacyHello)
			w.Receive()
			w.Send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			w.Send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"init_planb_session","arguments":{}}}`)
			session := rig.SessionOf(t, w.Receive())
			w.Send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":"` + session + `","title":"T","questions":[{"id":"q","kind":"text","label":"L"}]}}}`)
			rig.Asked(t, data)
			if err := leave(w); err != nil {
				t.Fatal(err)
			}
			if code := w.WaitExit(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			waiting, err := rig.OpenStore(t, data).Waiting(t.Context())
			if err != nil || len(waiting) != 1 {
				t.Errorf("after that %d questions wait (%v), want 1", len(waiting), err)
			}
		})
	}
}

// The program itself speaks both eras of the protocol.
func TestBothErasOfTheProtocol(t *testing.T) {
	t.Parallel()
	w := rig.StartWire(t, t.TempDir(), "ASK_NO_OPEN=1")
	w.Send(rig.ModernHello)
	discovered := w.Receive()
	result, ok := discovered["result"].(map[string]any)
	if !ok || result["supportedVersions"] == nil {
		t.Fatalf("server/discover gave %v", discovered)
	}
	w.Send(`{"jsonrpc":"2.0","id":"list","method":"tools/list","params":{` + rig.ModernMeta + `}}`)
	list := w.Receive()
	if list["id"] != "list" || list["result"] == nil {
		t.Fatalf("tools/list gave %v", list)
	}
	w.Send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"init_planb_session","arguments":{"title":"modern"},` + rig.ModernMeta + `}}`)
	rig.SessionOf(t, w.Receive())
	w.Send(rig.LegacyHello)
	if hello := w.Receive(); hello["result"] == nil {
		t.Fatalf("initialize gave %v", hello)
	}
	if err := w.Stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if code := w.WaitExit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
