package questions

import (
	"bytes"
	"maps"
	"slices"

	"planb/plainjson"
	"planb/questions/safe"
)

// Reply is what a person sends back: answers and notes by question id. Questions
// that the person left open have no answer in it.
type Reply struct {
	Answers map[string]Value     `json:"answers"`
	Notes   map[string]safe.Text `json:"notes,omitempty"` // by question id
	Note    safe.Text            `json:"note,omitzero"`   // on the whole form
}

// Normalize returns r as it is stored and sent. It sorts a multi answer into the
// order of the options, with the text under Other last. A text under Other that
// equals an option's value becomes that option. Repeated items, blank items, and
// empty answers and notes are dropped. Normalize repairs nothing else: CheckReply
// still refuses the other mistakes. It does not change r.
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

// Unanswered returns the ids of the questions that r leaves open, in form order.
func (s Spec) Unanswered(r Reply) []string {
	return s.ids(func(q Question) bool { return r.Answers[q.ID].IsZero() })
}

// Unasked returns the ids of answers to questions that the form does not have, in their own
// order. Only an import can bring such answers.
func (s Spec) Unasked(r Reply) (ids []string) {
	for _, id := range slices.Sorted(maps.Keys(r.Answers)) {
		if _, asked := s.Question(id); !asked {
			ids = append(ids, id)
		}
	}
	return ids
}

// Missing returns the ids of the required questions that r leaves open, in form
// order. A reply with missing answers cannot be submitted.
func (s Spec) Missing(r Reply) []string {
	return s.ids(func(q Question) bool { return q.Required && r.Answers[q.ID].IsZero() })
}

// WrittenUnderOther returns the ids of the choices whose answer in r is, wholly or
// in part, a text that the person wrote; in form order.
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

// AnswersJSON returns the answers of r as one JSON object. Its keys are in form
// order and include only answered questions of the form. Numbers are JSON numbers.
// The characters <, > and & are not escaped, so that option values return to the
// agent as it sent them.
func (s Spec) AnswersJSON(r Reply) []byte {
	var out bytes.Buffer
	out.WriteByte('{')
	for _, q := range s.Questions {
		v := r.Answers[q.ID]
		if v.IsZero() {
			continue
		}
		id, errID := plainjson.Marshal(q.ID)
		value, errValue := plainjson.Marshal(v)
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
