package tui

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
)

// failed says why the outcome could not be stored. A try that nobody asked for
// moves no focus, and does not come back over a form that was gone back to.
func (f *form) failed(err error, again bool) {
	switch {
	case !again, f.unsentShown() && !store.Passing(err):
		f.unsent = f.failedDialog(err)
		f.dialog = f.unsent
		f.gate.shut()
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
	title, items := "Not sent", []item{
		{letter: "c", label: "Copy the answers", does: copyUnsent},
		{letter: "s", label: "Save the answers to a file", does: saveUnsent},
		{letter: "p", label: "Leave and print the answers", does: printAnswers},
	}
	leave := item{letter: "b", label: "Back to the form", does: backFromUnsent}
	switch {
	case store.Passing(err):
		title, items = "Not sent yet", append([]item{{letter: "r", label: "Try again", does: retry}}, items...)
	case tooLateToKeep(err):
		leave = item{letter: "l", label: "Close", does: (*form).later} // there is nothing left to answer
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
	case store.Passing(err):
		hope += " As long as this is open, it is tried again every two seconds."
	case tooLateToKeep(err):
		hope += " When you close this it is printed, and kept nowhere else."
	}
	return []string{safe.New(err.Error()).Block(), hope}
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

// unsentSaved says where what could not be sent was saved, or why it was not.
type unsentSaved struct {
	form *form
	path string
	err  error
}

// saveUnsent writes all that was to be sent to a file of the person's.
func saveUnsent(f *form) tea.Cmd {
	text := strings.Join(f.unsentParts(), "\n") + "\n"
	name := "planb-answers-" + store.ShortID(f.in.Ask.ID)
	return func() tea.Msg {
		path, err := writeHome(name, ".txt", text)
		return unsentSaved{f, path, err}
	}
}

func (f *form) takeUnsentSaved(msg unsentSaved) {
	switch {
	case msg.form != f:
	case msg.err != nil:
		f.say(toneBad, "Not saved: %s", sentence(msg.err))
	default:
		f.say(toneGood, "Saved: %s", safe.New(msg.path).Line())
	}
}

// writeHome writes a new file, which only its owner can read, into the home
// directory: unlike the working directory it is no project that others read. A
// number behind the name keeps it from replacing another file.
func writeHome(name, extension, text string) (path string, err error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		path = filepath.Join(home, name+extension)
		if n > 1 {
			path = filepath.Join(home, fmt.Sprintf("%s-%d%s", name, n, extension))
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = file.WriteString(text)
		if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
			return "", errors.Join(err, os.Remove(path))
		}
		return path, nil
	}
}

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
