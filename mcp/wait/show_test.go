package wait_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/mcp/pane"
	"planb/store"
)

// What a terminal says of an ask tells whether it is to be answered or reviewed.
func TestANoticeSaysWhatIsWanted(t *testing.T) {
	t.Parallel()
	s := &mcptest.Screen{Fail: errors.New("no space")}
	w := mcptest.WorldWithScreen(t, s)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("Codex")
	session := c.Session()
	c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "# Storage", "title": "Storage"})
	c.Tool("submit_plan", map[string]any{"sessionId": session})
	c.Tool("ask_user", mcptest.OneQuestion(session))
	want := []string{"Codex wants a plan reviewed: Storage", "Codex asks: One thing"}
	var got []string
	for _, command := range s.Panes {
		got = append(got, command.Notice)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A form says when it comes up whether an agent waits for it, so the agent counts as waiting before
// its call brings the form up.
func TestAnAgentWaitsBeforeItsFormComesUp(t *testing.T) {
	t.Parallel()
	s := &mcptest.Screen{}
	w := mcptest.WorldWithScreen(t, s)
	show, leave := w.ServePlace(t, "window-1")
	defer func() { leave() }()
	s.Shows = func(askID string) {
		for end := time.Now().Add(5 * time.Second); !w.Waits(askID); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Error("no agent waits for the form that comes up")
				break
			}
		}
		show(askID)
	}
	c := mcptest.Connect(t, w.Server)
	c.Initialize("Codex")
	session := c.Session()
	call := c.StartTool("ask_user", mcptest.OneQuestion(session))
	ask := w.Opened(1)[0]
	mcptest.Until(t, "the form is shown", func() bool { return !w.Ask(ask.ID).Shown.IsZero() })
	c.Cancel(call)
	mcptest.Until(t, "no call waits", func() bool { return !w.Waits(ask.ID) })
	leave()
	call = c.StartTool("get_answer", map[string]any{"askId": ask.ID})
	mcptest.Until(t, "it is shown again", func() bool { return s.Count() == 2 })
	w.Submit(ask.ID, "harbour")
	c.Answer(call)
}

func TestAnAskIsPutIntoAPane(t *testing.T) {
	t.Parallel()
	s := &mcptest.Screen{}
	w := mcptest.WorldWithScreen(t, s)
	show, leave := w.ServePlace(t, "window-1")
	defer leave()
	s.Shows = show
	c := mcptest.Connect(t, w.Server)
	c.InitializeAs(map[string]any{"name": "claude-code", "title": "Claude Code", "version": "1"}, map[string]any{})
	call := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
	ask := w.Opened(1)[0]
	mcptest.Until(t, "the form is shown", func() bool { return !w.Ask(ask.ID).Shown.IsZero() })
	w.Submit(ask.ID, "harbour")
	if got := c.Answer(call); got.Text() != `{"name":"harbour"}` {
		t.Errorf("got %q", got.Text())
	}
	command := s.Panes[0]
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
	t.Parallel()
	for _, test := range []struct {
		name   string
		opener pane.Opener
		reason string
	}{
		{"no opener", nil, "this server has nothing to open panes with"},
		{"none that works", pane.None{Reason: "there is no tmux here"}, "there is no tmux here"},
		{"one that fails", &mcptest.Screen{Fail: errors.New("no space for a new pane.\n")}, "no space for a new pane"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, test.opener })
			c := mcptest.Connect(t, w.Server)
			c.Initialize("test")
			got := c.Tool("ask_user", mcptest.OneQuestion(c.Session()))
			ask := w.Opened(1)[0]
			if !got.Nowhere(ask.ID, test.reason) {
				t.Errorf("got %q, %v", got.Text(), got.Data)
			}
			// The user is on the way to the terminal: now the agent may wait.
			call := c.StartTool("get_answer", map[string]any{"askId": ask.ID})
			w.Submit(ask.ID, "harbour")
			if got := c.Answer(call); got.Text() != `{"name":"harbour"}` {
				t.Errorf("got %q", got.Text())
			}
		})
	}
}

func TestAPaneInWhichNothingComesUp(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "is told after three seconds", func(t *testing.T) {
		s := &mcptest.Screen{}
		w := mcptest.WorldWithScreen(t, s)
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		got, took := c.Later(c.StartTool("ask_user", mcptest.OneQuestion(c.Session())))
		ask := w.Opened(1)[0]
		if took != 10*time.Second || !got.Nowhere(ask.ID, "testmux opened a pane, but no form came up in it within 10 seconds") {
			t.Errorf("after %v: %q", took, got.Text())
		}
		// A call that waits now opens nothing, and says the same at its end.
		got, took = c.Later(c.StartTool("get_answer", map[string]any{"askId": ask.ID}))
		if took != 50*time.Second || got.Data["nowhere"] != true || s.Count() != 1 {
			t.Errorf("after %v and %d panes: %q", took, s.Count(), got.Text())
		}
	})
}

func TestAFormThatComesAndGoesInAMomentIsOpenedOnce(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "answered before anybody looked", func(t *testing.T) {
		s := &mcptest.Screen{}
		w := mcptest.WorldWithScreen(t, s)
		s.Shows = func(askID string) { w.Submit(askID, "harbour") }
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		got, _ := c.Later(c.StartTool("ask_user", mcptest.OneQuestion(c.Session())))
		if got.Text() != `{"name":"harbour"}` || s.Count() != 1 {
			t.Errorf("%d panes; got %q", s.Count(), got.Text())
		}
	})
	mcptest.Timed(t, "shown and closed before anybody looked", func(t *testing.T) {
		s := &mcptest.Screen{}
		w := mcptest.WorldWithScreen(t, s)
		s.Shows = func(askID string) {
			if err := w.Store.MarkShown(context.Background(), askID); err != nil {
				t.Error(err)
			}
		}
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		got, _ := c.Later(c.StartTool("ask_user", mcptest.OneQuestion(c.Session())))
		if ask := w.Opened(1)[0]; !got.Closed(ask.ID) || s.Count() != 1 {
			t.Errorf("%d panes; got %q", s.Count(), got.Text())
		}
	})
}

func TestOnePaneServesAllAsksOfItsPlace(t *testing.T) {
	t.Parallel()
	s := &mcptest.Screen{}
	w := mcptest.WorldWithScreen(t, s)
	show, leave := w.ServePlace(t, "window-1")
	defer leave()
	s.Shows = show
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	session := c.Session()
	const n = 8
	calls := make([]string, n)
	for i := range calls {
		args := mcptest.OneQuestion(session)
		args["title"] = fmt.Sprint("Question ", i)
		calls[i] = c.StartTool("ask_user", args)
	}
	for _, ask := range w.Opened(n) {
		w.Submit(ask.ID, "x")
	}
	for _, call := range calls {
		if got := c.Answer(call); got.Texts()[0] != `{"name":"x"}` {
			t.Errorf("got %q", got.Text())
		}
	}
	if s.Count() != 1 {
		t.Errorf("%d panes were opened", s.Count())
	}
}

func TestAFormThatIsOnAnotherScreenNeedsNoPane(t *testing.T) {
	t.Parallel()
	s := &mcptest.Screen{Fail: mcptest.ErrTest}
	w := mcptest.WorldWithScreen(t, s)
	held, err := w.Store.Hold(t.Context(), store.PlaceClaim("window-1"), "another pane")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := held.Release(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	call := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
	ask := w.Opened(1)[0]
	w.Submit(ask.ID, "harbour")
	if got := c.Answer(call); got.Text() != `{"name":"harbour"}` || s.Count() != 0 {
		t.Errorf("%d panes; got %q", s.Count(), got.Text())
	}
}

func TestAQueuedAskWhosePaneWasKilledGetsAnother(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "as long as nobody has seen it", func(t *testing.T) {
		s := &mcptest.Screen{}
		w := mcptest.WorldWithScreen(t, s)
		held, err := w.Store.Hold(t.Context(), store.PlaceClaim("window-1"), "test")
		if err != nil {
			t.Fatal(err)
		}
		show, leave := w.ServePlace(t, "window-1")
		defer leave()
		s.Shows = show
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		call := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
		ask := w.Opened(1)[0]
		time.Sleep(10 * time.Second)
		if s.Count() != 0 {
			t.Errorf("%d panes while another served the place", s.Count())
		}
		if err := held.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		if s.Count() != 1 || w.Ask(ask.ID).Shown.IsZero() {
			t.Errorf("%d panes, shown %v", s.Count(), w.Ask(ask.ID).Shown)
		}
		w.Submit(ask.ID, "harbour")
		if got, _ := c.Later(call); got.Text() != `{"name":"harbour"}` {
			t.Errorf("got %q", got.Text())
		}
	})
}

func TestAClosedFormComesBackOnce(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "and then the agent sends its user to the terminal", func(t *testing.T) {
		s := &mcptest.Screen{}
		w := mcptest.WorldWithScreen(t, s)
		show, leave := w.ServePlace(t, "window-1")
		s.Shows = show
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		session := c.Session()
		got, _ := c.Later(c.StartTool("ask_user", mcptest.OneQuestion(session)))
		ask := w.Opened(1)[0]
		if !got.StillOpen(ask.ID) || s.Count() != 1 {
			t.Fatalf("%d panes; got %q", s.Count(), got.Text())
		}
		leave()
		wait := func() (mcptest.Answer, time.Duration) {
			return c.Later(c.StartTool("get_answer", map[string]any{"askId": ask.ID}))
		}
		if got, took := wait(); !got.StillOpen(ask.ID) || s.Count() != 2 || took != 50*time.Second {
			t.Errorf("after %v and %d panes: %q", took, s.Count(), got.Text())
		}
		leave()
		if got, took := wait(); !got.Closed(ask.ID) || s.Count() != 2 || took != 0 {
			t.Errorf("after %v and %d panes: %q", took, s.Count(), got.Text())
		}
		if _, took := wait(); s.Count() != 2 || took != 50*time.Second {
			t.Errorf("after %v: %d panes", took, s.Count())
		}
		// Asked again, it is shown again.
		c.Later(c.StartTool("ask_user", mcptest.OneQuestion(session)))
		if s.Count() != 3 {
			t.Errorf("%d panes", s.Count())
		}
		leave()
	})
}

// However often no pane can be opened, the agent is told so at once: only panes that came up
// are too many.
func TestPanesThatCannotBeOpenedAreNeverTooMany(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "ten of them", func(t *testing.T) {
		w := mcptest.WorldWithScreen(t, &mcptest.Screen{Fail: errors.New("no room")})
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		session := c.Session()
		for i := range 10 {
			question := mcptest.OneQuestion(session)
			question["title"] = fmt.Sprint("Question ", i)
			began := time.Now()
			got := c.Tool("ask_user", question)
			if ask := w.Opened(i + 1)[i]; !got.Nowhere(ask.ID, "no room") || time.Since(began) > time.Second {
				t.Fatalf("the agent is told after %v: %s", time.Since(began), got.Text())
			}
		}
	})
}
