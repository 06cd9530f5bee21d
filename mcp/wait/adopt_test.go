package wait_test

import (
	"slices"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/store"
	"planb/store/kv/kvtest"
)

// The person puts a window off, and then the window ends with its agent. The next
// agent, in another window, brings the form up there.
func TestAnAskMovesToTheAgentThatWaitsForItOnceItsOwnIsGone(t *testing.T) {
	t.Parallel()
	engine := kvtest.NewMap()
	server := func(s *mcptest.Screen) *mcptest.World {
		return mcptest.WorldOver(t, store.New(engine, store.Options{By: "you@example"}), func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, s })
	}
	first := &mcptest.Screen{Window: "window-1"}
	w := server(first)
	show, leave := w.ServePlace(t, "window-1")
	first.Shows = show
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	session := c.Session()
	c.StartTool("ask_user", mcptest.OneQuestion(session))
	ask := w.Opened(1)[0]
	mcptest.Until(t, "it is shown", func() bool { return !w.Ask(ask.ID).Shown.IsZero() })
	mcptest.Until(t, "its agent says that it lives", func() bool {
		alive, err := w.Store.AliveAny(t.Context(), store.AskerClaims(ask.ID))
		return alive && err == nil
	})
	if err := w.Store.PutOff(t.Context(), "window-1"); err != nil {
		t.Fatal(err)
	}
	leave()

	second := &mcptest.Screen{Window: "window-2"}
	beside := server(second)
	showBeside, leaveBeside := beside.ServePlace(t, "window-2")
	second.Shows = showBeside
	defer leaveBeside()
	next := mcptest.Connect(t, beside.Server)
	next.Initialize("test")
	if got := next.Tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 1}); got.Text() != putOff || second.Count() > 0 || w.Ask(ask.ID).Place != "window-1" {
		t.Errorf("while its agent lives: %d panes, at %s, and the other reads %q", second.Count(), w.Ask(ask.ID).Place, got.Text())
	}

	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	next = mcptest.Connect(t, server(second).Server)
	next.Initialize("test")
	call := next.StartTool("get_answer", map[string]any{"sessionId": session})
	mcptest.Until(t, "a pane comes up at the other window", func() bool { return second.Count() == 1 })
	if argv := second.Panes[0].Argv; !slices.Contains(argv, "window-2") {
		t.Errorf("the pane runs %q", argv)
	}
	if queue, err := w.Store.Queue(t.Context(), "window-1"); err != nil || len(queue) > 0 {
		t.Errorf("%d asks wait at the old window, %v", len(queue), err)
	}
	mcptest.Until(t, "it is shown there", func() bool {
		alive, err := w.Store.AliveAny(t.Context(), store.ShowClaims(ask.ID))
		return alive && err == nil
	})
	w.Submit(ask.ID, "quay")
	if got := next.Answer(call); got.Text() != `{"name":"quay"}` {
		t.Errorf("got %q", got.Text())
	}
}
