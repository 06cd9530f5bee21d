package drafts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/schedule"
	"planb/drafts/shape"
)

// empty is a draft of the workshop's prompt, without any output.
func empty(t testing.TB) drafts.Draft {
	t.Helper()
	start, err := schedule.ParseDate("2026-12-01")
	if err != nil {
		t.Fatal(err)
	}
	return drafts.Draft{
		ID: "0192f0c4-7c1e-7aaa-8bbb-0123456789ab", Prompt: string(file(t, "prompt.txt")), Start: start, Detail: drafts.Brief,
		Flags: schedule.DefaultFlags(), Records: map[string]drafts.Record{},
	}
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "workshop", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// step returns a step of the draft.
func step(t testing.TB, d drafts.Draft, id string) drafts.Step {
	t.Helper()
	s, ok := d.Step(id)
	if !ok {
		t.Fatalf("there is no step %s", id)
	}
	return s
}

// accept keeps an output in the draft.
func accept(d drafts.Draft, s drafts.Step, o shape.Object) {
	r := d.Records[s.ID]
	r.Output, r.SHA256, r.Inputs, r.By = o, drafts.Sum(s.Shape.JSON(o)), d.Inputs(s), "Codex"
	d.Records[s.ID] = r
}

// upTo returns the draft of the workshop with the outputs of all steps before one;
// with all of them if the id is empty.
func upTo(t testing.TB, id string) drafts.Draft {
	t.Helper()
	d := empty(t)
	for _, s := range drafts.Steps(d.Detail) {
		if s.ID == id {
			return d
		}
		accept(d, s, answer(t, d, s))
	}
	return d
}

// answer returns a good output for a step.
func answer(t testing.TB, d drafts.Draft, s drafts.Step) (o shape.Object) {
	t.Helper()
	var err error
	switch {
	case s.ID == "choose":
		o, err = d.Choose(drafts.Choice{Scenario: "S2", Answers: map[string]string{"Prices": "75 EUR is fine"}, By: "anna@home"})
	case s.ID == "confirm":
		o, err = d.Confirm(drafts.Confirmation{Changed: map[string]string{"A4": "The user and Mira each need 1,300 EUR a month for eight months, not longer."}, By: "anna@home"})
	case s.Author == drafts.Code:
		o, err = d.Write(s)
	default:
		o, err = d.Read(s, file(t, s.ID+".json"), 0)
	}
	if err != nil {
		t.Fatalf("%s: %v", s.ID, err)
	}
	return o
}

// A model's answers to one prompt are accepted one after another, and nothing in
// them contradicts anything else.
func TestAWholeBriefDraft(t *testing.T) {
	d := upTo(t, "")
	if done, of := d.Progress(); done != 12 || of != 12 {
		t.Errorf("%d of %d", done, of)
	}
	for _, f := range d.Lint() {
		t.Errorf("%s: %s", f.Step, f)
	}
	if want := "DONE: 12 of 12; code's checks: 0 problems."; !strings.HasPrefix(d.Done(), want) {
		t.Errorf("got %q, want %q", d.Done(), want)
	}
}
