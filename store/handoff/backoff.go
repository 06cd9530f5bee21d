package handoff

import (
	"math/rand/v2"
	"sync"
	"time"

	"planb/store"
)

// mostLooks is how many looks lie at most between two tries of one process to
// write home, of those that nobody waits for.
const mostLooks = 32

// backoff spares a home that takes no writes. What many processes try each second
// would cost more than what they do: so the pause between two tries grows with
// each. Commits that are not quiet are always tried, and end it when they succeed.
type backoff struct {
	look time.Duration

	mu    sync.Mutex
	why   *store.Fault // what home said last; nil: it took what it was given
	pause time.Duration
	next  time.Time
}

// note takes what became of a try.
func (b *backoff) note(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	why := Unwritable(err)
	switch {
	case why != nil:
		b.why = why
		if now := time.Now(); now.After(b.next) {
			b.pause = min(max(2*b.pause, b.look), mostLooks*b.look)
			// So that processes which began together don't try together.
			b.next = now.Add(b.pause/2 + rand.N(b.pause))
		}
	case err == nil:
		b.why, b.pause, b.next = nil, 0, time.Time{}
	}
}

// spared is what home said, as long as it should not be tried again; nil after
// that.
func (b *backoff) spared() *store.Fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.why == nil || time.Now().After(b.next) {
		return nil
	}
	return b.why
}
