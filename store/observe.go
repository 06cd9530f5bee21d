package store

import (
	"sync"
	"time"
)

// observer judges claims by their counters. The zero value is ready.
type observer struct {
	mu    sync.Mutex
	looks map[Key]look
}

// look is what was seen of one claim.
type look struct {
	owner   string
	counter int64
	at      time.Duration // of the latest look
	still   time.Duration // how long the counter was seen to stand still
	dead    bool
}

// alive takes one look at the claim.
func (o *observer) alive(key Key, c Claim, now time.Duration) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.looks == nil {
		o.looks = map[Key]look{}
	}
	was, seen := o.looks[key]
	is := look{owner: c.Owner, counter: c.Counter, at: now}
	if seen && was.owner == c.Owner && was.counter == c.Counter {
		gap := now - was.at
		if gap <= c.TTL/2 {
			is.still = was.still + gap
		}
		is.dead = was.dead || is.still >= c.TTL
	}
	o.looks[key] = is
	return !is.dead
}

// forget drops what is known of a claim that is no more.
func (o *observer) forget(key Key) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.looks, key)
}
