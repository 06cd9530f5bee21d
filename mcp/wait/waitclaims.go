package wait

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"planb/store"
	"planb/store/kv"
)

// linger is how long an ask still counts as waited for after a call returned
// with "not answered yet": the agent was told to call again, and is about to.
const linger = 20 * time.Second

// claimPause is the pause before a claim that could not be made is tried again.
const claimPause = 2 * time.Second

// claimer keeps claims.
type claimer interface {
	Hold(ctx context.Context, key kv.Key, note string) (*store.Held, error)
}

// attendance holds one claim for each ask that agents of this process wait for, or are to
// learn of, so that the form can tell the person whether an agent is still there.
type attendance struct {
	store claimer
	claim func(askID, owner string) kv.Key
	owner string
	note  string // of the claims
	log   *slog.Logger

	mu     sync.Mutex
	claims map[string]*attended   // by ask id
	ending map[*attended]struct{} // dropped, and not given back yet
	count  int                    // of claims so far; each has a key of its own, because the one before may still be ending
}

type attended struct {
	calls int
	later *time.Timer
	quit  chan struct{} // closed to give the claim back
	gone  chan struct{} // closed once it is
}

func newAttendance(s claimer, claim func(askID, owner string) kv.Key, owner, note string, log *slog.Logger) *attendance {
	return &attendance{store: s, claim: claim, owner: owner, note: note, log: log, claims: map[string]*attended{}, ending: map[*attended]struct{}{}}
}

// enter claims the ask. The claim is made and given back in the background, because the
// agent sees nothing of it. The caller must call leave; after is how long the claim
// outlives that, if no other call holds it.
func (a *attendance) enter(askID string) (leave func(after time.Duration)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	held := a.claims[askID]
	if held == nil {
		held = &attended{quit: make(chan struct{}), gone: make(chan struct{})}
		a.claims[askID] = held
		a.count++
		go a.hold(askID, fmt.Sprintf("%s/%d", a.owner, a.count), held)
	}
	if held.later != nil {
		held.later.Stop()
		held.later = nil
	}
	held.calls++
	return func(after time.Duration) { a.leave(askID, held, after) }
}

func (a *attendance) leave(askID string, held *attended, after time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	held.calls--
	if held.calls > 0 {
		return
	}
	if after <= 0 {
		a.drop(askID, held)
		return
	}
	held.later = time.AfterFunc(after, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if held.calls == 0 {
			a.drop(askID, held)
		}
	})
}

// drop ends a claim; the lock is held.
func (a *attendance) drop(askID string, held *attended) {
	if a.claims[askID] == held {
		delete(a.claims, askID)
		close(held.quit)
		select {
		case <-held.gone: // it could not be made
		default:
			a.ending[held] = struct{}{}
		}
	}
}

func (a *attendance) hold(askID, owner string, held *attended) {
	defer a.ended(held)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for {
		claim := a.get(ctx, askID, owner, held)
		if claim == nil {
			return
		}
		select {
		case <-claim.Lost(): // others removed it: this process slept, or a backup took the store's place
			continue
		case <-held.quit:
		}
		ending, stop := context.WithTimeout(context.Background(), deliverTime)
		defer stop()
		if err := claim.Release(ending); err != nil {
			a.log.Debug("a claim could not be given back; it ends by itself", "ask", askID, "error", err)
		}
		return
	}
}

// get makes the claim; nil if it cannot be made, or was dropped before.
func (a *attendance) get(ctx context.Context, askID, owner string, held *attended) *store.Held {
	for try := 1; ; try++ {
		claim, err := a.store.Hold(ctx, a.claim(askID, owner), a.note)
		if err == nil {
			return claim
		}
		if try == 1 {
			a.log.Warn("the form cannot be told that the agent waits", "ask", askID, "error", err)
		}
		if !kv.Passing(err) {
			return nil
		}
		select {
		case <-time.After(claimPause):
		case <-held.quit:
			return nil
		}
	}
}

func (a *attendance) ended(held *attended) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.ending, held)
	close(held.gone)
}

// releaseAll ends every claim, and waits at most that long. A claim that is not given
// back by then ends with the process.
func (a *attendance) releaseAll(patience time.Duration) {
	a.mu.Lock()
	for id, held := range a.claims {
		if held.later != nil {
			held.later.Stop()
		}
		a.drop(id, held)
	}
	ending := slices.Collect(maps.Keys(a.ending)) // some were dropped by their calls before
	a.mu.Unlock()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for _, held := range ending {
		select {
		case <-held.gone:
		case <-timer.C:
			return
		}
	}
}
