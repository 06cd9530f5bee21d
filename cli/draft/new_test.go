package draft

import (
	"context"
	"testing"

	"planb/drafts"
	"planb/questions"
	"planb/store"
	"planb/store/runs"
)

// Who wrote too little into the form is told in their terms, and how to go on.
func TestAPromptFromTheFormThatIsTooShort(t *testing.T) {
	t.Parallel()
	_, err := checked("To the moon", theForm)
	const want = "you wrote 11 characters, too few for a plan: write at least 20, best some hundred words; `planb draft new` offers you what you wrote again"
	if err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// Who leaves the form is told which command begins the draft of it: answered elsewhere, it begins
// none.
func TestAFormThatIsLeftSaysHowItBecomesADraft(t *testing.T) {
	t.Parallel()
	for state, want := range map[questions.State]string{
		questions.Pending:  "no draft was begun; `planb draft new` goes on with the form, and then begins the draft",
		questions.Declined: "no draft was begun",
	} {
		c := Commands{Ask: func(context.Context, *store.Store, questions.Spec) (store.Ask, error) {
			return store.Ask{Outcome: questions.Outcome{State: state}}, nil
		}}
		if err := c.askForPrompt(t.Context(), nil, &runs.Request{}, newFlags{}); err == nil || err.Error() != want {
			t.Errorf("%s: got %v\nwant %s", state, err, want)
		}
	}
}

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
