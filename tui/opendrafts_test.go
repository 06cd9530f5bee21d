package tui

import (
	"testing"

	"planb/drafts/draftstest"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/tui/ask"
	"planb/tui/tuitest"
)

// A person who replies to the form of a draft, and opens it again before an agent has read the
// reply, finds their words in it.
func TestAReplyThatNoAgentReadIsInTheNextForm(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	draft := w.Draft(w.Session("Bicycles", "/home/you/shop"), "choose")
	o := DraftsOptions{Store: w.Store, By: "you@desk"}
	step := draft.Draft.ReadySteps()[0]
	first := tuitest.Must(o.gate(t.Context(), draft, step))
	reply := questions.Reply{Answers: map[string]questions.Value{}, Note: safe.New("No loans.")}
	for _, q := range first.Spec.Questions {
		if q.Kind == questions.Single {
			reply.Answers[q.ID] = questions.TextValue(q.Options[0].Value.Raw())
		}
	}
	tuitest.Must(w.Store.Settle(t.Context(), first.ID, questions.Outcome{State: questions.Discuss, Message: safe.New("Why three ways?"), Reply: reply, By: o.By}))
	again := tuitest.Must(o.gate(t.Context(), draft, step))
	entry, kept, err := w.Store.Entry(t.Context(), again.ID)
	if err != nil || !kept || again.ID == first.ID || !again.Open() {
		t.Fatalf("the form again is %s after %s, its entry is kept: %v, %v", again.ID, first.ID, kept, err)
	}
	if got := entry.Note.Raw(); got != "No loans.\n\nWhy three ways?" {
		t.Errorf("the note is %q", got)
	}
	if got := entry.Reply(again.Spec).Answers; len(got) == 0 || len(got) != len(reply.Answers) {
		t.Errorf("taken over are %v of %v", got, reply.Answers)
	}
	if joined := tuitest.Must(o.gate(t.Context(), draft, step)); joined.ID != again.ID {
		t.Error("the open form is not joined")
	}
}

// What a person began in the form of a draft, before an agent changed what the form asks about, is
// in the next form of that step, as far as it asks the same.
func TestWhatWasBegunInAFormGoesOnInTheNext(t *testing.T) {
	t.Parallel()
	const (
		missing = "Bicycles only, and no loan."
		note    = "Ask Mira."
	)
	for name, test := range map[string]struct {
		begin func(w *tuitest.World, first store.Ask, entry questions.Entry)
		end   questions.Outcome // of the form in which it was begun
		want  bool
	}{
		"saved": {saveEntry, questions.Outcome{State: questions.Withdrawn, By: runs.Planb}, true},
		"kept as too late": {func(w *tuitest.World, first store.Ask, entry questions.Entry) {
			if err := ask.NewHost(w.Store, ask.Options{ID: first.ID}).KeepLate(first, entry); err != nil {
				w.T.Error(err)
			}
		}, questions.Outcome{State: questions.Withdrawn, By: runs.Planb}, true},
		"withdrawn by an agent":      {saveEntry, questions.Outcome{State: questions.Withdrawn}, true},
		"withdrawn by the person":    {saveEntry, questions.Outcome{State: questions.Withdrawn, Message: safe.New("Withdrawn by the person who was asked.")}, false},
		"nothing was entered at all": {func(*tuitest.World, store.Ask, questions.Entry) {}, questions.Outcome{State: questions.Withdrawn, By: runs.Planb}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := tuitest.NewWorld(t)
			draft := w.Draft(w.Session("Bicycles", "/home/you/shop"), "choose")
			o := DraftsOptions{Store: w.Store, By: "you@desk"}
			first := tuitest.Must(o.gate(t.Context(), draft, draft.Draft.ReadySteps()[0]))
			entry := questions.Entry{Note: safe.New(note), Fields: map[string]questions.Field{}}
			for i, q := range first.Spec.Questions {
				switch q.Kind {
				case questions.Single:
					entry.Fields[q.ID] = questions.Field{Picked: []string{q.Options[i+1].Value.Raw()}}
				case questions.LongText:
					entry.Fields[q.ID] = questions.Field{Text: safe.New(q.Label.Raw() + " " + missing)}
				}
			}
			if len(entry.Fields) < 3 {
				t.Fatalf("the form has %d questions", len(entry.Fields))
			}
			late := name == "kept as too late"
			if !late {
				test.begin(w, first, entry)
			}
			tuitest.Must(w.Store.Settle(t.Context(), first.ID, test.end))
			if late {
				test.begin(w, first, entry)
			}

			// The agent takes the first open point out, so that the others get other ids.
			brief := draft.Draft.Output("brief")
			brief["missing"] = brief["missing"].([]any)[1:]
			agent := runs.Caller{Name: "Codex"}
			changed, _, err := w.Store.Drafts().Edit(t.Context(), agent, runs.Edit{Plan: draft.ID, Step: "brief", SHA256: draft.Draft.Records["brief"].SHA256, Output: brief})
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // it writes the scenarios again
				step := changed.Draft.ReadySteps()[0]
				changed = tuitest.Must(w.Store.Drafts().Accept(t.Context(), agent, runs.Answer{
					Plan: draft.ID, Step: step.ID, Output: draftstest.Answer(t, changed.Draft, step), Inputs: changed.Draft.Inputs(step), Generation: changed.Generation,
				}))
			}
			next := tuitest.Must(o.gate(t.Context(), changed, changed.Draft.ReadySteps()[0]))
			host := ask.NewHost(w.Store, ask.Options{ID: next.ID})
			opened := tuitest.Must(host.Start())
			if opened.Begun != test.want {
				t.Errorf("the next form says that it was begun: %v", opened.Begun)
			}
			got := opened.Entry.Reply(next.Spec)
			if !test.want {
				if len(got.Answers) > 0 || !got.Note.IsZero() {
					t.Errorf("the next form holds %+v", got)
				}
				return
			}
			if len(got.Answers) != len(entry.Fields)-1 || got.Note.Raw() != note {
				t.Errorf("taken over are %v, %q", got.Answers, got.Note.Raw())
			}
			for _, q := range next.Spec.Questions {
				if text, _ := got.Answers[q.ID].Text(); q.Kind == questions.LongText && text != q.Label.Raw()+" "+missing {
					t.Errorf("to %q the next form answers %q", q.Label.Raw(), text)
				} else if q.Kind == questions.Single && text != q.Options[1].Value.Raw() {
					t.Errorf("chosen is %q", text)
				}
			}
		})
	}
}

func saveEntry(w *tuitest.World, first store.Ask, entry questions.Entry) {
	w.T.Helper()
	if err := w.Store.SaveEntry(w.T.Context(), first.ID, entry); err != nil {
		w.T.Fatal(err)
	}
}
