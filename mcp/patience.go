package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync"

	"planb/questions"
	"planb/store"
)

// patienceLimit is how many times in a row an agent is told to call again
// before it is told that the user is away.
const patienceLimit = 3

// patience counts, for each ask, the waits that ended with nothing while the
// person did not touch the form.
type patience struct {
	mu    sync.Mutex
	waits map[string]vain // by ask id
}

type vain struct {
	count int
	seen  [sha256.Size]byte // how the form stood at the last one
}

// drafts is what shows that a person has touched a form.
type drafts interface {
	Draft(ctx context.Context, askID string) (questions.Draft, bool, error)
}

// spent counts one more wait in vain, and reports whether the agent should
// stop. A form that was shown, or has another draft, since the wait before
// begins the count anew.
func (p *patience) spent(ctx context.Context, s drafts, ask store.Ask) bool {
	seen, err := touched(ctx, s, ask)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waits == nil {
		p.waits = map[string]vain{}
	}
	before, known := p.waits[ask.ID]
	if err != nil || !known || before.seen != seen {
		before = vain{seen: seen}
	}
	if before.count >= patienceLimit {
		return true
	}
	before.count++
	p.waits[ask.ID] = before
	return false
}

func (p *patience) forget(askID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waits, askID)
}

// touched is different whenever the person has done something in between.
func touched(ctx context.Context, s drafts, ask store.Ask) ([sha256.Size]byte, error) {
	draft, _, err := s.Draft(ctx, ask.ID)
	if err != nil {
		return [sha256.Size]byte{}, err
	}
	state, err := json.Marshal(struct {
		Draft questions.Draft
		Shown bool
	}{draft, !ask.Shown.IsZero()})
	return sha256.Sum256(state), err
}
