package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"planb/mcp/mcptest"
)

func TestEveryVersionOfInitialize(t *testing.T) {
	for asked, given := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18",
		"2025-11-25": "2025-11-25", "2019-01-01": "2025-11-25", "2026-07-28": "2025-11-25",
	} {
		t.Run(asked, func(t *testing.T) {
			c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
			got := c.Request("initialize", map[string]any{
				"protocolVersion": asked, "clientInfo": map[string]any{"name": "t", "version": "1"}, "capabilities": map[string]any{},
			})
			var said struct {
				ProtocolVersion string
				Capabilities    map[string]json.RawMessage
				ServerInfo      struct{ Name, Version string }
				Instructions    string
			}
			if err := json.Unmarshal(got.Result, &said); err != nil {
				t.Fatal(err)
			}
			if said.ProtocolVersion != given || said.ServerInfo.Name != "planb" || said.ServerInfo.Version != "1.2.3" || said.Instructions == "" {
				t.Errorf("initialize answered %+v", said)
			}
			if _, ok := said.Capabilities["tasks"]; ok {
				t.Error("tasks are advertised; the library cancels their work at once")
			}
			if got := c.Request("ping", nil); got.Error != nil || string(got.Result) != "{}" {
				t.Errorf("ping gave %s", got.Line)
			}
			if got := c.Request("logging/setLevel", map[string]any{"level": "debug"}); got.Error != nil {
				t.Errorf("logging/setLevel gave %s", got.Line)
			}
		})
	}
}

// The way Claude Code speaks: no initialize, everything in every request.
func TestDiscoverEra(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	found := c.Request("server/discover", map[string]any{"_meta": mcptest.Modern(nil)})
	var said struct {
		SupportedVersions []string
		Instructions      string
		Capabilities      map[string]json.RawMessage
	}
	if err := json.Unmarshal(found.Result, &said); err != nil {
		t.Fatal(err)
	}
	if len(said.SupportedVersions) == 0 || said.SupportedVersions[0] != "2026-07-28" || said.Instructions == "" {
		t.Errorf("discover answered %s", found.Line)
	}
	if _, ok := said.Capabilities["tasks"]; ok {
		t.Error("tasks are advertised")
	}

	listening := c.Start("subscriptions/listen", map[string]any{
		"_meta": mcptest.Modern(nil), "notifications": map[string]any{"toolsListChanged": true, "promptsListChanged": true},
	})
	mcptest.Until(t, "the stream is acknowledged", func() bool {
		return len(c.Notifications("notifications/subscriptions/acknowledged")) == 1
	})
	opened := c.Notifications("notifications/subscriptions/acknowledged")[0]
	want := `{"_meta":{"io.modelcontextprotocol/subscriptionId":` + listening + `},"notifications":{"toolsListChanged":true}}`
	if string(opened.Params) != want {
		t.Errorf("acknowledged with %s, want %s", opened.Params, want)
	}

	list := c.Request("tools/list", map[string]any{"_meta": mcptest.Modern(nil)})
	if list.Error != nil || !bytes.Contains(list.Result, []byte(`"ask_user"`)) {
		t.Errorf("tools/list gave %s", list.Line)
	}

	call := func(tool string, args any) string {
		return c.Start("tools/call", map[string]any{"name": tool, "arguments": args, "_meta": mcptest.Modern(nil)})
	}
	// The client declares roots, but no server may ask in this era.
	started := c.Answer(call("init_planb_session", nil))
	session, _ := started.Data["sessionId"].(string)
	select {
	case asked := <-c.Asks:
		t.Errorf("the server asked for %s", asked.Method)
	default:
	}
	asking := call("ask_user", mcptest.OneQuestion(session))
	ask := w.Opened(1)[0]
	if who := ask.Client; who.Name.Raw() != "claude-code" || who.Title.Raw() != "Claude Code" {
		t.Errorf("the ask is by %+v", who)
	}
	w.Submit(ask.ID, "harbour")
	if got := c.Answer(asking); got.Text() != `{"name":"harbour"}` {
		t.Errorf("got %q", got.Text())
	}

	// Ended by the connection, the stream still says so.
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	if closed := c.Reply(listening); closed.Error != nil || !bytes.Contains(closed.Result, []byte(`"subscriptionId":`+listening)) &&
		!bytes.Contains(closed.Result, []byte(`/subscriptionId":`+listening)) {
		t.Errorf("the stream ended with %s", closed.Line)
	}
}

func TestAStreamOfNothingEndsAtOnceAndACancelledOneSilently(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
	if got := c.Request("subscriptions/listen", map[string]any{"_meta": mcptest.Modern(nil), "notifications": map[string]any{}}); got.Error != nil {
		t.Errorf("got %s", got.Line)
	}
	id := c.Start("subscriptions/listen", map[string]any{
		"_meta": mcptest.Modern(nil), "notifications": map[string]any{"toolsListChanged": true},
	})
	mcptest.Until(t, "the stream is open", func() bool { return len(c.Notifications("notifications/subscriptions/acknowledged")) == 2 })
	c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(id)})
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	wantSilence(t, c, id)
}

// Of planb's lists only that of the tools changes while it runs, and it says so in both
// eras: it promises no client that watches another one anything.
func TestOnlyChangesOfToolsArePromised(t *testing.T) {
	for method, params := range map[string]map[string]any{
		"initialize": {
			"protocolVersion": "2025-11-25", "clientInfo": map[string]any{"name": "t", "version": "1"}, "capabilities": map[string]any{},
		},
		"server/discover": {"_meta": mcptest.Modern(nil)},
	} {
		t.Run(method, func(t *testing.T) {
			got := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server).Request(method, params)
			var said struct {
				Capabilities map[string]json.RawMessage
			}
			if err := json.Unmarshal(got.Result, &said); err != nil {
				t.Fatal(err)
			}
			for list, want := range map[string]string{"tools": `{"listChanged":true}`, "resources": `{"subscribe":true}`, "prompts": `{}`} {
				if declared := string(said.Capabilities[list]); declared != want {
					t.Errorf("%s are declared as %q, want %q", list, declared, want)
				}
			}
		})
	}
}

// A method that exists only since requests name their version is refused in a request
// without one: as malformed, not as unknown.
func TestRequestsWithoutTheirMeta(t *testing.T) {
	const version, capabilities = "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"
	none := map[string]any{}
	for _, method := range []string{"server/discover", "subscriptions/listen"} {
		for _, test := range []struct {
			name   string
			params any
			code   int
		}{
			{"no params", nil, -32602},
			{"no _meta", none, -32602},
			{"no version", map[string]any{"_meta": map[string]any{capabilities: none}}, -32602},
			{"a version that is no text", map[string]any{"_meta": map[string]any{version: 7, capabilities: none}}, -32602},
			{"no capabilities", map[string]any{"_meta": map[string]any{version: "2026-07-28"}}, -32602},
			{"capabilities that are none", map[string]any{"_meta": map[string]any{version: "2026-07-28", capabilities: "all"}}, -32602},
			{"a version to come", map[string]any{"_meta": map[string]any{version: "2099-01-01", capabilities: none}}, -32022},
			{"a version without it", map[string]any{"_meta": map[string]any{version: "2025-11-25", capabilities: none}}, -32601},
		} {
			t.Run(method+" with "+test.name, func(t *testing.T) {
				c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
				got := c.Request(method, test.params)
				if got.Error == nil || got.Error.Code != test.code || got.Error.Message == "" {
					t.Errorf("got %s, want an error %d", got.Line, test.code)
				}
				if said := c.Notifications("notifications/subscriptions/acknowledged"); len(said) > 0 {
					t.Errorf("a refused stream is acknowledged: %s", said[0].Params)
				}
			})
		}
	}
}

func wantSilence(t *testing.T, c *mcptest.Client, id string) {
	t.Helper()
	select {
	case got := <-c.Expect(id):
		t.Errorf("request %s was answered: %s", id, got.Line)
	default:
	}
}

func TestWhatNobodyKnowsIsRefusedAndTheConnectionLives(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
	c.Initialize("test")
	for _, test := range []struct {
		name, line, id string
		code           int
	}{
		{"no JSON", `{"jsonrpc":"2.0","id":1,`, "null", -32700},
		{"noise", `hello`, "null", -32700},
		{"a number", `1`, "null", -32600},
		{"another version", `{"jsonrpc":"1.0","id":"v","method":"ping"}`, `"v"`, -32600},
		{"an id that is none", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", -32600},
		{"no method", `{"jsonrpc":"2.0","id":"m"}`, `"m"`, -32600},
		{"an unknown method", `{"jsonrpc":"2.0","id":"u","method":"tools/dance"}`, `"u"`, -32601},
		{"no such tool", `{"jsonrpc":"2.0","id":"t","method":"tools/call","params":{"name":"nope"}}`, `"t"`, -32602},
		{"tasks", `{"jsonrpc":"2.0","id":"k","method":"tasks/list"}`, `"k"`, -32601},
		{"params that are none", `{"jsonrpc":"2.0","id":"p","method":"tools/call","params":7}`, `"p"`, -32600},
		{"a version to come", `{"jsonrpc":"2.0","id":"f","method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}}}`, `"f"`, -32022},
	} {
		t.Run(test.name, func(t *testing.T) {
			c.Write(test.line + "\n")
			got := c.Reply(test.id)
			if got.Error == nil || got.Error.Code != test.code || got.Error.Message == "" {
				t.Errorf("got %s, want an error %d", got.Line, test.code)
			}
		})
	}
	for _, quiet := range []string{
		"", "   ", "\r", `{"jsonrpc":"2.0","method":"notifications/unknown"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}`,
		`{"jsonrpc":"2.0","id":"nobody","result":{}}`,
		`{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":"x"}}`,
	} {
		c.Write(quiet + "\n")
	}
	if got := c.Request("ping", nil); got.Error != nil {
		t.Errorf("afterwards ping gave %s", got.Line)
	}
}

func TestABatchIsAnsweredInOneArray(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.InitializeWith("2025-03-26")
	session := c.Session()
	args, err := json.Marshal(mcptest.OneQuestion(session))
	if err != nil {
		t.Fatal(err)
	}
	c.Write(` [{"jsonrpc":"2.0","id":"a","method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},` +
		`{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"ask_user","arguments":` + string(args) + `}},` +
		`{"id":"c"},{"jsonrpc":"2.0","id":"d","method":"tools/call","params":{"name":"ask_user","arguments":` + string(args) + `}}]` + "\n")
	ask := w.Opened(1)[0]
	c.Notify("notifications/cancelled", map[string]any{"requestId": "d"})
	c.Request("ping", nil) // lines are taken in order, so the cancellation is
	w.Submit(ask.ID, "harbour")
	var got []mcptest.Message
	if err := json.Unmarshal(c.Reply("batch").Line, &got); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, m := range got {
		seen[string(m.ID)] = m.Error == nil
	}
	if fmt.Sprint(seen) != fmt.Sprint(map[string]bool{`"a"`: true, `"b"`: true, `"c"`: false}) {
		t.Errorf("the batch was answered with %v", seen)
	}
	mcptest.Until(t, "the answer counts as delivered", func() bool { return w.Delivered(ask.ID) })
}

func TestAnOpenIDIsNotTakenTwice(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	id := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
	ask := w.Opened(1)[0]
	c.Write(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` + "\n")
	if got := c.Reply(id); got.Error == nil || got.Error.Code != -32600 {
		t.Errorf("got %s", got.Line)
	}
	w.Submit(ask.ID, "harbour")
	if got := c.Answer(id); got.Text() != `{"name":"harbour"}` {
		t.Errorf("the call itself got %q", got.Text())
	}
	for range 50 {
		c.Write(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` + "\n")
		if got := c.Reply(id); got.Error != nil {
			t.Fatalf("an id that is free again was refused: %s", got.Line)
		}
	}
}

func TestALineOver64MiBIsRefusedAndTheNextOneServed(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
	chunk := strings.Repeat("x", 1<<20)
	c.Write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"`)
	for range 64 {
		c.Write(chunk)
	}
	c.Write(`"}}` + "\n" + `{"jsonrpc":"2.0","id":"next","method":"ping"}` + "\n")
	got := c.Reply("null")
	if got.Error == nil || got.Error.Message != "the message is longer than 64 MiB, the most that is read; it was skipped" {
		t.Errorf("got %s", got.Line)
	}
	if got := c.Reply(`"next"`); got.Error != nil {
		t.Errorf("the next line gave %s", got.Line)
	}
}

func TestALineOfManyMiBIsServed(t *testing.T) {
	c := mcptest.Connect(t, mcptest.NewWorld(t, nil).Server)
	c.Initialize("test")
	session := c.Session()
	plan := strings.Repeat("A plan of many words.\n", 150_000) // 3.3 MB
	got := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": plan})
	if !strings.HasPrefix(got.Text(), "Saved plan v1 ") {
		t.Errorf("got %.200q", got.Text())
	}
}

func TestTheLastLineNeedsNoNewline(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	var out bytes.Buffer
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if err := w.Serve(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), "\n"); got != 2 {
		t.Errorf("%d replies: %q", got, out.String())
	}
}

func TestEverythingAskedBeforeTheEndIsAnswered(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	var in strings.Builder
	in.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"t","version":"1"},"capabilities":{}}}` + "\n")
	for i := range 100 {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"init_planb_session"}}`+"\n", i+1)
	}
	var out bytes.Buffer
	if err := w.Serve(t.Context(), strings.NewReader(in.String()), &out); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), "sessionId: "); got != 100 {
		t.Errorf("%d of 100 calls were answered", got)
	}
}

func TestTheServerEndsWithItsContextThoughNobodyReads(t *testing.T) {
	synctest.Test(t, endsWithItsContext)
}

func endsWithItsContext(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	in := &mcptest.Lines{}
	defer in.Close()
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	out := &mcptest.StuckWriter{Begun: make(chan struct{}), Ended: make(chan struct{})}
	defer close(out.Ended)
	go func() { served <- w.Serve(ctx, in, out) }()
	in.Add(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	<-out.Begun
	start := time.Now()
	cancel()
	select {
	case err := <-served:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(mcptest.Patience):
		t.Fatal("the server did not end")
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("it took %v", took)
	}
}

func TestAReadThatFailsIsReported(t *testing.T) {
	in, broken := io.Pipe()
	go func() {
		_, _ = io.WriteString(broken, "{}\n")
		_ = broken.CloseWithError(mcptest.ErrTest)
	}()
	err := mcptest.NewWorld(t, nil).Serve(t.Context(), in, io.Discard)
	if err == nil || err.Error() != "reading the client's messages: made to fail" {
		t.Errorf("got %v", err)
	}
}

func TestManyCallsWaitAtOnceAndNoneIsInTheWay(t *testing.T) {
	t.Parallel()
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	const n = 60
	calls := make([]string, n)
	for i := range calls {
		calls[i] = c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
	}
	asks := w.Opened(n)
	if got := c.Request("ping", nil); got.Error != nil {
		t.Errorf("ping gave %s", got.Line)
	}
	for _, ask := range asks {
		w.Submit(ask.ID, ask.ID)
	}
	seen := map[string]bool{}
	for _, call := range calls {
		seen[c.Answer(call).Texts()[0]] = true
	}
	if len(seen) != n {
		t.Errorf("%d different answers, want %d", len(seen), n)
	}
}
