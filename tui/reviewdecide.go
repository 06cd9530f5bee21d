package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"planb/plans/diff"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
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
		items = append(items, item{letter: choice.letter, label: wording.Verdict(choice.verdict), does: func(*form) tea.Cmd {
			return b.showVerdict(choice.verdict)
		}})
	}
	d := newDialog("What do you say of v"+fmt.Sprint(b.in.Version)+"?", append(items,
		item{letter: "l", label: "Save for later", does: (*form).later, apart: true})...)
	if b.state.Said() || !b.state.Edited.IsZero() {
		d.at = 2
	}
	return d
}

// showVerdict opens the second step of a verdict. No key of the burst that opened it
// takes that step.
func (b *reviewBody) showVerdict(v review.Verdict) tea.Cmd {
	b.form.dialog = b.verdict(v)
	return b.form.gate.rest()
}

// verdict asks once more before a verdict is sent. Saying something with an
// approval makes it one with notes.
func (b *reviewBody) verdict(v review.Verdict) *dialog {
	if v == review.Approve && b.state.Said() {
		v = review.ApproveWithNotes
	}
	d := newDialog(fmt.Sprintf("%s: v%d", wording.Verdict(v), b.in.Version),
		item{label: wording.Verdict(v), does: func(f *form) tea.Cmd { return b.send(v) }}, item{label: "Back", does: closeDialog})
	d.says = []string{b.consequence(v)}
	if with := b.goesWith(v); with != "" {
		d.says = append(d.says, with)
	}
	if v != review.Approve {
		shows := map[review.Verdict]string{
			review.ApproveWithNotes: "what is to be done, too", review.RequestChanges: "what should change, beside your comments", review.Reject: "why",
		}[v]
		d.ask(shows, b.state.Review.Note, b.keepNote)
	}
	return d
}

// consequence says what a verdict means for the agent.
func (b *reviewBody) consequence(v review.Verdict) string {
	switch {
	case v.Approves() && len(b.state.Review.Withheld) > 0:
		return b.form.who() + " may carry out the sections that are not held back, exactly as they are. The plan as a whole is not approved."
	case v.Approves() && !b.state.Edited.IsZero():
		return b.form.who() + " may go on, with exactly what you made of this version."
	case v.Approves():
		return fmt.Sprintf("%s may go on, with exactly this version (sha256 %.12s). A later edit is not approved.", b.form.who(), b.state.Review.Digest)
	case v == review.RequestChanges:
		return b.form.who() + " is asked to change the plan and to submit it again."
	}
	return b.form.who() + " is told that this plan is refused as a whole."
}

// goesWith says what a verdict takes with it.
func (b *reviewBody) goesWith(v review.Verdict) string {
	s := b.state
	comments, edit, held := "", "", ""
	if n := len(s.Review.Comments); n > 0 {
		comments = wording.Count(n, "comment")
	}
	if !s.Edited.IsZero() {
		edit = "your edit of the plan"
	}
	if n := len(s.Review.Withheld); n > 0 && v.Approves() {
		held = wording.Count(n, "section") + " not approved"
	}
	if with := cells.Join(comments, edit, held); with != "" {
		return "With it: " + with + "."
	}
	if v == review.RequestChanges {
		return "You have not said yet what should change."
	}
	return ""
}

func (b *reviewBody) keepNote(_ *formState, text string) {
	b.state.SetNote(text)
	b.changed()
}

// send sends the review with a verdict.
func (b *reviewBody) send(v review.Verdict) tea.Cmd {
	text, err := b.state.Complete(v)
	if err != nil {
		b.form.dialog = b.form.refusedDialog(err)
		return nil
	}
	return b.form.settle(questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(text))},
	}})
}

// showWhole edits what is said of the whole plan.
func (b *reviewBody) showWhole(f *form) tea.Cmd {
	b.state.Remember()
	before := b.state.Changes()
	done := func(f *form) tea.Cmd {
		if b.state.Changes() == before {
			b.state.Forget()
		}
		return closeDialog(f)
	}
	f.dialog = newDialog("On the whole plan",
		item{label: "Keep", does: done}, item{label: "Clear", does: func(f *form) tea.Cmd {
			b.keepNote(f.state, "")
			return done(f)
		}},
	).ask("goes to the agent with your review", b.state.Review.Note, b.keepNote)
	f.dialog.escape = done
	return nil
}

// menu is what Esc opens from a plan.
func (b *reviewBody) menu() *dialog {
	common := []item{
		{letter: "c", label: "Copy the review", does: b.copyAll, apart: true},
		{letter: "t", label: "Light or dark", does: toggleTheme},
		{letter: "T", label: "Choose a theme", does: showThemes},
		{letter: "h", label: "Help", does: showHelp},
	}
	if b.readOnly() {
		return newDialog("Menu", append([]item{
			{letter: "k", label: "Keep reading", does: closeDialog},
			{letter: "l", label: "Close", does: (*form).later},
		}, common...)...)
	}
	items := []item{{letter: "k", label: "Keep reviewing", does: closeDialog}}
	if b.in.Problem == nil {
		items = append(items, item{letter: "s", label: "Decide", does: (*form).submit})
	}
	items = append(items, b.form.laterItems()...)
	items = append(items,
		item{letter: "r", label: "Reply without finishing", does: showDiscuss},
		item{letter: "d", label: "Decline", does: showDecline})
	if b.in.Problem == nil {
		items = append(items,
			item{letter: "w", label: "A comment on the whole plan", does: b.showWhole, apart: true},
			item{letter: "e", label: "Edit the plan in your editor", does: func(*form) tea.Cmd { return b.editPlan() }})
		common[0].apart = false
	}
	return newDialog("Menu", append(items, common...)...)
}

// copyAll copies the review as the agent would get it if changes were asked for
// now; of one that was sent, what the agent got.
func (b *reviewBody) copyAll(f *form) tea.Cmd {
	s := b.state
	if !s.Review.Feedback.IsZero() {
		return f.copy(s.Review.Feedback.Raw())
	}
	r := s.Review
	r.Withheld = nil
	if r.Verdict == "" {
		r.Verdict = review.RequestChanges
	}
	done, err := r.Complete(s.Text, s.Edited)
	if err != nil {
		f.say(toneWarn, "Nothing copied: %s", safe.New(err.Error()).Line())
		return nil
	}
	return f.copy(done.Feedback.Raw())
}

// reviewChanges is one of the things that have changed.
type reviewChanges uint8

const (
	changesSince reviewChanges = iota // since the version that the person knows
	changesOwn                        // by the person's own edit
	changesNewer                      // in a version that was written since, and not submitted
)

// changes lists what there is to show of them, in the order of showing.
func (b *reviewBody) changes() []reviewChanges {
	var list []reviewChanges
	if !b.readOnly() && (b.in.Begun != nil || b.in.Earlier != nil && b.in.Earlier.Diff != nil) {
		list = append(list, changesSince)
	}
	if !b.state.Edited.IsZero() {
		list = append(list, changesOwn)
	}
	if !b.in.Newer.Text.IsZero() {
		list = append(list, changesNewer)
	}
	return list
}

// compared is what is to be compared for one of the things that have changed.
func (b *reviewBody) compared(which reviewChanges) compare.Comparison {
	this := fmt.Sprintf("v%d", b.in.Version)
	c := compare.Comparison{From: this, Before: b.state.Text}
	switch e := b.in.Earlier; {
	case which == changesOwn:
		c.To, c.After = "your edit", b.state.Edited
		c.Named = this + " → your edit"
	case which == changesNewer:
		c.To, c.After = fmt.Sprintf("v%d, which is not submitted", b.in.Newer.Number), b.in.Newer.Text
		c.Named = fmt.Sprintf("%s → v%d · not submitted", this, b.in.Newer.Number)
	case b.in.Begun != nil:
		begun := fmt.Sprintf("v%d", b.in.Begun.Number)
		c = compare.Comparison{From: begun + ", which you were reviewing", To: this, Before: b.in.Begun.Text, After: b.state.Text, Diff: b.in.Begun.Diff}
		c.Named = begun + " → " + this + " · you were reviewing " + begun
	default:
		seen, when := fmt.Sprintf("v%d", e.Number), b.form.when(e.At)
		c = compare.Comparison{From: seen + ", which you reviewed " + when, To: this, Before: e.Seen, After: b.state.Text, Diff: e.Diff}
		c.Named = seen + " → " + this + " · you reviewed " + seen + " " + when
	}
	if c.Diff == nil {
		c.Diff = diff.Between(c.Before.Raw(), c.After.Raw())
	}
	return c
}

// showChanges shows what changed.
func (b *reviewBody) showChanges(which reviewChanges) {
	b.diff, b.shows = compare.Embedded(b.compared(which), b.form.keys), which
	if look := b.form.look; look != nil {
		b.diff.Retheme(look)
		b.sizeChanges()
	}
}

func (b *reviewBody) sizeChanges() { b.diff.Resize(b.form.width, b.form.height) }

// toggleChanges goes from the plan through all that changed, and back.
func (b *reviewBody) toggleChanges() {
	list := b.changes()
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
		b.form.say(toneCalm, "There is nothing to compare with: this plan was not reviewed before.")
	}
}

// pressInChanges does one key while what changed is shown.
func (b *reviewBody) pressInChanges(msg tea.KeyPressMsg) tea.Cmd {
	b.diff.Say("")
	switch act := b.diff.ActionOf(msg); act {
	case keymap.Escape:
		b.leaveChanges()
	case keymap.Menu:
		b.form.dialog = b.form.menu()
	case keymap.Changes:
		b.toggleChanges()
	case keymap.None:
		// Whoever wants to say something goes to the plan for it.
		switch b.form.keys.Read(msg, false).Act {
		case keymap.Help:
			return showHelp(b.form)
		case keymap.Filter: // it is the plan that is searched
			b.leaveChanges()
			return b.do(keymap.Filter)
		case keymap.None:
		default:
			b.diff.Say("This is what changed; " + b.form.keys.Label(keymap.Escape) + " goes to the plan.")
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
