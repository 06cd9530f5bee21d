package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"planb/mcp"
	"planb/mcp/pane"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

const noPane = "there is no tmux here"

// paneless is a server that can open no pane.
func paneless(t testing.TB, change func(*mcp.Config)) *world {
	t.Helper()
	return newWorld(t, func(cfg *mcp.Config) {
		cfg.NoOpen, cfg.Opener = false, pane.None{Reason: noPane}
		if change != nil {
			change(cfg)
		}
	})
}

var formDialogs = map[string]any{"elicitation": map[string]any{"form": map[string]any{}}}

// withDialogs connects a client that shows dialogs.
func withDialogs(t testing.TB, w *world) *client {
	t.Helper()
	c := connect(t, w.Server)
	c.initializeAs(map[string]any{"name": "codex-mcp-client", "title": "Codex", "version": "1"}, formDialogs)
	return c
}

// dialogAsked is what the client is asked to show.
func (c *client) dialogAsked() (id json.RawMessage, message, schema string) {
	c.t.Helper()
	asked := <-c.asks
	var params struct {
		Message         string
		RequestedSchema json.RawMessage
	}
	if err := json.Unmarshal(asked.Params, &params); err != nil || asked.Method != "elicitation/create" {
		c.t.Fatalf("the client was asked %s %s, %v", asked.Method, asked.Params, err)
	}
	return asked.ID, params.Message, string(params.RequestedSchema)
}

func (c *client) respond(id json.RawMessage, result string) {
	c.t.Helper()
	c.send(map[string]any{"jsonrpc": "2.0", "id": id, "result": json.RawMessage(result)})
}

// scaleQuestion does not fit into a dialog.
func scaleQuestion(session string) map[string]any {
	return map[string]any{"sessionId": session, "title": "One number", "questions": []any{
		map[string]any{"id": "risk", "kind": "scale", "label": "Risk?", "min": 0, "max": 10},
	}}
}

func TestWhatADialogBringsAbout(t *testing.T) {
	const harbour = `{"action":"accept","content":{"question1":"harbour"}}`
	ends := map[string]string{"declined": "User cancelled. Do not ask this again unless the user brings it up; go on with what does not need it, and name the open point at the end."}
	for _, test := range []struct {
		name  string
		args  func(string) map[string]any
		after time.Duration // when the client replies
		reply string
		want  string // the text; "nowhere", or "waits": until somebody answers in a terminal
	}{
		{"an answer", oneQuestion, 10 * time.Second, harbour, `{"name":"harbour"}`},
		{"an answer by a hook of the client", oneQuestion, 0, harbour, `{"name":"harbour"}`},
		{"the questions declined", oneQuestion, 10 * time.Second, `{"action":"decline"}`, ends["declined"]},
		{"declined by a client without a screen", oneQuestion, time.Second, `{"action":"decline"}`, "nowhere"},
		{"put away", oneQuestion, 10 * time.Second, `{"action":"cancel"}`, "nowhere"},
		{"nothing filled in", oneQuestion, 10 * time.Second, `{"action":"accept","content":{}}`, "waits"},
		{"nothing filled in by nobody", oneQuestion, 0, `{"action":"accept"}`, "nowhere"},
		{"garbage filled in", oneQuestion, 10 * time.Second, `{"action":"accept","content":{"question1":7}}`, "nowhere"},
		{"garbage", oneQuestion, 10 * time.Second, `{"harbour":true}`, "nowhere"},
		{"no object", oneQuestion, 10 * time.Second, `7`, "nowhere"},
		{"the command read", scaleQuestion, 10 * time.Second, `{"action":"accept","content":{}}`, "waits"},
		{"the command declined", scaleQuestion, 10 * time.Second, `{"action":"decline"}`, "nowhere"},
		{"the command put away", scaleQuestion, 10 * time.Second, `{"action":"cancel"}`, "nowhere"},
	} {
		for _, era := range []string{"by request", "by result"} {
			timed(t, test.name+", "+era, func(t *testing.T) {
				w := paneless(t, nil)
				var c *client
				var ask store.Ask
				var answered func() (answer, time.Duration)
				if era == "by request" {
					c = withDialogs(t, w)
					call := c.startTool("ask_user", test.args(c.session()))
					id, message, _ := c.dialogAsked()
					ask = w.opened(1)[0]
					wantCommand(t, message, ask)
					time.Sleep(test.after)
					c.respond(id, test.reply)
					answered = func() (answer, time.Duration) { return c.later(call) }
				} else {
					c = connect(t, w.Server)
					args := test.args(c.modernSession())
					asked := c.inputWanted(c.modernTool("ask_user", args, nil))
					ask = w.opened(1)[0]
					wantCommand(t, asked.message, ask)
					time.Sleep(test.after)
					call := c.modernTool("ask_user", args, asked.with(test.reply))
					answered = func() (answer, time.Duration) { return c.later(call) }
				}
				if test.want == "waits" {
					time.Sleep(5 * time.Second)
					outcome := questions.Outcome{State: questions.Discuss, Message: safe.New("later"), By: "you@example"}
					w.settle(ask.ID, outcome)
					if got, _ := answered(); !strings.HasPrefix(got.text(), `NOT FINISHED. The user writes: "later"`) {
						t.Errorf("got %q", got.text())
					}
					return
				}
				got, took := answered()
				want := test.want
				if want == "nowhere" {
					want = nowhere(ask.ID, noPane)
				}
				if got.text() != want || got.IsError || took > time.Second {
					t.Errorf("after %v got  %q\nwant %q", took, got.text(), want)
				}
				synctest.Wait()
				now := w.ask(ask.ID)
				if open := test.want == "nowhere"; now.Open() != open || w.delivered(ask.ID) == open {
					t.Errorf("it stands at %s, delivered %v", now.Outcome.State, now.Delivered)
				}
				if want := map[bool]string{true: "Codex's dialog", false: "Claude Code's dialog"}[era == "by request"]; !now.Open() && now.Outcome.By != want {
					t.Errorf("it was settled by %q, want %q", now.Outcome.By, want)
				}
			})
		}
	}
}

func wantCommand(t *testing.T, message string, ask store.Ask) {
	t.Helper()
	for _, part := range []string{" asks you: " + ask.Spec.Title.Raw(), "planb tui ask " + store.ShortID(ask.ID)} {
		if !strings.Contains(message, part) {
			t.Errorf("the dialog says %q, without %q", message, part)
		}
	}
}

// modernTool starts a call of a client of protocol version 2026-07-28 that shows
// dialogs; again is what it adds when it makes the call again.
func (c *client) modernTool(name string, args map[string]any, again map[string]any) string {
	c.t.Helper()
	params := map[string]any{"name": name, "arguments": args, "_meta": modern(map[string]any{
		"io.modelcontextprotocol/clientCapabilities": formDialogs,
	})}
	for key, value := range again {
		params[key] = value
	}
	return c.start("tools/call", params)
}

func (c *client) modernSession() string {
	c.t.Helper()
	id, _ := c.answer(c.modernTool("init_planb_session", nil, nil)).data["sessionId"].(string)
	return id
}

// wantedInput is what a result asks its client for.
type wantedInput struct {
	state, key, message, schema string
}

func (w wantedInput) with(reply string) map[string]any {
	return map[string]any{"requestState": w.state, "inputResponses": map[string]any{w.key: json.RawMessage(reply)}}
}

func (c *client) inputWanted(id string) wantedInput {
	c.t.Helper()
	raw := (<-c.expect(id)).Result
	var got struct {
		ResultType    string
		RequestState  string
		Content       []any
		InputRequests map[string]struct {
			Method string
			Params struct {
				Message         string
				RequestedSchema json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(raw, &got); err != nil || got.ResultType != "input_required" || len(got.InputRequests) != 1 || len(got.Content) > 0 {
		c.t.Fatalf("got %s, %v", raw, err)
	}
	for key, request := range got.InputRequests {
		if request.Method != "elicitation/create" {
			c.t.Errorf("it asks for %s", request.Method)
		}
		return wantedInput{got.RequestState, key, request.Params.Message, string(request.Params.RequestedSchema)}
	}
	return wantedInput{}
}

func TestAClientThatShowsNoDialogsIsAskedForNone(t *testing.T) {
	for name, capabilities := range map[string]map[string]any{
		"none declared": {}, "only addresses": {"elicitation": map[string]any{"url": map[string]any{}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := paneless(t, nil)
			c := connect(t, w.Server)
			c.initializeAs(map[string]any{"name": "t", "version": "1"}, capabilities)
			got := c.tool("ask_user", oneQuestion(c.session()))
			if ask := w.opened(1)[0]; got.text() != nowhere(ask.ID, noPane) || len(c.asks) > 0 {
				t.Errorf("%d requests; got %q", len(c.asks), got.text())
			}
		})
		t.Run(name+", with every request", func(t *testing.T) {
			w := paneless(t, nil)
			c := connect(t, w.Server)
			session := c.modernSession()
			got := c.answer(c.start("tools/call", map[string]any{"name": "ask_user", "arguments": oneQuestion(session), "_meta": modern(map[string]any{
				"io.modelcontextprotocol/clientCapabilities": capabilities,
			})}))
			if ask := w.opened(1)[0]; got.text() != nowhere(ask.ID, noPane) {
				t.Errorf("got %q", got.text())
			}
		})
	}
}

func TestNoDialogWhereSomebodyElseShowsTheForm(t *testing.T) {
	timed(t, "by the word of the environment", func(t *testing.T) {
		w := newWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = true, pane.None{Reason: noPane} })
		c := withDialogs(t, w)
		got, took := c.later(c.startTool("ask_user", oneQuestion(c.session())))
		if ask := w.opened(1)[0]; !got.stillOpen(ask.ID) || took != 280*time.Second || len(c.asks) > 0 {
			t.Errorf("after %v and %d requests: %q", took, len(c.asks), got.text())
		}
	})
	timed(t, "in a form that came up meanwhile", func(t *testing.T) {
		late := &lateScreen{}
		w := newWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, late })
		show, leave := w.serve(t, "window-1")
		defer leave()
		late.show = show
		c := withDialogs(t, w)
		call := c.startTool("ask_user", oneQuestion(c.session()))
		time.Sleep(10 * time.Second)
		w.submit(w.opened(1)[0].ID, "quay")
		if got, _ := c.later(call); got.text() != `{"name":"quay"}` || len(c.asks) > 0 {
			t.Errorf("%d requests; got %q", len(c.asks), got.text())
		}
	})
}

// lateScreen opens nothing, and meanwhile the person has opened the form.
type lateScreen struct {
	screen
	show func(askID string)
}

func (l *lateScreen) Open(_ context.Context, command pane.Command) error {
	l.show(command.Argv[len(command.Argv)-1])
	return errTest
}

func TestADialogIsShownOnce(t *testing.T) {
	timed(t, "for one ask", func(t *testing.T) {
		w := paneless(t, nil)
		c := withDialogs(t, w)
		session := c.session()
		first := c.startTool("ask_user", oneQuestion(session))
		id, _, _ := c.dialogAsked()
		ask := w.opened(1)[0]
		// The same question while the dialog is open waits for it.
		second := c.startTool("ask_user", oneQuestion(session))
		if got := c.tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 0}); !got.stillOpen(ask.ID) {
			t.Errorf("a look gives %q", got.text())
		}
		time.Sleep(10 * time.Second)
		c.respond(id, `{"action":"cancel"}`)
		if got, _ := c.later(first); got.text() != nowhere(ask.ID, noPane) {
			t.Errorf("got %q", got.text())
		}
		c.notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(second)})
		if got := c.tool("ask_user", oneQuestion(session)); got.text() != nowhere(ask.ID, noPane) {
			t.Errorf("asked again, got %q", got.text())
		}
		waiting := c.startTool("get_answer", map[string]any{"askId": ask.ID})
		time.Sleep(5 * time.Second)
		w.submit(ask.ID, "quay")
		if got, _ := c.later(waiting); got.text() != `{"name":"quay"}` || len(c.asks) > 0 {
			t.Errorf("%d requests; got %q", len(c.asks), got.text())
		}
	})
}

// cancelledDialogs are the ids of the dialogs that the client was told to take away.
func (c *client) cancelledDialogs() []string {
	var ids []string
	for _, m := range c.notifications("notifications/cancelled") {
		var params struct{ RequestID json.RawMessage }
		if err := json.Unmarshal(m.Params, &params); err != nil {
			c.t.Error(err)
		}
		ids = append(ids, string(params.RequestID))
	}
	return ids
}

func TestADialogEndsWithItsCall(t *testing.T) {
	const late = `{"action":"accept","content":{"question1":"late"}}`
	announced := func(id string) string {
		return `An earlier question was answered (askId ` + id + `): {"name":"late"}`
	}
	for _, test := range []struct {
		name string
		end  func(w *world, c *client, call string, ask store.Ask)
		want func(id string) string // "" for no reply
		took time.Duration
		open bool // afterwards
	}{
		{"answered in a terminal", func(w *world, _ *client, _ string, ask store.Ask) { w.submit(ask.ID, "quay") },
			func(string) string { return `{"name":"quay"}` }, 0, false},
		{"the client's time is over", func(*world, *client, string, store.Ask) {},
			func(id string) string { return nowhere(id, noPane) }, 270 * time.Second, true},
		{"the call is cancelled", func(_ *world, c *client, call string, _ store.Ask) {
			c.notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(call)})
		}, nil, 0, true},
	} {
		timed(t, test.name, func(t *testing.T) {
			w := paneless(t, nil)
			c := withDialogs(t, w)
			session := c.session()
			call := c.startTool("ask_user", oneQuestion(session))
			id, _, _ := c.dialogAsked()
			ask := w.opened(1)[0]
			time.Sleep(10 * time.Second)
			test.end(w, c, call, ask)
			if test.want != nil {
				if got, took := c.later(call); got.text() != test.want(ask.ID) || took != test.took {
					t.Errorf("after %v got %q", took, got.text())
				}
			}
			synctest.Wait()
			if ended := c.cancelledDialogs(); fmt.Sprint(ended) != "["+string(id)+"]" {
				t.Errorf("dialogs taken away: %v, want %s", ended, id)
			}
			if w.ask(ask.ID).Open() != test.open {
				t.Errorf("it is %s", w.ask(ask.ID).Outcome.State)
			}
			// The person was quicker than the cancellation, or the client ignores it.
			c.respond(id, late)
			c.respond(id, `{"action":"accept","content":{"question1":"twice"}}`)
			synctest.Wait()
			got := c.tool("save_plan", map[string]any{"sessionId": session, "plan": "x"})
			switch now := w.ask(ask.ID); {
			case test.open && (len(got.texts()) != 2 || got.texts()[1] != announced(ask.ID)):
				t.Errorf("the late answer is not told: %q", got.texts())
			case !test.open && (len(got.texts()) != 1 || len(now.Late) != 1):
				t.Errorf("told %q; kept late: %v", got.texts(), now.Late)
			}
		})
	}
}

func TestADialogNobodyAnswersDoesNotKeepTheServer(t *testing.T) {
	timed(t, "at the end of input", func(t *testing.T) {
		w := paneless(t, nil)
		c := withDialogs(t, w)
		call := c.startTool("ask_user", oneQuestion(c.session()))
		c.dialogAsked()
		ask := w.opened(1)[0]
		time.Sleep(10 * time.Second)
		start := time.Now()
		if err := c.end(); err != nil {
			t.Fatal(err)
		}
		got, _ := c.later(call)
		if took := time.Since(start); got.text() != nowhere(ask.ID, noPane) || took > 2*time.Second || !w.ask(ask.ID).Open() {
			t.Errorf("after %v: %q", took, got.text())
		}
	})
	timed(t, "and what was answered on the last line is kept", func(t *testing.T) {
		w := paneless(t, nil)
		c := withDialogs(t, w)
		c.startTool("ask_user", oneQuestion(c.session()))
		id, _, _ := c.dialogAsked()
		ask := w.opened(1)[0]
		c.respond(id, `{"action":"accept","content":{"question1":"last"}}`)
		if err := c.end(); err != nil {
			t.Fatal(err)
		}
		if now := w.ask(ask.ID); string(now.Spec.AnswersJSON(now.Outcome.Reply)) != `{"name":"last"}` {
			t.Errorf("it is %s, %v", now.Outcome.State, now.Outcome.Reply)
		}
	})
}

func TestAClientThatRefusesADialogIsNoObstacle(t *testing.T) {
	w := paneless(t, nil)
	c := withDialogs(t, w)
	call := c.startTool("ask_user", oneQuestion(c.session()))
	id, _, _ := c.dialogAsked()
	c.send(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": -32601, "message": "no such method"}})
	if got := c.answer(call); got.text() != nowhere(w.opened(1)[0].ID, noPane) {
		t.Errorf("got %q", got.text())
	}
}

// What a dialog cannot take is not lost with it: it is in the form in the terminal.
func TestWhatADialogCouldNotTakeGoesOnInTheTerminal(t *testing.T) {
	timed(t, "what was filled in", func(t *testing.T) {
		w := paneless(t, nil)
		c := withDialogs(t, w)
		call := c.startTool("ask_user", map[string]any{"sessionId": c.session(), "title": "Two", "questions": []any{
			map[string]any{"id": "name", "kind": "text", "label": "Name?"},
			map[string]any{"id": "db", "kind": "single", "label": "Which?", "options": []any{"a", "b"}},
		}})
		id, _, _ := c.dialogAsked()
		ask := w.opened(1)[0]
		c.respond(id, `{"action":"accept","content":{"question1":"harbour","question2":"Other… (in planb)"}}`)
		synctest.Wait()
		entry, ok, err := w.store.Entry(context.Background(), ask.ID)
		if err != nil || !ok || entry.Fields["name"].Text.Raw() != "harbour" {
			t.Errorf("the form begins with %+v, %v", entry, err)
		}
		w.settle(ask.ID, questions.Outcome{State: questions.Answered, Reply: entry.Reply(w.ask(ask.ID).Spec)})
		if got, _ := c.later(call); got.texts()[0] != `{"name":"harbour"}` {
			t.Errorf("got %q", got.text())
		}
	})
}

func TestADialogsAnswerWaitsForAStoreThatIsFull(t *testing.T) {
	for _, era := range []string{"by request", "by result"} {
		timed(t, era, func(t *testing.T) {
			f := newFaulty()
			w := worldOver(t, f.Store, func(cfg *mcp.Config) {
				cfg.Store, cfg.NoOpen, cfg.Opener = f, false, pane.None{Reason: noPane}
			})
			const reply = `{"action":"accept","content":{"question1":"harbour"}}`
			var c *client
			var call, session string
			if era == "by request" {
				c = withDialogs(t, w)
				session = c.session()
				call = c.startTool("ask_user", oneQuestion(session))
				id, _, _ := c.dialogAsked()
				f.sealed.Store(true)
				c.respond(id, reply)
			} else {
				c = connect(t, w.Server)
				session = c.modernSession()
				asked := c.inputWanted(c.modernTool("ask_user", oneQuestion(session), nil))
				f.sealed.Store(true)
				call = c.modernTool("ask_user", oneQuestion(session), asked.with(reply))
			}
			got, _ := c.later(call)
			if !got.IsError || !strings.HasPrefix(got.text(), "The user has replied in a dialog of your client, but the reply cannot be stored yet: /data has no space left.") {
				t.Errorf("got %q", got.text())
			}
			ask := w.opened(1)[0]
			f.sealed.Store(false)
			time.Sleep(2 * time.Second)
			if w.ask(ask.ID).Open() {
				t.Error("it was not tried again")
			}
			if got := c.tool("save_plan", map[string]any{"sessionId": session, "plan": "x"}); !strings.Contains(got.text(), `{"name":"harbour"}`) {
				t.Errorf("got %q", got.text())
			}
		})
	}
}

// What the store refuses for good is tried once: it would be refused again each
// second, for as long as the client stays.
func TestADialogsAnswerIsNotTriedAgainInVain(t *testing.T) {
	const reply = `{"action":"accept","content":{"question1":"harbour"}}`
	var data string
	dialog := func(t *testing.T) (f *faultyStore, w *world, c *client, call string, id json.RawMessage) {
		f = newFaulty()
		w = worldOver(t, f.Store, func(cfg *mcp.Config) {
			cfg.Store, cfg.NoOpen, cfg.Opener = f, false, pane.None{Reason: noPane}
			data = cfg.DataDir
		})
		c = withDialogs(t, w)
		call = c.startTool("ask_user", oneQuestion(c.session()))
		id, _, _ = c.dialogAsked()
		return f, w, c, call, id
	}
	timed(t, "an error that cannot pass", func(t *testing.T) {
		f, _, c, call, id := dialog(t)
		f.unfit.Store(true)
		c.respond(id, reply)
		got, took := c.later(call)
		if !got.IsError || !strings.Contains(got.text(), "cannot be stored, however often it is tried: made to fail. Tell them to run  planb tui ask ") || took > time.Second {
			t.Errorf("after %v got %q", took, got.text())
		}
		time.Sleep(time.Minute)
		if n := f.settles.Load(); n != 1 {
			t.Errorf("it was tried %d times", n)
		}
	})
	// The reply that is too many was typed by a person: its words are somewhere.
	for _, blocked := range []bool{false, true} {
		timed(t, fmt.Sprint("one late reply too many, no file can be written: ", blocked), func(t *testing.T) {
			f, w, c, call, id := dialog(t)
			ask := w.opened(1)[0]
			w.submit(ask.ID, "anchor")
			for i := range store.MaxLate {
				answer := questions.Reply{Answers: map[string]questions.Value{"name": questions.TextValue(fmt.Sprint(i))}}
				_, err := f.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: answer})
				if _, late := errors.AsType[*questions.SettledError](err); !late {
					t.Fatal(err)
				}
			}
			if blocked {
				blockDir(t, filepath.Join(data, "answers"))
			}
			// The call has ended by then: else its own result could tell of the reply.
			if got := c.decode(<-c.expect(call)); got.texts()[0] != `{"name":"anchor"}` {
				t.Errorf("got %q", got.text())
			}
			c.respond(id, reply)
			time.Sleep(time.Minute)
			if n := f.settles.Load(); n != 1 {
				t.Errorf("it was tried %d times", n)
			}
			next := map[string]any{"sessionId": ask.Session, "plan": "x"}
			told := c.tool("save_plan", next).text()
			if !strings.Contains(told, "The user also replied to askId "+ask.ID+" in a dialog of your client, after it was settled.") {
				t.Errorf("the agent is told %q", told)
			}
			kept := []byte(told)
			if !blocked {
				match := regexp.MustCompile(`It is kept in (/\S+\.json)\. Tell them so\.`).FindStringSubmatch(told)
				if match == nil {
					t.Fatalf("the agent is told %q", told)
				}
				var err error
				if kept, err = os.ReadFile(match[1]); err != nil {
					t.Error(err)
				}
			}
			if !strings.Contains(string(kept), `"name": "harbour"`) {
				t.Errorf("kept is %q", kept)
			}
			synctest.Wait() // the server knows that the agent was told
			if again := c.tool("save_plan", next).text(); strings.Contains(again, "also replied") {
				t.Errorf("it is told again: %q", again)
			}
		})
	}
}
