package asking_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// The words for what is no answer, of a form and of a review.
func TestTheWordsOfWhatIsNoAnswer(t *testing.T) {
	var told mcptest.Words
	form := func(c *mcptest.Client, session string) string {
		return c.CallTool("ask_user", mcptest.OneQuestion(session), nil)
	}
	review := func(c *mcptest.Client, session string) string {
		c.Tool("save_plan", map[string]any{"sessionId": session, "plan": mcptest.ReviewedPlan})
		return c.CallTool("submit_plan", map[string]any{"sessionId": session}, nil)
	}
	for _, subject := range []struct {
		name string
		ask  func(c *mcptest.Client, session string) string
	}{{"a form", form}, {"a review", review}} {
		again := func(c *mcptest.Client, ask store.Ask) mcptest.Answer {
			got, _ := c.Later(c.CallTool("get_answer", map[string]any{"askId": ask.ID}, nil))
			return got
		}
		mcptest.Timed(t, subject.name+", pending and away", func(t *testing.T) {
			w := mcptest.NewWorld(t, nil)
			c := mcptest.Connect(t, w.Server)
			c.Initialize("somebody")
			got, _ := c.Later(subject.ask(c, c.Session()))
			ask := w.Opened(1)[0]
			told.Add(subject.name+" is open", ask, got)
			for range 3 {
				got = again(c, ask)
			}
			told.Add("the user is away from "+subject.name, ask, got)
		})
		mcptest.Timed(t, subject.name+", closed", func(t *testing.T) {
			s := &mcptest.Screen{}
			w := mcptest.WorldWithScreen(t, s)
			s.Shows = func(askID string) {
				if err := w.Store.MarkShown(t.Context(), askID); err != nil {
					t.Error(err)
				}
			}
			c := mcptest.Connect(t, w.Server)
			c.Initialize("somebody")
			got, _ := c.Later(subject.ask(c, c.Session()))
			told.Add("the user closed "+subject.name, w.Opened(1)[0], got)
		})
		mcptest.Timed(t, subject.name+", nowhere to show it", func(t *testing.T) {
			w := mcptest.WorldWithScreen(t, &mcptest.Screen{Fail: mcptest.ErrTest})
			c := mcptest.Connect(t, w.Server)
			c.Initialize("somebody")
			got, _ := c.Later(subject.ask(c, c.Session()))
			ask := w.Opened(1)[0]
			told.Add(subject.name+" cannot be shown", ask, got)
			look := c.Tool("get_answer", map[string]any{"askId": ask.ID, "waitSeconds": 0})
			told.Add(subject.name+" could not be shown before", ask, look)
		})
		mcptest.Timed(t, subject.name+", expired", func(t *testing.T) {
			w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.AnswerTimeout = 1500 * time.Millisecond })
			c := mcptest.Connect(t, w.Server)
			c.Initialize("somebody")
			got, _ := c.Later(subject.ask(c, c.Session()))
			told.Add("the time of "+subject.name+" is over", w.Opened(1)[0], got)
		})
		t.Run(subject.name+" that cannot be stored", func(t *testing.T) {
			w := mcptest.NewWorld(t, func(cfg *mcp.Config) { cfg.Store, cfg.DataDir = unopened{cfg.Store}, "/home/you/planb" })
			c := mcptest.Connect(t, w.Server)
			c.Initialize("somebody")
			got := c.Answer(subject.ask(c, c.Session()))
			if !got.IsError {
				t.Error("it is no error")
			}
			told.Add(subject.name+" cannot be stored", store.Ask{ID: "-", Session: "-"}, got)
		})
	}
	told.Snapshot(t, "not-answered.txt")
}

// unopened is a store on a disk that is full when something is asked.
type unopened struct{ mcp.Store }

func (unopened) OpenAsk(ctx context.Context, ask store.Ask) (store.Ask, bool, error) {
	return store.Ask{}, false, errors.New("no space left on device")
}

// The words around what is too long to pass on.
func TestTheWordsOfWhatIsTooLong(t *testing.T) {
	var told mcptest.Words
	long := strings.Repeat("twelve bytes", 5351)
	var dir string
	w := mcptest.NewWorld(t, func(cfg *mcp.Config) { dir = cfg.DataDir })
	c := mcptest.Connect(t, w.Server)
	c.Initialize("codex-mcp-client")
	session := c.Session()
	short := func(got mcptest.Answer) mcptest.Answer {
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
		call := c.StartTool("ask_user", fourQuestions(session))
		ask := w.Opened(1)[0]
		w.Settle(ask.ID, outcome)
		told.Add(what, ask, short(c.Answer(call)))
		return ask
	}
	reply := mcptest.Answers("db", questions.TextValue("SQLite"), "why", questions.TextValue(long))
	ask := settle("a long answer", questions.Outcome{State: questions.Answered, Reply: reply})
	for _, part := range []struct {
		what   string
		offset int
	}{{"a part of it", 2000}, {"the last part", 64_000}, {"a part behind its end", 70_000}} {
		got := c.Tool("get_answer", map[string]any{"askId": ask.ID, "question": "why", "offset": part.offset})
		told.Add(part.what, ask, short(got))
	}
	told.Add("what was left open", ask, c.Tool("get_answer", map[string]any{"askId": ask.ID, "question": "risk"}))
	told.Add("what was not asked", ask, c.Tool("get_answer", map[string]any{"askId": ask.ID, "question": "price"}))
	noted := mcptest.Answers("db", questions.TextValue("SQLite"))
	noted.Notes = map[string]safe.Text{"db": safe.New(long)}
	settle("a long note", questions.Outcome{State: questions.Answered, Reply: noted})
	for state, what := range map[questions.State]string{questions.Declined: "was declined", questions.Withdrawn: "was withdrawn"} {
		call := c.StartTool("ask_user", fourQuestions(session))
		ended := w.Opened(1)[0]
		w.Settle(ended.ID, questions.Outcome{State: state})
		want := c.Answer(call).Text()
		if got := c.Tool("get_answer", map[string]any{"askId": ended.ID, "question": "db"}); got.Text() != want {
			t.Errorf("of what %s an answer is fetched as %q, want %q", what, got.Text(), want)
		}
	}
	settle("a long message", questions.Outcome{State: questions.Discuss, Message: safe.New(long)})
	told.Snapshot(t, "too-long.txt")
}
