package rig

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Wire speaks JSON-RPC to a server line by line, without a client library.
type Wire struct {
	t     testing.TB
	Cmd   *exec.Cmd
	Stdin io.WriteCloser
	lines chan string // the lines that the server wrote to stdout; closed at its end
}

// StartWire starts `planb mcp` with the given variables.
func StartWire(t testing.TB, dataDir string, env ...string) *Wire {
	t.Helper()
	return WireTo(t, exec.Command(Planb(t), "mcp"), dataDir, env...)
}

// WireTo is StartWire with another command that runs a server.
func WireTo(t testing.TB, cmd *exec.Cmd, dataDir string, env ...string) *Wire {
	t.Helper()
	w := &Wire{t: t, Cmd: cmd, lines: make(chan string, 100)}
	w.Cmd.Env = append([]string{"HOME=" + dataDir, "PLANB_DATA_DIR=" + dataDir}, env...)
	var err error
	if w.Stdin, err = w.Cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := w.Cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Cmd.Process.Kill() }) // it has ended already if the test succeeded
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

// Send writes a line to the server.
func (w *Wire) Send(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.Stdin, line+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

// Receive returns the next line, which must be a JSON-RPC message.
func (w *Wire) Receive() map[string]any {
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
	case <-time.After(Patience):
		w.t.Fatal("the server never answered")
	}
	return nil
}

// WaitExit waits until the server ends and returns its exit code. Until then
// the server may write only JSON.
func (w *Wire) WaitExit() int {
	w.t.Helper()
	for line := range w.lines {
		if !strings.HasPrefix(line, `{`) {
			w.t.Errorf("not JSON on stdout: %q", line)
		}
	}
	done := make(chan struct{})
	go func() {
		_ = w.Cmd.Wait() // the caller checks the exit code
		close(done)
	}()
	Until(w.t, "the server has ended", func() bool {
		select {
		case <-done:
			return true
		default:
			return false
		}
	})
	return w.Cmd.ProcessState.ExitCode()
}

// The first messages of a client: of the protocol's versions with initialize,
// and of those with server/discover. Every later request of the latter carries
// ModernMeta.
const (
	LegacyHello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	ModernMeta  = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	ModernHello = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + ModernMeta + `}}`
)

// WireText returns the text of a tool's result.
func WireText(t *testing.T, message map[string]any) string {
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

// SessionOf finds the session's id in the result of init_planb_session.
func SessionOf(t testing.TB, message map[string]any) string {
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

// ShakeHands initializes the connection, opens a session and returns its id.
func (w *Wire) ShakeHands() string {
	w.t.Helper()
	w.Send(LegacyHello)
	w.Receive()
	w.Send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"init_planb_session","arguments":{}}}`)
	return SessionOf(w.t, w.Receive())
}
