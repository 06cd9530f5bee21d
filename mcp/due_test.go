package mcp_test

import (
	"encoding/json"
	"testing"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
)

// settled asks, cancels the call, and has the person settle the ask unheard.
func settledUnheard(w *world, c *client, session, title string, outcome questions.Outcome) store.Ask {
	w.t.Helper()
	args := titled(session, title)
	call := c.startTool("ask_user", args)
	var ask store.Ask
	until(w.t, "it is asked", func() bool {
		waiting, err := w.store.Waiting(w.t.Context())
		for _, one := range waiting {
			if one.Spec.Title.Raw() == title {
				ask = one
			}
		}
		return err == nil && ask.ID != ""
	})
	c.notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(call)})
	until(w.t, "nobody waits for it", func() bool { return !w.waits(ask.ID) })
	if outcome.State != "" {
		w.settle(ask.ID, outcome)
	}
	return ask
}

// An answer that is there comes before a question that is still open, however old that
// is, in whatever session; to withdraw, the open one is meant.
func TestWhatIsReadyComesBeforeWhatIsOpen(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	open := settledUnheard(w, c, session, "Old and open", questions.Outcome{})
	ready := questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{"name": questions.TextValue("quay")}}}
	settledUnheard(w, c, session, "New and ready", ready)
	if got := c.tool("get_answer", nil); got.texts()[0] != `{"name":"quay"}` {
		t.Errorf("without any id the agent gets %q", got.texts())
	}
	settledUnheard(w, c, c.session(), "In another session", ready)
	if got := c.tool("get_answer", nil); got.texts()[0] != `{"name":"quay"}` {
		t.Errorf("with an answer in another session the agent gets %q", got.texts())
	}
	settledUnheard(w, c, session, "Ready again", ready)
	if got := c.tool("get_answer", map[string]any{"sessionId": session, "withdraw": true}); got.texts()[0] != "The question was withdrawn." {
		t.Errorf("withdrawing gives %q", got.texts())
	}
	if state := w.ask(open.ID).Outcome.State; state != questions.Withdrawn {
		t.Errorf("the open one is %s", state)
	}
}

// The words that lead an agent to what is due, or was said last.
func TestTheWordsOfWhatIsDue(t *testing.T) {
	var told words
	engine := kvtest.NewMap()
	server := func() *world { return worldOver(t, store.New(engine, store.Options{}), nil) }
	w := server()
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	for _, said := range []struct {
		title   string
		outcome questions.Outcome
	}{
		{"Replied to", questions.Outcome{State: questions.Discuss, Message: safe.New("Which one?")}},
		{"Declined", questions.Outcome{State: questions.Declined, Message: safe.New("Not now")}},
	} {
		ask := settledUnheard(w, c, session, said.title, said.outcome)
		c.tool("get_answer", map[string]any{"askId": ask.ID})
		until(t, "it is delivered", func() bool { return w.delivered(ask.ID) })
		told.add("nothing is due, after: "+said.title, ask, c.tool("get_answer", map[string]any{"sessionId": session}))
	}
	open := settledUnheard(w, c, session, "Left open", questions.Outcome{})
	if err := c.end(); err != nil {
		t.Fatal(err)
	}
	next := connect(t, server().Server)
	next.initialize("test")
	begun := next.tool("init_planb_session", nil)
	told.add("a session of another agent that is gone has a question open", open, answer{Content: begun.Content[1:]})
	told.snapshot(t, "due.txt")
}
