package mcp_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"planb/mcp"
	"planb/store"
)

const putOff = "NOT ANSWERED YET: the user put this off; it waits in their inbox. " +
	"Go on with what does not depend on it, tell them in one sentence at the end, and do not ask again."

func titled(session, title string) map[string]any {
	args := oneQuestion(session)
	args["title"] = title
	return args
}

// The person closes the pane in which thirty asks wait: none comes back by itself,
// and each agent that waits for one it never showed reads why.
func TestAPlaceThatWasPutOffIsLeftAlone(t *testing.T) {
	timed(t, "for ten minutes", func(t *testing.T) {
		ctx := t.Context()
		s := &screen{}
		w := worldWithScreen(t, s)
		show, leave := w.serve(t, "window-1")
		s.shows = show
		c := connect(t, w.Server)
		c.initialize("claude-code")
		session, other := c.session(), c.session()
		var calls []string
		for i := range 30 {
			in := session
			if i%2 > 0 {
				in = other
			}
			calls = append(calls, c.startTool("ask_user", titled(in, fmt.Sprint("Question ", i))))
		}
		asks := w.opened(30)
		time.Sleep(10 * time.Second)
		if err := w.store.PutOff(ctx, "window-1"); err != nil {
			t.Fatal(err)
		}
		leave()
		answered := 0
		time.Sleep(10 * time.Second)
		for _, call := range calls {
			select {
			case got := <-c.expect(call):
				answered++
				if a := c.decode(got); a.text() != putOff || a.IsError || a.data["putOff"] != true {
					t.Errorf("got %q, %v", a.text(), a.data)
				}
			default:
			}
		}
		if answered != 29 || s.count() != 1 {
			t.Errorf("%d calls were told, %d panes came up", answered, s.count())
		}
		// The call whose form was seen goes on waiting: it can still be answered.
		for _, ask := range asks {
			if ask := w.ask(ask.ID); !ask.Shown.IsZero() {
				w.submit(ask.ID, "quay")
			}
		}
		synctest.Wait() // the call that was answered has its answer, so that the next one does not bring it
		got, took := c.later(c.startTool("ask_user", titled(session, "One more")))
		if got.text() != putOff || took != 0 || s.count() != 1 {
			t.Errorf("asked while it is put off, after %v and %d panes: %q", took, s.count(), got.text())
		}
		id := got.data["askId"].(string)
		if got, took := c.later(c.startTool("get_answer", map[string]any{"askId": id, "waitSeconds": 60})); got.text() != putOff || took != time.Minute {
			t.Errorf("a wait for it gives %q after %v", got.text(), took)
		}
		time.Sleep(store.PutOffTime)
		c.startTool("ask_user", titled(c.session(), "Much later"))
		until(t, "a pane came up again", func() bool { return s.count() == 2 })
		synctest.Wait() // the pane has claimed its place, so that leave gives it back
		leave()
	})
	timed(t, "until the person opens something of it", func(t *testing.T) {
		s := &screen{}
		w := worldWithScreen(t, s)
		show, leave := w.serve(t, "window-1")
		defer leave()
		s.shows = show
		c := connect(t, w.Server)
		c.initialize("test")
		if err := w.store.PutOff(t.Context(), "window-1"); err != nil {
			t.Fatal(err)
		}
		if err := w.store.EndPutOff(t.Context(), store.Ask{Place: "window-1"}); err != nil {
			t.Fatal(err)
		}
		c.startTool("ask_user", oneQuestion(c.session()))
		until(t, "a pane came up", func() bool { return s.count() == 1 })
		synctest.Wait() // the pane has claimed its place, so that leave gives it back
	})
	timed(t, "and no dialog of the client takes the pane's place", func(t *testing.T) {
		w := worldWithScreen(t, &screen{})
		if err := w.store.PutOff(t.Context(), "window-1"); err != nil {
			t.Fatal(err)
		}
		c := withDialogs(t, w)
		if got, _ := c.later(c.startTool("ask_user", oneQuestion(c.session()))); got.text() != putOff || len(c.asks) > 0 {
			t.Errorf("%d dialogs; got %q", len(c.asks), got.text())
		}
	})
}

// A pane goes on with another ask while the person put one off, or all of its agent.
// That agent reads so, and its form comes up by itself when the ten minutes are over.
func TestWhatWasPutOffBesideOthersIsToldAndComesUpLater(t *testing.T) {
	timed(t, "one ask that was seen", func(t *testing.T) {
		s := &screen{}
		w := worldWithScreen(t, s)
		show, leave := w.serve(t, "window-1")
		s.shows = show
		c := connect(t, w.Server)
		c.initialize("claude-code")
		call := c.startTool("ask_user", titled(c.session(), "Later"))
		ask := w.opened(1)[0]
		until(t, "it was seen", func() bool { return !w.ask(ask.ID).Shown.IsZero() })
		synctest.Wait()
		leave()
		place, err := w.store.Hold(t.Context(), store.PlaceClaim("window-1"), "the pane, with another ask")
		if err != nil {
			t.Fatal(err)
		}
		if err := w.store.PutOffAsk(t.Context(), ask.ID); err != nil {
			t.Fatal(err)
		}
		off := time.Now()
		for range 4 { // also when the waits were in vain so often that a person seems to be away
			got := c.tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 0})
			if got.text() != putOff || got.data["putOff"] != true {
				t.Errorf("a look reads %q", got.text())
			}
			if got, _ := c.later(c.startTool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 100})); got.text() != putOff {
				t.Errorf("a wait reads %q", got.text())
			}
		}
		if err := place.Release(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Until(off.Add(store.PutOffTime - 30*time.Second)))
		again := c.startTool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 3600})
		time.Sleep(25 * time.Second)
		if s.count() != 1 {
			t.Errorf("%d panes came up meanwhile", s.count())
		}
		until(t, "it comes up again", func() bool { return s.count() == 2 })
		if took := time.Since(off); took < store.PutOffTime || took > store.PutOffTime+10*time.Second {
			t.Errorf("it came up again after %v", took)
		}
		time.Sleep(time.Second) // the server has seen the form
		w.submit(ask.ID, "quay")
		if got, _ := c.later(again); got.text() != `{"name":"quay"}` {
			t.Errorf("got %q", got.text())
		}
		if got, _ := c.later(call); got.text() != `{"name":"quay"}` {
			t.Errorf("the call that asked got %q", got.text())
		}
		leave()
	})
	timed(t, "an agent, some of whose asks nobody saw", func(t *testing.T) {
		s := &screen{}
		w := worldWithScreen(t, s)
		show, leave := w.serve(t, "window-1")
		s.shows = show
		loud, quiet := connect(t, w.Server), connect(t, w.Server)
		loud.initialize("codex")
		quiet.initialize("claude-code")
		first := quiet.startTool("ask_user", titled(quiet.session(), "Quiet"))
		shown := w.opened(1)[0]
		until(t, "it is shown", func() bool { return !w.ask(shown.ID).Shown.IsZero() })
		session := loud.session()
		call := loud.startTool("ask_user", titled(session, "Loud"))
		ask := w.opened(2)[1]
		time.Sleep(10 * time.Second)
		if err := w.store.PutOffAgent(t.Context(), "window-1", ask.Client); err != nil {
			t.Fatal(err)
		}
		if got, took := loud.later(call); got.text() != putOff || took > 5*time.Second {
			t.Errorf("after %v: %q", took, got.text())
		}
		if got, took := loud.later(loud.startTool("ask_user", titled(session, "Louder"))); got.text() != putOff || took != 0 {
			t.Errorf("asked anew, after %v: %q", took, got.text())
		}
		w.submit(shown.ID, "mole")
		if got, _ := quiet.later(first); got.text() != `{"name":"mole"}` {
			t.Errorf("the other agent got %q", got.text())
		}
		synctest.Wait()
		leave()
		time.Sleep(store.PutOffTime - 30*time.Second)
		again := loud.startTool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 3600})
		time.Sleep(15 * time.Second)
		if s.count() != 1 {
			t.Errorf("%d panes came up meanwhile", s.count())
		}
		until(t, "it comes up", func() bool { return s.count() == 2 })
		time.Sleep(time.Second) // the server has seen the form
		w.submit(ask.ID, "quay")
		if got, _ := loud.later(again); got.text() != `{"name":"quay"}` {
			t.Errorf("got %q", got.text())
		}
		leave()
	})
}

// An agent that asks and takes its question back, again and again, over several
// servers in one window.
func TestPanesComeUpSixTimesAMinuteAtMost(t *testing.T) {
	timed(t, "over two servers", func(t *testing.T) {
		s := &screen{}
		w := worldWithScreen(t, s)
		beside := worldOver(t, w.store, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, s })
		show, leave := w.serve(t, "window-1")
		s.shows = show
		var clients []*client
		var sessions []string
		for _, server := range []*world{w, beside} {
			c := connect(t, server.Server)
			c.initialize("test")
			clients, sessions = append(clients, c), append(sessions, c.session())
		}
		began := time.Now()
		for i := range 40 {
			c := clients[i%2]
			c.startTool("ask_user", titled(sessions[i%2], fmt.Sprint("Again ", i)))
			ask := w.opened(1)[0]
			time.Sleep(500 * time.Millisecond)
			c.tool("get_answer", map[string]any{"askId": ask.ID, "withdraw": true})
			leave()
		}
		if took := time.Since(began); s.count() != 6 || took >= time.Minute {
			t.Errorf("%d panes came up in %v", s.count(), took)
		}
		// What waits comes up by itself as soon as it may.
		c := clients[0]
		call := c.startTool("ask_user", titled(sessions[0], "The last"))
		time.Sleep(time.Until(began.Add(65 * time.Second)))
		if s.count() != 7 {
			t.Errorf("%d panes came up by %v", s.count(), time.Since(began))
		}
		w.submit(w.opened(1)[0].ID, "quay")
		if got, _ := c.later(call); got.text() != `{"name":"quay"}` {
			t.Errorf("got %q", got.text())
		}
		leave()
	})
}
