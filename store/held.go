package store

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
	s     *Store
	key   kv.Key
	owner string
	lost  chan struct{}
	once  sync.Once
	stop  func() bool // stops waiting for the end of Hold's ctx
}

// Key returns the claim's key.
func (h *Held) Key() kv.Key { return h.key }

// Lost is closed when the claim is no longer renewed: somebody who held this
// process for dead took it, it was released, or the ctx of Hold ended.
func (h *Held) Lost() <-chan struct{} { return h.lost }

// Release gives the claim up. It may be repeated.
func (h *Held) Release(ctx context.Context) error {
	s := h.s
	err := s.commit(ctx, func(c *change) error {
		records, err := s.get(ctx, h.key)
		if err != nil {
			return err
		}
		if !s.owns(h, records[0]) {
			return nil
		}
		c.check(records[0])
		c.delete(h.key)
		return nil
	})
	// Even if the store could not be told: what is not renewed dies.
	s.stopHolding(h)
	return err
}

// holder renews all claims of a Store together, so that a server waiting for
// hundreds of asks writes a few times in a TTL, not hundreds of times. The zero
// value is ready; its goroutine runs while there is something to renew.
type holder struct {
	mu   sync.Mutex
	held map[kv.Key]*Held
	// owners are those of claims held or about to be.
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

func (s *Store) startHolding(ctx context.Context, key kv.Key, claim Claim) *Held {
	h := &Held{s: s, key: key, owner: claim.Owner, lost: make(chan struct{})}
	s.holder.mu.Lock()
	if s.holder.held == nil {
		s.holder.held = map[kv.Key]*Held{}
	}
	replaced := s.holder.held[key]
	s.holder.held[key] = h
	h.stop = context.AfterFunc(ctx, func() { s.stopHolding(h) })
	if s.holder.end == nil {
		renewing, end := context.WithCancel(context.WithoutCancel(ctx))
		s.holder.end = end
		go s.renewUntil(renewing)
	}
	s.holder.mu.Unlock()
	if replaced != nil {
		s.stopHolding(replaced)
	}
	return h
}

// stopHolding ends the renewals of the claim.
func (s *Store) stopHolding(h *Held) {
	s.holder.mu.Lock()
	delete(s.holder.owners, h.owner)
	if s.holder.held[h.key] == h {
		delete(s.holder.held, h.key)
	}
	if len(s.holder.held) == 0 && s.holder.end != nil {
		s.holder.end()
		s.holder.end = nil
		s.holder.stuck.Store(false)
	}
	s.holder.mu.Unlock()
	h.once.Do(func() {
		h.stop()
		close(h.lost)
	})
}

func (s *Store) renewUntil(ctx context.Context) {
	ticker := time.NewTicker(s.ttl / 3)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for some := range slices.Chunk(s.holding(), renewBatch) {
			// A failed renewal is repeated by the next tick, as often as it
			// takes; who reads the claims meanwhile sees it stand still, which
			// is the truth.
			s.renew(ctx, some)
		}
	}
}

func (s *Store) holding() []*Held {
	s.holder.mu.Lock()
	defer s.holder.mu.Unlock()
	list := make([]*Held, 0, len(s.holder.held))
	for _, h := range s.holder.held {
		list = append(list, h)
	}
	return list
}

// renew raises the counters, quietly, and lets go of the claims that are gone.
func (s *Store) renew(ctx context.Context, list []*Held) {
	ctx, cancel := context.WithTimeout(ctx, s.ttl)
	defer cancel()
	var gone []*Held
	err := s.commit(ctx, func(c *change) error {
		c.Quiet = true
		gone = nil
		keys := make([]kv.Key, 0, len(list))
		for _, h := range list {
			keys = append(keys, h.key)
		}
		records, err := s.get(ctx, keys...)
		if err != nil {
			return err
		}
		for i, r := range records {
			if !s.owns(list[i], r) {
				gone = append(gone, list[i])
				continue
			}
			claim, err := decode[claimRecord](s, r)
			if err != nil {
				return err
			}
			if err := s.rewrite(c, r, "counter", claim.Counter+1); err != nil {
				return err
			}
		}
		return nil
	})
	fault, ok := errors.AsType[*kv.Fault](err)
	s.holder.stuck.Store(ok && fault.Unwritable())
	var newer *FormatError
	if errors.As(err, &newer) {
		gone = list // a newer planb has the store now
	}
	for _, h := range gone {
		s.stopHolding(h)
	}
}
