package tui

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/tui/editor/external"
	"planb/tui/screen"
	"planb/tui/wording"
)

// outbox is what the form has handed to its holder to be stored.
type outbox struct {
	outcome questions.Outcome // sent last
	// dialog says what the store did not take. While it is up, the store is tried again.
	dialog   *dialog
	leaving  *laterRequested // the person wants to leave; nil: an outcome was to be sent
	trouble  string          // why the entry is not saved, while it is not
	onRecord bool            // the outcome came too late to count; the store keeps it
	again    bool            // the holder tries again, by itself, to store the outcome
}

// failed says why the outcome could not be stored. A try that nobody asked for
// moves no focus, and does not come back over a form that was gone back to.
func (f *form) failed(err error, again bool) {
	switch {
	case !again, f.unsentShown() && !kv.Passing(err):
		f.showUnsent(f.failedDialog(err), nil)
	case f.unsentShown():
		f.outbox.dialog.says = failedWords(err)
	}
}

func (f *form) showUnsent(d *dialog, leave *laterRequested) {
	f.outbox.dialog, f.outbox.leaving, f.dialog = d, leave, d
	f.gate.shut()
}

// unsentShown reports whether the person sees that something is not stored.
func (f *form) unsentShown() bool { return f.outbox.dialog != nil && f.dialog == f.outbox.dialog }

// leaveFailed says that what was entered could not be saved, before the person leaves
// it.
func (f *form) leaveFailed(asked laterRequested, err error) {
	title, items := "Not saved", []item{
		{letter: "c", label: "Copy the answers", does: f.copyUnsent},
		{letter: "s", label: "Save the answers to a file", does: f.saveUnsent},
		{letter: "p", label: "Leave and print the answers", does: f.leaveAnyway},
		{letter: "b", label: "Back to the form", does: f.closeDialog},
	}
	if kv.Passing(err) {
		title, items = "Not saved yet", append([]item{{letter: "r", label: "Try again", does: f.leaveAgain}}, items...)
	}
	d := newDialog(title, items...)
	d.tone = toneBad
	d.says = leaveFailedWords(err)
	f.showUnsent(d, &asked)
}

func leaveFailedWords(err error) []string {
	hope := "If you leave now, what was not saved is kept nowhere."
	if kv.Passing(err) {
		hope += " As long as this is open, it is tried again every second, and then you leave."
	}
	return []string{safe.New(err.Error()).Block(), hope}
}

func (f *form) leaveAgain() tea.Cmd {
	f.dialog = nil
	return screen.Send(*f.outbox.leaving)
}

// leaveAnyway leaves although what was entered is not kept; the end of the program
// prints that.
func (*form) leaveAnyway() tea.Cmd { return screen.Send(screen.Quit{}) }

// leavesOnceSaved is the wish to leave of a person who sees that their entry is not
// saved; nil if there is none.
func (f *form) leavesOnceSaved() *laterRequested {
	if !f.unsentShown() {
		return nil
	}
	return f.outbox.leaving
}

// resend asks the holder once more, by itself, for what it could not store, as
// long as the person sees that.
func (f *form) resend() tea.Cmd {
	if f.stage != filling || !f.unsentShown() || f.outbox.leaving != nil {
		return nil
	}
	f.outbox.again = true
	return screen.Send(settleRequested{AskID: f.in.Ask.ID, Outcome: f.outbox.outcome})
}

// failedDialog says that the answers could not be stored.
func (f *form) failedDialog(err error) *dialog {
	title, items := "Not sent", []item{
		{letter: "c", label: "Copy the answers", does: f.copyUnsent},
		{letter: "s", label: "Save the answers to a file", does: f.saveUnsent},
		{letter: "p", label: "Leave and print the answers", does: f.printAnswers},
	}
	leave := item{letter: "b", label: "Back to the form", does: f.backFromUnsent}
	switch {
	case kv.Passing(err):
		title, items = "Not sent yet", append([]item{{letter: "r", label: "Try again", does: f.retry}}, items...)
	case tooLateToKeep(err):
		leave = item{letter: "l", label: "Close", does: f.later} // there is nothing left to answer
	}
	d := newDialog(title, append(items, leave)...)
	d.tone = toneBad
	d.escape = leave.does
	d.says = failedWords(err)
	return d
}

// tooLateToKeep reports whether the store refused a reply because the ask has its
// outcome, and as many late replies as it keeps.
func tooLateToKeep(err error) bool {
	_, late := errors.AsType[*store.LateError](err)
	return late
}

func failedWords(err error) []string {
	hope := "Everything you wrote is still here."
	switch {
	case kv.Passing(err):
		hope += " As long as this is open, it is tried again every second."
	case tooLateToKeep(err):
		hope += " When you close this it is printed, and kept nowhere else."
	}
	return []string{safe.New(err.Error()).Block(), hope}
}

// backFromUnsent goes back to the form, when a try that is under way has ended:
// what is typed behind an answer would be in none.
func (f *form) backFromUnsent() tea.Cmd {
	f.dialog = nil
	f.toGround()
	if f.outbox.again {
		f.stage = sending
	}
	return nil
}

func (f *form) retry() tea.Cmd { return f.settle(f.outbox.outcome) }

// printAnswers leaves and has what was to be sent printed in one line.
func (f *form) printAnswers() tea.Cmd {
	fate := "not sent"
	if f.outbox.again {
		fate = "perhaps not sent"
	}
	line := "planb: " + fate + "; your answers: " + strings.Join(f.unsentParts(), "; ")
	return screen.Send(screen.Quit{Notice: safe.New(line).Line()})
}

// copyUnsent copies all that was to be sent.
func (f *form) copyUnsent() tea.Cmd { return f.copy(strings.Join(f.unsentParts(), "\n")) }

// unsentSaved says where what could not be sent was saved, or why it was not.
type unsentSaved struct {
	form *form
	path string
	err  error
}

// saveUnsent writes all that was to be sent to a file of the person's.
func (f *form) saveUnsent() tea.Cmd {
	id, parts := f.in.Ask.ID, f.unsentParts()
	return func() tea.Msg {
		path, err := external.SaveAnswers(id, parts)
		return unsentSaved{f, path, err}
	}
}

func (f *form) takeUnsentSaved(msg unsentSaved) {
	switch {
	case msg.form != f:
	case msg.err != nil:
		f.say(toneBad, "Not saved: %s", wording.Sentence(msg.err))
	default:
		f.say(toneGood, "Saved: %s", safe.New(msg.path).Line())
	}
}

func (f *form) unsentParts() []string { return wording.Unsent(f.in.Ask.Spec, f.entry()) }
