// Package draftstest is a whole draft for tests: the prompt and the model's answers of
// drafts/workshop, and a person's answers to the gates. A brief draft has a part of
// them.
package draftstest

import (
	"flag"
	"runtime/debug"
	"testing"
	"time"

	"planb/drafts"
	"planb/drafts/schedule"
	"planb/drafts/shape"
	"planb/drafts/workshop"
)

// Run runs the tests of a room that makes whole drafts, and returns the exit code. Whole
// drafts leave much garbage, and to collect it takes a sixth of the time. What benchmarks
// measure is left as it is.
func Run(m *testing.M) int {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() == "" {
		debug.SetGCPercent(400)
	}
	return m.Run()
}

// File returns a file of the workshop: prompt.txt, or the answer to a step.
func File(t testing.TB, name string) []byte {
	t.Helper()
	data, err := workshop.File(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Empty returns the brief draft of the workshop's prompt, without any output.
func Empty(t testing.TB) drafts.Draft {
	t.Helper()
	start, err := schedule.ParseDate(workshop.Start)
	if err != nil {
		t.Fatal(err)
	}
	return drafts.Draft{
		ID: "0192f0c4-7c1e-7aaa-8bbb-0123456789ab", Prompt: string(File(t, "prompt.txt")), Start: start, Detail: drafts.Brief,
		Flags: schedule.DefaultFlags(), Records: map[string]drafts.Record{},
	}
}

// UpTo returns the brief draft with the outputs of all steps before one; with all
// of them if the id is empty.
func UpTo(t testing.TB, id string) drafts.Draft {
	t.Helper()
	return upTo(t, Empty(t), id)
}

// FullUpTo does the same for the full draft.
func FullUpTo(t testing.TB, id string) drafts.Draft {
	t.Helper()
	d := Empty(t)
	d.Detail = drafts.Full
	return upTo(t, d, id)
}

func upTo(t testing.TB, d drafts.Draft, id string) drafts.Draft {
	t.Helper()
	for i := 0; ; i++ {
		steps := d.Steps() // the work breakdown adds some
		if i == len(steps) || steps[i].ID == id {
			return d
		}
		Accept(d, steps[i], Answer(t, d, steps[i]))
	}
}

// Accept keeps an output in the draft, a minute after the one before it.
func Accept(d drafts.Draft, s drafts.Step, o shape.Object) {
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC).Add(time.Duration(len(d.Records)) * time.Minute)
	r := d.Records[s.ID]
	r.Output, r.SHA256, r.Inputs, r.At = o, drafts.Sum(s.Shape.JSON(o)), d.Inputs(s), at.Format(time.RFC3339)
	switch s.Author {
	case drafts.Model:
		r.By, r.Model, r.Usage = "Codex", "model-a", drafts.Usage{Tries: 1, Took: 20_000}
	case drafts.Person:
		r.By = "anna@home"
	case drafts.Code:
		r.By = "planb"
	}
	d.Records[s.ID] = r
}

// Answer returns a good output for a step.
func Answer(t testing.TB, d drafts.Draft, s drafts.Step) (o shape.Object) {
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
		o, err = d.Read(s, File(t, s.ID+".json"), 0)
	}
	if err != nil {
		t.Fatalf("%s: %v", s.ID, err)
	}
	return o
}

// Step returns a step of the draft.
func Step(t testing.TB, d drafts.Draft, id string) drafts.Step {
	t.Helper()
	s, ok := d.Step(id)
	if !ok {
		t.Fatalf("there is no step %s", id)
	}
	return s
}
