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

// Wire speaks JSON-RPC to a server line by line, with no library in between.
type Wire struct {
	t     testing.TB
	Cmd   *exec.Cmd
	Stdin io.WriteCloser
	lines chan string // what the server wrote to stdout; closed at its end
}

func StartWire(t testing.TB, dataDir string, env ...string) *Wire {
	t.Helper()
	return WireTo(t, exec.Command(Planb(t), "mcp"), dataDir, env...)
}

// WireTo starts the command, which runs a server.
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
	t.Cleanup(func() { _ = w.Cmd.Process.Kill() }) // gone already, where the test succeeded
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

func (w *Wire) Send(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.Stdin, line+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

// Receive returns the next line, which must be one JSON-RPC message.
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

// Ends waits for the server's exit and returns its code.
func (w *Wire) Ends() int {
	w.t.Helper()
	for line := range w.lines {
		if !strings.HasPrefix(line, `{`) {
			w.t.Errorf("not JSON on stdout: %q", line)
		}
	}
	done := make(chan struct{})
	go func() {
		_ = w.Cmd.Wait() // the code is looked at below
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

const (
	LegacyHello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	ModernMeta  = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	ModernHello = `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + ModernMeta + `}}`
)

// WireText is the text of a tool's result.
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

// ShakeHands makes the server ready and opens a session.
func (w *Wire) ShakeHands() string {
	w.t.Helper()
	w.Send(LegacyHello)
	w.Receive()
	w.Send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"init_planb_session","arguments":{}}}`)
	return SessionOf(w.t, w.Receive())
}
