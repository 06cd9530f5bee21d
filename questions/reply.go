package questions

import (
	"bytes"

	"planb/questions/safe"
)

// Reply is what a person sends back: answers by question id, only where they
// answered, and notes.
type Reply struct {
	Answers map[string]Value     `json:"answers"`
	Notes   map[string]safe.Text `json:"notes,omitempty"` // by question id
	Note    safe.Text            `json:"note,omitzero"`   // on the whole form
}

// Normalize returns r as it is stored and sent: multi answers in the order of
// the options with the text under Other last, a text under Other that equals an
// option's value as that option, each item once, and no answers or notes that
// say nothing. It does not judge: what CheckReply refuses stays refused, except
// repeated and blank items, which are gone. r itself is left as it is.
func (s Spec) Normalize(r Reply) Reply {
	out := Reply{Answers: make(map[string]Value, len(r.Answers))}
	for id, v := range r.Answers {
		if q, ok := s.Question(id); ok {
			if kind, ok := rulesOf(q.Kind); ok {
				v = kind.tidy(q, v)
			}
		}
		if !v.IsZero() {
			out.Answers[id] = v
		}
	}
	for id, note := range r.Notes {
		if note.Blank() {
			continue
		}
		if out.Notes == nil {
			out.Notes = map[string]safe.Text{}
		}
		out.Notes[id] = note
	}
	if !r.Note.Blank() {
		out.Note = r.Note
	}
	return out
}

// Unanswered returns the ids of the questions r leaves open, in form order.
func (s Spec) Unanswered(r Reply) []string {
	return s.ids(func(q Question) bool { return r.Answers[q.ID].IsZero() })
}

// Missing returns the ids of the required questions r leaves open, in form
// order. A reply can be submitted when there are none.
func (s Spec) Missing(r Reply) []string {
	return s.ids(func(q Question) bool { return q.Required && r.Answers[q.ID].IsZero() })
}

// WrittenUnderOther returns the ids of the choices whose answer in r the
// person wrote, all or part of it, in form order.
func (s Spec) WrittenUnderOther(r Reply) []string {
	return s.ids(func(q Question) bool {
		v := r.Answers[q.ID]
		kind, ok := rulesOf(q.Kind)
		return ok && !v.IsZero() && kind.ownWords(q, v)
	})
}

func (s Spec) ids(want func(Question) bool) []string {
	var ids []string
	for _, q := range s.Questions {
		if want(q) {
			ids = append(ids, q.ID)
		}
	}
	return ids
}

// AnswersJSON returns the answers of r as one JSON object: keys in form order,
// only what was answered, numbers as numbers, and <, > and & unescaped, so
// that option values come back as they were sent. Answers to questions that
// the form does not have are left out.
func (s Spec) AnswersJSON(r Reply) []byte {
	var out bytes.Buffer
	out.WriteByte('{')
	for _, q := range s.Questions {
		v := r.Answers[q.ID]
		if v.IsZero() {
			continue
		}
		id, errID := marshal(q.ID)
		value, errValue := marshal(v)
		if errID != nil || errValue != nil { // cannot be: texts and finite numbers
			continue
		}
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.Write(id)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes()
}
