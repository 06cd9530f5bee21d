package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/mark3labs/mcp-go/mcp"
)

// initializeWith agrees on a version of the protocol.
func (c *client) initializeWith(version string) {
	c.t.Helper()
	c.request("initialize", map[string]any{
		"protocolVersion": version, "clientInfo": map[string]any{"name": "test", "version": "1"}, "capabilities": map[string]any{},
	})
	c.notify("notifications/initialized", nil)
}

const ping = `{"jsonrpc":"2.0","id":"p","method":"ping"}`

func (c *client) batch(items ...string) reply {
	c.t.Helper()
	c.write("[" + strings.Join(items, ",") + "]\n")
	for _, id := range []string{"batch", "null"} {
		select {
		case got := <-c.expect(id):
			return got
		default:
		}
	}
	select {
	case got := <-c.expect("batch"):
		return got
	case got := <-c.expect("null"):
		return got
	case <-time.After(patience):
		c.t.Fatal("no reply to the batch")
	}
	return reply{}
}

func TestBatchesBelongToOneVersionOfTheProtocol(t *testing.T) {
	for version, works := range map[string]bool{
		"": false, "2024-11-05": false, "2025-03-26": true, "2025-06-18": false, "2025-11-25": false,
	} {
		t.Run(version, func(t *testing.T) {
			c := connect(t, newWorld(t, nil).Server)
			if version != "" {
				c.initializeWith(version)
			}
			got := c.batch(ping)
			if works != (got.Error == nil) || !works && (got.Error.Code != -32600 || !strings.Contains(got.Error.Message, "2025-03-26")) {
				t.Errorf("got %s", got.line)
			}
			if alone := c.request("ping", nil); alone.Error != nil {
				t.Errorf("afterwards ping gave %s", alone.line)
			}
		})
	}
}

func TestABatchIsBounded(t *testing.T) {
	c := connect(t, newWorld(t, nil).Server)
	c.initializeWith("2025-03-26")
	pings := make([]string, 101)
	for i := range pings {
		pings[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":"b%d","method":"ping"}`, i)
	}
	var replies []message
	if got := c.batch(pings[:100]...); json.Unmarshal(got.line, &replies) != nil || len(replies) != 100 {
		t.Errorf("100 messages are answered by %d: %s", len(replies), got.line)
	}
	for what, test := range map[string]struct {
		batch []string
		code  int
	}{
		"101 messages":           {pings, -32600},
		"none":                   {nil, -32600},
		"half of one":            {[]string{`{"jsonrpc"`}, -32700},
		"one that is no message": {[]string{ping, "}"}, -32700},
	} {
		if got := c.batch(test.batch...); got.Error == nil || got.Error.Code != test.code {
			t.Errorf("%s: %s", what, got.line)
		}
	}
}

// A line costs memory by its length, not by the number of values in it.
func TestALineOfManyValuesCostsLittle(t *testing.T) {
	const size = 16 << 20
	ones := "[" + strings.Repeat("1,", size/2) + "1]"
	call := `{"jsonrpc":"2.0","id":1000,"method":"tools/call","params":{"name":"ask_user","arguments":{"questions":` + ones + `}}}`
	for name, test := range map[string]struct{ line, id string }{
		"a batch":              {ones, "null"},
		"arguments":            {call, "1000"},
		"arguments in a batch": {"[" + call + "]", "batch"},
		"a reply":              {`{"jsonrpc":"2.0","id":"planb-1","result":` + ones + `}`, `"planb-1"`},
	} {
		t.Run(name, func(t *testing.T) {
			c := connect(t, newWorld(t, nil).Server)
			c.initializeWith("2025-03-26")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			c.write(test.line + "\n")
			got := c.reply(test.id)
			runtime.ReadMemStats(&after)
			if !bytes.Contains(got.line, []byte(`"code":-32600`)) {
				t.Errorf("got %s", got.line)
			}
			if cost := after.TotalAlloc - before.TotalAlloc; cost > 16*size {
				t.Errorf("%d MiB were allocated for %d MiB", cost>>20, size>>20)
			}
			if alone := c.request("ping", nil); alone.Error != nil {
				t.Errorf("afterwards ping gave %s", alone.line)
			}
		})
	}
}

// offerText adds a resource of that many bytes.
func offerText(w *world, uri string, size int) {
	w.Library().AddResource(sdk.NewResource(uri, "text"), func(context.Context, sdk.ReadResourceRequest) ([]sdk.ResourceContents, error) {
		return []sdk.ResourceContents{sdk.TextResourceContents{URI: uri, Text: strings.Repeat("x", size)}}, nil
	})
}

// A client that does not read its replies is not read either. What it asked for is
// answered when it reads again.
func TestAClientThatDoesNotReadIsNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const reads, size = 1000, 128 << 10
		w := newWorld(t, nil)
		offerText(w, "test://large", size)
		serverIn, requests := io.Pipe()
		replies, serverOut := io.Pipe()
		served := make(chan error, 1)
		go func() { served <- w.Serve(t.Context(), serverIn, serverOut) }()
		sent := 0
		go func() {
			for sent = range reads {
				line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":"test://large"}}`, sent)
				if _, err := io.WriteString(requests, line+"\n"); err != nil {
					t.Error(err)
					break
				}
			}
			_ = requests.Close()
		}()
		synctest.Wait()
		if sent == reads-1 {
			t.Error("every request was read")
		}
		runtime.GC()
		var held runtime.MemStats
		runtime.ReadMemStats(&held)
		if held.HeapAlloc > 200*size {
			t.Errorf("%d MiB are held", held.HeapAlloc>>20)
		}
		answered := 0
		for lines := bufio.NewReader(replies); answered < reads; answered++ {
			line, err := lines.ReadBytes('\n')
			if err != nil || bytes.Contains(line, []byte(`"error"`)) || len(line) < size {
				t.Fatalf("reply %d: %.200s, %v", answered, line, err)
			}
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

// Replies that a batch collects are bounded, too.
func TestTheRepliesOfABatchAreBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	offerText(w, "test://large", 1<<20)
	c := connect(t, w.Server)
	c.initializeWith("2025-03-26")
	items := make([]string, 100)
	for i := range items {
		items[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":"b%d","method":"resources/read","params":{"uri":"test://large"}}`, i)
	}
	for range 2 { // what was written is not counted any more
		got := c.batch(items...)
		var replies []message
		if err := json.Unmarshal(got.line, &replies); err != nil || len(replies) != len(items) {
			t.Fatalf("%d replies, %v", len(replies), err)
		}
		refused := 0
		for _, r := range replies {
			if r.Error != nil {
				refused++
				if r.Error.Code != -32000 {
					t.Errorf("got %+v", r.Error)
				}
			}
		}
		if refused < 30 || refused > 50 {
			t.Errorf("%d of %d MiB were refused", refused, len(items))
		}
	}
}

// However many calls wait for the user: other tools are served, one call too many is
// told, and a cancellation is read and makes room.
func TestCallsThatWaitLeaveRoom(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	c.startTool("ask_user", oneQuestion(session))
	ask := w.opened(1)[0]
	waiting := map[string]any{"askId": ask.ID}
	var ids []string
	for range 1023 {
		ids = append(ids, c.startTool("get_answer", waiting))
	}
	until(t, "a call is refused", func() bool {
		got := c.request("ping", nil)
		return got.Error != nil && got.Error.Code == -32000 && strings.Contains(got.Error.Message, "1024")
	})
	for i, id := range ids[:10] {
		c.notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(id)})
		until(t, fmt.Sprint("there is room again, ", i), func() bool { return c.request("ping", nil).Error == nil })
	}
	if got := c.tool("save_plan", map[string]any{"sessionId": session, "plan": "# One\n"}); got.IsError {
		t.Errorf("got %q", got.text())
	}
	w.submit(ask.ID, "harbour")
	for _, id := range ids[10:] {
		if got := c.answer(id); got.text() != `{"name":"harbour"}` {
			t.Fatalf("got %q", got.text())
		}
	}
}

// Calls that wait for the client's own reply do not keep it from being read.
func TestRepliesAreReadHoweverManyCallsWaitForThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := connect(t, newWorld(t, nil).Server)
		c.initializeAs(map[string]any{"name": "test", "version": "1"}, map[string]any{"roots": map[string]any{}})
		const calls = 100
		go func() {
			for {
				select {
				case asked := <-c.asks:
					go c.respond(asked.ID, `{"roots":[{"uri":"file:///srv/harbour"}]}`) // it goes on reading
				case <-t.Context().Done():
					return
				}
			}
		}()
		begun := time.Now()
		var ids []string
		for range calls {
			ids = append(ids, c.startTool("init_planb_session", nil))
		}
		for _, id := range ids {
			if got := c.answer(id); got.data["projectPath"] != "/srv/harbour" {
				t.Fatalf("got %q, %v", got.text(), got.data)
			}
		}
		if took := time.Since(begun); took > time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
