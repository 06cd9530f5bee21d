package tui

import (
	"planb/questions"
	"planb/questions/safe"
)

// entry is one question in a form: its field, and its note.
type entry struct {
	q      questions.Question
	field  field
	note   *editor
	onNote bool   // the cursor is on the note's row
	noting bool   // the caret is in the note
	alert  string // what is wrong with the answer, after a try to submit
	fixed  bool   // can't be answered
	// version counts everything that may have changed how the question looks
	// while it has not the focus.
	version int
}

func newEntry(q questions.Question, readOnly bool) *entry {
	return &entry{q: q, field: newField(q, readOnly), note: newEditor(false), fixed: readOnly}
}

func (e *entry) load(d questions.Field) {
	e.version++
	e.field.load(d)
	e.note.load(d.Note.Raw())
	e.onNote, e.noting = false, false
}

func (e *entry) save() questions.Field {
	d := e.field.save()
	d.Note = safe.New(e.note.text())
	return d
}

// hasNoteRow reports whether there is a row for the note to go to.
func (e *entry) hasNoteRow() bool { return !e.fixed || !e.note.empty() }

func (e *entry) enter(w way) {
	e.version++
	e.noting = false
	e.onNote = w == fromBelow && e.hasNoteRow()
	e.field.enter(w)
}

// leave is told when the focus goes elsewhere.
func (e *entry) leave() {
	e.version++
	e.noting, e.onNote = false, false
	for e.field.text() != nil && e.field.close() {
	}
	if f, ok := e.field.(interface{ leave() }); ok {
		f.leave()
	}
}

// text is where letters go now; nil where they are commands.
func (e *entry) text() *editor {
	switch {
	case e.noting:
		return e.note
	case e.onNote:
		return nil
	}
	return e.field.text()
}

// close closes what is open inside the question; false if nothing is.
func (e *entry) close() bool {
	e.version++
	if e.noting {
		e.noting = false
		return true
	}
	if e.onNote {
		return false
	}
	return e.field.close()
}

// act does one action on the question.
func (e *entry) act(p press) effect {
	e.version++
	switch {
	case e.noting:
		return e.actInNote(p)
	case e.onNote:
		return e.actOnNote(p)
	case p.act == actNote && e.text() == nil && !e.fixed:
		e.openNote()
		return moved
	case p.act == actDefault && e.text() == nil && !e.fixed:
		if e.field.takeDefault() {
			return changed
		}
		return moved
	}
	writing := e.text() != nil
	did := e.field.act(p)
	if did == leaveDown && e.hasNoteRow() {
		e.onNote = true
		e.noting = writing && !e.fixed // who writes goes on writing: letters do not turn into commands
		return moved
	}
	return did
}

// openNote puts the caret into the note.
func (e *entry) openNote() {
	e.version++
	e.onNote, e.noting = true, true
}

// actInNote is a key while the note is being written.
func (e *entry) actInNote(p press) effect {
	switch p.act {
	case actSubmit:
		e.noting = false
		return moved
	case actUp, actDown:
		did := e.note.act(p)
		if did == leaveUp || did == leaveDown {
			e.noting = false
			return e.actOnNote(p)
		}
		return did
	}
	return e.note.act(p)
}

// actOnNote is a key while the cursor is on the note's row.
func (e *entry) actOnNote(p press) effect {
	switch p.act {
	case actUp:
		e.onNote = false
		e.field.enter(fromBelow)
		return moved
	case actDown:
		return leaveDown
	case actEnter, actSpace, actNote:
		e.noting = !e.fixed
		return moved
	case actBackspace:
		if e.fixed || e.note.empty() {
			return moved
		}
		e.note.replaceAll("")
		return changed
	}
	return ignored
}

// Places of a question that can be clicked, beside its field's own.
const (
	clickNote  = -100
	clickLabel = -101 // only moves the focus to the question
	// clickEarlier shows what was answered before.
	clickEarlier = -102
)

func (e *entry) click(at, x, y int) effect {
	e.version++
	switch at {
	case clickLabel:
		return moved
	case clickNote:
		if e.noting {
			e.note.click(x, y)
		}
		e.onNote, e.noting = true, !e.fixed
		return moved
	}
	e.onNote, e.noting = false, false
	return e.field.click(at, x, y)
}

func (e *entry) hints() []hint {
	switch {
	case e.noting:
		return []hint{{actSubmit, "keep"}, {actEnter, "new line"}, {actEscape, "back"}}
	case e.onNote && !e.fixed:
		hints := []hint{{actEnter, "write a note"}, {actNext, goesOn}}
		if !e.note.empty() {
			hints = append(hints, hint{actBackspace, "clear"})
		}
		return hints
	case e.onNote:
		return nil
	}
	return e.field.hints()
}

// copyText is what "copy" copies: what the cursor is on, else the label.
func (e *entry) copyText() string {
	if e.onNote {
		return e.note.text()
	}
	if text := e.field.copyText(); text != "" {
		return text
	}
	return e.q.Label.Raw()
}
