package mcp_test

import (
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/pane"
	"planb/store"
)

func TestACallThatIsMadeAgain(t *testing.T) {
	setup := func(t *testing.T) (w *world, c *client, args map[string]any, asked wantedInput, ask store.Ask) {
		w = paneless(t, nil)
		c = connect(t, w.Server)
		args = oneQuestion(c.modernSession())
		asked = c.inputWanted(c.modernTool("ask_user", args, nil))
		return w, c, args, asked, w.opened(1)[0]
	}
	const accept = `{"action":"accept","content":{"question1":"harbour"}}`
	timed(t, "after an answer in a terminal", func(t *testing.T) {
		w, c, args, asked, ask := setup(t)
		time.Sleep(time.Minute)
		if !w.waits(ask.ID) {
			t.Error("the form would say that nobody waits")
		}
		w.submit(ask.ID, "quay")
		if got, _ := c.later(c.modernTool("ask_user", args, asked.with(accept))); got.text() != `{"name":"quay"}` {
			t.Errorf("got %q", got.text())
		}
		if now := w.ask(ask.ID); len(now.Late) != 1 {
			t.Errorf("what was answered in the dialog is not kept: %v", now.Late)
		}
	})
	timed(t, "after that answer was delivered too", func(t *testing.T) {
		w, c, args, asked, ask := setup(t)
		w.submit(ask.ID, "quay")
		c.later(c.modernTool("get_answer", map[string]any{"askId": ask.ID}, nil))
		time.Sleep(10 * time.Second)
		if got, _ := c.later(c.modernTool("ask_user", args, asked.with(`{"action":"decline"}`))); got.text() != `{"name":"quay"}` {
			t.Errorf("got %q", got.text())
		}
		if now := w.ask(ask.ID); len(now.Late) != 0 {
			t.Errorf("putting the dialog away declined: %v", now.Late)
		}
	})
	timed(t, "with no reply", func(t *testing.T) {
		_, c, args, asked, ask := setup(t)
		if got, _ := c.later(c.modernTool("ask_user", args, map[string]any{"requestState": asked.state})); got.text() != nowhere(ask.ID, noPane) {
			t.Errorf("got %q", got.text())
		}
	})
	timed(t, "without its state", func(t *testing.T) {
		_, c, args, _, ask := setup(t)
		if got, _ := c.later(c.modernTool("ask_user", args, nil)); got.text() != nowhere(ask.ID, noPane) {
			t.Errorf("got %q", got.text())
		}
	})
	timed(t, "with a state that is none", func(t *testing.T) {
		_, c, args, asked, ask := setup(t)
		for _, state := range []string{"x", "00000000-0000-7000-8000-000000000000", ask.Session} {
			asked.state = state
			if got, _ := c.later(c.modernTool("ask_user", args, asked.with(accept))); got.text() != nowhere(ask.ID, noPane) {
				t.Errorf("got %q", got.text())
			}
		}
	})
	timed(t, "with the state of another question", func(t *testing.T) {
		w, c, args, asked, ask := setup(t)
		args["title"] = "Another"
		c.inputWanted(c.modernTool("ask_user", args, asked.with(accept)))
		if now := w.ask(ask.ID); !now.Open() {
			t.Errorf("the first is %s", now.Outcome.State)
		}
	})
	timed(t, "from get_answer, without an id", func(t *testing.T) {
		w, _, args, _, _ := setup(t)
		other := connect(t, worldOver(t, w.store, func(cfg *mcp.Config) {
			cfg.NoOpen, cfg.Opener = false, pane.None{Reason: noPane}
		}).Server) // a server that was started since
		by := map[string]any{"sessionId": args["sessionId"]}
		asked := other.inputWanted(other.modernTool("get_answer", by, nil))
		if got, _ := other.later(other.modernTool("get_answer", by, asked.with(accept))); got.text() != `{"name":"harbour"}` {
			t.Errorf("got %q", got.text())
		}
	})
}
