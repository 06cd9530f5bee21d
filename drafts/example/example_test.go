package example_test

import (
	"slices"
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/example"
	"planb/drafts/report"
)

// The example is whole: all steps of a full draft of a sample prompt, each as it would be
// written now, and a report that code finds no fault with.
func TestTheExampleIsWhole(t *testing.T) {
	e, err := example.Read()
	if err != nil {
		t.Fatal(err)
	}
	samples, err := drafts.Samples()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(samples, func(s drafts.Sample) bool { return s.Prompt == e.Draft.Prompt }) {
		t.Error("its prompt is no sample")
	}
	standings := e.Draft.Standings()
	for _, s := range e.Draft.Steps() {
		if r := e.Draft.Records[s.ID]; r.Output == nil || r.By == "" || r.At == "" || !standings[s.ID].Done() {
			t.Errorf("%s is %v, written by %q at %q", s.ID, standings[s.ID], r.By, r.At)
		}
	}
	for _, found := range e.Draft.Lint() {
		t.Errorf("code finds: %s", found)
	}
	if late := e.Draft.Late(); len(late) > 0 {
		t.Errorf("it is late: %v", late)
	}
	text := string(report.Markdown(e.Draft))
	for _, want := range []string{"## Summary\n", "**Decisions asked for**"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report has not %q", want)
		}
	}
	if _, err := report.HTML(e.Draft); err != nil {
		t.Error(err)
	}
	if _, err := report.Zip(e.Draft, nil); err != nil {
		t.Error(err)
	}
}
