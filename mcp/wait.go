package mcp

import (
	"context"
	"fmt"
	"sync"
	"time"

	"planb/mcp/tool"
	"planb/questions"
	"planb/store"
)

const (
	// progressEvery keeps clients that start their limit anew with each
	// progress from reaching the shortest limit known, 60 s.
	progressEvery = 10 * time.Second
)

// asks is what waiting needs of the store.
type asks interface {
	Ask(ctx context.Context, id string) (store.Ask, error)
	Expire(ctx context.Context, id string, asked time.Time) (store.Ask, error)
	Entry(ctx context.Context, askID string) (questions.Entry, bool, error)
}

// waitEnd is why a wait ended.
type waitEnd int

const (
	waitSettled  waitEnd = iota // the ask has its final outcome
	waitLimit                   // the call may not wait longer
	waitExpired                 // the ask's own time is over
	waitHidden                  // nothing shows the ask, and nothing can be opened
	waitStopped                 // the connection ends
	waitGivenUp                 // the client cancelled the call
	waitFaulty                  // the store cannot be read
	waitUnstored                // the reply to a dialog cannot be stored yet
)

// waited is how a wait ended.
type waited struct {
	end waitEnd
	ask store.Ask
	err error // of waitHidden, waitFaulty and waitUnstored; after a dialog, why there is no pane
}

// wait lets the call wait until the ask is settled, for at most its limit
// counted from its beginning, while telling a client that wants to know that it
// is alive. A dialog that the client shows meanwhile
// ends with it; it is nil where there is none.
func (s *waiting) wait(c call, ask store.Ask, shown *dialog) waited {
	defer shown.close()
	defer c.Park()()
	depart := s.attendance.enter(ask.ID)
	stay := time.Duration(0)
	defer func() { depart(stay) }()
	w, leave := s.hub.join(ask.ID)
	defer leave()
	hidden, unqueue := s.queuedFor(c, ask)
	defer func() { unqueue() }()

	limitTimer, stopLimit := timerUntil(c.Started(), c.limit)
	defer stopLimit()
	expiry, stopExpiry := s.expiries.timer(ask)
	defer func() { stopExpiry() }()
	progress := time.NewTicker(progressEvery)
	defer progress.Stop()

	for {
		select {
		case n := <-w.news:
			if n.err != nil {
				return waited{end: waitFaulty, ask: ask, err: n.err}
			}
			again := n.ask.Asked.After(ask.Asked)
			if ask.Shown.IsZero() && !n.ask.Shown.IsZero() {
				unqueue()
			}
			n.ask.Spec = ask.Spec
			ask = n.ask
			if !ask.Open() {
				return waited{end: waitSettled, ask: ask}
			}
			if again {
				stopExpiry()
				expiry, stopExpiry = s.expiries.timer(ask)
			}
		case <-progress.C:
			c.Progress(fmt.Sprintf("waiting for the user, %s", tool.InWords(time.Since(c.Started()).Round(time.Second))))
		case err := <-hidden:
			return waited{end: waitHidden, ask: ask, err: err}
		case end := <-shown.ended():
			switch {
			case end.err != nil:
				return waited{end: waitUnstored, ask: ask, err: end.err}
			case !end.ask.Open():
				return waited{end: waitSettled, ask: end.ask}
			case !end.read:
				return waited{end: waitHidden, ask: ask, err: shown.reason}
			}
		case <-expiry:
			ended, again := s.expire(c, ask)
			if !again {
				return ended
			}
			ask = ended.ask
			expiry, stopExpiry = s.expiries.timer(ask)
		case <-limitTimer:
			stay = linger
			return waited{end: waitLimit, ask: ask, err: shown.why()}
		case <-c.Agent.Closing():
			return waited{end: waitStopped, ask: ask, err: shown.why()}
		case <-c.Context().Done():
			return waited{end: waitGivenUp, ask: ask}
		}
	}
}

// timerUntil fires when limit has passed since from; never if limit is 0.
func timerUntil(from time.Time, limit time.Duration) (<-chan time.Time, func()) {
	if limit <= 0 {
		return nil, func() {}
	}
	t := time.NewTimer(time.Until(from.Add(limit)))
	return t.C, func() { t.Stop() }
}

// expire ends the ask's time, unless it was asked again since, perhaps by
// another server: its time then runs anew, and again is true. A call of another
// project leaves the ask as it is.
func (s *waiting) expire(c call, ask store.Ask) (ended waited, again bool) {
	if c.foreign {
		return waited{end: waitExpired, ask: ask}, false
	}
	expired, err := s.store.Expire(c.Context(), ask.ID, ask.Asked)
	if err != nil {
		return waited{end: waitFaulty, ask: ask, err: err}, false
	}
	expired.Spec = ask.Spec
	switch {
	case !expired.Open():
		return waited{end: waitSettled, ask: expired}, false
	case expired.Asked.After(ask.Asked):
		return waited{ask: expired}, true
	}
	return waited{end: waitExpired, ask: expired}, false
}

// expiries remembers when the time of each ask is over on this process's own
// clock, which neither a clock that is set nor another machine's moves. It
// counts from when this process first waited for the ask or heard that it was
// asked again.
type expiries struct {
	mu sync.Mutex
	at map[string]expiry // by ask id
}

type expiry struct {
	asked time.Time // which asking it is about
	end   time.Time // with a monotonic part
}

// restart counts the ask's time from now, and returns its end.
func (e *expiries) restart(ask store.Ask) time.Time {
	end := time.Now().Add(ask.Timeout)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.at == nil {
		e.at = map[string]expiry{}
	}
	e.at[ask.ID] = expiry{asked: ask.Asked, end: end}
	return end
}

// timer fires when the ask's time is over. One already over when the wait
// begins starts anew, for somebody waits for a late answer; and so does one
// that was asked again.
func (e *expiries) timer(ask store.Ask) (<-chan time.Time, func()) {
	if ask.Timeout <= 0 {
		return nil, func() {}
	}
	e.mu.Lock()
	known := e.at[ask.ID]
	e.mu.Unlock()
	if ask.Asked.After(known.asked) || !time.Now().Before(known.end) {
		known.end = e.restart(ask)
	}
	t := time.NewTimer(time.Until(known.end))
	return t.C, func() { t.Stop() }
}

// forget drops what is known of an ask that needs it no more.
func (e *expiries) forget(askID string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.at, askID)
}
