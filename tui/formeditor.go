package tui

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

// editorReady says that a text lies in a file for the person's editor.
type editorReady struct {
	form    *form
	back    func(text string) // takes what comes back
	path    string
	written string // what lies there
	err     error
}

// editorDone brings the text back.
type editorDone struct {
	form *form
	back func(text string)
	text string
	err  error
}

// openEditor opens the text with the focus in the person's editor.
func (f *form) openEditor() tea.Cmd {
	if f.dialog != nil && f.dialog.input == nil { // the menu
		f.dialog = nil
	}
	edit, about, changed := f.lends()
	if edit == nil {
		f.say(toneCalm, "There is no text here to edit.")
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
func (f *form) lends() (edit *editor.Editor, about []safe.Text, changed func()) {
	d := f.dialog
	if d == nil {
		edit, about = f.body.lends()
		return edit, about, f.body.rewritten
	}
	about = append(about, safe.New(d.title))
	for _, says := range d.says {
		about = append(about, safe.New(says))
	}
	return d.input, about, func() { d.keep(d.input.Text()) }
}

// lendText opens a text in the person's editor and hands over what comes back.
func (f *form) lendText(text string, back func(text string)) tea.Cmd {
	if external.Editor(f.in.Environ) == "" {
		f.say(toneWarn, "No editor: set $VISUAL or $EDITOR.")
		return nil
	}
	f.loan.out = true
	return func() tea.Msg {
		path, err := external.Write(f.in.Ask.ID, text)
		return editorReady{form: f, back: back, path: path, written: text, err: err}
	}
}

// runEditor gives the terminal to the editor until it ends.
func (f *form) runEditor(msg editorReady) tea.Cmd {
	if msg.form != f {
		return nil
	}
	if msg.err != nil {
		f.loan.out = false
		f.say(toneBad, "The editor could not be opened: %s", safe.New(msg.err.Error()).Line())
		return nil
	}
	visit := external.Visit{Environ: f.in.Environ, Path: msg.path, Written: msg.written, Began: time.Now()}
	return tea.ExecProcess(external.EditorProcess(f.in.Environ, msg.path), func(err error) tea.Msg {
		text, err := visit.Left(err)
		done := editorDone{form: f, back: msg.back, text: text, err: err}
		f.loan.back.Store(&done)
		return done
	})
}

// takeReturned takes over what the editor left, if the program was ended before it
// was told of that.
func (f *form) takeReturned() {
	if done := f.loan.back.Load(); done != nil {
		f.takeEdited(*done)
	}
}

// takeEdited takes over what the editor left. After an error nothing changes.
func (f *form) takeEdited(msg editorDone) {
	if msg.form != f {
		return
	}
	f.loan.out = false
	f.loan.back.Store(nil)
	if kept := new(external.KeptError); errors.As(msg.err, &kept) {
		f.dialog = newDialog("Nothing taken over", item{letter: "b", label: "Back", does: f.closeDialog})
		f.dialog.tone = toneBad
		f.dialog.says = []string{safe.New(wording.Sentence(kept.Err)).Line(), "What you wrote there is kept in " + safe.New(kept.Path).Line()}
		return
	}
	if errors.Is(msg.err, external.ErrHasty) {
		f.say(toneWarn, "No change came back. An editor with a window has to wait: code --wait")
		return
	}
	if msg.err != nil {
		f.say(toneBad, "Nothing taken over: %s", safe.New(fmt.Sprint(msg.err)).Line())
		return
	}
	msg.back(msg.text)
}
