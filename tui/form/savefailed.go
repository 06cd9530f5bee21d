package form

import (
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/tui/editor/external"
	"planb/tui/prompt"
	"planb/tui/screen"
	"planb/tui/wording"
)

// outbox holds what the form has given to its holder to store.
type outbox struct {
	outcome questions.Outcome // the last one sent
	// dialog says that the store failed. While it is up, the holder tries again.
	dialog   *prompt.Dialog
	leaving  *LaterRequested // the person's wish to leave, if saving the entry failed; else nil
	trouble  string          // why the entry is not saved; empty if it is
	onRecord bool            // the outcome came too late to count; the store keeps it
	again    bool            // the running try to store the outcome is an automatic one
}

// failed shows why the outcome could not be stored. After an automatic try it moves no
// focus, and opens no dialog if the person has gone back to the form.
func (f *Form) failed(err error, again bool) {
	switch {
	case !again, f.unsentShown() && !kv.Passing(err):
		f.showUnsent(f.failedDialog(err), nil)
	case f.unsentShown():
		f.outbox.dialog.Says = failedWords(err)
	}
}

func (f *Form) showUnsent(d *prompt.Dialog, leave *LaterRequested) {
	f.outbox.dialog, f.outbox.leaving, f.dialog = d, leave, d
	f.gate.shut()
}

// unsentShown reports whether the dialog on something that is not stored is up.
func (f *Form) unsentShown() bool { return f.outbox.dialog != nil && f.dialog == f.outbox.dialog }

// leaveFailed tells a person who wants to leave that the entry could not be saved.
func (f *Form) leaveFailed(asked LaterRequested, err error) {
	title, items := "Not saved", []prompt.Item{
		{Letter: "c", Label: "Copy the answers", Does: f.copyUnsent},
		{Letter: "s", Label: "Save the answers to a file", Does: f.saveUnsent},
		{Letter: "p", Label: "Leave and print the answers", Does: f.leaveAnyway},
		{Letter: "b", Label: "Back to the form", Does: f.closeDialog},
	}
	if kv.Passing(err) {
		title, items = "Not saved yet", append([]prompt.Item{{Letter: "r", Label: "Try again", Does: f.leaveAgain}}, items...)
	}
	d := prompt.NewDialog(title, items...)
	d.Tone = screen.ToneBad
	d.Says = leaveFailedWords(err)
	f.showUnsent(d, &asked)
}

func leaveFailedWords(err error) []string {
	hope := "If you leave now, what was not saved is kept nowhere."
	if kv.Passing(err) {
		hope += " As long as this is open, it is tried again every second, and then you leave."
	}
	return []string{wording.Refused(err), hope}
}

func (f *Form) leaveAgain() tea.Cmd {
	f.dialog = nil
	return screen.Send(*f.outbox.leaving)
}

// leaveAnyway leaves although the entry is not saved. The program prints it at its end.
func (*Form) leaveAnyway() tea.Cmd { return screen.Send(screen.Quit{}) }

// LeavesOnceSaved returns the wish of a person to leave as soon as their entry is saved.
// It is nil unless the dialog on that is up.
func (f *Form) LeavesOnceSaved() *LaterRequested {
	if !f.unsentShown() {
		return nil
	}
	return f.outbox.leaving
}

// Resend asks the holder to try again to store the outcome, while the dialog on its
// failure is up. The holder calls it now and then, without a key of the person.
func (f *Form) Resend() tea.Cmd {
	if f.stage != Filling || !f.unsentShown() || f.outbox.leaving != nil {
		return nil
	}
	f.outbox.again = true
	return screen.Send(SettleRequested{AskID: f.in.Ask.ID, Outcome: f.outbox.outcome})
}

// failedDialog makes the dialog on answers that could not be stored.
func (f *Form) failedDialog(err error) *prompt.Dialog {
	title, items := "Not sent", []prompt.Item{
		{Letter: "c", Label: "Copy the answers", Does: f.copyUnsent},
		{Letter: "s", Label: "Save the answers to a file", Does: f.saveUnsent},
		{Letter: "p", Label: "Leave and print the answers", Does: f.printAnswers},
	}
	leave := prompt.Item{Letter: "b", Label: "Back to the form", Does: f.backFromUnsent}
	switch {
	case kv.Passing(err):
		title, items = "Not sent yet", append([]prompt.Item{{Letter: "r", Label: "Try again", Does: f.retry}}, items...)
	case TooLateToKeep(err):
		leave = prompt.Item{Letter: "l", Label: "Close", Does: f.later} // the ask has ended
	}
	d := prompt.NewDialog(title, append(items, leave)...)
	d.Tone = screen.ToneBad
	d.Escape = leave.Does
	d.Says = failedWords(err)
	return d
}

// TooLateToKeep reports whether the store refused a reply because the ask has its outcome
// and already holds the most late replies that the store keeps.
func TooLateToKeep(err error) bool {
	_, late := errors.AsType[*store.TooLateError](err)
	return late
}

func failedWords(err error) []string {
	hope := "Everything you wrote is still here."
	switch {
	case kv.Passing(err):
		hope += " As long as this is open, it is tried again every second."
	case TooLateToKeep(err):
		hope += " When you close this it is printed, and kept nowhere else."
	}
	return []string{safe.New(err.Error()).Block(), hope}
}

// backFromUnsent goes back to the form. If an automatic try is under way, it waits for
// its end: changes made while an outcome is being stored would be lost.
func (f *Form) backFromUnsent() tea.Cmd {
	f.dialog = nil
	f.toGround()
	if f.outbox.again {
		f.stage = sending
	}
	return nil
}

func (f *Form) retry() tea.Cmd { return f.settle(f.outbox.outcome) }

// printAnswers leaves, and has the unsent answers printed in one line.
func (f *Form) printAnswers() tea.Cmd {
	if f.in.Own {
		return f.leaveAnyway() // the holder prints the answers
	}
	fate := "not sent"
	if f.outbox.again {
		fate = "perhaps not sent"
	}
	line := "planb: " + fate + "; your answers: " + strings.Join(f.unsentParts(), "; ")
	return screen.Send(screen.Quit{Notice: safe.New(line).Line()})
}

// copyUnsent copies everything that is not sent.
func (f *Form) copyUnsent() tea.Cmd { return f.copy(strings.Join(f.unsentParts(), "\n")) }

// unsentSaved says to which file the unsent answers were saved, or why they were not.
type unsentSaved struct {
	form *Form
	path string
	err  error
}

// saveUnsent writes everything that is not sent to a file for the person.
func (f *Form) saveUnsent() tea.Cmd {
	id, parts := f.in.Ask.ID, f.unsentParts()
	return func() tea.Msg {
		path, err := external.SaveAnswers(id, parts)
		return unsentSaved{f, path, err}
	}
}

func (f *Form) reportUnsentSaved(msg unsentSaved) {
	switch {
	case msg.form != f:
	case msg.err != nil:
		f.Say(screen.ToneBad, "Not saved: %s", wording.Sentence(msg.err))
	default:
		f.Say(screen.ToneGood, "Saved: %s", safe.New(msg.path).Line())
	}
}

func (f *Form) unsentParts() []string { return wording.Unsent(f.in.Ask.Spec, f.Entry()) }
