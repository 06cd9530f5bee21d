package form

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// A form remembers. If a question was answered before in the project, a faint line under
// its label shows the earlier answer, and one key makes that the answer again. The form
// never fills anything in by itself.
//
// Lines that are found late appear only when they move nothing under the person's
// fingers: before the first key, else when the focus goes to another question.

// memory holds the earlier answers to the form's questions.
type memory struct {
	answers map[string]*recalled           // by the question's id
	whole   map[string]*recalled           // the same, from the last reply to the whole form
	offered bool                           // the form still offers to reuse that whole reply
	late    map[string]store.EarlierAnswer // found after the person had begun; not shown yet
	focused *control                       // the question with the focus after the last message
}

// recalled is an earlier answer to a question.
type recalled struct {
	store.EarlierAnswer
	value  questions.Value  // the part of it that the question still allows; zero if none
	field  questions.Field  // value and the note, as a control loads them
	whole  bool             // value is the whole earlier answer
	line   string           // the beginning of the answer, for one row
	note   string           // the beginning of the note, for one row
	before *questions.Field // what the person's answer was before reuse; nil if not reused
}

// EarlierFound brings earlier answers that the store found after the form had opened.
type EarlierFound struct {
	AskID   string
	Answers map[string]store.EarlierAnswer // by question id
}

// recall makes the lines of earlier answers, by question id. It leaves out answers that
// the form was opened with.
func (q *questionnaire) recall(earlier map[string]store.EarlierAnswer) {
	if q.state.readOnly {
		return
	}
	for _, e := range q.state.controls {
		was, ok := earlier[e.q.ID]
		if !ok || q.host.Input().CarriedFrom != "" && was.Ask == q.host.Input().CarriedFrom {
			continue
		}
		fitted := q.fitted(e.q, was)
		if known := q.memory.answers[e.q.ID]; known != nil {
			fitted.before = known.before
		}
		if q.memory.answers == nil {
			q.memory.answers = map[string]*recalled{}
		}
		q.memory.answers[e.q.ID] = fitted
		e.version++
	}
}

// fitted fits an earlier answer to the question as it is asked now.
func (q *questionnaire) fitted(now questions.Question, was store.EarlierAnswer) *recalled {
	r := &recalled{EarlierAnswer: was}
	r.value, r.whole = now.Refit(was.Question, was.Answer)
	r.line, r.note = r.words(beginning), beginning(was.Note)
	if r.value.IsZero() {
		return r
	}
	reply := questions.Reply{Answers: map[string]questions.Value{now.ID: r.value}}
	r.field = q.state.spec.EntryFrom(reply).Fields[now.ID]
	r.field.Note = was.Note
	return r
}

// recallPrior makes the lines of the last reply to the whole form, while the form offers
// to reuse it: each line shows the answer that the key would reuse.
func (q *questionnaire) recallPrior() {
	if !q.memory.offered {
		return
	}
	prior := q.host.Input().EarlierForm
	for _, asked := range q.state.spec.Questions {
		answer := prior.Outcome.Reply.Answers[asked.ID]
		if answer.IsZero() {
			continue
		}
		if q.memory.whole == nil {
			q.memory.whole = map[string]*recalled{}
		}
		was := store.EarlierAnswer{Ask: prior.ID, Question: asked, Answer: answer, Note: prior.Outcome.Reply.Notes[asked.ID], At: prior.Outcome.At}
		if was.Session.ID = prior.Session; prior.Session == q.host.Input().Session.ID {
			was.Session = q.host.Input().Session
		}
		q.memory.whole[asked.ID] = q.fitted(asked, was)
	}
}

// earlierTo returns the newest earlier answer to a question, or nil. While the form
// offers to reuse a whole reply, the answer of that reply comes first.
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

// answerNow returns the answer that submitting the form would send now.
func (q *questionnaire) answerNow(e *control) questions.Value {
	return q.state.answers().reply.Answers[e.q.ID]
}

// reuseEarlier gives the question with the focus its earlier answer. Called again, it
// puts the person's own answer back. While the form offers to reuse a whole reply, it
// reuses all of that.
func (q *questionnaire) reuseEarlier() tea.Cmd {
	q.host.CloseDialog()
	if q.memory.offered {
		return q.reusePrior()
	}
	e := q.state.current()
	if e == nil || q.state.zone != inBody || e.noting || q.state.readOnly {
		return nil
	}
	was := q.earlierTo(e)
	switch {
	case was == nil:
		q.host.Say(screen.ToneCalm, "This question was not answered before.")
		return nil
	case was.value.IsZero():
		q.host.Say(screen.ToneWarn, "%s", was.unfit())
		return nil
	case q.putBack(e, was):
		return nil
	case q.answerNow(e).Equal(was.value):
		q.host.Say(screen.ToneCalm, "That is your answer already.")
		return nil
	}
	before, field := e.save(), was.field
	field.Note = was.noteBeside(before)
	e.load(field)
	e.alert = ""
	was.before = &before
	q.state.touch()
	q.host.Say(screen.ToneGood, "Taken over.")
	return nil
}

// putBack undoes reuseEarlier. It returns false if there is nothing to undo, or if the
// person has changed the answer since.
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
	q.host.Say(screen.ToneCalm, "As it was before.")
	return true
}

// noteBeside returns the note for a reused answer: the note that the person has written
// in this form, else the earlier one.
func (r *recalled) noteBeside(before questions.Field) safe.Text {
	if !before.Note.Blank() {
		return before.Note
	}
	return r.field.Note
}

// clearsReused undoes reuseEarlier if the key is Backspace and the reused answer still
// stands. It reports whether it did.
func (q *questionnaire) clearsReused(p keymap.Press) bool {
	e := q.state.focused()
	if p.Act != keymap.Backspace || e == nil || e.text() != nil || e.onNote || q.memory.offered {
		return false
	}
	return q.putBack(e, q.earlierTo(e))
}

// earlierKey returns the label of the key that reuses an earlier answer. While letters
// are text, this is another key.
func (q *questionnaire) earlierKey(e *control) string {
	if e.text() != nil || e.invitesText() {
		return keymap.Label(q.host.Keys().InText, keymap.Prior)
	}
	return q.host.Keys().Label(keymap.Prior)
}

// openBefore returns the ids of the open questions that the prior reply answers.
func (q *questionnaire) openBefore() []string {
	earlier := q.state.spec.EntryFrom(q.host.Input().EarlierForm.Outcome.Reply)
	return slices.DeleteFunc(slices.Clone(q.state.answers().unanswered), func(id string) bool {
		_, answered := earlier.Fields[id]
		return !answered
	})
}

// reusePrior answers all open questions with the answers of the prior reply.
func (q *questionnaire) reusePrior() tea.Cmd {
	q.host.CloseDialog()
	if !q.memory.offered {
		return nil
	}
	earlier := q.state.spec.EntryFrom(q.host.Input().EarlierForm.Outcome.Reply)
	before := q.state.answered()
	for _, id := range q.openBefore() {
		d, e := earlier.Fields[id], q.state.controls[q.state.index(id)]
		if note := safe.New(e.note.Text()); !note.Blank() {
			d.Note = note // a note written in this form stays
		}
		e.load(d)
		e.alert = ""
	}
	q.state.touch()
	q.memory.offered = false
	for _, e := range q.state.controls {
		e.version++ // its line of an earlier answer may read differently now
	}
	taken := q.state.answered() - before // a note may come along where no answer does
	if taken == 0 {
		q.host.Say(screen.ToneCalm, "None of the open questions was answered before.")
		return nil
	}
	q.host.Say(screen.ToneGood, "%s taken over. Look through them, then submit.", wording.Count(taken, "earlier answer"))
	return nil
}
