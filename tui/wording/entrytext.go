package wording

import (
	"planb/questions"
	"planb/questions/safe"
)

// Unsent is what a person has to carry along by hand: the answers as one JSON object
// and, behind it, the notes and the message there are.
func Unsent(spec questions.Spec, entry questions.Entry) []string {
	reply := entry.Reply(spec)
	parts := []string{string(spec.AnswersJSON(reply))}
	add := func(what string, text safe.Text) {
		if !text.Blank() {
			parts = append(parts, what+": "+text.Raw())
		}
	}
	for _, q := range spec.Questions {
		add("note on "+q.ID, reply.Notes[q.ID])
	}
	add("note on the whole form", reply.Note)
	add("message", entry.Message)
	return parts
}
