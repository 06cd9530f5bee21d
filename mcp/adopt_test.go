package mcp_test

import (
	"slices"
	"testing"

	"planb/mcp"
	"planb/store"
	"planb/store/kv/kvtest"
)

// The person puts a window off, and then the window ends with its agent. The next
// agent, in another window, brings the form up there.
func TestAnAskMovesToTheAgentThatWaitsForItOnceItsOwnIsGone(t *testing.T) {
	engine := kvtest.NewMap()
	server := func(s *screen) *world {
		return worldOver(t, store.New(engine, store.Options{By: "you@example"}), func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, s })
	}
	first := &screen{place: "window-1"}
	w := server(first)
	show, leave := w.serve(t, "window-1")
	first.shows = show
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	c.startTool("ask_user", oneQuestion(session))
	ask := w.opened(1)[0]
	until(t, "it is shown", func() bool { return !w.ask(ask.ID).Shown.IsZero() })
	until(t, "its agent says that it lives", func() bool {
		alive, err := w.store.AliveAny(t.Context(), store.AskerClaims(ask.ID))
		return alive && err == nil
	})
	if err := w.store.PutOff(t.Context(), "window-1"); err != nil {
		t.Fatal(err)
	}
	leave()

	second := &screen{place: "window-2"}
	beside := server(second)
	showBeside, leaveBeside := beside.serve(t, "window-2")
	second.shows = showBeside
	defer leaveBeside()
	next := connect(t, beside.Server)
	next.initialize("test")
	if got := next.tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 1}); got.text() != putOff || second.count() > 0 || w.ask(ask.ID).Place != "window-1" {
		t.Errorf("while its agent lives: %d panes, at %s, and the other reads %q", second.count(), w.ask(ask.ID).Place, got.text())
	}

	if err := c.end(); err != nil {
		t.Fatal(err)
	}
	next = connect(t, server(second).Server)
	next.initialize("test")
	call := next.startTool("get_answer", map[string]any{"sessionId": session})
	until(t, "a pane comes up at the other window", func() bool { return second.count() == 1 })
	if argv := second.opened[0].Argv; !slices.Contains(argv, "window-2") {
		t.Errorf("the pane runs %q", argv)
	}
	if queue, err := w.store.Queue(t.Context(), "window-1"); err != nil || len(queue) > 0 {
		t.Errorf("%d asks wait at the old window, %v", len(queue), err)
	}
	until(t, "it is shown there", func() bool {
		alive, err := w.store.AliveAny(t.Context(), store.ShowClaims(ask.ID))
		return alive && err == nil
	})
	w.submit(ask.ID, "quay")
	if got := next.answer(call); got.text() != `{"name":"quay"}` {
		t.Errorf("got %q", got.text())
	}
}
