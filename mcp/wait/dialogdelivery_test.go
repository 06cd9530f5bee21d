package wait_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"planb/mcp/mcptest"
	"planb/questions"
)

// An answer in a client's dialog reaches the agent exactly as one in a terminal, and the
// store holds the same.
func TestADialogsAnswerIsDeliveredLikeAnyOther(t *testing.T) {
	t.Parallel()
	w := mcptest.Paneless(t, nil)
	dialogs, terminal := mcptest.WithDialogs(t, w), mcptest.Connect(t, w.Server)
	terminal.Initialize("test")
	here, there := dialogs.Session(), terminal.Session()
	round := 0
	rapid.Check(t, func(r *rapid.T) {
		if round++; round > 30 {
			return // each round is a conversation of eight messages
		}
		form := map[string]any{"sessionId": here, "title": fmt.Sprint("Round ", round)}
		content, reply := map[string]any{}, questions.Reply{Answers: map[string]questions.Value{}}
		var list []any
		for i := range rapid.IntRange(1, 3).Draw(r, "questions") {
			id, field := fmt.Sprint("q ", i), fmt.Sprint("question", i+1)
			q := map[string]any{"id": id, "kind": "text", "label": fmt.Sprint("Question ", i)}
			value := rapid.StringMatching(`[^\r\n]{1,20}`).Draw(r, "text")
			shown := value
			if rapid.Bool().Draw(r, "options") {
				var options []any
				n := rapid.IntRange(1, 6).Draw(r, "of")
				for k := range n {
					options = append(options, map[string]any{"value": fmt.Sprintf("%d<&>%s", k, value), "label": fmt.Sprintf("%d %s", k, "label")})
				}
				k := rapid.IntRange(0, n-1).Draw(r, "chosen")
				q["kind"], q["options"] = "single", options
				value, shown = fmt.Sprintf("%d<&>%s", k, value), fmt.Sprintf("%d %s", k, "label")
			}
			list = append(list, q)
			if i == 0 || rapid.Bool().Draw(r, "answered") {
				content[field], reply.Answers[id] = shown, questions.TextValue(value)
			}
		}
		form["questions"] = list
		call := dialogs.StartTool("ask_user", form)
		asked := <-dialogs.Asks
		mine := w.Ask(w.Opened(1)[0].ID)
		if err := mine.Spec.CheckReply(mine.Spec.Normalize(reply)); err != nil || len(mine.Spec.Normalize(reply).Answers) == 0 {
			w.Settle(mine.ID, questions.Outcome{State: questions.Declined})
			dialogs.Answer(call)
			r.Skip("nobody could answer that")
		}
		result, err := json.Marshal(map[string]any{"action": "accept", "content": content})
		if err != nil {
			r.Fatal(err)
		}
		dialogs.Respond(asked.ID, string(result))
		got := dialogs.Answer(call)

		form["sessionId"] = there
		terminal.Tool("ask_user", form)
		theirs := w.Ask(w.Opened(1)[0].ID)
		w.Settle(theirs.ID, questions.Outcome{State: questions.Answered, Reply: theirs.Spec.Normalize(reply)})
		want := terminal.Tool("get_answer", map[string]any{"askId": theirs.ID})
		if fmt.Sprintf("%q", got.Texts()) != fmt.Sprintf("%q", want.Texts()) || got.IsError {
			r.Errorf("by dialog   %q\nin terminal %q", got.Texts(), want.Texts())
		}
		a, b := w.Ask(mine.ID), w.Ask(theirs.ID)
		if string(a.Spec.AnswersJSON(a.Outcome.Reply)) != string(b.Spec.AnswersJSON(b.Outcome.Reply)) {
			r.Errorf("the store holds %v and %v", a.Outcome.Reply, b.Outcome.Reply)
		}
		mcptest.Until(t, "both count as delivered", func() bool { return w.Delivered(mine.ID) && w.Delivered(theirs.ID) })
	})
}
