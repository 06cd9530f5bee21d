package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Peeks reads what a preview shows beside a list, for the row on which the cursor rests. What
// it read of other rows it keeps for a while.
//
// The screen calls Follow after every message, Outdate when the list was read again, and Heard
// with each PeekDue.
type Peeks[T any] struct {
	after func(time.Duration, tea.Msg) tea.Cmd
	here  func() (id string, read func(context.Context) T)

	known   map[string]peek[T] // by the id of the row
	at      string             // the row under the cursor
	shown   string             // the row last previewed
	round   int                // counts the reads of the list
	moves   int                // counts the moves of the cursor
	reading bool
}

type peek[T any] struct {
	found T
	round int // of the list: the peek is as new as that one
}

const (
	// PeekPause is how long the cursor rests on a row before the row is read: a person who
	// holds an arrow key passes many.
	PeekPause = 80 * time.Millisecond
	mostPeeks = 64 // that are kept
)

// Messages of peeks to their screen.
type (
	PeekDue interface{ peekDue() }
	// peekRest says that the cursor may have rested.
	peekRest[T any] struct {
		peeks *Peeks[T]
		moves int // of the cursor until then
	}
	peeked[T any] struct {
		peeks *Peeks[T]
		id    string
		peek  peek[T]
	}
)

func (peekRest[T]) peekDue() {}
func (peeked[T]) peekDue()   {}

// NewPeeks returns peeks that have read nothing. here returns the id of the row under the
// cursor, which is empty if there is none, and what reads the row, which runs outside of the
// update loop. It is nil if there is nothing to read.
func NewPeeks[T any](after func(time.Duration, tea.Msg) tea.Cmd, here func() (id string, read func(context.Context) T)) *Peeks[T] {
	return &Peeks[T]{after: after, here: here}
}

// Follow has the row under the cursor read soon, if the cursor is on another row than before.
func (p *Peeks[T]) Follow() tea.Cmd {
	id, read := p.here()
	if id == p.at {
		return nil
	}
	p.at = id
	if _, known := p.known[id]; known || read == nil {
		p.shown = id
	}
	return p.soon()
}

// Outdate has the row under the cursor read again: the store may hold something else now.
func (p *Peeks[T]) Outdate() tea.Cmd {
	p.Forget()
	return p.soon()
}

// Forget has the next Follow read the row under the cursor again.
func (p *Peeks[T]) Forget() {
	p.round++
	p.at = ""
}

// Of returns what is known of a row, which may have grown old.
func (p *Peeks[T]) Of(id string) (found T, known bool) {
	k, known := p.known[id]
	return k.found, known
}

// Shown returns the id of the row that the preview shows: the row under the cursor, or the row
// before it until the new one is read. So the preview changes once, and not first to a part of
// it.
func (p *Peeks[T]) Shown() string {
	id, read := p.here()
	if _, known := p.known[id]; known || read == nil {
		return id
	}
	return p.shown
}

func (p *Peeks[T]) soon() tea.Cmd {
	p.moves++
	return p.after(PeekPause, peekRest[T]{p, p.moves})
}

// Heard reads the row on which the cursor rests, or notes what was read.
func (p *Peeks[T]) Heard(msg PeekDue) tea.Cmd {
	switch msg := msg.(type) {
	case peekRest[T]:
		if msg.peeks != p || msg.moves != p.moves {
			return nil
		}
	case peeked[T]:
		if msg.peeks != p {
			return nil
		}
		p.reading = false
		if p.known == nil || len(p.known) >= mostPeeks {
			p.known = map[string]peek[T]{}
		}
		p.known[msg.id] = msg.peek
		if id, _ := p.here(); id == msg.id {
			p.shown = id
		}
	}
	return p.read()
}

// read reads the row under the cursor, one row at a time.
func (p *Peeks[T]) read() tea.Cmd {
	id, read := p.here()
	if known, have := p.known[id]; id == "" || read == nil || p.reading || have && known.round == p.round {
		return nil
	}
	p.reading = true
	round := p.round
	return Within(func(ctx context.Context) tea.Msg {
		return peeked[T]{p, id, peek[T]{read(ctx), round}}
	})
}
