package form

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/keymap"
	"planb/tui/wording"
)

// A form remembers: under the label of a question that was answered before in
// the project one faint line says what was answered then, and one key takes it
// over. Nothing is ever filled in by itself.
//
// The lines are there when the form appears, or come when nothing moves under
// anybody's fingers: before the first key, else when the focus goes to another
// question.

// memory is what was answered before.
type memory struct {
	answers map[string]*recalled     // by question
	whole   map[string]*recalled     // the same of the last answers to the whole form
	offered bool                     // those are still on offer
	late    map[string]store.Earlier // came after the person had begun
	focused *control                 // what had the focus after the last message
}

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

// EarlierFound brings what was answered before and could not be waited for.
type EarlierFound struct {
	AskID   string
	Earlier map[string]store.Earlier // by question id
}

// recall makes lines of what was answered before.
func (q *questionnaire) recall(earlier map[string]store.Earlier) {
	if q.state.readOnly {
		return
	}
	for _, e := range q.state.controls {
		was, ok := earlier[e.q.ID]
		if !ok || q.host.Input().CarriedFrom != "" && was.Ask == q.host.Input().CarriedFrom {
			continue
		}
		is := q.fitted(e.q, was)
		if known := q.memory.answers[e.q.ID]; known != nil {
			is.before = known.before
		}
		if q.memory.answers == nil {
			q.memory.answers = map[string]*recalled{}
		}
		q.memory.answers[e.q.ID] = is
		e.version++
	}
}

// fitted says what of an earlier answer can be the question's answer now.
func (q *questionnaire) fitted(now questions.Question, was store.Earlier) *recalled {
	is := &recalled{Earlier: was}
	is.value, is.whole = now.Refit(was.Question, was.Answer)
	is.line, is.note = is.words(beginning), beginning(was.Note)
	if is.value.IsZero() {
		return is
	}
	reply := questions.Reply{Answers: map[string]questions.Value{now.ID: is.value}}
	is.field = q.state.spec.EntryFrom(reply).Fields[now.ID]
	is.field.Note = was.Note
	return is
}

// recallPrior makes lines of the earlier answers to the whole form while they
// are on offer: the line says what the key would take over.
func (q *questionnaire) recallPrior() {
	if !q.memory.offered {
		return
	}
	prior := q.host.Input().Prior
	for _, asked := range q.state.spec.Questions {
		answer := prior.Outcome.Reply.Answers[asked.ID]
		if answer.IsZero() {
			continue
		}
		if q.memory.whole == nil {
			q.memory.whole = map[string]*recalled{}
		}
		was := store.Earlier{Ask: prior.ID, Question: asked, Answer: answer, Note: prior.Outcome.Reply.Notes[asked.ID], At: prior.Outcome.At}
		if was.Session.ID = prior.Session; prior.Session == q.host.Input().Session.ID {
			was.Session = q.host.Input().Session
		}
		q.memory.whole[asked.ID] = q.fitted(asked, was)
	}
}

// earlierTo is what was answered to a question before; nil: nothing was.
func (q *questionnaire) earlierTo(e *control) *recalled {
	if q.memory.offered && q.memory.whole[e.q.ID] != nil {
		return q.memory.whole[e.q.ID]
	}
	known, prior := q.memory.answers[e.q.ID], q.memory.whole[e.q.ID]
	if known == nil || prior != nil && prior.At.After(known.At) {
		return prior
	}
	return known
}

// answerNow is the answer as it would be sent.
func (q *questionnaire) answerNow(e *control) questions.Value {
	return q.state.answers().reply.Answers[e.q.ID]
}

// takeEarlier makes the earlier answer that of the question with the focus, or
// puts back what was there. While the answers to the whole form are on offer, it
// takes them.
func (q *questionnaire) takeEarlier() tea.Cmd {
	q.host.CloseDialog()
	if q.memory.offered {
		return q.takePrior()
	}
	e := q.state.current()
	if e == nil || q.state.zone != inBody || e.noting || q.state.readOnly {
		return nil
	}
	was := q.earlierTo(e)
	switch {
	case was == nil:
		q.host.Say(ToneCalm, "Nothing was answered to this before.")
		return nil
	case was.value.IsZero():
		q.host.Say(ToneWarn, "%s", was.unfit())
		return nil
	case q.putBack(e, was):
		return nil
	case q.answerNow(e).Equal(was.value):
		q.host.Say(ToneCalm, "That is your answer already.")
		return nil
	}
	before, field := e.save(), was.field
	field.Note = was.noteBeside(before)
	e.load(field)
	e.alert = ""
	was.before = &before
	q.state.touch()
	q.host.Say(ToneGood, "Taken over. %s puts back what was there.", q.earlierKey(e))
	return nil
}

// putBack undoes a takeEarlier, as long as its answer stands.
func (q *questionnaire) putBack(e *control, was *recalled) bool {
	if was == nil || was.before == nil || !q.answerNow(e).Equal(was.value) {
		return false
	}
	before := *was.before
	if now := e.save().Note; now != was.noteBeside(before) {
		before.Note = now
	}
	e.load(before)
	was.before = nil
	q.state.touch()
	q.host.Say(ToneCalm, "As it was before.")
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
func (q *questionnaire) clearsTaken(p keymap.Press) bool {
	e := q.state.focused()
	if p.Act != keymap.Backspace || e == nil || e.text() != nil || e.onNote || q.memory.offered {
		return false
	}
	return q.putBack(e, q.earlierTo(e))
}

// earlierKey is the key that takes over where the question is now.
func (q *questionnaire) earlierKey(e *control) string {
	if e.text() != nil {
		return keymap.Label(q.host.Keys().InText, keymap.Prior)
	}
	return q.host.Keys().Label(keymap.Prior)
}

// openBefore names the questions that are open now and were answered when the
// whole form was.
func (q *questionnaire) openBefore() []string {
	earlier := q.state.spec.EntryFrom(q.host.Input().Prior.Outcome.Reply)
	return slices.DeleteFunc(q.state.answers().unanswered, func(id string) bool {
		_, answered := earlier.Fields[id]
		return !answered
	})
}

// takePrior answers what is still open with the earlier answers.
func (q *questionnaire) takePrior() tea.Cmd {
	q.host.CloseDialog()
	if !q.memory.offered {
		return nil
	}
	earlier := q.state.spec.EntryFrom(q.host.Input().Prior.Outcome.Reply)
	taken := q.openBefore()
	for _, id := range taken {
		d, e := earlier.Fields[id], q.state.controls[q.state.index(id)]
		if note := safe.New(e.note.Text()); !note.Blank() {
			d.Note = note // what was written now stays
		}
		e.load(d)
		e.alert = ""
	}
	q.state.touch()
	q.memory.offered = false
	for _, e := range q.state.controls {
		e.version++ // what was answered before may be said otherwise now
	}
	if len(taken) == 0 {
		q.host.Say(ToneCalm, "Nothing that is open was answered before.")
		return nil
	}
	q.host.Say(ToneGood, "%s taken over. Look through them, then submit.", wording.Count(len(taken), "earlier answer"))
	return nil
}
