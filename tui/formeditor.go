package tui

import (
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/editor/external"
	"planb/tui/form/field"
	"planb/tui/wording"
)

// editorReady says that a text lies in a file for the person's editor.
type editorReady struct {
	form *form
	edit *editor.Editor // nil for the plan that is reviewed
	keep keeper         // takes what comes back, beside edit; nil in a question
	file external.File
	path string
	// written is what lies there.
	written string
	err     error
}

// editorDone brings the text back.
type editorDone struct {
	form *form
	edit *editor.Editor
	keep keeper
	file external.File
	text string
	err  error
}

// openEditor opens the text with the focus in the person's editor.
func (f *form) openEditor() tea.Cmd {
	if f.dialog != nil && f.dialog.input == nil { // the menu
		f.dialog = nil
	}
	edit, about := f.editable()
	if edit == nil {
		f.say(toneCalm, "There is no text here to edit.")
		return nil
	}
	if external.Editor(f.in.Environ) == "" {
		f.say(toneWarn, "No editor: set $VISUAL or $EDITOR.")
		return nil
	}
	var keep keeper
	if f.dialog != nil {
		keep = f.dialog.keep
	}
	file := external.NewFile(edit.Text(), about...)
	f.editing = true
	return func() tea.Msg {
		content := file.Content()
		path, err := external.Write(f.in.Ask.ID, content)
		return editorReady{form: f, edit: edit, keep: keep, file: file, path: path, written: content, err: err}
	}
}

// editable is the text with the focus, if it is one to edit elsewhere, and what
// to say over it.
func (f *form) editable() (edit *editor.Editor, about []safe.Text) {
	if d := f.dialog; d != nil {
		about = append(about, safe.New(d.title))
		for _, says := range d.says {
			about = append(about, safe.New(says))
		}
		return d.input, about
	}
	edit = f.state.text()
	e := f.state.focused()
	if edit == nil || e == nil || f.review != nil {
		return edit, nil
	}
	about = []safe.Text{e.q.Label, e.q.Description}
	if edit == e.note {
		about[0] = safe.New("Your note on: " + e.q.Label.Raw())
	}
	if c, ok := e.field.(field.Illustrated); ok && c.IsFilter(edit) {
		return nil, nil
	}
	return edit, about
}

// runEditor gives the terminal to the editor until it ends.
func (f *form) runEditor(msg editorReady) tea.Cmd {
	if msg.form != f {
		return nil
	}
	if msg.err != nil {
		f.editing = false
		f.say(toneBad, "The editor could not be opened: %s", safe.New(msg.err.Error()).Line())
		return nil
	}
	visit := external.Visit{Environ: f.in.Environ, Path: msg.path, Written: msg.written, Began: time.Now()}
	return tea.ExecProcess(external.EditorProcess(f.in.Environ, msg.path), func(err error) tea.Msg {
		text, err := visit.Left(err)
		done := editorDone{form: f, edit: msg.edit, keep: msg.keep, file: msg.file, text: text, err: err}
		f.returned.Store(&done)
		return done
	})
}

// takeReturned takes over what the editor left, if the program was ended before it
// was told of that.
func (f *form) takeReturned() {
	if done := f.returned.Load(); done != nil {
		f.takeEdited(*done)
	}
}

// takeEdited takes over what the editor left. After an error nothing changes.
func (f *form) takeEdited(msg editorDone) {
	if msg.form != f {
		return
	}
	f.editing = false
	f.returned.Store(nil)
	if kept := new(external.KeptError); errors.As(msg.err, &kept) {
		f.dialog = newDialog("Nothing taken over", item{letter: "b", label: "Back", does: closeDialog})
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
	if msg.edit == nil {
		f.review.takeEdited(msg.text)
		return
	}
	text := msg.file.TakeBack(msg.text)
	if text == msg.edit.Text() {
		return
	}
	msg.edit.ReplaceAll(text)
	if msg.keep != nil {
		msg.keep(f.state, msg.edit.Text())
		return
	}
	for _, e := range f.state.controls {
		e.version++
	}
	f.state.touch()
	if f.review != nil {
		f.review.sync()
	}
}
