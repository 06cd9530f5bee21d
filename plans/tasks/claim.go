package tasks

import "time"

// The shortest and the longest lease that an agent may ask for.
const (
	MinLease = time.Minute
	MaxLease = 24 * time.Hour
)

// Claim says who works on a task. The caller reads it from its record.
type Claim struct {
	ID     string        `json:"claimId"`
	Worker string        `json:"worker"` // as a person knows it: "Claude Code"
	At     time.Time     `json:"at"`
	Heard  time.Time     `json:"heard,omitzero"` // of the last call about it; zero: At
	Lease  time.Duration `json:"lease,omitzero"` // the longest silence; zero: any
	Gone   time.Time     `json:"gone,omitzero"`  // when its holder was found to be gone; zero: it lives
	Own    bool          `json:"-"`              // the connection that asks has it
}

// lapsesAt returns when others may claim the task. ok is false as long as the
// claim does not lapse by time alone.
func (c Claim) lapsesAt(grace time.Duration) (at time.Time, ok bool) {
	if !c.Gone.IsZero() {
		at, ok = c.Gone.Add(grace), true
	}
	if c.Lease > 0 {
		if end := c.LastHeard().Add(c.Lease); !ok || end.Before(at) {
			at, ok = end, true
		}
	}
	return at, ok
}

// LastHeard returns when the holder last made a call about the task.
func (c Claim) LastHeard() time.Time {
	if c.Heard.IsZero() {
		return c.At
	}
	return c.Heard // also before At, if the clock was set back in between
}

// who names the holder for an agent or a person who asks.
func (c Claim) who() string {
	if c.Own {
		return "this connection"
	}
	return c.Worker
}

// Silent reports whether the claim has lapsed because its holder was silent for longer
// than its lease.
func (c Claim) Silent(now time.Time) bool {
	return c.Lease > 0 && over(now, c.LastHeard(), c.Lease)
}

// Lapsed reports whether others may claim the task now.
func (c Claim) Lapsed(now time.Time, grace time.Duration) bool {
	return !c.Gone.IsZero() && over(now, c.Gone, grace) || c.Silent(now)
}

// apart is how far the clocks of two machines that share a store may be apart.
const apart = 2 * time.Minute

// over reports whether a wait that began at a time is over. A begin that lies further ahead
// than the wait is long was written before the clock was set back. Nobody knows how long ago
// that is, so the wait is over: else a clock that ran a day ahead would lock the task for a day.
func over(now, begun time.Time, wait time.Duration) bool {
	return now.Sub(begun) >= wait || begun.Sub(now) >= wait+apart
}
