package mcp

import (
	"fmt"
	"strings"

	"planb/mcp/tool"
	"planb/questions"
	"planb/store"
)

// part is the result that tells the part, or why there is none.
func (s *asking) part(ask store.Ask, question string, offset int) *tool.Result {
	p, problem := pieceOf(ask, question)
	if length := tool.Characters(p.Text); problem == "" && offset > 0 && offset >= length {
		problem = fmt.Sprintf("offset is %d, and there are only %s characters.", offset, tool.Grouped(length))
	}
	if problem != "" {
		return tool.Failed(ask.Session, problem)
	}
	data := &askData{Session: ask.Session, Ask: ask.ID, Short: store.ShortID(ask.ID), State: ask.Outcome.State}
	return &tool.Result{Session: ask.Session, Data: data, Ask: ask, Carries: []string{ask.ID}, Part: &tool.Part{Telling: tellingOf(ask), Piece: p, Offset: offset}}
}

// pieceOf finds the text that an agent asked for; problem says why there is none.
func pieceOf(ask store.Ask, name string) (p tool.Piece, problem string) {
	if name == "" {
		return tool.WholePiece(outcomeText(ask, tool.Uncut())), ""
	}
	var names []string
	for i, q := range ask.Spec.Questions {
		v := ask.Outcome.Reply.Answers[q.ID]
		switch {
		case q.Kind == questions.Review:
			names = append(names, feedbackName)
			if said, err := reviewed(ask); err == nil && name == feedbackName && !said.Feedback.IsZero() {
				return feedbackPiece(said.Feedback), ""
			}
			continue
		case q.ID == name && v.IsZero():
			return tool.Piece{}, fmt.Sprintf("%q has no answer: the user left it open.", name)
		case q.ID == name:
			return tool.ValuePiece(i, q.ID, v), ""
		}
		names = append(names, q.ID)
	}
	return tool.Piece{}, fmt.Sprintf("question is %q; there are %s. Without question the offset is into all that the user said.",
		tool.Shortened(name), strings.Join(names, ", "))
}
