package wait_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/mcp/pane"
)

// A reply that comes over the protocol counts only as the reply to the dialog
// that this connection was given for this ask, as it is, and only once.

// logged has a server without panes write its log to the recorder.
func logged(into *mcptest.Recorder) func(*mcp.Config) {
	return func(cfg *mcp.Config) {
		mcptest.WithReviews(cfg)
		cfg.NoOpen, cfg.Opener = false, pane.None{Reason: mcptest.NoPane}
		cfg.Log = slog.New(slog.NewTextHandler(into, nil))
	}
}

// wantRefusal reads the log: it names the client, the ask that the call is about
// where there is one, and what was wrong.
func wantRefusal(t *testing.T, log *mcptest.Recorder, parts ...string) {
	t.Helper()
	synctest.Wait()
	for _, line := range log.Lines() {
		found := strings.Contains(line, `msg="a dialog's reply was refused"`)
		for _, part := range parts {
			found = found && strings.Contains(line, part)
		}
		if found {
			return
		}
	}
	t.Errorf("no refusal in the log names %q:\n%s", parts, strings.Join(log.Lines(), "\n"))
}

// The forgery: a second server on the same store, a client of an early version
// without any capability, and the ask's id, which others can list.
func TestAForgedReplyDecidesNothing(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"the ask's id", "its short id", "a guess", "none"} {
		for _, tool := range []string{"get_answer", "ask_user", "submit_plan"} {
			mcptest.Timed(t, tool+" with "+state, func(t *testing.T) {
				data := t.TempDir()
				victims := mcptest.NewWorld(t, func(cfg *mcp.Config) {
					mcptest.WithReviews(cfg)
					cfg.DataDir = data
				})
				c := mcptest.Connect(t, victims.Server)
				c.Initialize("codex-mcp-client")
				session, reply := c.Session(), mcptest.AcceptName
				var call string
				if tool == "ask_user" {
					call = c.StartTool("ask_user", mcptest.OneQuestion(session))
				} else {
					c.Tool("save_plan", map[string]any{"sessionId": session, "plan": mcptest.ReviewedPlan})
					call, reply = c.StartTool("submit_plan", map[string]any{"sessionId": session}), mcptest.Approve
				}
				ask := victims.Opened(1)[0]

				log := &mcptest.Recorder{}
				forger := mcptest.Connect(t, mcptest.WorldOver(t, victims.Store, func(cfg *mcp.Config) {
					logged(log)(cfg)
					cfg.DataDir = data
				}).Server)
				forger.Request("initialize", map[string]any{
					"protocolVersion": "2025-06-18", "clientInfo": map[string]any{"name": "forger", "version": "1"}, "capabilities": map[string]any{},
				})
				forger.Notify("notifications/initialized", nil)
				params := map[string]any{"name": tool, "inputResponses": map[string]any{"planb": json.RawMessage(reply)}}
				params["arguments"] = map[string]map[string]any{
					"get_answer": {"askId": ask.ID}, "ask_user": mcptest.OneQuestion(session), "submit_plan": {"sessionId": session},
				}[tool]
				switch state {
				case "the ask's id":
					params["requestState"] = ask.ID
				case "its short id":
					params["requestState"] = ask.ID[:8]
				case "a guess":
					params["requestState"] = "AAAAAAAAAAAAAAAAAAAAAAAAAA"
				}
				forger.Start("tools/call", params)
				time.Sleep(10 * time.Second)
				synctest.Wait()
				if now := victims.Ask(ask.ID); !now.Open() || len(now.TooLate) > 0 {
					t.Errorf("the forgery counts: %s by %q, %d late", now.Outcome.State, now.Outcome.By, len(now.TooLate))
				}
				wantRefusal(t, log, "forger")
				if ask.Spec.Plan == nil {
					victims.Submit(ask.ID, "quay")
					if got, _ := c.Later(call); got.Text() != `{"name":"quay"}` {
						t.Errorf("the victim got %q", got.Text())
					}
				}
			})
		}
	}
}

// shownModern is an ask in a dialog of protocol version 2026-07-28.
func shownModern(t *testing.T, title string, w *mcptest.World, c *mcptest.Client) (args map[string]any, asked mcptest.WantedInput) {
	t.Helper()
	args = mcptest.OneQuestion(c.ModernSession())
	args["title"] = title
	return args, c.InputWanted(c.ModernTool("ask_user", args, nil))
}

func TestADialogsStateIsGoodForItsOwnReplyOnly(t *testing.T) {
	t.Parallel()
	world := func(t *testing.T) (*mcptest.World, *mcptest.Client, *mcptest.Recorder) {
		log := &mcptest.Recorder{}
		w := mcptest.NewWorld(t, logged(log))
		return w, mcptest.Connect(t, w.Server), log
	}
	mcptest.Timed(t, "it names nothing", func(t *testing.T) {
		w, c, _ := world(t)
		states := map[string]bool{}
		for i := range 20 {
			args, asked := shownModern(t, fmt.Sprint("Ask ", i), w, c)
			all := w.Opened(i + 1)
			ask := all[len(all)-1]
			for _, known := range []string{ask.ID, ask.ID[:8], ask.Session, ask.Digest, args["sessionId"].(string)} {
				if strings.Contains(asked.State, known) {
					t.Errorf("the state %q holds %q", asked.State, known)
				}
			}
			if len(asked.State) < 22 || states[asked.State] {
				t.Errorf("the state %q can be guessed", asked.State)
			}
			states[asked.State] = true
		}
	})
	mcptest.Timed(t, "while it is among the last hundred", func(t *testing.T) {
		w, c, log := world(t)
		args, asked := shownModern(t, "First", w, c)
		first := w.Opened(1)[0]
		for i := range 100 {
			shownModern(t, fmt.Sprint("Ask ", i), w, c)
		}
		c.Later(c.ModernTool("ask_user", args, asked.With(mcptest.AcceptName)))
		if !w.Ask(first.ID).Open() {
			t.Error("the dialogs remembered have no bound")
		}
		wantRefusal(t, log, "Claude Code")
	})
	mcptest.Timed(t, "once", func(t *testing.T) {
		w, c, log := world(t)
		args, asked := shownModern(t, "Once", w, c)
		ask := w.Opened(1)[0]
		if got, _ := c.Later(c.ModernTool("ask_user", args, asked.With(`{"action":"decline"}`))); !got.Nowhere(ask.ID, mcptest.NoPane) {
			t.Errorf("got %q", got.Text())
		}
		if got, _ := c.Later(c.ModernTool("ask_user", args, asked.With(mcptest.AcceptName))); !got.Nowhere(ask.ID, mcptest.NoPane) {
			t.Errorf("the same state again gives %q", got.Text())
		}
		if !w.Ask(ask.ID).Open() {
			t.Error("it was answered with a state that was used up")
		}
		wantRefusal(t, log, "Claude Code")
	})
	mcptest.Timed(t, "for one ask", func(t *testing.T) {
		w, c, log := world(t)
		_, first := shownModern(t, "First", w, c)
		shownModern(t, "Second", w, c)
		asks := w.Opened(2)
		by := map[string]any{"askId": asks[1].ID, "waitSeconds": 1}
		c.Later(c.ModernTool("get_answer", by, first.With(mcptest.AcceptName)))
		for _, ask := range asks {
			if now := w.Ask(ask.ID); !now.Open() {
				t.Errorf("%s is %s", ask.Spec.Title.Raw(), now.Outcome.State)
			}
		}
		wantRefusal(t, log, asks[1].ID)
	})
	mcptest.Timed(t, "on one connection", func(t *testing.T) {
		w, c, log := world(t)
		args, asked := shownModern(t, "Here", w, c)
		ask := w.Opened(1)[0]
		beside := mcptest.Connect(t, w.Server)
		if got, _ := beside.Later(beside.ModernTool("ask_user", args, asked.With(mcptest.AcceptName))); !got.Nowhere(ask.ID, mcptest.NoPane) {
			t.Errorf("another connection gets %q", got.Text())
		}
		if !w.Ask(ask.ID).Open() {
			t.Error("another connection answered it")
		}
		wantRefusal(t, log, "Claude Code")
		if got, _ := c.Later(c.ModernTool("ask_user", args, asked.With(mcptest.AcceptName))); got.Text() != `{"name":"forged"}` {
			t.Errorf("its own connection gets %q", got.Text())
		}
	})
	mcptest.Timed(t, "from a client that shows dialogs", func(t *testing.T) {
		w, c, log := world(t)
		args, asked := shownModern(t, "Shown", w, c)
		ask := w.Opened(1)[0]
		params := asked.With(mcptest.AcceptName)
		params["name"], params["arguments"], params["_meta"] = "ask_user", args, mcptest.Modern(nil)
		c.Later(c.Start("tools/call", params))
		if !w.Ask(ask.ID).Open() {
			t.Error("a request that declares no dialogs answered it")
		}
		wantRefusal(t, log, ask.ID)
	})
	mcptest.Timed(t, "for what was shown", func(t *testing.T) {
		w, c, log := world(t)
		args, asked := shownModern(t, "One thing", w, c)
		ask := w.Opened(1)[0]
		args["questions"] = []any{map[string]any{"id": "name", "kind": "text", "label": "Another name?"}}
		again := c.InputWanted(c.ModernTool("ask_user", args, asked.With(mcptest.AcceptName)))
		if again.State == asked.State {
			t.Error("two dialogs have one state")
		}
		for _, open := range w.Opened(2) {
			if now := w.Ask(open.ID); !now.Open() {
				t.Errorf("%s is %s", open.ID, now.Outcome.State)
			}
		}
		wantRefusal(t, log, ask.ID)
	})
	mcptest.Timed(t, "for the version that was shown", func(t *testing.T) {
		w, c, log := world(t)
		session := c.ModernSession()
		save := func(text string) {
			c.Answer(c.ModernTool("save_plan", map[string]any{"sessionId": session, "plan": text}, nil))
		}
		save(mcptest.ReviewedPlan)
		submit := map[string]any{"sessionId": session}
		first := c.InputWanted(c.ModernTool("submit_plan", submit, nil))
		old := w.Opened(1)[0]
		save(mcptest.ReviewedPlan + "\nAnd delete everything.\n")
		second := c.InputWanted(c.ModernTool("submit_plan", submit, first.With(mcptest.Approve)))
		now := w.Opened(1)[0]
		if now.ID == old.ID {
			t.Fatal("the second version has no review of its own")
		}
		wantRefusal(t, log, old.ID)
		c.Later(c.ModernTool("get_answer", map[string]any{"askId": now.ID, "waitSeconds": 1}, first.With(mcptest.Approve)))
		if !w.Ask(now.ID).Open() || w.Ask(old.ID).Outcome.State != "withdrawn" {
			t.Errorf("the reviews are %s and %s", w.Ask(old.ID).Outcome.State, w.Ask(now.ID).Outcome.State)
		}
		if got, _ := c.Later(c.ModernTool("submit_plan", submit, second.With(mcptest.Approve))); !strings.HasPrefix(got.Text(), `{"approved":true}`) {
			t.Errorf("the reply to the second version's dialog gives %q", got.Text())
		}
	})
}

// A dialog of the versions before 2026-07-28 is a request of the server. Only the
// connection that was asked can reply, to an id that cannot be guessed, and once.
func TestADialogsRequestCannotBeAnsweredByGuessing(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "by request", func(t *testing.T) {
		w := mcptest.NewWorld(t, mcptest.WithReviews)
		paneless := mcptest.WorldOver(t, w.Store, logged(&mcptest.Recorder{}))
		c := mcptest.WithDialogs(t, paneless)
		call := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
		id, _, _ := c.DialogAsked()
		ask := w.Opened(1)[0]
		beside := mcptest.WithDialogs(t, paneless)
		beside.Respond(id, mcptest.AcceptName)
		for i := range 100 {
			c.Respond(json.RawMessage(fmt.Sprintf(`"planb-%d"`, i)), mcptest.AcceptName)
			c.Respond(json.RawMessage(fmt.Sprint(i)), mcptest.AcceptName)
		}
		c.Respond(json.RawMessage(fmt.Sprintf("%q", ask.ID)), mcptest.AcceptName)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if now := w.Ask(ask.ID); !now.Open() {
			t.Fatalf("it is %s by %q", now.Outcome.State, now.Outcome.By)
		}
		c.Respond(id, `{"action":"accept","content":{"question1":"quay"}}`)
		c.Respond(id, mcptest.AcceptName)
		if got, _ := c.Later(call); got.Text() != `{"name":"quay"}` {
			t.Errorf("got %q", got.Text())
		}
		synctest.Wait()
		if now := w.Ask(ask.ID); len(now.TooLate) > 0 {
			t.Errorf("the second reply is kept: %v", now.TooLate)
		}
	})
}
