package wait_test

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
	"planb/mcp/mcptest"
	"planb/mcp/pane"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// scaleQuestion does not fit into a dialog.
func scaleQuestion(session string) map[string]any {
	return map[string]any{"sessionId": session, "title": "One number", "questions": []any{
		map[string]any{"id": "risk", "kind": "scale", "label": "Risk?", "min": 0, "max": 10},
	}}
}

func TestWhatADialogBringsAbout(t *testing.T) {
	t.Parallel()
	const harbour = `{"action":"accept","content":{"question1":"harbour"}}`
	for _, test := range []struct {
		name  string
		args  func(string) map[string]any
		after time.Duration // when the client replies
		reply string
		want  string // the text, or the state; "nowhere", or "waits": until the person answers in a terminal
	}{
		{"an answer", mcptest.OneQuestion, 10 * time.Second, harbour, `{"name":"harbour"}`},
		{"an answer by a hook of the client", mcptest.OneQuestion, 0, harbour, `{"name":"harbour"}`},
		{"the questions declined", mcptest.OneQuestion, 10 * time.Second, `{"action":"decline"}`, "declined"},
		{"declined by a client without a screen", mcptest.OneQuestion, time.Second, `{"action":"decline"}`, "nowhere"},
		{"put away", mcptest.OneQuestion, 10 * time.Second, `{"action":"cancel"}`, "nowhere"},
		{"nothing filled in", mcptest.OneQuestion, 10 * time.Second, `{"action":"accept","content":{}}`, "waits"},
		{"nothing filled in by nobody", mcptest.OneQuestion, 0, `{"action":"accept"}`, "nowhere"},
		{"garbage filled in", mcptest.OneQuestion, 10 * time.Second, `{"action":"accept","content":{"question1":7}}`, "nowhere"},
		{"garbage", mcptest.OneQuestion, 10 * time.Second, `{"harbour":true}`, "nowhere"},
		{"no object", mcptest.OneQuestion, 10 * time.Second, `7`, "nowhere"},
		{"the command read", scaleQuestion, 10 * time.Second, `{"action":"accept","content":{}}`, "waits"},
		{"the command declined", scaleQuestion, 10 * time.Second, `{"action":"decline"}`, "nowhere"},
		{"the command put away", scaleQuestion, 10 * time.Second, `{"action":"cancel"}`, "nowhere"},
	} {
		for _, era := range []string{"by request", "by result"} {
			mcptest.Timed(t, test.name+", "+era, func(t *testing.T) {
				w := mcptest.Paneless(t, nil)
				var c *mcptest.Client
				var ask store.Ask
				var answered func() (mcptest.Answer, time.Duration)
				if era == "by request" {
					c = mcptest.WithDialogs(t, w)
					call := c.StartTool("ask_user", test.args(c.Session()))
					id, message, _ := c.DialogAsked()
					ask = w.Opened(1)[0]
					wantCommand(t, message, ask)
					time.Sleep(test.after)
					c.Respond(id, test.reply)
					answered = func() (mcptest.Answer, time.Duration) { return c.Later(call) }
				} else {
					c = mcptest.Connect(t, w.Server)
					args := test.args(c.ModernSession())
					asked := c.InputWanted(c.ModernTool("ask_user", args, nil))
					ask = w.Opened(1)[0]
					wantCommand(t, asked.Message, ask)
					time.Sleep(test.after)
					call := c.ModernTool("ask_user", args, asked.With(test.reply))
					answered = func() (mcptest.Answer, time.Duration) { return c.Later(call) }
				}
				if test.want == "waits" {
					time.Sleep(5 * time.Second)
					outcome := questions.Outcome{State: questions.Discuss, Message: safe.New("later"), By: "you@example"}
					w.Settle(ask.ID, outcome)
					if got, _ := answered(); !strings.HasPrefix(got.Text(), `NOT FINISHED. The user writes: "later"`) {
						t.Errorf("got %q", got.Text())
					}
					return
				}
				got, took := answered()
				told := got.Text() == test.want || test.want == got.Data["state"] || test.want == "nowhere" && got.Nowhere(ask.ID, mcptest.NoPane)
				if !told || got.IsError || took > time.Second {
					t.Errorf("after %v got  %q\nwant %q", took, got.Text(), test.want)
				}
				synctest.Wait()
				now := w.Ask(ask.ID)
				if open := test.want == "nowhere"; now.Open() != open || w.Delivered(ask.ID) == open {
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

func TestAClientThatShowsNoDialogsIsAskedForNone(t *testing.T) {
	t.Parallel()
	for name, capabilities := range map[string]map[string]any{
		"none declared": {}, "only addresses": {"elicitation": map[string]any{"url": map[string]any{}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := mcptest.Paneless(t, nil)
			c := mcptest.Connect(t, w.Server)
			c.InitializeAs(map[string]any{"name": "t", "version": "1"}, capabilities)
			got := c.Tool("ask_user", mcptest.OneQuestion(c.Session()))
			if ask := w.Opened(1)[0]; !got.Nowhere(ask.ID, mcptest.NoPane) || len(c.Asks) > 0 {
				t.Errorf("%d requests; got %q", len(c.Asks), got.Text())
			}
		})
		t.Run(name+", with every request", func(t *testing.T) {
			w := mcptest.Paneless(t, nil)
			c := mcptest.Connect(t, w.Server)
			session := c.ModernSession()
			got := c.Answer(c.Start("tools/call", map[string]any{"name": "ask_user", "arguments": mcptest.OneQuestion(session), "_meta": mcptest.Modern(map[string]any{
				"io.modelcontextprotocol/clientCapabilities": capabilities,
			})}))
			if ask := w.Opened(1)[0]; !got.Nowhere(ask.ID, mcptest.NoPane) {
				t.Errorf("got %q", got.Text())
			}
		})
	}
}

func TestNoDialogWhereSomebodyElseShowsTheForm(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "by the word of the environment", func(t *testing.T) {
		w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = true, pane.None{Reason: mcptest.NoPane} })
		c := mcptest.WithDialogs(t, w)
		got, took := c.Later(c.StartTool("ask_user", mcptest.OneQuestion(c.Session())))
		if ask := w.Opened(1)[0]; !got.StillOpen(ask.ID) || took != 280*time.Second || len(c.Asks) > 0 {
			t.Errorf("after %v and %d requests: %q", took, len(c.Asks), got.Text())
		}
	})
	mcptest.Timed(t, "in a form that came up meanwhile", func(t *testing.T) {
		late := &lateScreen{}
		w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.NoOpen, cfg.Opener = false, late })
		show, leave := w.ServePlace(t, "window-1")
		defer leave()
		late.show = show
		c := mcptest.WithDialogs(t, w)
		call := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
		time.Sleep(10 * time.Second)
		w.Submit(w.Opened(1)[0].ID, "quay")
		if got, _ := c.Later(call); got.Text() != `{"name":"quay"}` || len(c.Asks) > 0 {
			t.Errorf("%d requests; got %q", len(c.Asks), got.Text())
		}
	})
}

// lateScreen opens nothing, and meanwhile the person has opened the form.
type lateScreen struct {
	mcptest.Screen
	show func(askID string)
}

func (l *lateScreen) Open(_ context.Context, command pane.Command) error {
	l.show(command.Argv[len(command.Argv)-1])
	return mcptest.ErrTest
}

func TestADialogIsShownOnce(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "for one ask", func(t *testing.T) {
		w := mcptest.Paneless(t, nil)
		c := mcptest.WithDialogs(t, w)
		session := c.Session()
		first := c.StartTool("ask_user", mcptest.OneQuestion(session))
		id, _, _ := c.DialogAsked()
		ask := w.Opened(1)[0]
		// The same question while the dialog is open waits for it.
		second := c.StartTool("ask_user", mcptest.OneQuestion(session))
		if got := c.Tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 0}); !got.StillOpen(ask.ID) {
			t.Errorf("a look gives %q", got.Text())
		}
		time.Sleep(10 * time.Second)
		c.Respond(id, `{"action":"cancel"}`)
		if got, _ := c.Later(first); !got.Nowhere(ask.ID, mcptest.NoPane) {
			t.Errorf("got %q", got.Text())
		}
		c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(second)})
		if got := c.Tool("ask_user", mcptest.OneQuestion(session)); !got.Nowhere(ask.ID, mcptest.NoPane) {
			t.Errorf("asked again, got %q", got.Text())
		}
		waiting := c.StartTool("get_answer", map[string]any{"askId": ask.ID})
		time.Sleep(5 * time.Second)
		w.Submit(ask.ID, "quay")
		if got, _ := c.Later(waiting); got.Text() != `{"name":"quay"}` || len(c.Asks) > 0 {
			t.Errorf("%d requests; got %q", len(c.Asks), got.Text())
		}
	})
}

func TestADialogEndsWithItsCall(t *testing.T) {
	t.Parallel()
	const late = `{"action":"accept","content":{"question1":"late"}}`
	announced := func(id string) string {
		return `An earlier question was answered (askId ` + id + `): {"name":"late"}`
	}
	for _, test := range []struct {
		name string
		end  func(w *mcptest.World, c *mcptest.Client, call string, ask store.Ask)
		want string // the text, or "nowhere"; "" for no reply
		took time.Duration
		open bool // afterwards
	}{
		{"answered in a terminal", func(w *mcptest.World, _ *mcptest.Client, _ string, ask store.Ask) { w.Submit(ask.ID, "quay") },
			`{"name":"quay"}`, 0, false},
		{"the client's time is over", func(*mcptest.World, *mcptest.Client, string, store.Ask) {},
			"nowhere", 270 * time.Second, true},
		{"the call is cancelled", func(_ *mcptest.World, c *mcptest.Client, call string, _ store.Ask) {
			c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(call)})
		}, "", 0, true},
	} {
		mcptest.Timed(t, test.name, func(t *testing.T) {
			w := mcptest.Paneless(t, nil)
			c := mcptest.WithDialogs(t, w)
			session := c.Session()
			call := c.StartTool("ask_user", mcptest.OneQuestion(session))
			id, _, _ := c.DialogAsked()
			ask := w.Opened(1)[0]
			time.Sleep(10 * time.Second)
			test.end(w, c, call, ask)
			if test.want != "" {
				got, took := c.Later(call)
				if told := got.Text() == test.want || test.want == "nowhere" && got.Nowhere(ask.ID, mcptest.NoPane); !told || took != test.took {
					t.Errorf("after %v got %q", took, got.Text())
				}
			}
			synctest.Wait()
			if ended := c.CancelledDialogs(); fmt.Sprint(ended) != "["+string(id)+"]" {
				t.Errorf("dialogs taken away: %v, want %s", ended, id)
			}
			if w.Ask(ask.ID).Open() != test.open {
				t.Errorf("it is %s", w.Ask(ask.ID).Outcome.State)
			}
			// The person was quicker than the cancellation, or the client ignores it.
			c.Respond(id, late)
			c.Respond(id, `{"action":"accept","content":{"question1":"twice"}}`)
			synctest.Wait()
			got := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "x"})
			switch now := w.Ask(ask.ID); {
			case test.open && (len(got.Texts()) != 2 || got.Texts()[1] != announced(ask.ID)):
				t.Errorf("the late answer is not told: %q", got.Texts())
			case !test.open && (len(got.Texts()) != 1 || len(now.TooLate) != 1):
				t.Errorf("told %q; kept late: %v", got.Texts(), now.TooLate)
			}
		})
	}
}

func TestADialogNobodyAnswersDoesNotKeepTheServer(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "at the end of input", func(t *testing.T) {
		w := mcptest.Paneless(t, nil)
		c := mcptest.WithDialogs(t, w)
		call := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
		c.DialogAsked()
		ask := w.Opened(1)[0]
		time.Sleep(10 * time.Second)
		start := time.Now()
		if err := c.End(); err != nil {
			t.Fatal(err)
		}
		got, _ := c.Later(call)
		if took := time.Since(start); !got.Nowhere(ask.ID, mcptest.NoPane) || took > 2*time.Second || !w.Ask(ask.ID).Open() {
			t.Errorf("after %v: %q", took, got.Text())
		}
	})
	mcptest.Timed(t, "and what was answered on the last line is kept", func(t *testing.T) {
		w := mcptest.Paneless(t, nil)
		c := mcptest.WithDialogs(t, w)
		c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
		id, _, _ := c.DialogAsked()
		ask := w.Opened(1)[0]
		c.Respond(id, `{"action":"accept","content":{"question1":"last"}}`)
		if err := c.End(); err != nil {
			t.Fatal(err)
		}
		if now := w.Ask(ask.ID); string(now.Spec.AnswersJSON(now.Outcome.Reply)) != `{"name":"last"}` {
			t.Errorf("it is %s, %v", now.Outcome.State, now.Outcome.Reply)
		}
	})
}

func TestAClientThatRefusesADialogIsNoObstacle(t *testing.T) {
	t.Parallel()
	w := mcptest.Paneless(t, nil)
	c := mcptest.WithDialogs(t, w)
	call := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
	id, _, _ := c.DialogAsked()
	c.Send(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": -32601, "message": "no such method"}})
	if got := c.Answer(call); !got.Nowhere(w.Opened(1)[0].ID, mcptest.NoPane) {
		t.Errorf("got %q", got.Text())
	}
}

// Answers that a dialog cannot submit are not lost: they are in the form in the terminal.
func TestWhatADialogCouldNotTakeGoesOnInTheTerminal(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "what was filled in", func(t *testing.T) {
		w := mcptest.Paneless(t, nil)
		c := mcptest.WithDialogs(t, w)
		call := c.StartTool("ask_user", map[string]any{"sessionId": c.Session(), "title": "Two", "questions": []any{
			map[string]any{"id": "name", "kind": "text", "label": "Name?"},
			map[string]any{"id": "db", "kind": "single", "label": "Which?", "options": []any{"a", "b"}},
		}})
		id, _, _ := c.DialogAsked()
		ask := w.Opened(1)[0]
		c.Respond(id, `{"action":"accept","content":{"question1":"harbour","question2":"Other… (in planb)"}}`)
		synctest.Wait()
		entry, ok, err := w.Store.Entry(context.Background(), ask.ID)
		if err != nil || !ok || entry.Fields["name"].Text.Raw() != "harbour" {
			t.Errorf("the form begins with %+v, %v", entry, err)
		}
		w.Settle(ask.ID, questions.Outcome{State: questions.Answered, Reply: entry.Reply(w.Ask(ask.ID).Spec)})
		if got, _ := c.Later(call); got.Texts()[0] != `{"name":"harbour"}` {
			t.Errorf("got %q", got.Text())
		}
	})
}

func TestADialogsAnswerWaitsForAStoreThatIsFull(t *testing.T) {
	t.Parallel()
	for _, era := range []string{"by request", "by result"} {
		mcptest.Timed(t, era, func(t *testing.T) {
			f := newFaulty()
			w := mcptest.WorldOver(t, f.Store, func(cfg *mcp.Config) {
				cfg.Store, cfg.NoOpen, cfg.Opener = f, false, pane.None{Reason: mcptest.NoPane}
			})
			const reply = `{"action":"accept","content":{"question1":"harbour"}}`
			var c *mcptest.Client
			var call, session string
			if era == "by request" {
				c = mcptest.WithDialogs(t, w)
				session = c.Session()
				call = c.StartTool("ask_user", mcptest.OneQuestion(session))
				id, _, _ := c.DialogAsked()
				f.sealed.Store(true)
				c.Respond(id, reply)
			} else {
				c = mcptest.Connect(t, w.Server)
				session = c.ModernSession()
				asked := c.InputWanted(c.ModernTool("ask_user", mcptest.OneQuestion(session), nil))
				f.sealed.Store(true)
				call = c.ModernTool("ask_user", mcptest.OneQuestion(session), asked.With(reply))
			}
			got, _ := c.Later(call)
			if !got.IsError || !strings.HasPrefix(got.Text(), "The user has replied in a dialog of your client, but the reply cannot be stored yet: /data has no space left.") {
				t.Errorf("got %q", got.Text())
			}
			ask := w.Opened(1)[0]
			f.sealed.Store(false)
			time.Sleep(2 * time.Second)
			if w.Ask(ask.ID).Open() {
				t.Error("it was not tried again")
			}
			if got := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "x"}); !strings.Contains(got.Text(), `{"name":"harbour"}`) {
				t.Errorf("got %q", got.Text())
			}
		})
	}
}

// An answer that the store refuses for good is tried only once, and not again each second.
func TestADialogsAnswerIsNotTriedAgainInVain(t *testing.T) {
	t.Parallel()
	const reply = `{"action":"accept","content":{"question1":"harbour"}}`
	var data string
	dialog := func(t *testing.T) (f *faultyStore, w *mcptest.World, c *mcptest.Client, call string, id json.RawMessage) {
		f = newFaulty()
		w = mcptest.WorldOver(t, f.Store, func(cfg *mcp.Config) {
			cfg.Store, cfg.NoOpen, cfg.Opener = f, false, pane.None{Reason: mcptest.NoPane}
			data = cfg.DataDir
		})
		c = mcptest.WithDialogs(t, w)
		call = c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
		id, _, _ = c.DialogAsked()
		return f, w, c, call, id
	}
	mcptest.Timed(t, "an error that cannot pass", func(t *testing.T) {
		f, _, c, call, id := dialog(t)
		f.unfit.Store(true)
		c.Respond(id, reply)
		got, took := c.Later(call)
		if !got.IsError || !strings.Contains(got.Text(), "cannot be stored, however often it is tried: made to fail. Tell them to run  planb tui ask ") || took > time.Second {
			t.Errorf("after %v got %q", took, got.Text())
		}
		time.Sleep(time.Minute)
		if n := f.settles.Load(); n != 1 {
			t.Errorf("it was tried %d times", n)
		}
	})
	// The reply that is too many was typed by a person: its words are somewhere.
	for _, blocked := range []bool{false, true} {
		mcptest.Timed(t, fmt.Sprint("one late reply too many, no file can be written: ", blocked), func(t *testing.T) {
			f, w, c, call, id := dialog(t)
			ask := w.Opened(1)[0]
			w.Submit(ask.ID, "anchor")
			for i := range store.MaxTooLate {
				answer := questions.Reply{Answers: map[string]questions.Value{"name": questions.TextValue(fmt.Sprint(i))}}
				_, err := f.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: answer})
				if _, late := errors.AsType[*questions.SettledError](err); !late {
					t.Fatal(err)
				}
			}
			if blocked {
				mcptest.BlockDir(t, filepath.Join(data, "answers"))
			}
			// The call has ended by then: else its own result could tell of the reply.
			if got := c.Decode(<-c.Expect(call)); got.Texts()[0] != `{"name":"anchor"}` {
				t.Errorf("got %q", got.Text())
			}
			c.Respond(id, reply)
			time.Sleep(time.Minute)
			if n := f.settles.Load(); n != 1 {
				t.Errorf("it was tried %d times", n)
			}
			next := map[string]any{"sessionId": ask.Session, "plan": "x"}
			told := c.Tool("save_plan", next).Text()
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
			if again := c.Tool("save_plan", next).Text(); strings.Contains(again, "also replied") {
				t.Errorf("it is told again: %q", again)
			}
		})
	}
}
