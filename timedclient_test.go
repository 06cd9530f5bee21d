package main_test

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

// timedClient is an MCP client of plain lines. It spends nothing between the server
// and the clock, unlike a library's client.
type timedClient struct {
	t     testing.TB
	cmd   *exec.Cmd
	begun time.Time // just before the process was made
	in    io.WriteCloser

	mu      sync.Mutex
	last    int // request id
	waiting map[int]chan arrival
	ended   chan struct{} // closed at the end of the server's output
}

// arrival is a response and when its line was there.
type arrival struct {
	at   time.Time
	line []byte
}

// startTimed starts a server with exactly those variables, or with the test's own.
func startTimed(t testing.TB, env []string, program string, args ...string) *timedClient {
	t.Helper()
	w := &timedClient{t: t, cmd: exec.Command(program, args...), waiting: map[int]chan arrival{}, ended: make(chan struct{})}
	w.cmd.Env = env
	in, err := w.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	w.in, w.begun = in, time.Now()
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go w.read(out)
	t.Cleanup(func() {
		if w.cmd.ProcessState == nil {
			_ = w.cmd.Process.Kill() // the test ended before it stopped the server
			<-w.ended
			_ = w.cmd.Wait()
		}
	})
	return w
}

func (w *timedClient) read(out io.Reader) {
	defer close(w.ended)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return // the server's end
		}
		at := time.Now()
		var response struct{ ID *int }
		if json.Unmarshal(line, &response) != nil || response.ID == nil {
			continue // a notification
		}
		w.mu.Lock()
		if waiting := w.waiting[*response.ID]; waiting != nil {
			waiting <- arrival{at, line}
		}
		w.mu.Unlock()
	}
}

// send sends a request; its response arrives on the channel.
func (w *timedClient) send(method string, params any) <-chan arrival {
	w.t.Helper()
	w.mu.Lock()
	w.last++
	id, response := w.last, make(chan arrival, 1)
	w.waiting[id] = response
	w.mu.Unlock()
	w.write(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	return response
}

func (w *timedClient) write(message map[string]any) {
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

// tool calls a tool.
func (w *timedClient) tool(name string, arguments map[string]any) <-chan arrival {
	w.t.Helper()
	return w.send("tools/call", map[string]any{"name": name, "arguments": arguments})
}

// result waits for a response that is no error.
func (w *timedClient) result(response <-chan arrival) arrival {
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
	case <-time.After(patience):
		w.t.Fatalf("no answer within %v", patience)
	}
	return arrival{}
}

// timed calls a tool and returns how long its answer took, in milliseconds.
func (w *timedClient) timed(tool string, arguments map[string]any) float64 {
	w.t.Helper()
	sent := time.Now()
	return milliseconds(w.result(w.tool(tool, arguments)).at.Sub(sent))
}

func (w *timedClient) initialize() arrival {
	w.t.Helper()
	got := w.result(w.send("initialize", map[string]any{
		"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "test-client", "version": "1"},
	}))
	w.write(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return got
}

// text is all the text of a tool's result.
func (a arrival) text() string {
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

// session opens a planb session and returns its id.
func (w *timedClient) session(title string) string {
	w.t.Helper()
	text := w.result(w.tool("init_planb_session", map[string]any{"title": title})).text()
	match := sessionLine.FindStringSubmatch(text)
	if match == nil {
		w.t.Fatalf("init_planb_session gave %q", text)
	}
	return match[1]
}

// stop ends the server by the end of its input, which it must take well.
func (w *timedClient) stop() {
	w.t.Helper()
	if err := w.in.Close(); err != nil {
		w.t.Fatal(err)
	}
	<-w.ended
	if err := w.cmd.Wait(); err != nil {
		w.t.Fatalf("the server ended with %v", err)
	}
}
