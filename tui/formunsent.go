package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
)

// failed says why the outcome could not be stored. A try that nobody asked for
// moves no focus, and does not come back over a form that was gone back to.
func (f *form) failed(err error, again bool) {
	switch {
	case !again:
		f.unsent = f.failedDialog(err)
		f.dialog = f.unsent
	case f.unsentShown():
		f.unsent.says = failedWords(err)
	}
}

// unsentShown reports whether the person sees that the outcome is not stored.
func (f *form) unsentShown() bool { return f.unsent != nil && f.dialog == f.unsent }

// resend asks the holder once more, by itself, for what it could not store, as
// long as the person sees that.
func (f *form) resend() tea.Cmd {
	if f.stage != filling || !f.unsentShown() {
		return nil
	}
	f.again = true
	return send(settleRequested{AskID: f.in.Ask.ID, Outcome: f.sent})
}

// failedDialog says that the answers could not be stored.
func (f *form) failedDialog(err error) *dialog {
	d := newDialog("Not sent yet",
		item{letter: "r", label: "Try again", does: retry},
		item{letter: "c", label: "Copy the answers", does: copyUnsent},
		item{letter: "p", label: "Leave and print the answers", does: printAnswers},
		item{letter: "b", label: "Back to the form", does: backFromUnsent},
	)
	d.tone = toneBad
	d.escape = backFromUnsent
	d.says = failedWords(err)
	return d
}

func failedWords(err error) []string {
	return []string{
		safe.New(err.Error()).Block(),
		"Everything you wrote is still here. As long as this is open, it is tried again every two seconds.",
	}
}

// backFromUnsent goes back to the form, when a try that is under way has ended:
// what is typed behind an answer would be in none.
func backFromUnsent(f *form) tea.Cmd {
	f.dialog, f.summary = nil, nil
	if f.again {
		f.stage = sending
	}
	return nil
}

func retry(f *form) tea.Cmd { return f.settle(f.sent) }

// printAnswers leaves and has what was to be sent printed in one line.
func printAnswers(f *form) tea.Cmd {
	fate := "not sent"
	if f.again {
		fate = "perhaps not sent"
	}
	line := "planb: " + fate + "; your answers: " + strings.Join(f.unsentParts(), "; ")
	return send(quitProgram{Notice: safe.New(line).Line()})
}

// copyUnsent copies all that was to be sent.
func copyUnsent(f *form) tea.Cmd { return f.copy(strings.Join(f.unsentParts(), "\n")) }

// unsentParts are what a person has to take elsewhere by hand: the answers as one
// JSON object and, behind it, the notes and the message there are.
func (f *form) unsentParts() []string {
	draft := f.draft()
	reply := draft.Reply(f.state.spec)
	parts := []string{string(f.state.spec.AnswersJSON(reply))}
	add := func(what string, text safe.Text) {
		if !text.Blank() {
			parts = append(parts, what+": "+text.Raw())
		}
	}
	for _, q := range f.state.spec.Questions {
		add("note on "+q.ID, reply.Notes[q.ID])
	}
	add("note on the whole form", reply.Note)
	add("message", draft.Message)
	return parts
}
