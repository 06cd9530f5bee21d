// Package draftstest is a whole draft for tests: the prompt and the model's answers of
// drafts/workshop, and a person's answers to the gates. A brief draft has a part of
// them.
package draftstest

import (
	"encoding/json"
	"flag"
	"fmt"
	"runtime/debug"
	"sync"
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
	d, err := empty()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func empty() (drafts.Draft, error) {
	start, err := schedule.ParseDate(workshop.Start)
	if err != nil {
		return drafts.Draft{}, err
	}
	prompt, err := workshop.File("prompt.txt")
	return drafts.Draft{
		ID: "0192f0c4-7c1e-7aaa-8bbb-0123456789ab", Prompt: string(prompt), Start: start, Detail: drafts.Brief,
		Flags: schedule.DefaultFlags(), Records: map[string]drafts.Record{},
	}, err
}

// UpTo returns the brief draft with the outputs of all steps before one; with all
// of them if the id is empty.
func UpTo(t testing.TB, id string) drafts.Draft {
	t.Helper()
	return upTo(t, drafts.Brief, id, brief)
}

// FullUpTo does the same for the full draft.
func FullUpTo(t testing.TB, id string) drafts.Draft {
	t.Helper()
	return upTo(t, drafts.Full, id, full)
}

// brief and full are the whole drafts, once a process: to write one takes longer than most
// tests of it.
var (
	brief = sync.OnceValues(func() (drafts.Draft, error) { return whole(drafts.Brief) })
	full  = sync.OnceValues(func() (drafts.Draft, error) { return whole(drafts.Full) })
)

func whole(detail drafts.Detail) (drafts.Draft, error) {
	d, err := empty()
	d.Detail = detail
	for i := 0; err == nil; i++ {
		steps := d.Steps() // the work breakdown adds some
		if i == len(steps) {
			break
		}
		var output shape.Object
		if output, err = answer(d, steps[i]); err == nil {
			Accept(d, steps[i], output)
		}
	}
	return d, err
}

// upTo copies the records of a whole draft before a step: the tests change them.
func upTo(t testing.TB, detail drafts.Detail, id string, whole func() (drafts.Draft, error)) drafts.Draft {
	t.Helper()
	from, err := whole()
	if err != nil {
		t.Fatal(err)
	}
	d := Empty(t)
	d.Detail = detail
	for i := 0; ; i++ {
		steps := d.Steps()
		if i == len(steps) || steps[i].ID == id {
			return d
		}
		record := from.Records[steps[i].ID]
		record.Output = clone(record.Output).(shape.Object)
		d.Records[steps[i].ID] = record
	}
}

// clone copies a value of an output with all that it holds.
func clone(value any) any {
	switch value := value.(type) {
	case shape.Object:
		o := make(shape.Object, len(value))
		for name, field := range value {
			o[name] = clone(field)
		}
		return o
	case []any:
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = clone(item)
		}
		return list
	case string, bool, int64, float64, json.Number:
		return value
	}
	panic(fmt.Sprintf("an output holds a %T", value))
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
func Answer(t testing.TB, d drafts.Draft, s drafts.Step) shape.Object {
	t.Helper()
	o, err := answer(d, s)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func answer(d drafts.Draft, s drafts.Step) (o shape.Object, err error) {
	switch {
	case s.ID == "choose":
		o, err = d.Choose(drafts.Choice{Scenario: "S2", Answers: map[string]string{"Prices": "75 EUR is fine"}, By: "anna@home"})
	case s.ID == "confirm":
		o, err = d.Confirm(drafts.Confirmation{Changed: map[string]string{"A4": "The user and Mira each need 1,300 EUR a month for eight months, not longer."}, By: "anna@home"})
	case s.Author == drafts.Code:
		o, err = d.Write(s)
	default:
		var text []byte
		if text, err = workshop.File(s.ID + ".json"); err == nil {
			o, err = d.Read(s, text, 0)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.ID, err)
	}
	return o, nil
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
