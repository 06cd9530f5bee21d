package form

import (
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// control is one question in a form: its field and its note.
type control struct {
	q      questions.Question
	field  field.Field
	note   *editor.Editor
	onNote bool   // the cursor is on the note's row
	noting bool   // the caret is in the note
	alert  string // what is wrong with the answer, after a try to submit
	fixed  bool   // can't be answered
	loaded bool   // load was called before
	// version counts all that may change how the question looks without the focus.
	version int
}

func newControl(q questions.Question, readOnly bool) *control {
	return &control{q: q, field: field.New(q, readOnly), note: editor.New(false), fixed: readOnly}
}

// load takes the question's part of an entry. If the question has that already, it stays as it is,
// with the caret and the undo of a text that is being written.
func (e *control) load(d questions.Field) {
	if e.version++; e.loaded && e.save().Same(d) {
		return
	}
	e.loaded = true
	e.field.Load(d)
	e.note.Load(d.Note.Raw())
	e.onNote, e.noting = false, false
}

func (e *control) save() questions.Field {
	d := e.field.Save()
	d.Note = safe.New(e.note.Text())
	return d
}

// hasNoteRow reports whether the cursor can go to the note's row.
func (e *control) hasNoteRow() bool { return !e.fixed || !e.note.Empty() }

func (e *control) enter(w field.Way) {
	e.version++
	e.noting = false
	e.onNote = w == field.FromBelow && e.hasNoteRow()
	e.field.Enter(w)
}

// leave closes everything in the question. The form calls it when the focus moves away.
func (e *control) leave() {
	e.version++
	e.noting, e.onNote = false, false
	for e.field.Text() != nil && e.field.Close() {
	}
	e.leaveField()
}

// leaveField ends what is being typed in a field that is no text. It returns false if that is no
// answer.
func (e *control) leaveField() (whole bool) {
	f, ok := e.field.(field.Leaver)
	return !ok || f.Leave()
}

// text returns the editor that letters go to. It is nil while letters are commands.
func (e *control) text() *editor.Editor {
	switch {
	case e.noting:
		return e.note
	case e.onNote:
		return nil
	}
	return e.field.Text()
}

// invitesText reports whether a letter begins a text here.
func (e *control) invitesText() bool {
	f, ok := e.field.(field.Invites)
	return ok && !e.onNote && f.InvitesText()
}

// close closes the innermost open thing in the question. It returns false if there is
// none.
func (e *control) close() bool {
	e.version++
	if e.noting {
		e.noting = false
		return true
	}
	if e.onNote {
		return false
	}
	return e.field.Close()
}

// act does one action on the question.
func (e *control) act(p keymap.Press) keymap.Effect {
	e.version++
	switch {
	case e.noting:
		return e.actInNote(p)
	case e.onNote:
		return e.actOnNote(p)
	case p.Act == keymap.Note && e.text() == nil && !e.fixed:
		e.openNote()
		return keymap.Moved
	case p.Act == keymap.Default && e.text() == nil && !e.fixed:
		if e.field.TakeDefault() {
			return keymap.Changed
		}
		return keymap.Moved
	}
	writing := e.text() != nil
	did := e.field.Act(p)
	if did == keymap.LeaveDown && e.hasNoteRow() {
		e.onNote = true
		e.noting = writing && !e.fixed // a person who writes goes on writing: letters must not turn into commands
		return keymap.Moved
	}
	return did
}

func (e *control) openNote() {
	e.version++
	e.onNote, e.noting = true, true
}

// actInNote does one action while the person writes the note.
func (e *control) actInNote(p keymap.Press) keymap.Effect {
	switch p.Act {
	case keymap.Submit:
		e.noting = false
		return keymap.Moved
	case keymap.Up, keymap.Down:
		did := e.note.Act(p)
		if did == keymap.LeaveUp || did == keymap.LeaveDown {
			e.noting = false
			return e.actOnNote(p)
		}
		return did
	}
	return e.note.Act(p)
}

// actOnNote does one action while the cursor is on the note's row.
func (e *control) actOnNote(p keymap.Press) keymap.Effect {
	switch p.Act {
	case keymap.Up:
		e.onNote = false
		e.field.Enter(field.FromBelow)
		return keymap.Moved
	case keymap.Down:
		return keymap.LeaveDown
	case keymap.Enter, keymap.Space, keymap.Note:
		e.noting = !e.fixed
		return keymap.Moved
	case keymap.Backspace:
		if e.fixed || e.note.Empty() {
			return keymap.Moved
		}
		e.note.ReplaceAll("")
		return keymap.Changed
	}
	return keymap.Ignored
}

// Places of a question that can be clicked. Its field has more.
const (
	clickNote  = -100
	clickLabel = -101 // only moves the focus to the question
	// clickEarlier shows the earlier answer.
	clickEarlier = -102
)

func (e *control) click(at, x, y int) keymap.Effect {
	e.version++
	switch at {
	case clickLabel:
		return keymap.Moved
	case clickNote:
		if e.noting {
			e.note.Click(x, y)
		}
		e.onNote, e.noting = true, !e.fixed
		return keymap.Moved
	}
	e.onNote, e.noting = false, false
	return e.field.Click(at, x, y)
}

func (e *control) hints() []screen.Hint {
	switch {
	case e.noting:
		return []screen.Hint{{Act: keymap.Submit, Does: "keep"}, {Act: keymap.Enter, Does: "new line"}, {Act: keymap.Escape, Does: "back"}}
	case e.onNote && !e.fixed:
		hints := []screen.Hint{{Act: keymap.Enter, Does: "write a note"}, {Act: keymap.Next, Does: field.GoesOn}}
		if !e.note.Empty() {
			hints = append(hints, screen.Hint{Act: keymap.Backspace, Does: "clear"})
		}
		return hints
	case e.onNote:
		return nil
	}
	return e.field.Hints()
}

// copyText returns what "copy" copies: the text under the cursor, else the label.
func (e *control) copyText() string {
	if e.onNote {
		return e.note.Text()
	}
	if text := e.field.CopyText(); text != "" {
		return text
	}
	return e.q.Label.Raw()
}
