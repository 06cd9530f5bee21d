package mcp_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
)

// retoolable is a world whose server gets other toolsets while it runs.
func retoolable(t *testing.T) (w *mcptest.World, retooled chan []string) {
	retooled = make(chan []string)
	return mcptest.NewWorld(t, func(cfg *mcp.Config) {
		cfg.Retooled = func(context.Context) <-chan []string { return retooled }
	}), retooled
}

// A person turns the tools of tasks on and off while servers run: clients of each era are
// notified, and an agent whose client lists no tools again is told with its next result.
func TestToolsAreTurnedOnAndOffWhileAServerRuns(t *testing.T) {
	t.Parallel()
	w, retooled := retoolable(t)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	tools := func() string { return string(c.Request("tools/list", nil).Result) }
	if strings.Contains(tools(), "claim_task") {
		t.Fatal("the tools of tasks are there from the start")
	}
	c.Start("subscriptions/listen", map[string]any{"_meta": mcptest.Modern(nil), "notifications": map[string]any{"toolsListChanged": true}})
	mcptest.Until(t, "the stream is acknowledged", func() bool {
		list := c.Notifications("notifications/subscriptions/acknowledged")
		return len(list) == 1 && strings.Contains(string(list[0].Params), `"toolsListChanged":true`)
	})
	told := func() (plain, streamed int) {
		for _, m := range c.Notifications("notifications/tools/list_changed") {
			if strings.Contains(string(m.Params), "subscriptionId") {
				streamed++
			} else {
				plain++
			}
		}
		return plain, streamed
	}
	turn := func(times int, toolsets ...string) {
		t.Helper()
		retooled <- toolsets
		mcptest.Until(t, "both are notified", func() bool { plain, streamed := told(); return plain == times && streamed == times })
	}
	notes := func() string {
		answer := c.Tool("get_answer", map[string]any{"sessionId": "x"})
		return strings.Join(slices.DeleteFunc(answer.Texts(), func(text string) bool { return !strings.HasPrefix(text, "Your user has turned") }), "\n")
	}

	retooled <- mcp.DefaultToolsets() // the settings were saved, and nothing of it changed
	turn(1, "session", "review", "tasks")
	if got := notes(); !strings.Contains(got, "turned on these tools of planb: create_project, ") || !strings.HasSuffix(got, "complete_task. If you do not have them, ask your user to restart your client.") {
		t.Errorf("after they were turned on: %q", got)
	}
	if got := notes(); got != "" {
		t.Errorf("told twice: %q", got)
	}
	if got := c.Tool("list_projects", map[string]any{}); got.IsError {
		t.Errorf("a tool that was turned on: %s", got.Text())
	}
	if !strings.Contains(tools(), "claim_task") {
		t.Error("they are not listed")
	}
	turn(2, "session", "review")
	if got := notes(); !strings.HasPrefix(got, "Your user has turned off these tools of planb: create_project, ") {
		t.Errorf("after they were turned off: %q", got)
	}
	if r := c.Request("tools/call", map[string]any{"name": "claim_task", "arguments": map[string]any{}}); r.Error == nil || !strings.Contains(string(r.Error.Message), "there is no tool") {
		t.Errorf("a tool that was turned off: %+v", r)
	}
	turn(3, "session", "review", "tasks")
	tools()
	if got := notes(); got != "" {
		t.Errorf("a client that has listed them is told: %q", got)
	}
}

// A call that the client cancels tells nobody that tools were turned on; the next one does.
func TestACancelledCallDoesNotTellWhichToolsWereTurnedOn(t *testing.T) {
	t.Parallel()
	w, retooled := retoolable(t)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	c.Request("tools/list", nil)
	session := c.Session()
	call := c.StartTool("ask_user", mcptest.OneQuestion(session))
	ask := w.Opened(1)[0]
	retooled <- []string{"session", "review", "tasks"}
	mcptest.Until(t, "it is notified", func() bool { return len(c.Notifications("notifications/tools/list_changed")) == 1 })
	c.Cancel(call)
	mcptest.Until(t, "the call waits no more", func() bool { return !w.Waits(ask.ID) })
	if got := c.Tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 0}).Text(); !strings.Contains(got, "turned on these tools of planb: create_project, ") {
		t.Errorf("the next result says %q", got)
	}
}
