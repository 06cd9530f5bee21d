package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/compare"
	"planb/tui/keymap"
	"planb/tui/wording"
)

func verdictOf(act keymap.Action) review.Verdict {
	switch act {
	case keymap.Approve:
		return review.Approve
	case keymap.ApproveNotes:
		return review.ApproveWithNotes
	case keymap.Request:
		return review.RequestChanges
	}
	return review.Reject
}

// decide lets the person choose a verdict.
func (b *reviewBody) decide() *dialog {
	var items []item
	for _, choice := range []struct {
		letter  string
		verdict review.Verdict
	}{{"a", review.Approve}, {"A", review.ApproveWithNotes}, {"r", review.RequestChanges}, {"R", review.Reject}} {
		items = append(items, item{letter: choice.letter, label: wording.Verdict(choice.verdict), does: func() tea.Cmd {
			return b.showVerdict(choice.verdict)
		}})
	}
	d := newDialog("What do you say of v"+fmt.Sprint(b.in.Version)+"?", append(items,
		item{letter: "l", label: "Save for later", does: b.host.later, apart: true})...)
	if b.state.Said() || !b.state.Edited.IsZero() {
		d.at = 2
	}
	return d
}

// showVerdict opens the second step of a verdict. No key of the burst that opened it
// takes that step.
func (b *reviewBody) showVerdict(v review.Verdict) tea.Cmd { return b.host.openDeciding(b.verdict(v)) }

// verdict asks once more before a verdict is sent. Saying something with an
// approval makes it one with notes.
func (b *reviewBody) verdict(v review.Verdict) *dialog {
	if v == review.Approve && b.state.Said() {
		v = review.ApproveWithNotes
	}
	d := newDialog(fmt.Sprintf("%s: v%d", wording.Verdict(v), b.in.Version),
		item{label: wording.Verdict(v), does: func() tea.Cmd { return b.send(v) }}, item{label: "Back", does: b.host.closeDialog})
	d.says = []string{b.consequence(v)}
	if with := b.goesWith(v); with != "" {
		d.says = append(d.says, with)
	}
	if v != review.Approve {
		shows := map[review.Verdict]string{
			review.ApproveWithNotes: "what is to be done, too", review.RequestChanges: "what should change, beside your comments", review.Reject: "why",
		}[v]
		d.ask(shows, b.state.Review.Note, b.state.SetNote)
	}
	return d
}

// consequence says what a verdict means for the agent.
func (b *reviewBody) consequence(v review.Verdict) string {
	switch {
	case v.Approves() && len(b.state.Review.Withheld) > 0:
		return b.host.who() + " may carry out the sections that are not held back, exactly as they are. The plan as a whole is not approved."
	case v.Approves() && !b.state.Edited.IsZero():
		return b.host.who() + " may go on, with exactly what you made of this version."
	case v.Approves():
		return fmt.Sprintf("%s may go on, with exactly this version (sha256 %.12s). A later edit is not approved.", b.host.who(), b.state.Review.Digest)
	case v == review.RequestChanges:
		return b.host.who() + " is asked to change the plan and to submit it again."
	}
	return b.host.who() + " is told that this plan is refused as a whole."
}

// send sends the review with a verdict.
func (b *reviewBody) send(v review.Verdict) tea.Cmd {
	text, err := b.state.Complete(v)
	if err != nil {
		b.host.refused(err)
		return nil
	}
	return b.host.settle(questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(text))},
	}})
}

// showWhole edits what is said of the whole plan.
func (b *reviewBody) showWhole() tea.Cmd {
	b.state.Remember()
	before := b.state.Changes()
	done := func() tea.Cmd {
		if b.state.Changes() == before {
			b.state.Forget()
		}
		return b.host.closeDialog()
	}
	d := newDialog("On the whole plan",
		item{label: "Keep", does: done}, item{label: "Clear", does: func() tea.Cmd {
			b.state.SetNote("")
			return done()
		}},
	).ask("goes to the agent with your review", b.state.Review.Note, b.state.SetNote)
	d.escape = done
	b.host.open(d)
	return nil
}

// menu is what Esc offers for a plan.
func (b *reviewBody) menu() bodyMenu {
	copies := item{letter: "c", label: "Copy the review", does: b.copyAll, apart: true}
	switch {
	case b.readOnly:
		return bodyMenu{keep: "Keep reading", items: []item{copies}}
	case b.in.Problem != nil:
		return bodyMenu{keep: "Keep reviewing", items: []item{copies}}
	}
	copies.apart = false
	return bodyMenu{keep: "Keep reviewing", submit: "Decide", items: []item{
		{letter: "w", label: "A comment on the whole plan", does: b.showWhole, apart: true},
		{letter: "e", label: "Edit the plan in your editor", does: b.editPlan},
		copies,
	}}
}

// submit asks for a verdict.
func (b *reviewBody) submit() tea.Cmd {
	b.host.open(b.decide())
	return nil
}

// copyAll copies the review as the agent would get it if changes were asked for
// now; of one that was sent, what the agent got.
func (b *reviewBody) copyAll() tea.Cmd {
	s := b.state
	if !s.Review.Feedback.IsZero() {
		return b.host.copy(s.Review.Feedback.Raw())
	}
	r := s.Review
	r.Withheld = nil
	if r.Verdict == "" {
		r.Verdict = review.RequestChanges
	}
	done, err := r.Complete(s.Text, s.Edited)
	if err != nil {
		b.host.say(toneWarn, "Nothing copied: %s", safe.New(err.Error()).Line())
		return nil
	}
	return b.host.copy(done.Feedback.Raw())
}

// showChanges shows what changed.
func (b *reviewBody) showChanges(which reviewChanges) {
	b.diff, b.shows = compare.Embedded(b.compared(which), b.host.keys()), which
	if look := b.host.look(); look != nil {
		b.diff.Retheme(look)
		b.sizeChanges()
	}
}

func (b *reviewBody) sizeChanges() { b.diff.Resize(b.host.size()) }

// toggleChanges goes from the plan through all that changed, and back.
func (b *reviewBody) toggleChanges() {
	list := b.changed()
	next := 0
	if b.diff != nil {
		next = slices.Index(list, b.shows) + 1
	}
	shown := b.diff
	b.diff = nil
	switch {
	case next < len(list):
		b.showChanges(list[next])
	case shown == nil:
		b.host.say(toneCalm, "There is nothing to compare with: this plan was not reviewed before.")
	}
}

// pressInChanges does one key while what changed is shown.
func (b *reviewBody) pressInChanges(msg tea.KeyPressMsg) tea.Cmd {
	b.diff.Say("")
	switch act := b.diff.ActionOf(msg); act {
	case keymap.Escape:
		b.leaveChanges()
	case keymap.Menu:
		b.host.showMenu()
	case keymap.Changes:
		b.toggleChanges()
	case keymap.None:
		// Whoever wants to say something goes to the plan for it.
		switch b.host.keys().Read(msg, false).Act {
		case keymap.Help:
			return b.host.showHelp()
		case keymap.Filter: // it is the plan that is searched
			b.leaveChanges()
			return b.do(keymap.Filter)
		case keymap.None:
		default:
			b.diff.Say("This is what changed; " + b.host.keys().Label(keymap.Escape) + " goes to the plan.")
		}
	default:
		return b.diff.Act(act)
	}
	return nil
}

// leaveChanges goes to the plan, to the change that was looked at.
func (b *reviewBody) leaveChanges() {
	if line := b.diff.Line(); line > 0 && b.shows == changesSince {
		b.goTo(review.Spot{Line: min(line, len(b.state.Lines))})
	}
	b.diff = nil
}
