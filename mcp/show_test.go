package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/pane"
	"planb/store"
	"planb/store/kv"
)

// screen is an opener whose panes behave as a test wants.
type screen struct {
	mu     sync.Mutex
	opened []pane.Command
	fail   error
	shows  func(askID string) // what runs in a pane; nil: nothing comes up
	place  string
}

func (s *screen) Name() string { return "testmux" }

func (s *screen) Place(context.Context) (string, error) {
	if s.place == "" {
		return "window-1", nil
	}
	return s.place, nil
}

func (s *screen) Open(_ context.Context, command pane.Command) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opened = append(s.opened, command)
	if s.fail != nil {
		return s.fail
	}
	if s.shows != nil {
		go s.shows(command.Argv[len(command.Argv)-1])
	}
	return nil
}

func (s *screen) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.opened)
}

// worldWithScreen is a server that opens panes on the screen.
func worldWithScreen(t *testing.T, s *screen) *world {
	t.Helper()
	return newWorld(t, func(cfg *mcp.Config) {
		cfg.NoOpen, cfg.Opener = false, s
		cfg.Env = func(name string) string {
			return map[string]string{"NO_COLOR": "1", "SECRET": "x"}[name]
		}
	})
}

// serve claims the place, marks the ask as shown, and does so until the test
// lets go.
func (w *world) serve(t *testing.T, place string) (show func(askID string), leave func()) {
	t.Helper()
	var held []*store.Held
	var mu sync.Mutex
	show = func(askID string) {
		ctx := context.Background()
		for _, key := range []kv.Key{store.PlaceClaim(place), store.ShowClaim(askID, "test")} {
			claim, err := w.store.Hold(ctx, key, "test")
			var taken *store.HeldError
			if errors.As(err, &taken) {
				return
			}
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			held = append(held, claim)
			mu.Unlock()
		}
		if err := w.store.MarkShown(ctx, askID); err != nil {
			t.Error(err)
		}
	}
	leave = func() {
		mu.Lock()
		defer mu.Unlock()
		for _, claim := range held {
			if err := claim.Release(context.Background()); err != nil {
				t.Error(err)
			}
		}
		held = nil
	}
	return show, leave
}

func nowhere(id, reason string) string {
	return fmt.Sprintf(`NOT ANSWERED YET: no pane could be opened (%s). Tell the user exactly: run  planb tui ask %s  in a terminal to answer. Then call get_answer {"askId":"%s"}.`,
		reason, store.ShortID(id), id)
}

// What a terminal says of an ask tells whether it is to be answered or reviewed.
func TestANoticeSaysWhatIsWanted(t *testing.T) {
	s := &screen{fail: errors.New("no space")}
	w := worldWithScreen(t, s)
	c := connect(t, w.Server)
	c.initialize("Codex")
	session := c.session()
	c.tool("save_plan", map[string]any{"sessionId": session, "plan": "# Storage", "title": "Storage"})
	c.tool("submit_plan", map[string]any{"sessionId": session})
	c.tool("ask_user", oneQuestion(session))
	want := []string{"Codex wants a plan reviewed: Storage", "Codex asks: One thing"}
	var got []string
	for _, command := range s.opened {
		got = append(got, command.Notice)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnAskIsPutIntoAPane(t *testing.T) {
	s := &screen{}
	w := worldWithScreen(t, s)
	show, leave := w.serve(t, "window-1")
	defer leave()
	s.shows = show
	c := connect(t, w.Server)
	c.initializeAs(map[string]any{"name": "claude-code", "title": "Claude Code", "version": "1"}, map[string]any{})
	call := c.startTool("ask_user", oneQuestion(c.session()))
	ask := w.opened(1)[0]
	until(t, "the form is shown", func() bool { return !w.ask(ask.ID).Shown.IsZero() })
	w.submit(ask.ID, "harbour")
	if got := c.answer(call); got.text() != `{"name":"harbour"}` {
		t.Errorf("got %q", got.text())
	}
	command := s.opened[0]
	if got := strings.Join(command.Argv, " "); got != "/opt/planb tui ask --place window-1 "+ask.ID {
		t.Errorf("it ran %q", got)
	}
	if command.Dir != "/srv/project" || command.Title != "planb · Claude Code" || command.Notice != "Claude Code asks: One thing" {
		t.Errorf("in %q, titled %q, noticed as %q", command.Dir, command.Title, command.Notice)
	}
	env := strings.Join(command.Env, " ")
	if !strings.HasPrefix(env, "NO_COLOR=1 PLANB_DATA_DIR=/") || strings.Contains(env, "SECRET") {
		t.Errorf("with %q", env)
	}
	if ask.Place != "window-1" {
		t.Errorf("it belongs to %q", ask.Place)
	}
}

func TestWhereNothingCanBeOpenedTheAgentIsToldAtOnce(t *testing.T) {
	for _, test := range []struct {
		name   string
		opener pane.Opener
		reason string
	}{
		{"no opener", nil, "this server has nothing to open panes with"},
		{"none that works", pane.None{Reason: "there is no tmux here"}, "there is no tmux here"},
		{"one that fails", &screen{fail: errors.New("no space for a new pane.\n")}, "no space for a new pane"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, test.opener })
			c := connect(t, w.Server)
			c.initialize("test")
			got := c.tool("ask_user", oneQuestion(c.session()))
			ask := w.opened(1)[0]
			if got.text() != nowhere(ask.ID, test.reason) || got.IsError || got.data["nowhere"] != true {
				t.Errorf("got %q, %v", got.text(), got.data)
			}
			// The user is on the way to the terminal: now the agent may wait.
			call := c.startTool("get_answer", map[string]any{"askId": ask.ID})
			w.submit(ask.ID, "harbour")
			if got := c.answer(call); got.text() != `{"name":"harbour"}` {
				t.Errorf("got %q", got.text())
			}
		})
	}
}

func TestAPaneInWhichNothingComesUp(t *testing.T) {
	timed(t, "is told after three seconds", func(t *testing.T) {
		s := &screen{}
		w := worldWithScreen(t, s)
		c := connect(t, w.Server)
		c.initialize("test")
		got, took := c.later(c.startTool("ask_user", oneQuestion(c.session())))
		ask := w.opened(1)[0]
		if took != 3*time.Second || got.text() != nowhere(ask.ID, "testmux opened a pane, but no form came up in it within 3 seconds") {
			t.Errorf("after %v: %q", took, got.text())
		}
		// A call that waits now opens nothing, and says the same at its end.
		got, took = c.later(c.startTool("get_answer", map[string]any{"askId": ask.ID}))
		if took != 50*time.Second || got.data["nowhere"] != true || s.count() != 1 {
			t.Errorf("after %v and %d panes: %q", took, s.count(), got.text())
		}
	})
}

func TestAFormThatComesAndGoesInAMomentIsOpenedOnce(t *testing.T) {
	timed(t, "answered before anybody looked", func(t *testing.T) {
		s := &screen{}
		w := worldWithScreen(t, s)
		s.shows = func(askID string) { w.submit(askID, "harbour") }
		c := connect(t, w.Server)
		c.initialize("test")
		got, _ := c.later(c.startTool("ask_user", oneQuestion(c.session())))
		if got.text() != `{"name":"harbour"}` || s.count() != 1 {
			t.Errorf("%d panes; got %q", s.count(), got.text())
		}
	})
	timed(t, "shown and closed before anybody looked", func(t *testing.T) {
		s := &screen{}
		w := worldWithScreen(t, s)
		s.shows = func(askID string) {
			if err := w.store.MarkShown(context.Background(), askID); err != nil {
				t.Error(err)
			}
		}
		c := connect(t, w.Server)
		c.initialize("test")
		got, _ := c.later(c.startTool("ask_user", oneQuestion(c.session())))
		if ask := w.opened(1)[0]; !got.closed(ask.ID) || s.count() != 1 {
			t.Errorf("%d panes; got %q", s.count(), got.text())
		}
	})
}

func TestOnePaneServesAllAsksOfItsPlace(t *testing.T) {
	s := &screen{}
	w := worldWithScreen(t, s)
	show, leave := w.serve(t, "window-1")
	defer leave()
	s.shows = show
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	const n = 8
	calls := make([]string, n)
	for i := range calls {
		args := oneQuestion(session)
		args["title"] = fmt.Sprint("Question ", i)
		calls[i] = c.startTool("ask_user", args)
	}
	for _, ask := range w.opened(n) {
		w.submit(ask.ID, "x")
	}
	for _, call := range calls {
		if got := c.answer(call); got.texts()[0] != `{"name":"x"}` {
			t.Errorf("got %q", got.text())
		}
	}
	if s.count() != 1 {
		t.Errorf("%d panes were opened", s.count())
	}
}

func TestAFormThatIsOnAnotherScreenNeedsNoPane(t *testing.T) {
	s := &screen{fail: errTest}
	w := worldWithScreen(t, s)
	held, err := w.store.Hold(t.Context(), store.PlaceClaim("window-1"), "another pane")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := held.Release(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	c := connect(t, w.Server)
	c.initialize("test")
	call := c.startTool("ask_user", oneQuestion(c.session()))
	ask := w.opened(1)[0]
	w.submit(ask.ID, "harbour")
	if got := c.answer(call); got.text() != `{"name":"harbour"}` || s.count() != 0 {
		t.Errorf("%d panes; got %q", s.count(), got.text())
	}
}

func TestAQueuedAskWhosePaneWasKilledGetsAnother(t *testing.T) {
	timed(t, "as long as nobody has seen it", func(t *testing.T) {
		s := &screen{}
		w := worldWithScreen(t, s)
		held, err := w.store.Hold(t.Context(), store.PlaceClaim("window-1"), "test")
		if err != nil {
			t.Fatal(err)
		}
		show, leave := w.serve(t, "window-1")
		defer leave()
		s.shows = show
		c := connect(t, w.Server)
		c.initialize("test")
		call := c.startTool("ask_user", oneQuestion(c.session()))
		ask := w.opened(1)[0]
		time.Sleep(10 * time.Second)
		if s.count() != 0 {
			t.Errorf("%d panes while another served the place", s.count())
		}
		if err := held.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		if s.count() != 1 || w.ask(ask.ID).Shown.IsZero() {
			t.Errorf("%d panes, shown %v", s.count(), w.ask(ask.ID).Shown)
		}
		w.submit(ask.ID, "harbour")
		if got, _ := c.later(call); got.text() != `{"name":"harbour"}` {
			t.Errorf("got %q", got.text())
		}
	})
}

func TestAClosedFormComesBackOnce(t *testing.T) {
	timed(t, "and then the agent sends its user to the terminal", func(t *testing.T) {
		s := &screen{}
		w := worldWithScreen(t, s)
		show, leave := w.serve(t, "window-1")
		s.shows = show
		c := connect(t, w.Server)
		c.initialize("test")
		session := c.session()
		got, _ := c.later(c.startTool("ask_user", oneQuestion(session)))
		ask := w.opened(1)[0]
		if !got.stillOpen(ask.ID) || s.count() != 1 {
			t.Fatalf("%d panes; got %q", s.count(), got.text())
		}
		leave()
		wait := func() (answer, time.Duration) {
			return c.later(c.startTool("get_answer", map[string]any{"askId": ask.ID}))
		}
		if got, took := wait(); !got.stillOpen(ask.ID) || s.count() != 2 || took != 50*time.Second {
			t.Errorf("after %v and %d panes: %q", took, s.count(), got.text())
		}
		leave()
		if got, took := wait(); !got.closed(ask.ID) || s.count() != 2 || took != 0 {
			t.Errorf("after %v and %d panes: %q", took, s.count(), got.text())
		}
		if _, took := wait(); s.count() != 2 || took != 50*time.Second {
			t.Errorf("after %v: %d panes", took, s.count())
		}
		// Asked again, it is shown again.
		c.later(c.startTool("ask_user", oneQuestion(session)))
		if s.count() != 3 {
			t.Errorf("%d panes", s.count())
		}
		leave()
	})
}
