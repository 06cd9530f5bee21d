package asking_test

import (
	"encoding/json"
	"testing"

	"planb/mcp/mcptest"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
)

// settled asks, cancels the call, and has the person settle the ask unheard.
func settledUnheard(w *mcptest.World, c *mcptest.Client, session, title string, outcome questions.Outcome) store.Ask {
	w.T.Helper()
	args := mcptest.Titled(session, title)
	call := c.StartTool("ask_user", args)
	var ask store.Ask
	mcptest.Until(w.T, "it is asked", func() bool {
		waiting, err := w.Store.Waiting(w.T.Context())
		for _, one := range waiting {
			if one.Spec.Title.Raw() == title {
				ask = one
			}
		}
		return err == nil && ask.ID != ""
	})
	c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(call)})
	mcptest.Until(w.T, "nobody waits for it", func() bool { return !w.Waits(ask.ID) })
	if outcome.State != "" {
		w.Settle(ask.ID, outcome)
	}
	return ask
}

// An answer that is there comes before a question that is still open, however old that
// is, in whatever session; to withdraw, the open one is meant.
func TestWhatIsReadyComesBeforeWhatIsOpen(t *testing.T) {
	w, c, session := mcptest.Started(t)
	open := settledUnheard(w, c, session, "Old and open", questions.Outcome{})
	ready := questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{"name": questions.TextValue("quay")}}}
	settledUnheard(w, c, session, "New and ready", ready)
	if got := c.Tool("get_answer", nil); got.Texts()[0] != `{"name":"quay"}` {
		t.Errorf("without any id the agent gets %q", got.Texts())
	}
	settledUnheard(w, c, c.Session(), "In another session", ready)
	if got := c.Tool("get_answer", nil); got.Texts()[0] != `{"name":"quay"}` {
		t.Errorf("with an answer in another session the agent gets %q", got.Texts())
	}
	settledUnheard(w, c, session, "Ready again", ready)
	if got := c.Tool("get_answer", map[string]any{"sessionId": session, "withdraw": true}); got.Texts()[0] != "The question was withdrawn." {
		t.Errorf("withdrawing gives %q", got.Texts())
	}
	if state := w.Ask(open.ID).Outcome.State; state != questions.Withdrawn {
		t.Errorf("the open one is %s", state)
	}
}

// The words that lead an agent to what is due, or was said last.
func TestTheWordsOfWhatIsDue(t *testing.T) {
	var told mcptest.Words
	engine := kvtest.NewMap()
	server := func() *mcptest.World { return mcptest.WorldOver(t, store.New(engine, store.Options{}), nil) }
	w := server()
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	session := c.Session()
	for _, said := range []struct {
		title   string
		outcome questions.Outcome
	}{
		{"Replied to", questions.Outcome{State: questions.Discuss, Message: safe.New("Which one?")}},
		{"Declined", questions.Outcome{State: questions.Declined, Message: safe.New("Not now")}},
	} {
		ask := settledUnheard(w, c, session, said.title, said.outcome)
		c.Tool("get_answer", map[string]any{"askId": ask.ID})
		mcptest.Until(t, "it is delivered", func() bool { return w.Delivered(ask.ID) })
		told.Add("nothing is due, after: "+said.title, ask, c.Tool("get_answer", map[string]any{"sessionId": session}))
	}
	open := settledUnheard(w, c, session, "Left open", questions.Outcome{})
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	next := mcptest.Connect(t, server().Server)
	next.Initialize("test")
	begun := next.Tool("init_planb_session", nil)
	told.Add("a session of another agent that is gone has a question open", open, mcptest.Answer{Content: begun.Content[1:]})
	told.Snapshot(t, "due.txt")
}

// Without any id it is the oldest of all sessions that the agent has used, not that of the
// session which it used last.
func TestWithoutAnyIDTheOldestOfAllSessions(t *testing.T) {
	w, c, session := mcptest.Started(t)
	old := settledUnheard(w, c, session, "Old", questions.Outcome{})
	another := c.Session()
	settledUnheard(w, c, another, "New", questions.Outcome{})
	if got := c.Tool("get_answer", map[string]any{"waitSeconds": 0}); !got.StillOpen(old.ID) {
		t.Errorf("the agent gets %q", got.Texts())
	}
	says := func(name string) questions.Outcome {
		return questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{"name": questions.TextValue(name)}}}
	}
	w.Settle(old.ID, says("quay"))
	settledUnheard(w, c, another, "New and ready", says("pier"))
	if got := c.Tool("get_answer", nil); got.Texts()[0] != `{"name":"quay"}` {
		t.Errorf("of two answers the agent gets %q", got.Texts())
	}
}
