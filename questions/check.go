package questions

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// CheckReply returns, as Problems, every reason why r cannot be submitted: what
// CheckPartial reports, and each required question without an answer. A zero
// Value counts as no answer.
func (s Spec) CheckReply(r Reply) error {
	problems := s.check(r)
	for _, id := range s.Missing(r) {
		problems.Add("answers"+key(id), "nothing", "an answer, the question is required", "")
	}
	return problems.Err()
}

// CheckPartial returns, as Problems, every part of r that does not fit the form:
// answers and notes to questions that the form does not have, answers of the
// wrong kind, answers that are not among the choices, and texts over
// MaxReplyBytes. Questions may be open, required ones too.
func (s Spec) CheckPartial(r Reply) error { return s.check(r).Err() }

// CheckOutcome returns, as Problems, every reason why o cannot be stored as the
// outcome of the form. Answered needs a reply that passes CheckReply. Discuss
// needs a message and a reply that passes CheckPartial. The message of Declined
// may be empty.
func (s Spec) CheckOutcome(o Outcome) error {
	var problems Problems
	switch o.State {
	case Answered:
		return s.CheckReply(o.Reply)
	case Discuss:
		problems = s.check(o.Reply)
		if o.Message.Blank() {
			problems.Add("message", "nothing", "what the person says instead of finishing", "")
		}
	case Pending, Expired, Declined, Withdrawn:
	default:
		problems.Add("state", lenient.Quote(string(o.State)), "answered, discuss, declined, withdrawn, expired or pending", "")
	}
	checkNote(&problems, "message", o.Message)
	return problems.Err()
}

func (s Spec) check(r Reply) Problems {
	var problems Problems
	for _, q := range s.Questions {
		v, ok := r.Answers[q.ID]
		if !ok || v.IsZero() {
			continue
		}
		kind, ok := rulesOf(q.Kind)
		if !ok { // stored by a newer planb
			problems.Add("answers"+key(q.ID), v.String(), "an answer to a question of a kind this planb knows; "+
				lenient.Quote(string(q.Kind))+" is not one", "")
			continue
		}
		for _, p := range kind.check(q, v) {
			p.Where = "answers" + key(q.ID) + p.Where
			problems = append(problems, p)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.Answers)) {
		s.checkID(&problems, "answers", id)
	}
	for _, id := range slices.Sorted(maps.Keys(r.Notes)) {
		s.checkID(&problems, "notes", id)
		checkNote(&problems, "notes"+key(id), r.Notes[id])
	}
	checkNote(&problems, "note", r.Note)
	if size := r.size(); size > MaxReplyBytes {
		problems.Add("", fmt.Sprintf("%d bytes of text", size), fmt.Sprintf("at most %d bytes", MaxReplyBytes), "")
	}
	return problems
}

func (s Spec) checkID(problems *Problems, part, id string) {
	if _, ok := s.Question(id); ok {
		return
	}
	ids := make([]string, 0, len(s.Questions))
	for _, q := range s.Questions {
		ids = append(ids, q.ID)
	}
	problems.Add(part+key(id), "an id that the form does not have", lenient.QuoteAll(ids), "")
}

// checkNote checks a note or a message, which stands beside the answers.
func checkNote(problems *Problems, at string, note safe.Text) {
	if size := len(note.Raw()); size > MaxReplyBytes {
		problems.Add(at, fmt.Sprintf("%d bytes of text", size), fmt.Sprintf("at most %d bytes", MaxReplyBytes), "")
	}
	if !utf8.ValidString(note.Raw()) {
		problems.Add(at, "text that is not UTF-8", "UTF-8", "")
	}
}

// key formats an id as an index into answers or notes.
func key(id string) string { return "[" + lenient.Quote(id) + "]" }

// size counts the bytes of all texts.
func (r Reply) size() int {
	size := len(r.Note.Raw())
	for _, note := range r.Notes {
		size += len(note.Raw())
	}
	for _, v := range r.Answers {
		size += len(v.text)
		for _, item := range v.items {
			size += len(item)
		}
	}
	return size
}
