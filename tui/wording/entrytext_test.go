package wording

import (
	"slices"
	"testing"

	"planb/questions"
	"planb/questions/safe"
)

func TestUnsentIsAllThatWasEntered(t *testing.T) {
	spec := questions.Spec{Questions: []questions.Question{
		{ID: "name", Kind: questions.Text, Label: safe.New("Its name?")},
		{ID: "why", Kind: questions.Text, Label: safe.New("Why?")},
	}}
	entry := questions.Entry{
		Note: safe.New("in all"), Message: safe.New("wait"),
		Fields: map[string]questions.Field{"name": {Text: safe.New("Vega"), Note: safe.New("or Rigel")}},
	}
	want := []string{`{"name":"Vega"}`, "note on name: or Rigel", "note on the whole form: in all", "message: wait"}
	if got := Unsent(spec, entry); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
