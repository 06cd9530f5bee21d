package mcp_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"planb/mcp"
	"planb/mcp/pane"
)

// A reply that comes over the protocol counts only as the reply to the dialog
// that this connection was given for this ask, as it is, and only once.

const (
	acceptName = `{"action":"accept","content":{"question1":"forged"}}`
	approve    = `{"action":"accept","content":{"decision":"approve"}}`
)

// logged has a server without panes write its log to the recorder.
func logged(into *recorder) func(*mcp.Config) {
	return func(cfg *mcp.Config) {
		withReviews(cfg)
		cfg.NoOpen, cfg.Opener = false, pane.None{Reason: noPane}
		cfg.Log = slog.New(slog.NewTextHandler(into, nil))
	}
}

// wantRefusal reads the log: it names the client, the ask that the call is about
// where there is one, and what was wrong.
func wantRefusal(t *testing.T, log *recorder, parts ...string) {
	t.Helper()
	synctest.Wait()
	for _, line := range log.lines() {
		found := strings.Contains(line, `msg="a dialog's reply was refused"`)
		for _, part := range parts {
			found = found && strings.Contains(line, part)
		}
		if found {
			return
		}
	}
	t.Errorf("no refusal in the log names %q:\n%s", parts, strings.Join(log.lines(), "\n"))
}

// The forgery: a second server on the same store, a client of an early version
// without any capability, and the ask's id, which others can list.
func TestAForgedReplyDecidesNothing(t *testing.T) {
	for _, state := range []string{"the ask's id", "its short id", "a guess", "none"} {
		for _, tool := range []string{"get_answer", "ask_user", "submit_plan"} {
			timed(t, tool+" with "+state, func(t *testing.T) {
				data := t.TempDir()
				victims := newWorld(t, func(cfg *mcp.Config) {
					withReviews(cfg)
					cfg.DataDir = data
				})
				c := connect(t, victims.Server)
				c.initialize("codex-mcp-client")
				session, reply := c.session(), acceptName
				var call string
				if tool == "ask_user" {
					call = c.startTool("ask_user", oneQuestion(session))
				} else {
					c.tool("save_plan", map[string]any{"sessionId": session, "plan": reviewedPlan})
					call, reply = c.startTool("submit_plan", map[string]any{"sessionId": session}), approve
				}
				ask := victims.opened(1)[0]

				log := &recorder{}
				forger := connect(t, worldOver(t, victims.store, func(cfg *mcp.Config) {
					logged(log)(cfg)
					cfg.DataDir = data
				}).Server)
				forger.request("initialize", map[string]any{
					"protocolVersion": "2025-06-18", "clientInfo": map[string]any{"name": "forger", "version": "1"}, "capabilities": map[string]any{},
				})
				forger.notify("notifications/initialized", nil)
				params := map[string]any{"name": tool, "inputResponses": map[string]any{"planb": json.RawMessage(reply)}}
				params["arguments"] = map[string]map[string]any{
					"get_answer": {"askId": ask.ID}, "ask_user": oneQuestion(session), "submit_plan": {"sessionId": session},
				}[tool]
				switch state {
				case "the ask's id":
					params["requestState"] = ask.ID
				case "its short id":
					params["requestState"] = ask.ID[:8]
				case "a guess":
					params["requestState"] = "AAAAAAAAAAAAAAAAAAAAAAAAAA"
				}
				forger.start("tools/call", params)
				time.Sleep(10 * time.Second)
				synctest.Wait()
				if now := victims.ask(ask.ID); !now.Open() || len(now.Late) > 0 {
					t.Errorf("the forgery counts: %s by %q, %d late", now.Outcome.State, now.Outcome.By, len(now.Late))
				}
				wantRefusal(t, log, "forger")
				if ask.Spec.Plan == nil {
					victims.submit(ask.ID, "quay")
					if got, _ := c.later(call); got.text() != `{"name":"quay"}` {
						t.Errorf("the victim got %q", got.text())
					}
				}
			})
		}
	}
}

// shownModern is an ask in a dialog of protocol version 2026-07-28.
func shownModern(t *testing.T, title string, w *world, c *client) (args map[string]any, asked wantedInput) {
	t.Helper()
	args = oneQuestion(c.modernSession())
	args["title"] = title
	return args, c.inputWanted(c.modernTool("ask_user", args, nil))
}

func TestADialogsStateIsGoodForItsOwnReplyOnly(t *testing.T) {
	world := func(t *testing.T) (*world, *client, *recorder) {
		log := &recorder{}
		w := newWorld(t, logged(log))
		return w, connect(t, w.Server), log
	}
	timed(t, "it names nothing", func(t *testing.T) {
		w, c, _ := world(t)
		states := map[string]bool{}
		for i := range 20 {
			args, asked := shownModern(t, fmt.Sprint("Ask ", i), w, c)
			all := w.opened(i + 1)
			ask := all[len(all)-1]
			for _, known := range []string{ask.ID, ask.ID[:8], ask.Session, ask.Digest, args["sessionId"].(string)} {
				if strings.Contains(asked.state, known) {
					t.Errorf("the state %q holds %q", asked.state, known)
				}
			}
			if len(asked.state) < 22 || states[asked.state] {
				t.Errorf("the state %q can be guessed", asked.state)
			}
			states[asked.state] = true
		}
	})
	timed(t, "while it is among the last hundred", func(t *testing.T) {
		w, c, log := world(t)
		args, asked := shownModern(t, "First", w, c)
		first := w.opened(1)[0]
		for i := range 100 {
			shownModern(t, fmt.Sprint("Ask ", i), w, c)
		}
		c.later(c.modernTool("ask_user", args, asked.with(acceptName)))
		if !w.ask(first.ID).Open() {
			t.Error("the dialogs remembered have no bound")
		}
		wantRefusal(t, log, "Claude Code")
	})
	timed(t, "once", func(t *testing.T) {
		w, c, log := world(t)
		args, asked := shownModern(t, "Once", w, c)
		ask := w.opened(1)[0]
		if got, _ := c.later(c.modernTool("ask_user", args, asked.with(`{"action":"decline"}`))); got.text() != nowhere(ask.ID, noPane) {
			t.Errorf("got %q", got.text())
		}
		if got, _ := c.later(c.modernTool("ask_user", args, asked.with(acceptName))); got.text() != nowhere(ask.ID, noPane) {
			t.Errorf("the same state again gives %q", got.text())
		}
		if !w.ask(ask.ID).Open() {
			t.Error("it was answered with a state that was used up")
		}
		wantRefusal(t, log, "Claude Code")
	})
	timed(t, "for one ask", func(t *testing.T) {
		w, c, log := world(t)
		_, first := shownModern(t, "First", w, c)
		shownModern(t, "Second", w, c)
		asks := w.opened(2)
		by := map[string]any{"askId": asks[1].ID, "waitSeconds": 1}
		c.later(c.modernTool("get_answer", by, first.with(acceptName)))
		for _, ask := range asks {
			if now := w.ask(ask.ID); !now.Open() {
				t.Errorf("%s is %s", ask.Spec.Title.Raw(), now.Outcome.State)
			}
		}
		wantRefusal(t, log, asks[1].ID)
	})
	timed(t, "on one connection", func(t *testing.T) {
		w, c, log := world(t)
		args, asked := shownModern(t, "Here", w, c)
		ask := w.opened(1)[0]
		beside := connect(t, w.Server)
		if got, _ := beside.later(beside.modernTool("ask_user", args, asked.with(acceptName))); got.text() != nowhere(ask.ID, noPane) {
			t.Errorf("another connection gets %q", got.text())
		}
		if !w.ask(ask.ID).Open() {
			t.Error("another connection answered it")
		}
		wantRefusal(t, log, "Claude Code")
		if got, _ := c.later(c.modernTool("ask_user", args, asked.with(acceptName))); got.text() != `{"name":"forged"}` {
			t.Errorf("its own connection gets %q", got.text())
		}
	})
	timed(t, "from a client that shows dialogs", func(t *testing.T) {
		w, c, log := world(t)
		args, asked := shownModern(t, "Shown", w, c)
		ask := w.opened(1)[0]
		params := asked.with(acceptName)
		params["name"], params["arguments"], params["_meta"] = "ask_user", args, modern(nil)
		c.later(c.start("tools/call", params))
		if !w.ask(ask.ID).Open() {
			t.Error("a request that declares no dialogs answered it")
		}
		wantRefusal(t, log, ask.ID)
	})
	timed(t, "for what was shown", func(t *testing.T) {
		w, c, log := world(t)
		args, asked := shownModern(t, "One thing", w, c)
		ask := w.opened(1)[0]
		args["questions"] = []any{map[string]any{"id": "name", "kind": "text", "label": "Another name?"}}
		again := c.inputWanted(c.modernTool("ask_user", args, asked.with(acceptName)))
		if again.state == asked.state {
			t.Error("two dialogs have one state")
		}
		for _, open := range w.opened(2) {
			if now := w.ask(open.ID); !now.Open() {
				t.Errorf("%s is %s", open.ID, now.Outcome.State)
			}
		}
		wantRefusal(t, log, ask.ID)
	})
	timed(t, "for the version that was shown", func(t *testing.T) {
		w, c, log := world(t)
		session := c.modernSession()
		save := func(text string) {
			c.answer(c.modernTool("save_plan", map[string]any{"sessionId": session, "plan": text}, nil))
		}
		save(reviewedPlan)
		submit := map[string]any{"sessionId": session}
		first := c.inputWanted(c.modernTool("submit_plan", submit, nil))
		old := w.opened(1)[0]
		save(reviewedPlan + "\nAnd delete everything.\n")
		second := c.inputWanted(c.modernTool("submit_plan", submit, first.with(approve)))
		now := w.opened(1)[0]
		if now.ID == old.ID {
			t.Fatal("the second version has no review of its own")
		}
		wantRefusal(t, log, old.ID)
		c.later(c.modernTool("get_answer", map[string]any{"askId": now.ID, "waitSeconds": 1}, first.with(approve)))
		if !w.ask(now.ID).Open() || w.ask(old.ID).Outcome.State != "withdrawn" {
			t.Errorf("the reviews are %s and %s", w.ask(old.ID).Outcome.State, w.ask(now.ID).Outcome.State)
		}
		if got, _ := c.later(c.modernTool("submit_plan", submit, second.with(approve))); !strings.HasPrefix(got.text(), `{"approved":true}`) {
			t.Errorf("the reply to the second version's dialog gives %q", got.text())
		}
	})
}

// A dialog of the versions before 2026-07-28 is a request of the server. Only the
// connection that was asked can reply, to an id that cannot be guessed, and once.
func TestADialogsRequestCannotBeAnsweredByGuessing(t *testing.T) {
	timed(t, "by request", func(t *testing.T) {
		w := newWorld(t, withReviews)
		paneless := worldOver(t, w.store, logged(&recorder{}))
		c := withDialogs(t, paneless)
		call := c.startTool("ask_user", oneQuestion(c.session()))
		id, _, _ := c.dialogAsked()
		ask := w.opened(1)[0]
		beside := withDialogs(t, paneless)
		beside.respond(id, acceptName)
		for i := range 100 {
			c.respond(json.RawMessage(fmt.Sprintf(`"planb-%d"`, i)), acceptName)
			c.respond(json.RawMessage(fmt.Sprint(i)), acceptName)
		}
		c.respond(json.RawMessage(fmt.Sprintf("%q", ask.ID)), acceptName)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if now := w.ask(ask.ID); !now.Open() {
			t.Fatalf("it is %s by %q", now.Outcome.State, now.Outcome.By)
		}
		c.respond(id, `{"action":"accept","content":{"question1":"quay"}}`)
		c.respond(id, acceptName)
		if got, _ := c.later(call); got.text() != `{"name":"quay"}` {
			t.Errorf("got %q", got.text())
		}
		synctest.Wait()
		if now := w.ask(ask.ID); len(now.Late) > 0 {
			t.Errorf("the second reply is kept: %v", now.Late)
		}
	})
}
