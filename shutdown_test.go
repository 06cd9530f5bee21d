package main_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// wire speaks JSON-RPC to a server line by line, with no library in between.
type wire struct {
	t     testing.TB
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan string // what the server wrote to stdout; closed at its end
}

func startWire(t testing.TB, dataDir string, env ...string) *wire {
	t.Helper()
	return wireTo(t, exec.Command(planb(t), "mcp"), dataDir, env...)
}

// wireTo starts the command, which runs a server.
func wireTo(t testing.TB, cmd *exec.Cmd, dataDir string, env ...string) *wire {
	t.Helper()
	w := &wire{t: t, cmd: cmd, lines: make(chan string, 100)}
	w.cmd.Env = append([]string{"HOME=" + dataDir, "PLANB_DATA_DIR=" + dataDir}, env...)
	var err error
	if w.stdin, err = w.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.cmd.Process.Kill() }) // gone already, where the test succeeded
	go func() {
		defer close(w.lines)
		scanner := bufio.NewScanner(stdout)
		scanner.Buffer(nil, 1<<20)
		for scanner.Scan() {
			w.lines <- scanner.Text()
		}
	}()
	return w
}

func (w *wire) send(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.stdin, line+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

// receive returns the next line, which must be one JSON-RPC message.
func (w *wire) receive() map[string]any {
	w.t.Helper()
	select {
	case line, open := <-w.lines:
		if !open {
			w.t.Fatal("the server closed its stdout")
		}
		message := map[string]any{}
		if err := json.Unmarshal([]byte(line), &message); err != nil || message["jsonrpc"] != "2.0" {
			w.t.Fatalf("not a JSON-RPC message on stdout: %q (%v)", line, err)
		}
		return message
	case <-time.After(patience):
		w.t.Fatal("the server never answered")
	}
	return nil
}

// ends waits for the server's exit and returns its code.
func (w *wire) ends() int {
	w.t.Helper()
	for line := range w.lines {
		if !strings.HasPrefix(line, `{`) {
			w.t.Errorf("not JSON on stdout: %q", line)
		}
	}
	done := make(chan struct{})
	go func() {
		_ = w.cmd.Wait() // the code is looked at below
		close(done)
	}()
	until(w.t, "the server has ended", func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	})
	return w.cmd.ProcessState.ExitCode()
}

const (
	legacyHello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	modernMeta  = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	modernHello = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + modernMeta + `}}`
)

// A server leaves with code 0 however it is asked to, also while a question
// waits, and the question stays open.
func TestTheServerLeavesWhenAsked(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*wire) error{
		"end of input": func(w *wire) error { return w.stdin.Close() },
		"SIGTERM":      func(w *wire) error { return w.cmd.Process.Signal(syscall.SIGTERM) },
		"SIGINT":       func(w *wire) error { return w.cmd.Process.Signal(syscall.SIGINT) },
		"SIGHUP":       func(w *wire) error { return w.cmd.Process.Signal(syscall.SIGHUP) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			w := startWire(t, data, "ASK_NO_OPEN=1")
			w.send(legacyHello)
			w.receive()
			w.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			w.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"init_planb_session","arguments":{}}}`)
			session := sessionOf(t, w.receive())
			w.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":"` + session + `","title":"T","questions":[{"id":"q","kind":"text","label":"L"}]}}}`)
			st := openStore(t, data)
			until(t, "the question is kept", func() bool {
				waiting, err := st.Waiting(t.Context())
				return err == nil && len(waiting) == 1
			})
			if err := leave(w); err != nil {
				t.Fatal(err)
			}
			if code := w.ends(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			waiting, err := st.Waiting(t.Context())
			if err != nil || len(waiting) != 1 {
				t.Errorf("after that %d questions wait (%v), want 1", len(waiting), err)
			}
		})
	}
}

// wireText is the text of a tool's result.
func wireText(t *testing.T, message map[string]any) string {
	t.Helper()
	text, err := json.Marshal(message["result"])
	if err != nil {
		t.Fatal(err)
	}
	var result struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(text, &result); err != nil || len(result.Content) == 0 {
		t.Fatalf("no text in %v (%v)", message, err)
	}
	var texts []string
	for _, content := range result.Content {
		texts = append(texts, content.Text)
	}
	return strings.Join(texts, "\n")
}

func sessionOf(t testing.TB, message map[string]any) string {
	t.Helper()
	text, err := json.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "sessionId: ")
	if !found || len(after) < 36 {
		t.Fatalf("no session in %s", text)
	}
	return after[:36]
}

// Both eras of the protocol, on the very program.
func TestBothErasOfTheProtocol(t *testing.T) {
	t.Parallel()
	w := startWire(t, t.TempDir(), "ASK_NO_OPEN=1")
	w.send(modernHello)
	discovered := w.receive()
	result, ok := discovered["result"].(map[string]any)
	if !ok || result["supportedVersions"] == nil {
		t.Fatalf("server/discover gave %v", discovered)
	}
	w.send(`{"jsonrpc":"2.0","id":"list","method":"tools/list","params":{` + modernMeta + `}}`)
	list := w.receive()
	if list["id"] != "list" || list["result"] == nil {
		t.Fatalf("tools/list gave %v", list)
	}
	w.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"init_planb_session","arguments":{"title":"modern"},` + modernMeta + `}}`)
	sessionOf(t, w.receive())
	w.send(legacyHello)
	if hello := w.receive(); hello["result"] == nil {
		t.Fatalf("initialize gave %v", hello)
	}
	if err := w.stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if code := w.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
