package wait_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/store"
)

const putOff = "NOT ANSWERED YET: the user put this off; it waits in their inbox. " +
	"Go on with what does not depend on it, tell them in one sentence at the end, and do not ask again."

// The person closes the pane in which thirty asks wait: none comes back by itself,
// and each agent that waits for one it never showed reads why.
func TestAPlaceThatWasPutOffIsLeftAlone(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "for ten minutes", func(t *testing.T) {
		ctx := t.Context()
		s := &mcptest.Screen{}
		w := mcptest.WorldWithScreen(t, s)
		show, leave := w.ServePlace(t, "window-1")
		s.Shows = show
		c := mcptest.Connect(t, w.Server)
		c.Initialize("claude-code")
		session, other := c.Session(), c.Session()
		var calls []string
		for i := range 30 {
			in := session
			if i%2 > 0 {
				in = other
			}
			calls = append(calls, c.StartTool("ask_user", mcptest.Titled(in, fmt.Sprint("Question ", i))))
		}
		asks := w.Opened(30)
		time.Sleep(10 * time.Second)
		if err := w.Store.PutOff(ctx, "window-1"); err != nil {
			t.Fatal(err)
		}
		leave()
		answered := 0
		time.Sleep(10 * time.Second)
		for _, call := range calls {
			select {
			case got := <-c.Expect(call):
				answered++
				if a := c.Decode(got); a.Text() != putOff || a.IsError || a.Data["putOff"] != true {
					t.Errorf("got %q, %v", a.Text(), a.Data)
				}
			default:
			}
		}
		if answered != 29 || s.Count() != 1 {
			t.Errorf("%d calls were told, %d panes came up", answered, s.Count())
		}
		// The call whose form was seen goes on waiting: it can still be answered.
		for _, ask := range asks {
			if ask := w.Ask(ask.ID); !ask.Shown.IsZero() {
				w.Submit(ask.ID, "quay")
			}
		}
		synctest.Wait() // the call that was answered has its answer, so that the next one does not bring it
		got, took := c.Later(c.StartTool("ask_user", mcptest.Titled(session, "One more")))
		if got.Text() != putOff || took != 0 || s.Count() != 1 {
			t.Errorf("asked while it is put off, after %v and %d panes: %q", took, s.Count(), got.Text())
		}
		id := got.Data["askId"].(string)
		if got, took := c.Later(c.StartTool("get_answer", map[string]any{"askId": id, "waitSeconds": 60})); got.Text() != putOff || took != time.Minute {
			t.Errorf("a wait for it gives %q after %v", got.Text(), took)
		}
		time.Sleep(store.PutOffTime)
		c.StartTool("ask_user", mcptest.Titled(c.Session(), "Much later"))
		mcptest.Until(t, "a pane came up again", func() bool { return s.Count() == 2 })
		synctest.Wait() // the pane has claimed its place, so that leave gives it back
		leave()
	})
	mcptest.Timed(t, "until the person opens something of it", func(t *testing.T) {
		s := &mcptest.Screen{}
		w := mcptest.WorldWithScreen(t, s)
		show, leave := w.ServePlace(t, "window-1")
		defer leave()
		s.Shows = show
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		if err := w.Store.PutOff(t.Context(), "window-1"); err != nil {
			t.Fatal(err)
		}
		if err := w.Store.EndPutOff(t.Context(), store.Ask{Place: "window-1"}); err != nil {
			t.Fatal(err)
		}
		c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
		mcptest.Until(t, "a pane came up", func() bool { return s.Count() == 1 })
		synctest.Wait() // the pane has claimed its place, so that leave gives it back
	})
	mcptest.Timed(t, "and no dialog of the client takes the pane's place", func(t *testing.T) {
		w := mcptest.WorldWithScreen(t, &mcptest.Screen{})
		if err := w.Store.PutOff(t.Context(), "window-1"); err != nil {
			t.Fatal(err)
		}
		c := mcptest.WithDialogs(t, w)
		if got, _ := c.Later(c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))); got.Text() != putOff || len(c.Asks) > 0 {
			t.Errorf("%d dialogs; got %q", len(c.Asks), got.Text())
		}
	})
}

// A pane goes on with another ask while the person put one off, or all of its agent.
// That agent reads so, and its form comes up by itself when the ten minutes are over.
func TestWhatWasPutOffBesideOthersIsToldAndComesUpLater(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "one ask that was seen", func(t *testing.T) {
		s := &mcptest.Screen{}
		w := mcptest.WorldWithScreen(t, s)
		show, leave := w.ServePlace(t, "window-1")
		s.Shows = show
		c := mcptest.Connect(t, w.Server)
		c.Initialize("claude-code")
		call := c.StartTool("ask_user", mcptest.Titled(c.Session(), "Later"))
		ask := w.Opened(1)[0]
		mcptest.Until(t, "it was seen", func() bool { return !w.Ask(ask.ID).Shown.IsZero() })
		synctest.Wait()
		leave()
		place, err := w.Store.Hold(t.Context(), store.PlaceClaim("window-1"), "the pane, with another ask")
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Store.PutOffAsk(t.Context(), ask.ID); err != nil {
			t.Fatal(err)
		}
		off := time.Now()
		for range 4 { // also when the waits were in vain so often that a person seems to be away
			got := c.Tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 0})
			if got.Text() != putOff || got.Data["putOff"] != true {
				t.Errorf("a look reads %q", got.Text())
			}
			if got, _ := c.Later(c.StartTool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 100})); got.Text() != putOff {
				t.Errorf("a wait reads %q", got.Text())
			}
		}
		if err := place.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Until(off.Add(store.PutOffTime - 30*time.Second)))
		again := c.StartTool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 3600})
		time.Sleep(25 * time.Second)
		if s.Count() != 1 {
			t.Errorf("%d panes came up meanwhile", s.Count())
		}
		mcptest.Until(t, "it comes up again", func() bool { return s.Count() == 2 })
		if took := time.Since(off); took < store.PutOffTime || took > store.PutOffTime+10*time.Second {
			t.Errorf("it came up again after %v", took)
		}
		time.Sleep(time.Second) // the server has seen the form
		w.Submit(ask.ID, "quay")
		if got, _ := c.Later(again); got.Text() != `{"name":"quay"}` {
			t.Errorf("got %q", got.Text())
		}
		if got, _ := c.Later(call); got.Text() != `{"name":"quay"}` {
			t.Errorf("the call that asked got %q", got.Text())
		}
		leave()
	})
	mcptest.Timed(t, "an agent, some of whose asks nobody saw", func(t *testing.T) {
		s := &mcptest.Screen{}
		w := mcptest.WorldWithScreen(t, s)
		show, leave := w.ServePlace(t, "window-1")
		s.Shows = show
		loud, quiet := mcptest.Connect(t, w.Server), mcptest.Connect(t, w.Server)
		loud.Initialize("codex")
		quiet.Initialize("claude-code")
		first := quiet.StartTool("ask_user", mcptest.Titled(quiet.Session(), "Quiet"))
		shown := w.Opened(1)[0]
		mcptest.Until(t, "it is shown", func() bool { return !w.Ask(shown.ID).Shown.IsZero() })
		session := loud.Session()
		call := loud.StartTool("ask_user", mcptest.Titled(session, "Loud"))
		ask := w.Opened(2)[1]
		time.Sleep(10 * time.Second)
		if err := w.Store.PutOffAgent(t.Context(), "window-1", ask.Client); err != nil {
			t.Fatal(err)
		}
		if got, took := loud.Later(call); got.Text() != putOff || took > 5*time.Second {
			t.Errorf("after %v: %q", took, got.Text())
		}
		if got, took := loud.Later(loud.StartTool("ask_user", mcptest.Titled(session, "Louder"))); got.Text() != putOff || took != 0 {
			t.Errorf("asked anew, after %v: %q", took, got.Text())
		}
		w.Submit(shown.ID, "mole")
		if got, _ := quiet.Later(first); got.Text() != `{"name":"mole"}` {
			t.Errorf("the other agent got %q", got.Text())
		}
		synctest.Wait()
		leave()
		time.Sleep(store.PutOffTime - 30*time.Second)
		again := loud.StartTool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 3600})
		time.Sleep(15 * time.Second)
		if s.Count() != 1 {
			t.Errorf("%d panes came up meanwhile", s.Count())
		}
		mcptest.Until(t, "it comes up", func() bool { return s.Count() == 2 })
		time.Sleep(time.Second) // the server has seen the form
		w.Submit(ask.ID, "quay")
		if got, _ := loud.Later(again); got.Text() != `{"name":"quay"}` {
			t.Errorf("got %q", got.Text())
		}
		leave()
	})
}

// An agent that asks and takes its question back, again and again, over several
// servers in one window.
func TestPanesComeUpSixTimesAMinuteAtMost(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "over two servers", func(t *testing.T) {
		s := &mcptest.Screen{}
		w := mcptest.WorldWithScreen(t, s)
		beside := mcptest.WorldOver(t, w.Store, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, s })
		show, leave := w.ServePlace(t, "window-1")
		s.Shows = show
		var clients []*mcptest.Client
		var sessions []string
		for _, server := range []*mcptest.World{w, beside} {
			c := mcptest.Connect(t, server.Server)
			c.Initialize("test")
			clients, sessions = append(clients, c), append(sessions, c.Session())
		}
		began := time.Now()
		for i := range 40 {
			c := clients[i%2]
			c.StartTool("ask_user", mcptest.Titled(sessions[i%2], fmt.Sprint("Again ", i)))
			ask := w.Opened(1)[0]
			time.Sleep(500 * time.Millisecond)
			c.Tool("get_answer", map[string]any{"askId": ask.ID, "withdraw": true})
			leave()
		}
		if took := time.Since(began); s.Count() != 6 || took >= time.Minute {
			t.Errorf("%d panes came up in %v", s.Count(), took)
		}
		// What waits comes up by itself as soon as it may.
		c := clients[0]
		call := c.StartTool("ask_user", mcptest.Titled(sessions[0], "The last"))
		time.Sleep(time.Until(began.Add(65 * time.Second)))
		if s.Count() != 7 {
			t.Errorf("%d panes came up by %v", s.Count(), time.Since(began))
		}
		w.Submit(w.Opened(1)[0].ID, "quay")
		if got, _ := c.Later(call); got.Text() != `{"name":"quay"}` {
			t.Errorf("got %q", got.Text())
		}
		leave()
	})
}
