package review

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/compare"
	"planb/tui/form"
	"planb/tui/keymap"
	"planb/tui/prompt"
	"planb/tui/screen"
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
func (b *Body) decide() *prompt.Dialog {
	choice := func(letter, mark string, tone screen.Tone, v review.Verdict) prompt.Item {
		return prompt.Item{
			Letter: letter, Mark: mark, Tone: tone, Label: b.Button(v), About: b.follows(v),
			Does: func() tea.Cmd { return b.showVerdict(v) },
		}
	}
	approve := []prompt.Item{choice("a", "✓", screen.ToneGood, review.Approve), choice("A", "✓", screen.ToneGood, review.ApproveWithNotes)}
	if b.State.Said() { // both would send the same
		only := choice("a", "✓", screen.ToneGood, review.ApproveWithNotes)
		only.Also = "A"
		approve = []prompt.Item{only}
	}
	request := len(approve)
	d := prompt.NewDialog(fmt.Sprintf("Your verdict on v%d", b.In.Version), append(approve,
		choice("r", "↩", screen.ToneWarn, review.RequestChanges),
		choice("R", "✗", screen.ToneBad, review.Reject),
		prompt.Item{Letter: "l", Mark: " ", Label: "Save for later", About: "Nothing is sent. What you said is kept.", Does: b.host.Later, Apart: true})...)
	said := b.SaidSoFar()
	if b.heldBack() != "" {
		said += "\n" + onlyWithApproval
	}
	d.Says = []string{said}
	if b.State.Said() || !b.State.Edited.IsZero() {
		d.At = request
	}
	return d
}

// follows says in a line what follows of a verdict.
func (b *Body) follows(v review.Verdict) string {
	left := len(b.State.Without()) > 0 && b.State.Of == review.OfTasks
	switch {
	case left && v == review.ApproveWithNotes && b.State.Said():
		return "The plan becomes active, except what is held back, and the agent reads " + b.remarks() + "."
	case left && v == review.Approve:
		return "The plan becomes active. What is held back stays locked."
	case v == review.ApproveWithNotes && b.State.Said():
		return "The agent may carry out " + b.allowed() + ", and reads " + b.remarks() + "."
	case v == review.ApproveWithNotes:
		return "The same, and the agent reads what you add."
	case v == review.Approve:
		return "The agent may carry out " + b.allowed() + "."
	case v == review.RequestChanges:
		return "The agent changes the plan and submits it again."
	}
	return "The agent is told that you refuse the whole plan."
}

// allowed names what an approval lets the agent carry out.
func (b *Body) allowed() string {
	switch {
	case b.heldBack() != "":
		return "what is not held back"
	case !b.State.Edited.IsZero():
		return "exactly your edit"
	}
	return "exactly this version"
}

// remarks counts the comments of any kind, with that on the whole plan.
func (b *Body) remarks() string {
	n := len(b.State.Review.Comments)
	if !b.State.Review.Note.Blank() {
		n++
	}
	if n == 1 {
		return "your remark"
	}
	return fmt.Sprintf("your %d remarks", n)
}

// showVerdict opens the second step of a verdict. The gate keeps out the other keys of
// the burst that opened it.
func (b *Body) showVerdict(v review.Verdict) tea.Cmd { return b.host.OpenDeciding(b.verdict(v)) }

// verdict asks the person once more before it sends a verdict. An approval with a message
// becomes one with notes.
func (b *Body) verdict(v review.Verdict) *prompt.Dialog {
	if b.section != "" {
		return b.rewrite()
	}
	if v == review.Approve && b.State.Said() {
		v = review.ApproveWithNotes
	}
	send := prompt.Item{Label: b.Button(v), Does: func() tea.Cmd { return b.Send(v) }}
	if v == review.Reject {
		send.Tone = screen.ToneBad
	}
	d := prompt.NewDialog(b.Verdict(v), send, prompt.Item{Label: "Back", Does: b.host.CloseDialog})
	d.Says = []string{b.consequence(v)}
	if with := b.GoesWith(v); with != "" {
		d.Says = append(d.Says, with)
	}
	if v != review.Approve {
		shows := map[review.Verdict]string{
			review.ApproveWithNotes: "what is to be done, too", review.RequestChanges: "what should change, beside your comments", review.Reject: form.ReasonIfAny,
		}[v]
		d.Ask(shows, b.State.Review.Note, b.State.SetNote)
	}
	return d
}

// consequence says what a verdict means for the agent.
func (b *Body) consequence(v review.Verdict) string {
	switch {
	case b.LeftOut(v) != "":
		return b.LeftOut(v)
	case v.Approves() && b.heldBack() != "":
		return "The agent may carry out the sections that are not held back, exactly as they are. The plan as a whole is not approved."
	case v.Approves() && !b.State.Edited.IsZero():
		return "The agent may go on, with exactly your edit of this version."
	case v.Approves():
		return "The agent may go on, with exactly this version. A later edit is not approved."
	case v == review.RequestChanges:
		return "The agent is asked to change the plan and to submit it again."
	}
	return "The agent is told that this plan is refused as a whole."
}

// Send sends the review with a verdict.
func (b *Body) Send(v review.Verdict) tea.Cmd {
	text, err := b.State.Complete(v)
	if err != nil {
		b.host.Refused(err)
		return nil
	}
	return b.host.Settle(questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(text))},
	}})
}

// showWhole edits the comment on the whole plan.
func (b *Body) showWhole() tea.Cmd {
	b.State.Remember()
	before := b.State.Changes()
	done := func() tea.Cmd {
		if b.State.Changes() == before {
			b.State.Forget()
		}
		return b.host.CloseDialog()
	}
	whole, goes := "On the whole plan", "goes to the agent with your review"
	if b.section != "" {
		whole, goes = "On the whole section", "goes to the writer with your comments"
	}
	d := prompt.NewDialog(whole,
		prompt.Item{Label: "Keep", Does: done}, prompt.Item{Label: "Clear", Does: func() tea.Cmd {
			b.State.SetNote("")
			return done()
		}},
	).Ask(goes, b.State.Review.Note, b.State.SetNote)
	d.Escape = done
	b.host.Open(d)
	return nil
}

// Menu returns the items that a plan adds to the menu.
func (b *Body) Menu() form.Menu {
	copies := prompt.Item{Letter: "c", Label: "Copy the review", Does: b.CopyAll, Apart: true}
	switch {
	case b.readOnly:
		return form.Menu{Keep: "Keep reading", Items: []prompt.Item{copies}}
	case b.In.Problem != nil:
		return form.Menu{Keep: "Keep reviewing", Items: []prompt.Item{copies}}
	}
	copies.Apart = false
	if b.section != "" {
		copies.Label = "Copy what you said"
		return form.Menu{Keep: "Keep reviewing", Submit: writeAgain, Items: []prompt.Item{
			{Letter: "w", Label: "A comment on the whole section", Does: b.showWhole, Apart: true}, copies,
		}}
	}
	items := []prompt.Item{
		{Letter: "w", Label: "A comment on the whole plan", Does: b.showWhole, Apart: true},
		{Letter: "e", Label: "Edit the plan in your editor", Does: b.editPlan},
	}
	if !b.State.Edited.IsZero() { // undo does not know an edit from before the review was closed
		items = append(items, prompt.Item{Letter: "u", Label: "Take back your edit", Does: b.dropEdit})
	}
	return form.Menu{Keep: "Keep reviewing", Submit: "Decide", Items: append(items, copies)}
}

// writeAgain is the only verdict on a section.
const writeAgain = "Have it written again"

// rewrite asks once more before a section is written again.
func (b *Body) rewrite() *prompt.Dialog {
	d := prompt.NewDialog("Have “"+b.section+"” written again?",
		prompt.Item{Label: writeAgain, Does: func() tea.Cmd { return b.Send(review.RequestChanges) }},
		prompt.Item{Label: "Back", Does: b.host.CloseDialog})
	d.Says = []string{"The writer reads what you said. If the section changes, what was written from it is written again, too.", b.GoesWith(review.RequestChanges)}
	return d.Ask("what should change, beside your comments", b.State.Review.Note, b.State.SetNote)
}

// Submit asks for a verdict.
func (b *Body) Submit() tea.Cmd {
	if b.section != "" {
		return b.showVerdict(review.RequestChanges)
	}
	b.host.Open(b.decide())
	return nil
}

// CopyAll copies the review as the agent got it. If it is not sent yet, it copies what the
// agent would get if the person asked for changes now.
func (b *Body) CopyAll() tea.Cmd {
	s := b.State
	if b.section != "" {
		return b.host.Copy(s.Review.Guidance())
	}
	if !s.Review.Feedback.IsZero() {
		return b.host.Copy(s.Review.Feedback.Raw())
	}
	r := s.Review
	r.Withheld = nil
	if r.Verdict == "" {
		r.Verdict = review.RequestChanges
	}
	done, err := r.Complete(s.Text, s.Edited)
	if err != nil {
		b.host.Say(screen.ToneWarn, "Nothing copied: %s", safe.New(err.Error()).Line())
		return nil
	}
	return b.host.Copy(done.Feedback.Raw())
}

// showChanges shows a set of changes in place of the plan.
func (b *Body) showChanges(which Changes) {
	c := b.Compared(which)
	c.Cited = b.cited
	c.Title, c.About = b.host.Input().Ask.Spec.Title.Line(), cells.Join(c.About, b.host.Who())
	b.diff, b.shows = compare.Embedded(c, b.host.Keys()), which
	if look := b.host.Look(); look != nil {
		b.diff.Retheme(look)
		b.sizeChanges()
	}
}

func (b *Body) sizeChanges() { b.diff.Resize(b.host.Size()) }

// toggleChanges goes from the plan to the first set of changes, then to the next ones, and
// after the last back to the plan.
func (b *Body) toggleChanges() {
	list := b.Changed()
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
		b.host.Say(screen.ToneCalm, "There is nothing to compare with: this plan was not reviewed before.")
	}
}

// pressInChanges does one key while changes are shown.
func (b *Body) pressInChanges(msg tea.KeyPressMsg) tea.Cmd {
	b.diff.Say("")
	switch act := b.diff.ActionOf(msg); act {
	case keymap.Escape:
		b.leaveChanges()
	case keymap.Menu:
		b.host.ShowMenu()
	case keymap.Help:
		return b.host.ShowHelp()
	case keymap.Changes:
		b.toggleChanges()
	case keymap.None:
		// The person can comment only on the plan, so these keys go there first.
		switch b.host.Keys().Read(msg, false).Act {
		case keymap.Filter: // the search is in the plan
			b.leaveChanges()
			return b.do(keymap.Filter)
		case keymap.None:
		default:
			b.diff.Say("This is what changed; " + b.host.Keys().Label(keymap.Escape) + " goes to the plan.")
		}
	default:
		return b.diff.Act(act)
	}
	return nil
}

// leaveChanges goes back to the plan, to the change that was in view.
func (b *Body) leaveChanges() {
	if line := b.diff.Line(); line > 0 && b.shows == ChangesSince {
		b.goTo(review.Spot{Line: min(line, len(b.State.Lines))})
	}
	b.diff = nil
}
