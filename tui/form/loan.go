package form

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/editor/external"
	"planb/tui/wording"
)

// loan is a text that is in the person's own editor.
type loan struct {
	out  bool
	back atomic.Pointer[editorDone] // it came back, and was not taken over yet
}

// EditorReady says that a text lies in a file for the person's editor.
type EditorReady struct {
	form    *Form
	back    func(text string) // takes what comes back
	Path    string
	written string // what lies there
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
	if f.dialog != nil && f.dialog.input == nil { // the menu
		f.dialog = nil
	}
	edit, about, changed := f.lends()
	if edit == nil {
		f.Say(ToneCalm, "There is no text here to edit.")
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

// lends is the text with the focus, if it is one to edit elsewhere, what to say over
// it, and what to do when it has changed.
func (f *Form) lends() (edit *editor.Editor, about []safe.Text, changed func()) {
	d := f.dialog
	if d == nil {
		edit, about = f.body.Lends()
		return edit, about, f.body.Rewritten
	}
	about = append(about, safe.New(d.title))
	for _, says := range d.Says {
		about = append(about, safe.New(says))
	}
	return d.input, about, func() { d.keep(d.input.Text()) }
}

// lendText opens a text in the person's editor and hands over what comes back.
func (f *Form) lendText(text string, back func(text string)) tea.Cmd {
	if external.Editor(f.in.Environ) == "" {
		f.Say(ToneWarn, "No editor: set $VISUAL or $EDITOR.")
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
		f.Say(ToneBad, "The editor could not be opened: %s", safe.New(msg.Err.Error()).Line())
		return nil
	}
	visit := external.Visit{Environ: f.in.Environ, Path: msg.Path, Written: msg.written, Began: time.Now()}
	return tea.ExecProcess(external.EditorProcess(f.in.Environ, msg.Path), func(err error) tea.Msg {
		return msg.Return(visit.Left(err))
	})
}

// Return is the message that brings a text back, or says why none came.
func (msg EditorReady) Return(text string, err error) tea.Msg {
	done := editorDone{form: msg.form, back: msg.back, text: text, err: err}
	msg.form.loan.back.Store(&done) // should the program end before it takes the message
	return done
}

// TakeReturned takes over what the editor left, if the program was ended before it
// was told of that.
func (f *Form) TakeReturned() {
	if done := f.loan.back.Load(); done != nil {
		f.takeEdited(*done)
	}
}

// takeEdited takes over what the editor left. After an error nothing changes.
func (f *Form) takeEdited(msg editorDone) {
	if msg.form != f {
		return
	}
	f.loan.out = false
	f.loan.back.Store(nil)
	if kept := new(external.KeptError); errors.As(msg.err, &kept) {
		f.dialog = NewDialog("Nothing taken over", Item{Letter: "b", Label: "Back", Does: f.closeDialog})
		f.dialog.tone = ToneBad
		f.dialog.Says = []string{safe.New(wording.Sentence(kept.Err)).Line(), "What you wrote there is kept in " + safe.New(kept.Path).Line()}
		return
	}
	if errors.Is(msg.err, external.ErrHasty) {
		f.Say(ToneWarn, "No change came back. An editor with a window has to wait: code --wait")
		return
	}
	if msg.err != nil {
		f.Say(ToneBad, "Nothing taken over: %s", safe.New(fmt.Sprint(msg.err)).Line())
		return
	}
	msg.back(msg.text)
}
