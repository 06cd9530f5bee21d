package draft

import (
	"context"
	"testing"

	"planb/drafts"
	"planb/questions"
	"planb/store"
	"planb/store/runs"
)

// A draft that is begun in the form is named by its goal, without the name of the question.
func TestAPromptFromTheFormBeginsWithTheGoal(t *testing.T) {
	t.Parallel()
	c := Commands{Ask: func(context.Context, *store.Store, questions.Spec) (store.Ask, error) {
		answers := map[string]questions.Value{
			"Goal": questions.TextValue("A bakery at the station\n"), "Place": questions.TextValue("Leipzig"), "detail": questions.TextValue("full"),
		}
		return store.Ask{Session: "its session", Outcome: questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: answers}}}, nil
	}}
	r := runs.Request{Detail: drafts.Brief}
	if err := c.askForPrompt(t.Context(), nil, &r, newFlags{}); err != nil {
		t.Fatal(err)
	}
	if want := "A bakery at the station\n\nPlace: Leipzig"; r.Prompt != want || r.Detail != drafts.Full || r.Session != "its session" {
		t.Errorf("got %+v, want the prompt %q", r, want)
	}
}
