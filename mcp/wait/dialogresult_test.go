package wait_test

import (
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/mcp/pane"
	"planb/store"
)

func TestACallThatIsMadeAgain(t *testing.T) {
	t.Parallel()
	setup := func(t *testing.T) (w *mcptest.World, c *mcptest.Client, args map[string]any, asked mcptest.WantedInput, ask store.Ask) {
		w = mcptest.Paneless(t, nil)
		c = mcptest.Connect(t, w.Server)
		args = mcptest.OneQuestion(c.ModernSession())
		asked = c.InputWanted(c.ModernTool("ask_user", args, nil))
		return w, c, args, asked, w.Opened(1)[0]
	}
	const accept = `{"action":"accept","content":{"question1":"harbour"}}`
	mcptest.Timed(t, "after an answer in a terminal", func(t *testing.T) {
		w, c, args, asked, ask := setup(t)
		time.Sleep(time.Minute)
		if !w.Waits(ask.ID) {
			t.Error("the form would say that nobody waits")
		}
		w.Submit(ask.ID, "quay")
		if got, _ := c.Later(c.ModernTool("ask_user", args, asked.With(accept))); got.Text() != `{"name":"quay"}` {
			t.Errorf("got %q", got.Text())
		}
		if now := w.Ask(ask.ID); len(now.TooLate) != 1 {
			t.Errorf("what was answered in the dialog is not kept: %v", now.TooLate)
		}
	})
	mcptest.Timed(t, "after that answer was delivered too", func(t *testing.T) {
		w, c, args, asked, ask := setup(t)
		w.Submit(ask.ID, "quay")
		c.Later(c.ModernTool("get_answer", map[string]any{"askId": ask.ID}, nil))
		time.Sleep(10 * time.Second)
		if got, _ := c.Later(c.ModernTool("ask_user", args, asked.With(`{"action":"decline"}`))); got.Text() != `{"name":"quay"}` {
			t.Errorf("got %q", got.Text())
		}
		if now := w.Ask(ask.ID); len(now.TooLate) != 0 {
			t.Errorf("putting the dialog away declined: %v", now.TooLate)
		}
	})
	mcptest.Timed(t, "with no reply", func(t *testing.T) {
		_, c, args, asked, ask := setup(t)
		if got, _ := c.Later(c.ModernTool("ask_user", args, map[string]any{"requestState": asked.State})); !got.Nowhere(ask.ID, mcptest.NoPane) {
			t.Errorf("got %q", got.Text())
		}
	})
	mcptest.Timed(t, "without its state", func(t *testing.T) {
		_, c, args, _, ask := setup(t)
		if got, _ := c.Later(c.ModernTool("ask_user", args, nil)); !got.Nowhere(ask.ID, mcptest.NoPane) {
			t.Errorf("got %q", got.Text())
		}
	})
	mcptest.Timed(t, "with a state that is none", func(t *testing.T) {
		_, c, args, asked, ask := setup(t)
		for _, state := range []string{"x", "00000000-0000-7000-8000-000000000000", ask.Session} {
			asked.State = state
			if got, _ := c.Later(c.ModernTool("ask_user", args, asked.With(accept))); !got.Nowhere(ask.ID, mcptest.NoPane) {
				t.Errorf("got %q", got.Text())
			}
		}
	})
	mcptest.Timed(t, "with the state of another question", func(t *testing.T) {
		w, c, args, asked, ask := setup(t)
		args["title"] = "Another"
		c.InputWanted(c.ModernTool("ask_user", args, asked.With(accept)))
		if now := w.Ask(ask.ID); !now.Open() {
			t.Errorf("the first is %s", now.Outcome.State)
		}
	})
	mcptest.Timed(t, "from get_answer, without an id", func(t *testing.T) {
		w, _, args, _, _ := setup(t)
		other := mcptest.Connect(t, mcptest.WorldOver(t, w.Store, func(cfg *mcp.Config) {
			cfg.NoOpen, cfg.Opener = false, pane.None{Reason: mcptest.NoPane}
		}).Server) // a server that was started since
		by := map[string]any{"sessionId": args["sessionId"]}
		asked := other.InputWanted(other.ModernTool("get_answer", by, nil))
		if got, _ := other.Later(other.ModernTool("get_answer", by, asked.With(accept))); got.Text() != `{"name":"harbour"}` {
			t.Errorf("got %q", got.Text())
		}
	})
}
