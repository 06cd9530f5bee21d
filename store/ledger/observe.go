package ledger

import (
	"sync"
	"time"

	"planb/store/kv"
)

// More looks than maxLooks are kept only while they are younger than staleLook.
const (
	maxLooks  = 1000
	staleLook = 10 * time.Minute
)

// observer judges claims by their counters. The zero value is ready.
type observer struct {
	mu    sync.Mutex
	looks map[kv.Key]look
}

// look is what was seen of one claim.
type look struct {
	owner   string
	counter int64
	at      time.Duration // of the latest look
	still   time.Duration // how long the counter was seen to stand still
	dead    bool
}

// alive looks at the claim once and reports whether its holder may live.
func (o *observer) alive(key kv.Key, c Claim, now time.Duration) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.looks == nil {
		o.looks = map[kv.Key]look{}
	}
	was, seen := o.looks[key]
	seenNow := look{owner: c.Owner, counter: c.Counter, at: now}
	if seen && was.owner == c.Owner && was.counter == c.Counter {
		gap := now - was.at
		if gap <= c.TTL/2 {
			seenNow.still = was.still + gap
		}
		seenNow.dead = was.dead || seenNow.still >= c.TTL
	}
	o.looks[key] = seenNow
	o.prune(now)
	return !seenNow.dead
}

// prune forgets old looks, so that a process that runs for months does not remember
// every claim that there ever was.
func (o *observer) prune(now time.Duration) {
	if len(o.looks) <= maxLooks {
		return
	}
	for key, l := range o.looks {
		if now-l.at > staleLook {
			delete(o.looks, key)
		}
	}
}

// forgetAll drops what is known of all claims.
func (o *observer) forgetAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.looks)
}

// forget drops what is known of a claim that is no more.
func (o *observer) forget(key kv.Key) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.looks, key)
}
