package ledger

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"planb/store/kv"
)

// renewBatch is how many claims one commit renews; each is a check and a write.
const renewBatch = 90

// Held is a claim that this process holds.
type Held struct {
	c     *Claims
	key   kv.Key
	owner string
	lost  chan struct{}
	once  sync.Once
	stop  func() bool // stops waiting for the end of Hold's ctx

	late    chan struct{}
	renewed time.Duration // when that was last, on the Claims' clock; guarded by the holder's mu
}

// Key returns the claim's key.
func (h *Held) Key() kv.Key { return h.key }

// Lost is closed when the claim is no longer renewed: another process believed this
// one dead and has it, it was released, or the ctx of Hold ended.
func (h *Held) Lost() <-chan struct{} { return h.lost }

// Late receives after a renewal that came later than the TTL: the process was suspended, or the
// disk took no writes. Others may have believed the holder dead meanwhile.
func (h *Held) Late() <-chan struct{} { return h.late }

// Release gives the claim up. It may be repeated.
func (h *Held) Release(ctx context.Context) error {
	err := h.c.l.Commit(ctx, func(ch *Change) error { return h.Delete(ctx, ch) })
	// Even if the store could not be told: a claim that is not renewed dies.
	h.Stop()
	return err
}

// Delete adds to the caller's commit that the claim is given up, if this holder still
// has it. The caller must call Stop after the commit.
func (h *Held) Delete(ctx context.Context, ch *Change) error {
	records, err := h.c.l.Get(ctx, h.key)
	if err != nil || !h.Owns(records[0]) {
		return err
	}
	ch.Check(records[0])
	ch.Delete(h.key)
	return nil
}

// Owns reports whether the claim, as it was read, still is this holder's. A claim that
// cannot be read is not, because this code wrote one that can.
func (h *Held) Owns(r kv.Record) bool {
	if !r.Exists() {
		return false
	}
	claim, err := Decode[Claim](h.c.l, r)
	return err == nil && claim.Owner == h.owner
}

// Stop ends the renewals and leaves the record. It is for a caller that deleted the
// record in its own commit.
func (h *Held) Stop() { h.c.stopHolding(h) }

// holder renews all claims of a process together, so that a server waiting for
// hundreds of asks writes a few times in a TTL, not hundreds of times. The zero
// value is ready; its goroutine runs while there is something to renew.
type holder struct {
	mu   sync.Mutex
	held map[kv.Key]*Held
	// owners are the owners of all claims that are held or are about to be held.
	owners map[string]bool
	end    context.CancelFunc // of the goroutine
	// stuck says that the last renewal failed because the place takes no writes.
	stuck atomic.Bool
}

func (h *holder) announce(owner string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.owners == nil {
		h.owners = map[string]bool{}
	}
	h.owners[owner] = true
}

func (h *holder) renounce(owner string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.owners, owner)
}

func (h *holder) announced(owner string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.owners[owner]
}

func (c *Claims) startHolding(ctx context.Context, key kv.Key, claim Claim) *Held {
	h := &Held{c: c, key: key, owner: claim.Owner, lost: make(chan struct{}), late: make(chan struct{}, 1), renewed: c.mono()}
	c.holder.mu.Lock()
	if c.holder.held == nil {
		c.holder.held = map[kv.Key]*Held{}
	}
	replaced := c.holder.held[key]
	c.holder.held[key] = h
	h.stop = context.AfterFunc(ctx, func() { c.stopHolding(h) })
	if c.holder.end == nil {
		renewing, end := context.WithCancel(context.WithoutCancel(ctx))
		c.holder.end = end
		go c.renewUntil(renewing)
	}
	c.holder.mu.Unlock()
	if replaced != nil {
		c.stopHolding(replaced)
	}
	return h
}

// stopHolding ends the renewals of the claim.
func (c *Claims) stopHolding(h *Held) {
	c.holder.mu.Lock()
	delete(c.holder.owners, h.owner)
	if c.holder.held[h.key] == h {
		delete(c.holder.held, h.key)
	}
	if len(c.holder.held) == 0 && c.holder.end != nil {
		c.holder.end()
		c.holder.end = nil
		c.holder.stuck.Store(false)
	}
	c.holder.mu.Unlock()
	h.once.Do(func() {
		h.stop()
		close(h.lost)
	})
}

func (c *Claims) renewUntil(ctx context.Context) {
	ticker := time.NewTicker(c.ttl / 3)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for some := range slices.Chunk(c.holding(), renewBatch) {
			// The next tick repeats a failed renewal. Meanwhile readers see the
			// counter stand still, which is the truth.
			c.renew(ctx, some)
		}
	}
}

func (c *Claims) holding() []*Held {
	c.holder.mu.Lock()
	defer c.holder.mu.Unlock()
	list := make([]*Held, 0, len(c.holder.held))
	for _, h := range c.holder.held {
		list = append(list, h)
	}
	return list
}

// renew raises the counters, quietly, and stops renewing the claims that are gone.
func (c *Claims) renew(ctx context.Context, list []*Held) {
	ctx, cancel := context.WithTimeout(ctx, c.ttl)
	defer cancel()
	var gone []*Held
	err := c.l.Commit(ctx, func(ch *Change) error {
		ch.Quiet = true
		gone = nil
		keys := make([]kv.Key, 0, len(list))
		for _, h := range list {
			keys = append(keys, h.key)
		}
		records, err := c.l.Get(ctx, keys...)
		if err != nil {
			return err
		}
		for i, r := range records {
			if !list[i].Owns(r) {
				gone = append(gone, list[i])
				continue
			}
			claim, err := Decode[Claim](c.l, r)
			if err != nil {
				return err
			}
			if err := c.l.Rewrite(ch, r, "counter", claim.Counter+1); err != nil {
				return err
			}
		}
		return nil
	})
	fault, ok := errors.AsType[*kv.Fault](err)
	c.holder.stuck.Store(ok && fault.Unwritable())
	if err == nil {
		c.noteRenewed(list)
	}
	if _, newer := errors.AsType[*FormatError](err); newer {
		gone = list // a newer planb has the store now
	}
	for _, h := range gone {
		c.stopHolding(h)
	}
}

// noteRenewed tells the holders that were renewed later than the TTL.
func (c *Claims) noteRenewed(list []*Held) {
	c.holder.mu.Lock()
	defer c.holder.mu.Unlock()
	now := c.mono()
	for _, h := range list {
		if now-h.renewed >= c.ttl {
			select {
			case h.late <- struct{}{}:
			default: // it is told already
			}
		}
		h.renewed = now
	}
}
