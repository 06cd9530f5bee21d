package lines

import (
	"fmt"
	"maps"

	"planb/questions"
	"planb/questions/safe"
)

// mostPlainUndone is how many changes a plain form can undo.
const mostPlainUndone = 200

// moment is a state of the form that undo goes back to.
type moment struct {
	fields   map[string]questions.Field
	note     safe.Text
	question string // the question that was changed then; empty for other changes
}

// remember notes the state that undo goes back to, before a question is changed.
func (f *form) remember(question string) {
	f.undone = append(f.undone, moment{maps.Clone(f.fill.Fields), f.fill.Note, question})
	if len(f.undone) > mostPlainUndone {
		f.undone = f.undone[1:]
	}
}

// forget removes the state that was remembered last, and returns it.
func (f *form) forget() moment {
	last := f.undone[len(f.undone)-1]
	f.undone = f.undone[:len(f.undone)-1]
	return last
}

func (f *form) goBackBy(m moment) { f.fill.Fields, f.fill.Note = m.fields, m.note }

// undo takes back the last change, and reads out what stands there now.
func (f *form) undo(string) (*questions.Outcome, error) {
	if len(f.undone) == 0 {
		return nil, f.say("There is nothing to undo.")
	}
	last := f.forget()
	f.goBackBy(last)
	at := f.place(last.question)
	if at < 0 {
		return nil, f.kept("Undone.")
	}
	q, now := f.spec.Questions[at], "open"
	if v := f.reply().Answers[q.ID]; !v.IsZero() {
		now = valueLine(q, v)
	}
	return nil, f.kept(fmt.Sprintf("Undone. Question %d, %s %s.", at+1, asLead(q.Label), now))
}
