package mcp

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"planb/questions"
	"planb/store"
)

// partOf is a part of an outcome that an agent asked for: of one piece, from one
// character on.
type partOf struct {
	ask    store.Ask
	piece  piece
	offset int
	last   bool // it is the piece's last part
}

// partRoom is what the words around a part take, besides its name.
const partRoom = 300

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
	return &result{session: ask.Session, data: data, ask: ask, carries: []string{ask.ID}, part: &partOf{ask: ask, piece: p, offset: offset}}
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

// tellPart words the part.
func (r *result) tellPart(room int) {
	p, length := r.part, characters(r.part.piece.text)
	shown := fitting(after(p.piece.text, p.offset), room-partRoom-jsonSize(p.piece.name))
	end := p.offset + characters(shown)
	if end < length {
		r.items = []string{shown, fmt.Sprintf("Characters %s to %s of %s. Go on with %s.",
			grouped(p.offset+1), grouped(end), grouped(length), getAnswerCall(p.ask.ID, p.piece.name, end))}
		return
	}
	p.last = true
	r.items = []string{shown, fmt.Sprintf("That is the end: %s characters in all.", grouped(length))}
}

// parts remembers which long pieces of an outcome an agent has yet to fetch to
// their ends, where it was told no path.
type parts struct {
	mu      sync.Mutex
	missing map[string][]string // names of pieces by ask id
}

// partEnd is the last part of a piece.
type partEnd struct {
	ask, piece string
	long       []string // the pieces that are long, if another process told of them
}

// begin notes that the agent was told to fetch these.
func (p *parts) begin(askID string, names []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.missing == nil {
		p.missing = map[string][]string{}
	}
	p.missing[askID] = names
}

// end notes that a last part is about to be written, and reports whether the agent
// then has all of the outcome.
func (p *parts) end(last partEnd) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	missing, known := p.missing[last.ask]
	if !known {
		missing = last.long
	}
	missing = slices.DeleteFunc(slices.Clone(missing), func(name string) bool { return name == last.piece })
	if last.piece == "" || len(missing) == 0 {
		delete(p.missing, last.ask)
		return true
	}
	if p.missing == nil {
		p.missing = map[string][]string{}
	}
	p.missing[last.ask] = missing
	return false
}
