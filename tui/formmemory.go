package tui

import (
	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/keymap"
)

// A form remembers: under the label of a question that was answered before in
// the project one faint line says what was answered then, and one key takes it
// over. Nothing is ever filled in by itself.
//
// The lines are there when the form appears, or come when nothing moves under
// anybody's fingers: before the first key, else when the focus goes to another
// question.

// recalled is what was answered to a question before.
type recalled struct {
	store.Earlier
	value  questions.Value  // what of it can be the answer now; zero if nothing can
	field  questions.Field  // the same, with the note, as it is loaded
	whole  bool             // that is all of it
	line   string           // the earlier answer for one row, or its beginning
	note   string           // the same of its note
	before *questions.Field // what was there when it was taken over; nil: it was not
}

// earlierFound brings what was answered before and could not be waited for.
type earlierFound struct {
	AskID   string
	Earlier map[string]store.Earlier // by question id
}

// recall makes lines of what was answered before.
func (f *form) recall(earlier map[string]store.Earlier) {
	if f.state.readOnly || f.review != nil {
		return
	}
	for _, e := range f.state.controls {
		was, ok := earlier[e.q.ID]
		if !ok || f.in.CarriedFrom != "" && was.Ask == f.in.CarriedFrom {
			continue
		}
		is := f.fitted(e.q, was)
		if known := f.memory[e.q.ID]; known != nil {
			is.before = known.before
		}
		if f.memory == nil {
			f.memory = map[string]*recalled{}
		}
		f.memory[e.q.ID] = is
		e.version++
	}
}

// fitted says what of an earlier answer can be the question's answer now.
func (f *form) fitted(q questions.Question, was store.Earlier) *recalled {
	is := &recalled{Earlier: was}
	is.value, is.whole = q.Refit(was.Question, was.Answer)
	is.line, is.note = is.words(beginning), beginning(was.Note)
	if is.value.IsZero() {
		return is
	}
	reply := questions.Reply{Answers: map[string]questions.Value{q.ID: is.value}}
	is.field = f.state.spec.EntryFrom(reply).Fields[q.ID]
	is.field.Note = was.Note
	return is
}

// recallPrior makes lines of the earlier answers to the whole form while they
// are on offer: the line says what the key would take over.
func (f *form) recallPrior() {
	if !f.prior {
		return
	}
	prior := f.in.Prior
	for _, q := range f.state.spec.Questions {
		answer := prior.Outcome.Reply.Answers[q.ID]
		if answer.IsZero() {
			continue
		}
		if f.whole == nil {
			f.whole = map[string]*recalled{}
		}
		was := store.Earlier{Ask: prior.ID, Question: q, Answer: answer, Note: prior.Outcome.Reply.Notes[q.ID], At: prior.Outcome.At}
		if was.Session.ID = prior.Session; prior.Session == f.in.Session.ID {
			was.Session = f.in.Session
		}
		f.whole[q.ID] = f.fitted(q, was)
	}
}

// earlierTo is what was answered to a question before; nil: nothing was.
func (f *form) earlierTo(e *control) *recalled {
	if f.prior && f.whole[e.q.ID] != nil {
		return f.whole[e.q.ID]
	}
	known, prior := f.memory[e.q.ID], f.whole[e.q.ID]
	if known == nil || prior != nil && prior.At.After(known.At) {
		return prior
	}
	return known
}

// letIn takes what came late, once it moves nothing that somebody looks at.
func (f *form) letIn(before *control) {
	if f.lately == nil || f.begun && f.state.focused() == before {
		return
	}
	f.recall(f.lately)
	f.lately = nil
}

// hands notes that the person has begun.
func (f *form) hands(msg tea.Msg) {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
		f.begun = f.begun || f.gate.stage == gateOpen
	}
}

// answerNow is the answer as it would be sent.
func (f *form) answerNow(e *control) questions.Value { return f.state.answers().reply.Answers[e.q.ID] }

// takeEarlier makes the earlier answer that of the question with the focus, or
// puts back what was there. While the answers to the whole form are on offer, it
// takes them.
func (f *form) takeEarlier() tea.Cmd {
	f.dialog = nil
	if f.prior {
		return f.takePrior()
	}
	e := f.state.current()
	if e == nil || f.state.zone != inBody || e.noting || f.state.readOnly {
		return nil
	}
	was := f.earlierTo(e)
	switch {
	case was == nil:
		f.say(toneCalm, "Nothing was answered to this before.")
		return nil
	case was.value.IsZero():
		f.say(toneWarn, "%s", was.unfit())
		return nil
	case f.putBack(e, was):
		return nil
	case f.answerNow(e).Equal(was.value):
		f.say(toneCalm, "That is your answer already.")
		return nil
	}
	before, field := e.save(), was.field
	field.Note = was.noteBeside(before)
	e.load(field)
	e.alert = ""
	was.before = &before
	f.state.touch()
	f.say(toneGood, "Taken over. %s puts back what was there.", f.earlierKey(e))
	return nil
}

// putBack undoes a takeEarlier, as long as its answer stands.
func (f *form) putBack(e *control, was *recalled) bool {
	if was == nil || was.before == nil || !f.answerNow(e).Equal(was.value) {
		return false
	}
	before := *was.before
	if now := e.save().Note; now != was.noteBeside(before) {
		before.Note = now
	}
	e.load(before)
	was.before = nil
	f.state.touch()
	f.say(toneCalm, "As it was before.")
	return true
}

// noteBeside is the note once the earlier answer has taken the place of what was
// there: what was written now stays.
func (r *recalled) noteBeside(before questions.Field) safe.Text {
	if !before.Note.Blank() {
		return before.Note
	}
	return r.field.Note
}

// clearsTaken reports whether Backspace was pressed right after an answer was
// taken over, and then undoes that.
func (f *form) clearsTaken(p keymap.Press) bool {
	e := f.state.focused()
	if p.Act != keymap.Backspace || e == nil || e.text() != nil || e.onNote || f.prior {
		return false
	}
	return f.putBack(e, f.earlierTo(e))
}

// earlierKey is the key that takes over where the question is now.
func (f *form) earlierKey(e *control) string {
	if e.text() != nil {
		return keymap.Label(f.keys.InText, keymap.Prior)
	}
	return f.keys.Label(keymap.Prior)
}
