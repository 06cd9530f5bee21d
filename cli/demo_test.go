package cli

import (
	"testing"

	"planb/cli/ownagent"
)

// The plan that the demo saves says the answers as a person would read them.
func TestTheDemosPlanIsInWords(t *testing.T) {
	const form = `{"title":"Names","questions":[
		{"id":"kind","kind":"single","label":"Which ship?","options":[{"value":"h","label":"Heron"},"swan"]},
		{"id":"with","kind":"multi","label":"With what?","options":[{"value":"s","label":"Sails"},{"value":"o","label":"Oars"}]},
		{"id":"days","kind":"scale","label":"How long?","min":1,"max":9},
		{"id":"why","kind":"longtext","label":"Why?"},
		{"id":"open","kind":"text","label":"What else?"}]}`
	plan, answered := planFrom(form, ownagent.Answer{Text: `{"kind":"h","with":["s","a flag"],"days":4,"why":"Wind.\n\nAnd time."}` + "\nmore"})
	want := "# What was decided\n\n- Which ship? Heron\n- With what? Sails, a flag\n- How long? 4\n- Why? Wind. And time.\n"
	if plan != want || !answered {
		t.Errorf("got\n%s\nwant\n%s", plan, want)
	}
	if _, answered := planFrom(form, ownagent.Answer{Text: "User cancelled."}); answered {
		t.Error("a refusal is taken for answers")
	}
}
