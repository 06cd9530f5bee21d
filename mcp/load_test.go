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

	"planb/mcp/mcptest"
)

func TestBatchesBelongToOneVersionOfTheProtocol(t *testing.T) {
	for version, works := range map[string]bool{
		"": false, "2024-11-05": false, "2025-03-26": true, "2025-06-18": false, "2025-11-25": false,
	} {
		t.Run(version, func(t *testing.T) {
			c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
			if version != "" {
				c.InitializeWith(version)
			}
			got := c.Batch(mcptest.Ping)
			if works != (got.Error == nil) || !works && (got.Error.Code != -32600 || !strings.Contains(got.Error.Message, "2025-03-26")) {
				t.Errorf("got %s", got.Line)
			}
			if alone := c.Request("ping", nil); alone.Error != nil {
				t.Errorf("afterwards ping gave %s", alone.Line)
			}
		})
	}
}

func TestABatchIsBounded(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
	c.InitializeWith("2025-03-26")
	pings := make([]string, 101)
	for i := range pings {
		pings[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":"b%d","method":"ping"}`, i)
	}
	var replies []mcptest.Message
	if got := c.Batch(pings[:100]...); json.Unmarshal(got.Line, &replies) != nil || len(replies) != 100 {
		t.Errorf("100 messages are answered by %d: %s", len(replies), got.Line)
	}
	for what, test := range map[string]struct {
		batch []string
		code  int
	}{
		"101 messages":           {pings, -32600},
		"none":                   {nil, -32600},
		"half of one":            {[]string{`{"jsonrpc"`}, -32700},
		"one that is no message": {[]string{mcptest.Ping, "}"}, -32700},
	} {
		if got := c.Batch(test.batch...); got.Error == nil || got.Error.Code != test.code {
			t.Errorf("%s: %s", what, got.Line)
		}
	}
}

// A line costs memory by its length, not by the number of values in it.
func TestALineOfManyValuesCostsLittle(t *testing.T) {
	const size = 4 << 20
	ones := "[" + strings.Repeat("1,", size/2) + "1]"
	call := `{"jsonrpc":"2.0","id":1000,"method":"tools/call","params":{"name":"ask_user","arguments":{"questions":` + ones + `}}}`
	for name, test := range map[string]struct{ line, id string }{
		"a batch":              {ones, "null"},
		"arguments":            {call, "1000"},
		"arguments in a batch": {"[" + call + "]", "batch"},
		"a reply":              {`{"jsonrpc":"2.0","id":"planb-1","result":` + ones + `}`, `"planb-1"`},
	} {
		t.Run(name, func(t *testing.T) {
			c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
			c.InitializeWith("2025-03-26")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			c.Write(test.line + "\n")
			got := c.Reply(test.id)
			runtime.ReadMemStats(&after)
			if !bytes.Contains(got.Line, []byte(`"code":-32600`)) {
				t.Errorf("got %s", got.Line)
			}
			if cost := after.TotalAlloc - before.TotalAlloc; cost > 16*size {
				t.Errorf("%d MiB were allocated for %d MiB", cost>>20, size>>20)
			}
			if alone := c.Request("ping", nil); alone.Error != nil {
				t.Errorf("afterwards ping gave %s", alone.Line)
			}
		})
	}
}

// offerText adds a resource of that many bytes.
func offerText(w *mcptest.World, uri string, size int) {
	w.Library().AddResource(sdk.NewResource(uri, "text"), func(context.Context, sdk.ReadResourceRequest) ([]sdk.ResourceContents, error) {
		return []sdk.ResourceContents{sdk.TextResourceContents{URI: uri, Text: strings.Repeat("x", size)}}, nil
	})
}

// The server does not read from a client that does not read its replies. It answers the
// requests once the client reads again.
func TestAClientThatDoesNotReadIsNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const reads, size = 1000, 128 << 10
		w := mcptest.NewWorld(t, nil)
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
	w := mcptest.NewWorld(t, nil)
	offerText(w, "test://large", 1<<20)
	c := mcptest.Connect(t, w.Server)
	c.InitializeWith("2025-03-26")
	items := make([]string, 80)
	for i := range items {
		items[i] = fmt.Sprintf(`{"jsonrpc":"2.0","id":"b%d","method":"resources/read","params":{"uri":"test://large"}}`, i)
	}
	for _, test := range []struct{ items, least, most int }{{len(items), 10, 30}, {10, 0, 0}} { // what was written is not counted any more
		got := c.Batch(items[:test.items]...)
		var replies []mcptest.Message
		if err := json.Unmarshal(got.Line, &replies); err != nil || len(replies) != test.items {
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
		if refused < test.least || refused > test.most {
			t.Errorf("%d of %d MiB were refused", refused, test.items)
		}
	}
}

// However many calls wait for the user: other tools are served, one call too many is
// told, and a cancellation is read and makes room.
func TestCallsThatWaitLeaveRoom(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Started(t)
	c.StartTool("ask_user", mcptest.OneQuestion(session))
	ask := w.Opened(1)[0]
	waiting := map[string]any{"askId": ask.ID}
	var ids []string
	for range 1023 {
		ids = append(ids, c.StartTool("get_answer", waiting))
	}
	mcptest.Until(t, "a call is refused", func() bool {
		got := c.Request("ping", nil)
		return got.Error != nil && got.Error.Code == -32000 && strings.Contains(got.Error.Message, "1024")
	})
	for i, id := range ids[:10] {
		c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(id)})
		mcptest.Until(t, fmt.Sprint("there is room again, ", i), func() bool { return c.Request("ping", nil).Error == nil })
	}
	if got := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "# One\n"}); got.IsError {
		t.Errorf("got %q", got.Text())
	}
	w.Submit(ask.ID, "harbour")
	for _, id := range ids[10:] {
		if got := c.Answer(id); got.Text() != `{"name":"harbour"}` {
			t.Fatalf("got %q", got.Text())
		}
	}
}

// Calls that wait for the client's own reply do not keep it from being read.
func TestRepliesAreReadHoweverManyCallsWaitForThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
		c.InitializeAs(map[string]any{"name": "test", "version": "1"}, map[string]any{"roots": map[string]any{}})
		const calls = 100
		go func() {
			for {
				select {
				case asked := <-c.Asks:
					go c.Respond(asked.ID, `{"roots":[{"uri":"file:///srv/harbour"}]}`) // it goes on reading
				case <-t.Context().Done():
					return
				}
			}
		}()
		begun := time.Now()
		var ids []string
		for range calls {
			ids = append(ids, c.StartTool("init_planb_session", nil))
		}
		for _, id := range ids {
			if got := c.Answer(id); got.Data["projectPath"] != "/srv/harbour" {
				t.Fatalf("got %q, %v", got.Text(), got.Data)
			}
		}
		if took := time.Since(begun); took > time.Second {
			t.Errorf("it took %v", took)
		}
	})
}
