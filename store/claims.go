package store

import (
	"context"
	"strings"
	"time"

	"planb/store/kv"
	"planb/store/machine"
)

// Claim says that a process is at something: it shows an ask, serves a place or
// waits for an outcome. Its holder raises Counter at least three times in TTL;
// nobody compares clocks.
type Claim struct {
	Owner   string        `json:"owner"` // one holding; nobody else ever has the same
	Counter int64         `json:"counter"`
	TTL     time.Duration `json:"ttl"`
	PID     int           `json:"pid"`
	Start   string        `json:"start,omitempty"` // when the process started, in its system's terms; empty if unknown
	Boot    string        `json:"boot,omitempty"`  // which run of which system counts the PIDs; empty if unknown
	Host    string        `json:"host,omitempty"`
	Machine string        `json:"machine,omitempty"` // empty if it has no name
	Note    string        `json:"note,omitempty"`    // what the holder says about itself
}

type claimRecord struct {
	header
	Claim
}

// Hold takes the claim if nobody has it, or if its holder is known to be dead,
// and renews it in the background until Release, or until ctx ends; it then
// dies within its TTL. A live claim is *HeldError. By a counter alone a holder is
// known to be dead only after this store looked at it for the TTL; see Alive.
// Where several claims stand side by side (ShowClaims, WaitClaims), those of
// holders known to be dead are cleared away.
func (s *Store) Hold(ctx context.Context, key kv.Key, note string) (*Held, error) {
	claim := s.newClaim(note)
	s.holder.announce(claim.Owner)
	err := s.commit(ctx, func(c *change) error {
		records, err := s.get(ctx, key)
		if err != nil {
			return err
		}
		r := records[0]
		if r.Exists() {
			old, err := decode[claimRecord](s, r)
			if err != nil {
				return err
			}
			if old.Owner == claim.Owner {
				return nil // an earlier try, of which nothing was heard
			}
			if !s.abandoned(old.Claim) && s.alive(key, old.Claim) {
				return &HeldError{Claim: old.Claim}
			}
		}
		if err := s.clearDead(ctx, c, key); err != nil {
			return err
		}
		c.check(r)
		return c.put(key, claimRecord{header{V: format}, claim})
	})
	if err != nil {
		s.holder.renounce(claim.Owner)
		return nil, err
	}
	return s.startHolding(ctx, key, claim), nil
}

// maxCleared bounds how many dead claims one commit takes away.
const maxCleared = 50

// clearDead deletes the claims beside key whose holders are dead: nobody else
// would, since each has a key of its own.
func (s *Store) clearDead(ctx context.Context, c *change, key kv.Key) error {
	family := key[:strings.LastIndexByte(string(key), '/')+1]
	if strings.Count(string(family), "/") < 3 {
		return nil // a claim that stands alone
	}
	page, err := s.engine.Scan(ctx, family, "", maxCleared)
	if err != nil {
		return err
	}
	for _, r := range page.Records {
		claim, err := decode[claimRecord](s, r)
		if err != nil || r.Key == key || s.alive(r.Key, claim.Claim) {
			continue // what cannot be read is not this code's to judge
		}
		c.check(r)
		c.delete(r.Key)
	}
	return nil
}

func (s *Store) newClaim(note string) Claim {
	self := s.self()
	return Claim{
		Owner:   s.by + "#" + s.instance + "." + newOp().String(),
		Counter: 1,
		TTL:     s.ttl,
		PID:     self.pid,
		Start:   self.start,
		Boot:    self.boot,
		Host:    self.host,
		Machine: s.machine,
		Note:    note,
	}
}

// abandoned reports whether the claim was this very Store's, which renews it no
// more.
func (s *Store) abandoned(c Claim) bool {
	return s.took(c) && !s.holder.announced(c.Owner)
}

// took reports whether the claim is or was this very Store's.
func (s *Store) took(c Claim) bool { return strings.HasPrefix(c.Owner, s.by+"#"+s.instance+".") }

// owns reports whether the claim as it was read is the one held. One that cannot
// be read is not, for this code wrote none such.
func (s *Store) owns(h *Held, r kv.Record) bool {
	if !r.Exists() {
		return false
	}
	claim, err := decode[claimRecord](s, r)
	return err == nil && claim.Owner == h.owner
}

// Alive returns the claim and whether its holder lives. The holder is dead when
// it ran on this system and its process is gone. Otherwise it is dead when its
// counter stood still for its TTL while this Store was looking: at least twice in
// each TTL, on a clock that nobody sets. A longer gap between two looks starts
// the count anew, for a machine that slept sees its sleep as one.
func (s *Store) Alive(ctx context.Context, key kv.Key) (Claim, bool, error) {
	records, err := s.get(ctx, key)
	if err != nil {
		return Claim{}, false, err
	}
	if !records[0].Exists() {
		s.observer.forget(key)
		return Claim{}, false, nil
	}
	claim, err := decode[claimRecord](s, records[0])
	if err != nil {
		return Claim{}, false, err
	}
	return claim.Claim, s.alive(key, claim.Claim), nil
}

// AliveAny reports whether the holder of any claim under the prefix lives; see
// Alive.
func (s *Store) AliveAny(ctx context.Context, prefix kv.Key) (bool, error) {
	return s.aliveWhere(ctx, prefix, func(Claim) bool { return true })
}

// AliveBeside is AliveAny for one who holds a claim under the prefix too: own is
// left out. Without one, own is nil.
func (s *Store) AliveBeside(ctx context.Context, prefix kv.Key, own *Held) (bool, error) {
	return s.aliveWhere(ctx, prefix, func(c Claim) bool { return own == nil || c.Owner != own.owner })
}

// AliveElsewhere is AliveAny without the claims that this Store took.
func (s *Store) AliveElsewhere(ctx context.Context, prefix kv.Key) (bool, error) {
	return s.aliveWhere(ctx, prefix, func(c Claim) bool { return !s.took(c) })
}

func (s *Store) aliveWhere(ctx context.Context, prefix kv.Key, counts func(Claim) bool) (bool, error) {
	records, err := s.scan(ctx, prefix)
	if err != nil {
		return false, err
	}
	alive := false
	for _, r := range records {
		claim, err := decode[claimRecord](s, r)
		if err != nil {
			return false, err
		}
		if counts(claim.Claim) {
			// Each one is looked at, so that its count goes on.
			alive = s.alive(r.Key, claim.Claim) || alive
		}
	}
	return alive, nil
}

func (s *Store) alive(key kv.Key, c Claim) bool {
	if s.self().knowsDead(c) || s.restarted(c) {
		return false
	}
	if s.holder.stuck.Load() {
		// Nobody can renew a claim there, so that it stands still says nothing.
		s.observer.forget(key)
		return true
	}
	if c.TTL <= 0 {
		c.TTL = DefaultTTL
	}
	return s.observer.alive(key, c, s.mono())
}

// restarted reports whether the claim was taken on this machine before it was
// started anew, so that its process is gone.
func (s *Store) restarted(c Claim) bool {
	return s.machine != "" && c.Machine == s.machine && c.Boot != "" && s.self().boot != "" && !machine.SameKernel(c.Boot, s.self().boot)
}

// AwaitDead returns once no holder of a claim under the prefix lives, as far as can
// be seen from here; an error says that ctx ended before, or that the claims cannot
// be read.
func (s *Store) AwaitDead(ctx context.Context, prefix kv.Key) error {
	looks := time.NewTicker(s.ttl / 3)
	defer looks.Stop()
	for {
		alive, err := s.AliveAny(ctx, prefix)
		if err != nil || !alive {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-looks.C:
		}
	}
}
