package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"planb/mcp"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// words collects what a model is told, for a golden file. What differs from run
// to run has a name there instead.
type words struct{ text strings.Builder }

func (w *words) add(what string, ask store.Ask, told answer) {
	named := strings.NewReplacer(ask.ID, "<askId>", store.ShortID(ask.ID), "<short>", ask.Session, "<sessionId>")
	fmt.Fprintf(&w.text, "== %s\n", what)
	for i, text := range told.texts() {
		if i > 0 {
			w.text.WriteString("--\n")
		}
		w.text.WriteString(named.Replace(text) + "\n")
	}
}

func (w *words) snapshot(t *testing.T, name string) {
	t.Helper()
	snapshot(t, "words/"+name, []byte(w.text.String()))
}

// The words for what is no answer, of a form and of a review.
func TestTheWordsOfWhatIsNoAnswer(t *testing.T) {
	var told words
	form := func(c *client, session string) string { return c.callTool("ask_user", oneQuestion(session), nil) }
	review := func(c *client, session string) string {
		c.tool("save_plan", map[string]any{"sessionId": session, "plan": reviewedPlan})
		return c.callTool("submit_plan", map[string]any{"sessionId": session}, nil)
	}
	for _, subject := range []struct {
		name string
		ask  func(c *client, session string) string
	}{{"a form", form}, {"a review", review}} {
		again := func(c *client, ask store.Ask) answer {
			got, _ := c.later(c.callTool("get_answer", map[string]any{"askId": ask.ID}, nil))
			return got
		}
		timed(t, subject.name+", pending and away", func(t *testing.T) {
			w := newWorld(t, nil)
			c := connect(t, w.Server)
			c.initialize("somebody")
			got, _ := c.later(subject.ask(c, c.session()))
			ask := w.opened(1)[0]
			told.add(subject.name+" is open", ask, got)
			for range 3 {
				got = again(c, ask)
			}
			told.add("the user is away from "+subject.name, ask, got)
		})
		timed(t, subject.name+", closed", func(t *testing.T) {
			s := &screen{}
			w := worldWithScreen(t, s)
			s.shows = func(askID string) {
				if err := w.store.MarkShown(t.Context(), askID); err != nil {
					t.Error(err)
				}
			}
			c := connect(t, w.Server)
			c.initialize("somebody")
			got, _ := c.later(subject.ask(c, c.session()))
			told.add("the user closed "+subject.name, w.opened(1)[0], got)
		})
		timed(t, subject.name+", nowhere to show it", func(t *testing.T) {
			w := worldWithScreen(t, &screen{fail: errTest})
			c := connect(t, w.Server)
			c.initialize("somebody")
			got, _ := c.later(subject.ask(c, c.session()))
			ask := w.opened(1)[0]
			told.add(subject.name+" cannot be shown", ask, got)
			look := c.tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 0})
			told.add(subject.name+" could not be shown before", ask, look)
		})
		timed(t, subject.name+", expired", func(t *testing.T) {
			w := newWorld(t, func(cfg *mcp.Config) { cfg.AnswerTimeout = 1500 * time.Millisecond })
			c := connect(t, w.Server)
			c.initialize("somebody")
			got, _ := c.later(subject.ask(c, c.session()))
			told.add("the time of "+subject.name+" is over", w.opened(1)[0], got)
		})
		t.Run(subject.name+" that cannot be stored", func(t *testing.T) {
			w := newWorld(t, func(cfg *mcp.Config) { cfg.Store, cfg.DataDir = unopened{cfg.Store}, "/home/you/planb" })
			c := connect(t, w.Server)
			c.initialize("somebody")
			got := c.answer(subject.ask(c, c.session()))
			if !got.IsError {
				t.Error("it is no error")
			}
			told.add(subject.name+" cannot be stored", store.Ask{ID: "-", Session: "-"}, got)
		})
	}
	told.snapshot(t, "not-answered.txt")
}

// unopened is a store on a disk that is full when something is asked.
type unopened struct{ mcp.Store }

func (unopened) OpenAsk(ctx context.Context, ask store.Ask) (store.Ask, bool, error) {
	return store.Ask{}, false, errors.New("no space left on device")
}

// The words around what is too long to pass on.
func TestTheWordsOfWhatIsTooLong(t *testing.T) {
	var told words
	long := strings.Repeat("twelve bytes", 5351)
	var dir string
	w := newWorld(t, func(cfg *mcp.Config) { dir = cfg.DataDir })
	c := connect(t, w.Server)
	c.initialize("codex-mcp-client")
	session := c.session()
	short := func(got answer) answer {
		for i, item := range got.Content {
			text := strings.ReplaceAll(item.Text, dir, "<data>")
			if first, last := strings.Index(text, "twelve bytes"), strings.LastIndex(text, "twelve bytes"); last > first {
				text = text[:first] + "[many times twelve bytes]" + text[last+len("twelve bytes"):]
			}
			got.Content[i].Text = text
		}
		return got
	}
	settle := func(what string, outcome questions.Outcome) store.Ask {
		call := c.startTool("ask_user", fourQuestions(session))
		ask := w.opened(1)[0]
		w.settle(ask.ID, outcome)
		told.add(what, ask, short(c.answer(call)))
		return ask
	}
	reply := answers("db", questions.TextValue("SQLite"), "why", questions.TextValue(long))
	ask := settle("a long answer", questions.Outcome{State: questions.Answered, Reply: reply})
	for _, part := range []struct {
		what   string
		offset int
	}{{"a part of it", 2000}, {"the last part", 64_000}, {"a part behind its end", 70_000}} {
		got := c.tool("get_answer", map[string]any{"askId": ask.ID, "question": "why", "offset": part.offset})
		told.add(part.what, ask, short(got))
	}
	told.add("what was left open", ask, c.tool("get_answer", map[string]any{"askId": ask.ID, "question": "risk"}))
	told.add("what was not asked", ask, c.tool("get_answer", map[string]any{"askId": ask.ID, "question": "price"}))
	noted := answers("db", questions.TextValue("SQLite"))
	noted.Notes = map[string]safe.Text{"db": safe.New(long)}
	settle("a long note", questions.Outcome{State: questions.Answered, Reply: noted})
	for state, what := range map[questions.State]string{questions.Declined: "was declined", questions.Withdrawn: "was withdrawn"} {
		call := c.startTool("ask_user", fourQuestions(session))
		ended := w.opened(1)[0]
		w.settle(ended.ID, questions.Outcome{State: state})
		want := c.answer(call).text()
		if got := c.tool("get_answer", map[string]any{"askId": ended.ID, "question": "db"}); got.text() != want {
			t.Errorf("of what %s an answer is fetched as %q, want %q", what, got.text(), want)
		}
	}
	settle("a long message", questions.Outcome{State: questions.Discuss, Message: safe.New(long)})
	told.snapshot(t, "too-long.txt")
}
