package ask_test

import (
	"errors"
	"testing"

	"planb/drafts/shape"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/tui/ask"
	"planb/tui/tuitest"
)

// The forms of a draft number what they offer. Once an agent has written that again, an answer
// from before stands only where the same words are asked and offered.
func TestAnAnswerFromBeforeMeansTheSameWords(t *testing.T) {
	replies := map[string]questions.Outcome{
		"replied":     {State: questions.Discuss, Message: safe.New("Is there a cheaper one?")},
		"half-filled": {State: questions.Withdrawn, By: runs.Planb},
	}
	for name, outcome := range replies {
		for end, want := range map[string]string{"another place": "S2", "gone": ""} {
			w := tuitest.NewWorld(t)
			p := w.Draft(w.Session("Workshop", "/home/you/shop"), "choose")
			gate := p.Draft.ReadySteps()[0]
			open := func() store.Ask {
				t.Helper()
				ask, _, err := w.Store.OpenAsk(t.Context(), store.Ask{
					Session: p.Session, Spec: tuitest.Must(p.Form(gate)), Subject: store.Subject{Kind: runs.SubjectKind, ID: p.Gate(gate).Subject()},
				})
				if err != nil {
					t.Fatal(err)
				}
				return ask
			}
			before := open()
			reply := questions.Reply{Answers: map[string]questions.Value{"scenario": questions.TextValue("S1")}}
			if outcome.State == questions.Discuss {
				outcome.Reply = reply
			} else if err := w.Store.SaveEntry(t.Context(), before.ID, before.Spec.EntryFrom(reply)); err != nil {
				t.Fatal(err)
			}
			_, settled := w.Store.Settle(t.Context(), before.ID, outcome)
			if err := errors.Join(settled, w.Store.Deliver(t.Context(), before.ID)); err != nil {
				t.Fatal(err)
			}
			p = renamed(t, w, p, end == "gone")
			pane := ask.NewHost(w.Store, ask.Options{ID: open().ID, By: "you@desk"})
			opened, err := pane.Start()
			if err != nil {
				t.Fatal(err)
			}
			chosen, _ := opened.Entry.Reply(opened.Ask.Spec).Answers["scenario"].Text()
			if chosen != want {
				t.Errorf("%s, and the scenario is at %s: %q is chosen, want %q", name, end, chosen, want)
			}
		}
	}
}

// renamed has an agent swap the names of the first two scenarios of a draft, or give both others.
func renamed(t *testing.T, w *tuitest.World, p runs.Whole, others bool) runs.Whole {
	t.Helper()
	output := p.Draft.Output("scenarios")
	list := output.Records("scenarios")
	swap := func(field string, a, b shape.Object) { a[field], b[field] = b[field], a[field] }
	swap("name", list[0], list[1])
	swap("stance", list[0], list[1])
	if others {
		list[0]["name"], list[1]["name"] = "Rent it first", "Ask the city"
	}
	now, _, err := w.Store.Drafts().Edit(t.Context(), runs.Caller{Name: "Codex"}, runs.Edit{
		Plan: p.ID, Step: "scenarios", SHA256: p.Draft.Records["scenarios"].SHA256, Output: output,
	})
	if err != nil {
		t.Fatal(err)
	}
	return now
}

// A form of a draft that asks again, because something has changed, offers the answers from before.
func TestAnAnsweredFormOfADraftIsOffered(t *testing.T) {
	w := tuitest.NewWorld(t)
	p := w.Draft(w.Session("Workshop", "/home/you/shop"), "choose")
	gate := p.Draft.ReadySteps()[0]
	open := func() store.Ask {
		t.Helper()
		ask, _, err := w.Store.OpenAsk(t.Context(), store.Ask{
			Session: p.Session, Spec: tuitest.Must(p.Form(gate)), Subject: store.Subject{Kind: runs.SubjectKind, ID: p.Gate(gate).Subject()},
		})
		if err != nil {
			t.Fatal(err)
		}
		return ask
	}
	before := open()
	_, settled := w.Store.Settle(t.Context(), before.ID, questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{
		"scenario": questions.TextValue("S1"), "missing-1": questions.TextValue("At most 700 euros"),
	}}})
	if err := errors.Join(settled, w.Store.Deliver(t.Context(), before.ID)); err != nil {
		t.Fatal(err)
	}
	p = renamed(t, w, p, false)
	opened, err := ask.NewHost(w.Store, ask.Options{ID: open().ID, By: "you@desk"}).Start()
	if err != nil {
		t.Fatal(err)
	}
	earlier := opened.EarlierAnswers
	if opened.Recalling != nil {
		earlier = <-opened.Recalling
	}
	way, _ := earlier["scenario"].Answer.Text()
	money, _ := earlier["missing-1"].Answer.Text()
	if way != "S2" || money != "At most 700 euros" || len(opened.Entry.Fields) != 0 {
		t.Errorf("offered are %q and %q, and filled in is %v", way, money, opened.Entry.Fields)
	}
}
