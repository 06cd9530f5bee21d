package tool

import (
	"fmt"
	"slices"
	"sync"
)

// Part is a part of an outcome that an agent asked for: of one piece, from one
// character on.
type Part struct {
	Telling *Telling // of the whole outcome
	Piece   Piece
	Offset  int
	last    bool // it is the piece's last part
}

// partRoom is what the words around a part take, besides its name.
const partRoom = 300

// tellPart words the part.
func (r *Result) tellPart(room int) {
	p, length := r.Part, Characters(r.Part.Piece.Text)
	shown := Fitting(From(p.Piece.Text, p.Offset), room-partRoom-Size(p.Piece.Name))
	end := p.Offset + Characters(shown)
	if end < length {
		r.Items = []string{shown, fmt.Sprintf("Characters %s to %s of %s. Go on with %s.",
			Grouped(p.Offset+1), Grouped(end), Grouped(length), getAnswerCall(p.Telling.Ask, p.Piece.Name, end))}
		return
	}
	p.last = true
	r.Items = []string{shown, fmt.Sprintf("That is the end: %s characters in all.", Grouped(length))}
}

// parts remembers, for each outcome, the long pieces that the agent still has to fetch: it
// was given no path for them, and has not fetched them to the end.
type parts struct {
	mu      sync.Mutex
	missing map[string][]string // names of pieces by ask id
}

// partEnd is the last part of a piece.
type partEnd struct {
	ask, piece string
	long       []string // all long pieces of the outcome, if another process told it
}

// begin notes that the agent was told to fetch these pieces.
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
