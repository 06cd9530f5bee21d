package tui

import (
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

func TestAskText(t *testing.T) {
	spec := questions.Spec{Title: safe.New("Storage"), Questions: []questions.Question{
		{ID: "db", Kind: questions.Single, Label: safe.New("Which?"), Options: []questions.Option{
			{Value: safe.New("s"), Label: safe.New("SQLite")}, {Value: safe.New("p")},
		}},
		{ID: "parts", Kind: questions.Multi, Label: safe.New("Parts?"), Options: []questions.Option{{Value: safe.New("a"), Label: safe.New("All")}}},
		{ID: "risk", Kind: questions.Scale, Label: safe.New("Risk?")},
		{ID: "why", Kind: questions.LongText, Label: safe.New("Why?")},
	}}
	at := aMoment.Add(5 * time.Minute)
	ask := store.Ask{
		Spec: spec, Created: aMoment, Client: store.Client{Title: safe.New("Codex")},
		Outcome: questions.Outcome{State: questions.Discuss, At: at, By: "ann@desk", Message: safe.New("More?"), Reply: questions.Reply{
			Answers: map[string]questions.Value{
				"db": questions.TextValue("s"), "parts": questions.ItemsValue("a", "their own"), "why": questions.TextValue("one\ntwo"),
			},
			Notes: map[string]safe.Text{"risk": safe.New("cannot tell")}, Note: safe.New("in a hurry"),
		}},
		Late: []questions.Outcome{{State: questions.Answered, At: at.Add(time.Minute), By: "bob@home", Reply: questions.Reply{
			Answers: map[string]questions.Value{"risk": questions.NumberValue(2.5)},
		}}},
	}
	const want = `Storage
asked 2026-11-20 14:07 by Codex
Replied to without finishing 2026-11-20 14:12 by ann@desk
No agent was told yet.

Which?
  SQLite

Parts?
  All, their own

Risk?
  (left open)
  Note: cannot tell

Why?
  one
  two

Note: in a hurry

Message: More?

Too late, answered 2026-11-20 14:13 by bob@home:

Risk?
  2.5
`
	if got := AskText(ask, aMoment.Location()).Raw(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	for state, want := range map[questions.State]string{
		"": "open still", questions.Pending: "open still", questions.Expired: "open still, though its time is over",
		questions.Withdrawn: "withdrawn", "postponed": "postponed",
	} {
		if got := became(questions.Outcome{State: state}, time.UTC); got != want {
			t.Errorf("%q became %q", state, got)
		}
	}
}
