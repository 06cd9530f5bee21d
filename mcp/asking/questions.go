package asking

import (
	"encoding/json"
	"fmt"
	"strings"

	"planb/mcp/tool"
	"planb/mcp/wait"
	"planb/mcp/wait/dialog"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// Questions is the subject of a form. It says what an agent is told of the form.
type Questions struct{}

// Words implements wait.Subject.
func (Questions) Words(ask store.Ask) wait.Words {
	return wait.Words{
		Wants: "asks", Form: "form", Tool: "ask_user",
		Open: fmt.Sprintf("the form %s is open. This is no answer: guess nothing, take no defaults.", tool.Quoted(ask.Spec.Title)),
		Expired: fmt.Sprintf("No answer was submitted within %s. Do not guess it. The form can still be answered, and a late answer "+
			"comes with your next planb result. Go on only with what does not depend on it; else tell your user in one sentence "+
			"that the form is waiting, and end your turn. To wait once more, call get_answer {\"askId\":%q}.",
			tool.InWords(ask.Timeout), ask.ID),
	}
}

// Outcome implements wait.Subject.
func (Questions) Outcome(ask store.Ask, c *tool.Cutter) []string {
	message := c.Text(ask.Outcome.Message).Raw()
	reply := c.Reply(ask.Spec, ask.Outcome.Reply)
	notes := notesText(ask.Spec, reply)
	var items []string
	switch ask.Outcome.State {
	case questions.Answered:
		items = []string{string(ask.Spec.AnswersJSON(reply))}
		notes = besides(ask.Spec, ask.Outcome.Reply, notes)
	case questions.Discuss:
		items = []string{fmt.Sprintf("NOT FINISHED. The user writes: \"%s\"\nAnswer that first, in the intro of your next form, "+
			"and keep the ids of the questions. Answers so far, which may change: %s",
			message, ask.Spec.AnswersJSON(reply))}
	case questions.Declined:
		return []string{declinedText(message)}
	case questions.Withdrawn:
		return []string{"The question was withdrawn."}
	default:
		return []string{wait.UnknownOutcome(ask)}
	}
	if notes != "" {
		items = append(items, notes)
	}
	return items
}

func declinedText(reason string) string {
	text := "User cancelled."
	if reason != "" {
		text += fmt.Sprintf(" Reason: \"%s\".", reason)
	}
	return text + " Do not ask this again unless the user brings it up; go on with what does not need it, " +
		"and name the open point at the end."
}

// besides words the rest of an answered form: what was left open, what was written under
// Other, and the notes.
func besides(spec questions.Spec, reply questions.Reply, notes string) string {
	var lines []string
	switch open := spec.Unanswered(reply); {
	case len(open) > 0 && len(open) == len(spec.Questions):
		lines = append(lines, "The user sent the form and left all of it open: nothing is decided, and that is no default. "+
			"Decide yourself what can be undone, and name it at the end; ask again only what you cannot go on without.")
	case len(open) > 0:
		lines = append(lines, fmt.Sprintf("The user left open: %s. That is no default; ask again only what you cannot go on without.", strings.Join(open, ", ")))
	}
	if other := spec.WrittenUnderOther(reply); len(other) > 0 {
		lines = append(lines, fmt.Sprintf("Written by the user under \"Other…\": %s.", strings.Join(other, ", ")))
	}
	if notes != "" {
		lines = append(lines, notes)
	}
	return strings.Join(lines, "\n")
}

// notesText words the person's notes, a line each, in the order of the form. The note on
// the whole form is the last.
func notesText(spec questions.Spec, reply questions.Reply) string {
	var lines []string
	for _, q := range spec.Questions {
		if note, ok := reply.Notes[q.ID]; ok && !note.IsZero() {
			lines = append(lines, "- "+q.ID+": "+indented(note.Raw()))
		}
	}
	if !reply.Note.IsZero() {
		lines = append(lines, "- on the whole form: "+indented(reply.Note.Raw()))
	}
	if len(lines) == 0 {
		return ""
	}
	return "Notes from the user:\n" + strings.Join(lines, "\n")
}

// indented keeps a note of several lines apart from the note after it.
func indented(note string) string { return strings.ReplaceAll(note, "\n", "\n  ") }

// formData is a form as data: how it stands, or what the person said.
type formData struct {
	wait.Standing
	Answers json.RawMessage      `json:"answers,omitempty"`
	Open    []string             `json:"unanswered,omitempty"`
	Other   []string             `json:"other,omitempty"`
	Notes   map[string]safe.Text `json:"notes,omitempty"`
	Note    safe.Text            `json:"note,omitzero"`
	Message safe.Text            `json:"message,omitzero"`
	tool.Facts
}

// Bound implements tool.Data.
func (d *formData) Bound() {
	d.Answers, d.Notes = nil, nil
	d.Note, d.Message = safe.Text{}, safe.Text{}
	d.Facts.Bound()
}

// Data implements wait.Subject.
func (Questions) Data(ask store.Ask, standing wait.Standing) tool.Data {
	data := &formData{Standing: standing, Message: ask.Outcome.Message}
	switch ask.Outcome.State {
	case questions.Answered:
		data.Open = ask.Spec.Unanswered(ask.Outcome.Reply)
	case questions.Discuss:
	default:
		return data
	}
	data.Answers = ask.Spec.AnswersJSON(ask.Outcome.Reply)
	data.Other = ask.Spec.WrittenUnderOther(ask.Outcome.Reply)
	data.Notes, data.Note = ask.Outcome.Reply.Notes, ask.Outcome.Reply.Note
	return data
}

// Piece implements wait.Subject: it is the answer to the question with that id.
func (Questions) Piece(ask store.Ask, name string) (p tool.Piece, problem string) {
	var names []string
	for i, q := range ask.Spec.Questions {
		v := ask.Outcome.Reply.Answers[q.ID]
		switch {
		case q.ID == name && v.IsZero():
			return tool.Piece{}, fmt.Sprintf("%q has no answer: the user left it open.", name)
		case q.ID == name:
			return tool.ValuePiece(i, q.ID, v), ""
		}
		names = append(names, q.ID)
	}
	return tool.Piece{}, wait.NoPiece(name, names)
}

// Dialog implements wait.Subject.
func (Questions) Dialog(ask store.Ask) (form dialog.Form, ok bool) {
	return dialogOfQuestions(ask), true
}
