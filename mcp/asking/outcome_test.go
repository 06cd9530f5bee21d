package asking_test

import (
	"fmt"
	"testing"

	"planb/mcp/mcptest"
	"planb/questions"
	"planb/questions/safe"
)

// fourQuestions is the arguments of an ask with several kinds.
func fourQuestions(session string) map[string]any {
	return map[string]any{
		"sessionId": session, "title": "Before I start",
		"questions": []any{
			map[string]any{"id": "db", "kind": "single", "label": "Which?", "options": []any{"SQLite", "<Post&gres>"}},
			map[string]any{"id": "on", "kind": "multi", "label": "Where?", "options": []any{"linux", "mac", "win"}},
			map[string]any{"id": "risk", "kind": "scale", "label": "Risk?", "min": 0, "max": 10},
			map[string]any{"id": "why", "kind": "longtext", "label": "Why?"},
		},
	}
}

func TestTheWordsOfEveryOutcome(t *testing.T) {
	text, items, number := questions.TextValue, questions.ItemsValue, questions.NumberValue
	noted := mcptest.Answers("db", text("SQLite"), "on", items("mac", "linux"), "risk", number(3), "why", text("so"))
	noted.Notes = map[string]safe.Text{"why": safe.New("two\nlines"), "db": safe.New("for now")}
	noted.Note = safe.New("thanks")

	var told mcptest.Words
	for _, test := range []struct {
		name    string
		outcome questions.Outcome
		state   string
	}{
		{
			"everything answered: one item, keys in form order, items in option order",
			questions.Outcome{State: questions.Answered, Reply: mcptest.Answers(
				"why", text("because \"x\"\n"), "risk", number(7), "on", items("win", "linux"), "db", text("<Post&gres>"))},
			"answered",
		},
		{
			"untouched questions are absent and named",
			questions.Outcome{State: questions.Answered, Reply: mcptest.Answers("db", text("SQLite"))},
			"answered",
		},
		{
			"an empty form says who decides",
			questions.Outcome{State: questions.Answered, Reply: mcptest.Answers()},
			"answered",
		},
		{
			"what was written under Other is named",
			questions.Outcome{State: questions.Answered, Reply: mcptest.Answers(
				"db", text("MariaDB"), "on", items("bsd", "mac"), "risk", number(0), "why", text("x"))},
			"answered",
		},
		{
			"notes, a line each",
			questions.Outcome{State: questions.Answered, Reply: noted},
			"answered",
		},
		{
			"a message instead",
			questions.Outcome{State: questions.Discuss, Message: safe.New("Why not files?"), Reply: mcptest.Answers("risk", number(1))},
			"discuss",
		},
		{
			"declined",
			questions.Outcome{State: questions.Declined},
			"declined",
		},
		{
			"declined for a reason",
			questions.Outcome{State: questions.Declined, Message: safe.New("not now")},
			"declined",
		},
		{
			"declined for a reason that is a question",
			questions.Outcome{State: questions.Declined, Message: safe.New("why me?")},
			"declined",
		},
		{
			"withdrawn by another call",
			questions.Outcome{State: questions.Withdrawn},
			"withdrawn",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := mcptest.NewWorld(t, nil)
			c := mcptest.Connect(t, w.Server)
			c.Initialize("test")
			call := c.StartTool("ask_user", fourQuestions(c.Session()))
			ask := w.Opened(1)[0]
			w.Settle(ask.ID, test.outcome)
			got := c.Answer(call)
			told.Add(test.name, ask, got)
			if got.IsError {
				t.Error("an outcome is not an error")
			}
			if got.Data["state"] != test.state || got.Data["askId"] != ask.ID || got.Data["sessionId"] != ask.Session {
				t.Errorf("_meta is %v", got.Data)
			}
			if test.state != "withdrawn" {
				mcptest.Until(t, "it counts as delivered", func() bool { return w.Delivered(ask.ID) })
			}
		})
	}
	told.Snapshot(t, "outcomes.txt")
}

func TestAnswersAreInMetaAsData(t *testing.T) {
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	call := c.StartTool("ask_user", fourQuestions(c.Session()))
	w.Settle(w.Opened(1)[0].ID, questions.Outcome{State: questions.Answered, Reply: mcptest.Answers(
		"db", questions.TextValue("MariaDB"), "risk", questions.NumberValue(4))})
	got := c.Answer(call)
	want := map[string]any{"db": "MariaDB", "risk": 4.0}
	if fmt.Sprint(got.Data["answers"]) != fmt.Sprint(want) {
		t.Errorf("answers are %v", got.Data["answers"])
	}
	if fmt.Sprint(got.Data["unanswered"]) != "[on why]" || fmt.Sprint(got.Data["other"]) != "[db]" {
		t.Errorf("_meta is %v", got.Data)
	}
}
