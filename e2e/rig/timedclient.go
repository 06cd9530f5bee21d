package rig

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// TimedClient is an MCP client that writes and reads plain lines. Unlike a
// client library it spends no time between the server and the clock.
type TimedClient struct {
	t     testing.TB
	Cmd   *exec.Cmd
	Begun time.Time // just before the process was started
	in    io.WriteCloser

	mu      sync.Mutex
	last    int // request id
	waiting map[int]chan Arrival
	ended   chan struct{} // closed at the end of the server's output
}

// Arrival is a response with the time at which its line arrived.
type Arrival struct {
	At   time.Time
	line []byte
}

// StartTimedClient starts a server. Its environment is exactly env, or the
// test's own if env is nil.
func StartTimedClient(t testing.TB, env []string, program string, args ...string) *TimedClient {
	t.Helper()
	w := &TimedClient{t: t, Cmd: exec.Command(program, args...), waiting: map[int]chan Arrival{}, ended: make(chan struct{})}
	w.Cmd.Env = env
	in, err := w.Cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.Cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.in, w.Begun = in, time.Now()
	if err := w.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go w.read(out)
	t.Cleanup(func() {
		if w.Cmd.ProcessState == nil {
			_ = w.Cmd.Process.Kill() // the test ended before it stopped the server
			<-w.ended
			_ = w.Cmd.Wait()
		}
	})
	return w
}

func (w *TimedClient) read(out io.Reader) {
	defer close(w.ended)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return // the server has ended
		}
		at := time.Now()
		var response struct{ ID *int }
		if json.Unmarshal(line, &response) != nil || response.ID == nil {
			continue // a notification
		}
		w.mu.Lock()
		if waiting := w.waiting[*response.ID]; waiting != nil {
			waiting <- Arrival{at, line}
		}
		w.mu.Unlock()
	}
}

// Send sends a request. The response arrives on the channel.
func (w *TimedClient) Send(method string, params any) <-chan Arrival {
	w.t.Helper()
	w.mu.Lock()
	w.last++
	id, response := w.last, make(chan Arrival, 1)
	w.waiting[id] = response
	w.mu.Unlock()
	w.write(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	return response
}

func (w *TimedClient) write(message map[string]any) {
	w.t.Helper()
	if message["params"] == nil {
		delete(message, "params")
	}
	line, err := json.Marshal(message)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.in.Write(append(line, '\n')); err != nil {
		w.t.Fatal(err)
	}
}

// CallTool sends a call of a tool. The response arrives on the channel.
func (w *TimedClient) CallTool(name string, arguments map[string]any) <-chan Arrival {
	w.t.Helper()
	return w.Send("tools/call", map[string]any{"name": name, "arguments": arguments})
}

// Result waits for a response and fails the test if it is an error.
func (w *TimedClient) Result(response <-chan Arrival) Arrival {
	w.t.Helper()
	select {
	case got := <-response:
		var said struct {
			Error  json.RawMessage
			Result struct{ IsError bool }
		}
		if err := json.Unmarshal(got.line, &said); err != nil || said.Error != nil || said.Result.IsError {
			w.t.Fatalf("the server answered %s (%v)", got.line, err)
		}
		return got
	case <-w.ended:
		w.t.Fatal("the server ended instead of answering")
	case <-time.After(Patience):
		w.t.Fatalf("no answer within %v", Patience)
	}
	return Arrival{}
}

// CallTimed calls a tool and returns how long the answer took, in milliseconds.
func (w *TimedClient) CallTimed(tool string, arguments map[string]any) float64 {
	w.t.Helper()
	sent := time.Now()
	return Milliseconds(w.Result(w.CallTool(tool, arguments)).At.Sub(sent))
}

// Initialize performs the handshake and returns the response.
func (w *TimedClient) Initialize() Arrival {
	w.t.Helper()
	got := w.Result(w.Send("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test-client", "version": "1"},
	}))
	w.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return got
}

// Text returns all text of a tool's result.
func (a Arrival) Text() string {
	var response struct {
		Result struct{ Content []struct{ Text string } }
	}
	if err := json.Unmarshal(a.line, &response); err != nil {
		return fmt.Sprint(err)
	}
	var texts []string
	for _, content := range response.Result.Content {
		texts = append(texts, content.Text)
	}
	return strings.Join(texts, "\n")
}

// Session opens a planb session and returns its id.
func (w *TimedClient) Session(title string) string {
	w.t.Helper()
	text := w.Result(w.CallTool("init_planb_session", map[string]any{"title": title})).Text()
	match := SessionLine.FindStringSubmatch(text)
	if match == nil {
		w.t.Fatalf("init_planb_session gave %q", text)
	}
	return match[1]
}

// Stop closes the server's input and checks that the server ends with code 0.
func (w *TimedClient) Stop() {
	w.t.Helper()
	if err := w.in.Close(); err != nil {
		w.t.Fatal(err)
	}
	<-w.ended
	if err := w.Cmd.Wait(); err != nil {
		w.t.Fatalf("the server ended with %v", err)
	}
}

// Milliseconds converts a duration to milliseconds.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
