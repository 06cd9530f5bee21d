package mcp_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp/mcptest"
)

// Two calls are answered while the connection has no room for their results. The result of
// one does not tell the other's answer, which has a result of its own.
func TestAnAnswerIsNoNewsWhileItsCallIsToTellIt(t *testing.T) {
	t.Parallel()
	w := mcptest.NewWorld(t, nil)
	var read atomic.Int32
	w.Library().AddResource(sdk.NewResource("test://text", "text"), func(context.Context, sdk.ReadResourceRequest) ([]sdk.ResourceContents, error) {
		read.Add(1)
		return []sdk.ResourceContents{sdk.TextResourceContents{URI: "test://text", Text: "x"}}, nil
	})
	serverIn, requests := io.Pipe()
	replies, serverOut := io.Pipe()
	go w.Serve(t.Context(), serverIn, serverOut)
	t.Cleanup(func() { requests.Close(); serverOut.Close() })
	send := func(line string, args ...any) {
		t.Helper()
		if _, err := fmt.Fprintf(requests, line+"\n", args...); err != nil {
			t.Fatal(err)
		}
	}
	lines := bufio.NewReader(replies)
	next := func() string {
		t.Helper()
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}

	send(`{"jsonrpc":"2.0","id":"s","method":"tools/call","params":{"name":"init_planb_session","arguments":{}}}`)
	session := sessionInReply.FindStringSubmatch(next())
	if session == nil {
		t.Fatal("there is no session")
	}
	for _, name := range []string{"harbour", "lighthouse"} {
		send(`{"jsonrpc":"2.0","id":%q,"method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":%q,"title":%q,"questions":[{"id":"name","kind":"text","label":"?"}]}}}`, name, session[1], name)
	}
	mcptest.Until(t, "both are asked", func() bool { return len(w.WaitingNow()) == 2 })
	asks := w.WaitingNow()
	const atOnce = 16 // requests are worked on; the others wait for room
	for i := range atOnce {
		send(`{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":"test://text"}}`, i)
	}
	mcptest.Until(t, "there is no more room", func() bool { return read.Load() == atOnce })
	mcptest.Until(t, "both calls wait", func() bool { return w.Waits(asks[0].ID) && w.Waits(asks[1].ID) })
	for i, answer := range []string{"the-first", "the-second"} {
		w.Submit(asks[i].ID, answer)
	}
	mcptest.Until(t, "both calls have heard of it", func() bool { return !w.Waits(asks[0].ID) && !w.Waits(asks[1].ID) })
	results := 0
	for range atOnce + 2 {
		line := next()
		first, second := strings.Contains(line, "the-first"), strings.Contains(line, "the-second")
		if first && second {
			t.Errorf("a result tells both answers: %s", line)
		}
		if first || second {
			results++
		}
	}
	if results != 2 {
		t.Errorf("%d results tell an answer, want 2", results)
	}
}
