package mcp

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"sync"
	"time"

	"planb/questions"
	"planb/store"
)

// The user seems to be away when so many waits in a row ended with nothing, and
// so much time has passed without a key pressed in the form.
const (
	awayWaits = 3
	awayTime  = 3 * time.Minute
)

// patience counts, for each ask, the waits that ended with nothing while the
// person did not touch the form.
type patience struct {
	mu    sync.Mutex
	waits map[string]vain // by ask id
}

type vain struct {
	count int
	since time.Time         // when the first of them began
	seen  [sha256.Size]byte // how the form stood at the last one
}

// entries is what shows that a person has touched a form.
type entries interface {
	Entry(ctx context.Context, askID string) (questions.Entry, bool, error)
}

// away reports whether the user seems to be away.
func (p *patience) away(ctx context.Context, s entries, ask store.Ask) bool {
	seen, _, err := touched(ctx, s, ask)
	p.mu.Lock()
	defer p.mu.Unlock()
	waits := p.waits[ask.ID]
	return err == nil && waits.seen == seen && waits.count >= awayWaits && time.Since(waits.since) >= awayTime
}

// inVain counts one more wait that ended with nothing. A form that was shown, or
// has another entry, since the wait before begins the count anew.
func (p *patience) inVain(ctx context.Context, s entries, ask store.Ask, began time.Time) {
	seen, begun, err := touched(ctx, s, ask)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waits == nil {
		p.waits = map[string]vain{}
	}
	waits, known := p.waits[ask.ID]
	switch {
	case !known && !begun:
		waits = vain{since: began, seen: seen}
	case !known || err != nil || waits.seen != seen:
		waits = vain{since: time.Now(), seen: seen} // the last key was pressed some time in this wait
	}
	waits.count++
	p.waits[ask.ID] = waits
}

func (p *patience) forget(askID string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.waits, askID)
}

// touched is different whenever the person has done something in between; begun
// says that they have entered something.
func touched(ctx context.Context, s entries, ask store.Ask) (state [sha256.Size]byte, begun bool, err error) {
	entry, begun, err := s.Entry(ctx, ask.ID)
	if err != nil {
		return state, begun, err
	}
	raw, err := json.Marshal(struct {
		Entry questions.Entry
		Shown bool
	}{entry, !ask.Shown.IsZero()})
	return sha256.Sum256(raw), begun, err
}
