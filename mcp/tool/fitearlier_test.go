package tool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"planb/mcp/mcptest"
)

// An answer, or a part of one, that takes all the room of a result is whole in it, also where
// another answer is to be announced.
func TestNoAnswerIsCutForAnAnnouncement(t *testing.T) {
	t.Parallel()
	const client = "codex-mcp-client"
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize(client)
	session := c.Session()
	ask := func(title string) (call, id string) {
		args := mcptest.OneQuestion(session)
		args["title"] = title
		call = c.StartTool("ask_user", args)
		return call, w.Opened(1)[0].ID
	}
	cancelled, earlier := ask("earlier")
	c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(cancelled)})
	c.Request("ping", nil)
	mcptest.Until(t, "the form counts as waited for no more", func() bool { return !w.Waits(earlier) })
	w.Submit(earlier, strings.Repeat("e", 9_000))
	for length := 9_100; length <= 9_500; length += 10 {
		call, id := ask(fmt.Sprint(length))
		want := strings.Repeat("x", length)
		w.Submit(id, want)
		got := c.Answer(call)
		got.Fits(t, client)
		if whole := strings.Contains(got.Texts()[0], want); !whole && len(got.Rests(t)) == 0 {
			t.Errorf("of an answer of %d characters the agent gets %.20q… %.200q", length, got.Texts()[0], got.Texts()[1:])
		}
	}
	call, id := ask("long")
	var want strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&want, "%d ", i)
	}
	w.Submit(id, want.String())
	for _, rest := range c.Answer(call).Rests(t) {
		if got := c.Fetch(client, map[string]any{"askId": id, "question": rest.Name, "offset": 0}); got != strings.TrimSpace(want.String()) && got != want.String() {
			t.Errorf("%d bytes were fetched, want %d: they differ at %d", len(got), want.Len(), mcptest.DifferAt(got, want.String()))
		}
	}
	if w.Delivered(earlier) {
		t.Error("the earlier answer counts as delivered, and no result had room for it")
	}
}
