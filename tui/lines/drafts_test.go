package lines

import (
	"context"
	"strings"
	"testing"

	rules "planb/drafts"
	"planb/drafts/schedule"
	"planb/store"
	"planb/store/runs"
	"planb/tui/drafts"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

func (w *world) drawer() drafts.Deps {
	room := w.Store.Drafts()
	return drafts.Deps{
		Store: room, Watcher: w.Store, By: "you@desk", Now: w.Clock, Section: rules.Draft.Markdown, Schedule: rules.Draft.Schedule,
		Gate: func(ctx context.Context, p runs.Whole, step rules.Step) (store.Ask, error) {
			form, err := p.Form(step)
			if err != nil {
				return store.Ask{}, err
			}
			ask, _, err := w.Store.OpenAsk(ctx, store.Ask{Session: p.Session, Spec: form, Subject: store.Subject{Kind: runs.SubjectKind, ID: p.Gate(step).Subject()}})
			return ask, err
		},
		SaveReport: func(ctx context.Context, p runs.Whole) (int, error) {
			plan, _, err := w.Store.SavePlan(ctx, p.Session, "", "# Report\n")
			return plan.Number, err
		},
	}
}

// draftsInLines reads a draft out; typed is what the person types.
func (w *world) draftsInLines(draft string, typed ...string) string {
	w.T.Helper()
	return w.talked(typed, func(ctx context.Context, terminal screen.Terminal) error {
		return Drafts(ctx, DraftsOptions{Desk: w.drawer(), Store: w.Store, Draft: draft, By: "you@desk", Now: w.Clock, Terminal: terminal})
	})
}

// A person without a screen reads a draft, answers its form, has a section written again, and
// stops it and lets it go on.
func TestDraftsInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	draft := w.Draft(w.Session("Workshop", "/home/you/shop"), "choose")
	prints(t, w.inboxInLines(InboxOptions{Drafts: w.drawer()}, "leave"), "Drafts that need you: 1.", "Open it with  planb tui drafts "+store.ShortID(draft.ID))
	prints(t, w.draftsInLines("", "?", "9", "nothing", "leave"), "Drafts: 1.", "A number reads that draft out.\nagain: ", "Nothing has that number.", "There is no such word here.")
	prints(t, w.draftsInLines("", "1", "leave", "leave"), "Drafts: 1.", "2 of 12 steps", "It waits for you; answer opens the form.", "1. ", "written, Codex")
	prints(t, w.draftsInLines(draft.ID, "1", "brief", "nothing", "help", "leave"), "By Codex", "There is no such word or section here.", "has the section written again")
	out := w.draftsInLines(draft.ID, "write 1 name the street", "yes", "write 9", "write choose", "stop", "yes", "continue", "save", "leave")
	prints(t, out, "It is written again.", "It is not written yet.", "No model writes that section.", "Stopped.", "It goes on", "Saved.")
	now := tuitest.Must(w.Store.Drafts().Plan(t.Context(), draft.ID))
	if now.Draft.Records["brief"].Guidance != "name the street" || now.State != runs.Pending || now.Resumes != 1 {
		t.Errorf("the guidance is %q, the state %s", now.Draft.Records["brief"].Guidance, now.State)
	}
}

// The flags of the schedule are changed with words.
func TestPlacingInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	draft := w.Draft(w.Session("Workshop", "/home/you/shop"), "choose")
	out := w.draftsInLines(draft.ID, "place", "place 3", "yes", "place phases", "yes", "place tasks", "no", "place 99", "yes", "leave")
	prints(t, out, "The schedule is made with at most 12 at once, phases overlap.", "Make the schedule with at most 3 at once, phase by phase?", "Tasks at once: got 99; allowed: 1 to 20. The schedule was not changed.")
	now := tuitest.Must(w.Store.Drafts().Plan(t.Context(), draft.ID))
	if want := (schedule.Flags{PhaseOrder: true, Edges: true, Parallel: 3}); now.Flags != want {
		t.Errorf("the flags are %+v", now.Flags)
	}
}

// The form of a step is answered in the same conversation.
func TestAGateInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	draft := w.Draft(w.Session("Workshop", "/home/you/shop"), "choose")
	out := w.draftsInLines(draft.ID, "answer", "1", "", "", "", "", "", "send", "leave")
	now := tuitest.Must(w.Store.Drafts().Plan(t.Context(), draft.ID))
	if now.Draft.Output("choose") == nil {
		t.Errorf("nothing was chosen:\n%s", out)
	}
}

// A person answers again what they answered, once they have agreed to that.
func TestAGateAnsweredAgainInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	draft := w.Draft(w.Session("Workshop", "/home/you/shop"), "choose")
	w.draftsInLines(draft.ID, "answer", "1", "", "", "", "", "", "send", "leave")
	chosen := func() string {
		now := tuitest.Must(w.Store.Drafts().Plan(t.Context(), draft.ID))
		return now.Draft.Records["choose"].SHA256
	}
	first := chosen()
	for _, ask := range tuitest.Must(w.Store.Asks(t.Context(), draft.Session)) {
		if err := w.Store.Deliver(t.Context(), ask.ID); err != nil {
			t.Fatal(err)
		}
	}
	out := w.draftsInLines(draft.ID, "answer", "answer 1", "answer 4", "answer 5", "answer choose", "no", "leave")
	prints(t, out, "No form of this draft waits for you; answer and the number of a section of yours asks you that again.",
		"No form asks for that section.", "It is not written yet.", "Until you answer again, the first answer does not count.")
	if now := chosen(); now != first {
		t.Errorf("without a yes it is %s", now)
	}
	out = w.draftsInLines(draft.ID, "answer 3", "yes", "2", "", "", "", "", "", "send", "leave")
	if now := chosen(); now == first || now == "" {
		t.Errorf("answered again it is %q:\n%s", now, out)
	}
}

// A person who declines a draft's form reads before that the draft stops with it.
func TestADraftsFormDeclinedInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.Draft(w.Session("Workshop", "/home/you/shop"), "choose")
	gate := p.Draft.ReadySteps()[0]
	ask, _, err := w.Store.OpenAsk(t.Context(), store.Ask{
		Session: p.Session, Spec: tuitest.Must(p.Form(gate)), Subject: store.Subject{Kind: runs.SubjectKind, ID: p.Gate(gate).Subject()},
	})
	if err != nil {
		t.Fatal(err)
	}
	const stops = "The draft stops with it; planb draft resume lets it go on. Type yes to decline:"
	if _, out := w.plainly(ask, "/decline", "", "no", "/later"); !strings.Contains(strings.Join(strings.Fields(out), " "), stops) {
		t.Errorf("it says:\n%s", out)
	}
}
