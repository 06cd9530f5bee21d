package mcp

import (
	"fmt"
	"strings"

	"planb/questions"
	"planb/store"
)

// part is the result that tells the part, or why there is none.
func (s *Server) part(ask store.Ask, question string, offset int) *result {
	p, problem := pieceOf(ask, question)
	if length := characters(p.text); problem == "" && offset > 0 && offset >= length {
		problem = fmt.Sprintf("offset is %d, and there are only %s characters.", offset, grouped(length))
	}
	if problem != "" {
		return failed(ask.Session, problem)
	}
	data := &askData{Session: ask.Session, Ask: ask.ID, Short: store.ShortID(ask.ID), State: ask.Outcome.State}
	return &result{session: ask.Session, data: data, ask: ask, carries: []string{ask.ID}, part: &partOf{telling: tellingOf(ask), piece: p, offset: offset}}
}

// pieceOf finds the text that an agent asked for; problem says why there is none.
func pieceOf(ask store.Ask, name string) (p piece, problem string) {
	if name == "" {
		return wholePiece(outcomeText(ask, uncut())), ""
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
			return piece{}, fmt.Sprintf("%q has no answer: the user left it open.", name)
		case q.ID == name:
			return valuePiece(i, q.ID, v), ""
		}
		names = append(names, q.ID)
	}
	return piece{}, fmt.Sprintf("question is %q; there are %s. Without question the offset is into all that the user said.",
		cut(name), strings.Join(names, ", "))
}
