package form

import (
	"errors"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/editor/external"
	"planb/tui/prompt"
	"planb/tui/screen"
	"planb/tui/wording"
)

// loan is a text of the form that is open in the person's own editor.
type loan struct {
	out  bool
	back atomic.Pointer[editorDone] // returned by the editor, not yet put into the form
}

// EditorReady says that a text is in a file, ready for the person's editor.
type EditorReady struct {
	form    *Form
	back    func(text string) // puts the returned text into the form
	Path    string
	written string // the text in the file
	Err     error
}

// editorDone brings the text back.
type editorDone struct {
	form *Form
	back func(text string)
	text string
	err  error
}

// openEditor opens the text with the focus in the person's editor.
func (f *Form) openEditor() tea.Cmd {
	if f.dialog != nil && f.dialog.Input == nil { // the menu
		f.dialog = nil
	}
	edit, about, changed := f.lends()
	if edit == nil {
		f.Say(screen.ToneCalm, "There is no text here to edit.")
		return nil
	}
	file := external.NewFile(edit.Text(), about...)
	return f.lendText(file.Content(), func(text string) {
		if text = file.TakeBack(text); text != edit.Text() {
			edit.ReplaceAll(text)
			changed()
		}
	})
}

// lends returns the text with the focus, the words to put above it in the file, and a
// function to call when it has changed. edit is nil if there is no text to edit.
func (f *Form) lends() (edit *editor.Editor, about []safe.Text, changed func()) {
	d := f.dialog
	if d == nil {
		edit, about = f.body.Lends()
		return edit, about, f.body.Rewritten
	}
	about = append(about, safe.New(d.Title))
	for _, says := range d.Says {
		about = append(about, safe.New(says))
	}
	return d.Input, about, d.Rewritten
}

// lendText opens a text in the person's editor and calls back with the returned text.
func (f *Form) lendText(text string, back func(text string)) tea.Cmd {
	if external.Editor(f.in.Environ) == "" {
		f.Say(screen.ToneWarn, "No editor: set $VISUAL or $EDITOR.")
		return nil
	}
	f.loan.out = true
	return func() tea.Msg {
		path, err := external.Write(f.in.Ask.ID, text)
		return EditorReady{form: f, back: back, Path: path, written: text, Err: err}
	}
}

// runEditor gives the terminal to the editor until it ends.
func (f *Form) runEditor(msg EditorReady) tea.Cmd {
	if msg.form != f {
		return nil
	}
	if msg.Err != nil {
		f.loan.out = false
		f.Say(screen.ToneBad, "The editor could not be opened: %s", safe.New(msg.Err.Error()).Line())
		return nil
	}
	visit := external.Visit{Environ: f.in.Environ, Path: msg.Path, Written: msg.written, Began: time.Now()}
	return external.Lend(external.EditorProcess(f.in.Environ, msg.Path), func(err error) tea.Msg {
		return msg.Return(visit.Left(err))
	})
}

// Return makes the message that brings a text back, or the error of the editor.
func (msg EditorReady) Return(text string, err error) tea.Msg {
	done := editorDone{form: msg.form, back: msg.back, text: text, err: err}
	msg.form.loan.back.Store(&done) // in case the program ends before it handles the message
	return done
}

// TakeReturned puts the editor's text into the form if the program ended before it
// handled the editor's message.
func (f *Form) TakeReturned() {
	if done := f.loan.back.Load(); done != nil {
		f.applyEdited(*done)
	}
}

// applyEdited puts the text of the editor into the form. After an error nothing changes.
func (f *Form) applyEdited(msg editorDone) {
	if msg.form != f {
		return
	}
	f.loan.out = false
	f.loan.back.Store(nil)
	if kept := new(external.KeptError); errors.As(msg.err, &kept) {
		f.dialog = prompt.NewDialog("Not taken over", prompt.Item{Letter: "b", Label: "Back", Does: f.closeDialog})
		f.dialog.Tone = screen.ToneBad
		f.dialog.Says = []string{wording.EditRefused(kept.Err), "What you wrote there is kept in " + safe.New(kept.Path).Line()}
		return
	}
	if errors.Is(msg.err, external.ErrHasty) {
		f.Say(screen.ToneWarn, "No change came back. An editor with a window has to wait: code --wait")
		return
	}
	if msg.err != nil {
		f.Say(screen.ToneBad, "%s", wording.EditRefused(msg.err))
		return
	}
	msg.back(msg.text)
}

// leftGone brings the result of removing the files that the person's editor left.
type leftGone struct {
	form *Form
	err  error
}

// leftDialog tells the person, when the form opens, that their editor left files with a
// text of theirs. It is nil if there are none.
func (f *Form) leftDialog() *prompt.Dialog {
	paths := f.in.Left
	if len(paths) == 0 || f.in.ReadOnly {
		return nil
	}
	d := prompt.NewDialog("Your editor had a text of yours",
		prompt.Item{Letter: "b", Label: "Keep it and go on", Does: f.closeDialog},
		prompt.Item{Letter: "r", Label: "Remove it", Does: func() tea.Cmd {
			f.dialog = nil
			return func() tea.Msg { return leftGone{f, external.Remove(paths)} }
		}},
	)
	d.Tone, d.Says = screen.ToneWarn, external.LeftWords(paths)
	return d
}

// reportLeftGone tells the person whether the files were removed.
func (f *Form) reportLeftGone(msg leftGone) {
	switch {
	case msg.form != f:
	case msg.err != nil:
		f.Say(screen.ToneBad, "It could not be removed: %s", wording.Sentence(msg.err))
	default:
		f.in.Left = nil
		f.Say(screen.ToneCalm, "Removed.")
	}
}
