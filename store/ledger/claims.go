package ledger

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"planb/store/kv"
	"planb/store/machine"
)

// DefaultTTL is how long a claim's counter may stand still before an observer
// calls the claim dead. Observers look at least twice in that time.
const DefaultTTL = 10 * time.Second

// Claim says that a process is alive and at something: it shows an ask, it waits for
// an outcome, it works on a task. Its holder raises Counter at least three times in
// TTL; no clocks are compared.
type Claim struct {
	Header
	Owner   string        `json:"owner"` // one holding; no other claim ever has the same
	Counter int64         `json:"counter"`
	TTL     time.Duration `json:"ttl"`
	PID     int           `json:"pid"`
	Start   string        `json:"start,omitempty"` // when the process started, in its system's terms; empty if unknown
	Boot    string        `json:"boot,omitempty"`  // which run of which system counts the PIDs; empty if unknown
	Host    string        `json:"host,omitempty"`
	Machine string        `json:"machine,omitempty"` // empty if it has no name
	Note    string        `json:"note,omitempty"`    // what the holder says about itself
}

// ClaimOptions say for whom claims are held. The zero value works.
type ClaimOptions struct {
	By      string        // who holds them, user@host
	Machine string        // names this machine; empty: machines are not told apart
	TTL     time.Duration // DefaultTTL by default
}

// Claims holds claims in the background and tells which holders of claims live. A
// claim that stands alone has a key of two parts below ClaimKeys (k/place/<hash>);
// claims that stand side by side have a third (k/wait/<hash>/<hash>).
type Claims struct {
	l       *Ledger
	by      string
	machine string
	ttl     time.Duration
	mono    func() time.Duration // the time that passes, on the monotonic clock
	self    func() process
	// instance tells these claims from those of others.
	instance string

	holder   holder
	observer observer
}

// NewClaims returns the claims of a ledger. It reads and writes nothing yet.
func NewClaims(l *Ledger, opts ClaimOptions) *Claims {
	start := time.Now()
	c := &Claims{
		l:        l,
		by:       opts.By,
		machine:  opts.Machine,
		ttl:      opts.TTL,
		mono:     func() time.Duration { return time.Since(start) },
		self:     sync.OnceValue(thisProcess),
		instance: randomOp().String(),
	}
	if c.ttl <= 0 {
		c.ttl = DefaultTTL
	}
	return c
}

// Hold gets the claim if nobody has it, or if its holder is known to be dead, and renews it
// in the background until Release, or until ctx ends; the claim then dies within its TTL. A
// live claim is *HeldError. Where only the counter can show that its holder is dead, a claim
// counts as live until these Claims have watched the counter for the TTL; see Alive. Hold
// removes the claims beside this one whose holders are known to be dead.
func (c *Claims) Hold(ctx context.Context, key kv.Key, note string) (*Held, error) {
	claiming := c.Claiming(note)
	if err := c.l.Commit(ctx, func(ch *Change) error { return claiming.Put(ctx, ch, key) }); err != nil {
		claiming.Cancel()
		return nil, err
	}
	return claiming.Held(ctx), nil
}

// Claiming gets a claim in a commit of the caller's own. Put goes into that commit; Held
// follows it, or Cancel if it failed or put nothing.
type Claiming struct {
	c     *Claims
	key   kv.Key
	claim Claim
}

// Claiming returns a claim that nobody has yet.
func (c *Claims) Claiming(note string) *Claiming {
	claiming := &Claiming{c: c, claim: c.newClaim(note)}
	c.holder.announce(claiming.claim.Owner)
	return claiming
}

// Put adds the claim to the change, under the conditions of Hold. A live claim is
// *HeldError; then another key may be tried.
func (p *Claiming) Put(ctx context.Context, ch *Change, key kv.Key) error {
	records, err := p.c.l.Get(ctx, key)
	if err != nil {
		return err
	}
	p.key = key
	r := records[0]
	if r.Exists() {
		old, err := Decode[Claim](p.c.l, r)
		if err != nil {
			return err
		}
		if old.Owner == p.claim.Owner {
			return nil // an earlier try, of which nothing was heard
		}
		if !p.c.abandoned(old) && p.c.alive(key, old) {
			return &HeldError{Claim: old}
		}
	}
	if err := p.c.clearDead(ctx, ch, key); err != nil {
		return err
	}
	ch.Check(r)
	return ch.Put(key, p.claim)
}

// Held renews the claim from now on, until Release or the end of ctx.
func (p *Claiming) Held(ctx context.Context) *Held { return p.c.startHolding(ctx, p.key, p.claim) }

// Cancel says that the claim was not put.
func (p *Claiming) Cancel() { p.c.holder.renounce(p.claim.Owner) }

// maxCleared bounds how many dead claims one commit deletes.
const maxCleared = 50

// clearDead deletes the claims beside key whose holders are dead. Each has a key of its
// own, so no later holder replaces them.
func (c *Claims) clearDead(ctx context.Context, ch *Change, key kv.Key) error {
	family := key[:strings.LastIndexByte(string(key), '/')+1]
	if strings.Count(string(family), "/") < 3 {
		return nil // a claim that stands alone
	}
	page, _, err := c.l.Page(ctx, family, "", maxCleared)
	if err != nil {
		return err
	}
	for _, r := range page {
		claim, err := DecodeFound[Claim](c.l, r)
		if err != nil || r.Key == key || c.alive(r.Key, claim) {
			continue // a claim that cannot be read is not this code's to judge
		}
		ch.Check(r.Record)
		ch.Delete(r.Key)
	}
	return nil
}

func (c *Claims) newClaim(note string) Claim {
	self := c.self()
	return Claim{
		Header:  NewHeader(),
		Owner:   c.by + "#" + c.instance + "." + randomOp().String(),
		Counter: 1,
		TTL:     c.ttl,
		PID:     self.pid,
		Start:   self.start,
		Boot:    self.boot,
		Host:    self.host,
		Machine: c.machine,
		Note:    note,
	}
}

// abandoned reports whether the claim is of these Claims, and they renew it no more.
func (c *Claims) abandoned(claim Claim) bool {
	return c.made(claim) && !c.holder.announced(claim.Owner)
}

// made reports whether the claim is of these Claims.
func (c *Claims) made(claim Claim) bool {
	return strings.HasPrefix(claim.Owner, c.by+"#"+c.instance+".")
}

// Alive returns the claim and whether its holder lives. The holder is dead when
// it ran on this system and its process is gone. Otherwise it is dead when its
// counter was seen to stand still for its TTL, on the monotonic clock. For that the caller
// has to look at least twice in each TTL. After a longer time without a look the count begins
// anew, because this machine may have slept meanwhile.
func (c *Claims) Alive(ctx context.Context, key kv.Key) (Claim, bool, error) {
	records, err := c.l.Get(ctx, key)
	if err != nil {
		return Claim{}, false, err
	}
	if !records[0].Exists() {
		c.observer.forget(key)
		return Claim{}, false, nil
	}
	claim, err := Decode[Claim](c.l, records[0])
	if err != nil {
		return Claim{}, false, err
	}
	return claim, c.alive(key, claim), nil
}

// Live returns the claims under the prefix whose holders live, by their keys; see
// Alive. A claim that cannot be read is left out: the others are returned with an
// error that AboutOne knows.
func (c *Claims) Live(ctx context.Context, prefix kv.Key) (map[kv.Key]Claim, error) {
	live := map[kv.Key]Claim{}
	var unread []error
	err := c.l.Each(ctx, prefix, func(f Found) error {
		claim, err := DecodeFound[Claim](c.l, f)
		switch {
		case AboutOne(err):
			unread = append(unread, err)
		case err != nil:
			return err
		case c.alive(f.Key, claim):
			live[f.Key] = claim
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return live, errors.Join(unread...)
}

// Dead returns the claims whose holders are known to be dead, without their values. It
// leaves out a claim that cannot be read.
func (c *Claims) Dead(ctx context.Context) (dead []kv.Record, err error) {
	err = c.l.Each(ctx, ClaimKeys, func(f Found) error {
		claim, err := DecodeFound[Claim](c.l, f)
		if err == nil && !c.alive(f.Key, claim) {
			dead = append(dead, kv.Record{Key: f.Key, Rev: f.Rev})
		}
		return nil
	})
	return dead, err
}

// AliveAny reports whether the holder of any claim under the prefix lives; see
// Alive.
func (c *Claims) AliveAny(ctx context.Context, prefix kv.Key) (bool, error) {
	return c.aliveWhere(ctx, prefix, func(Claim) bool { return true })
}

// AliveBeside is AliveAny without the caller's own claim. A caller that holds none
// gives nil.
func (c *Claims) AliveBeside(ctx context.Context, prefix kv.Key, own *Held) (bool, error) {
	return c.aliveWhere(ctx, prefix, func(claim Claim) bool { return own == nil || claim.Owner != own.owner })
}

// AliveElsewhere is AliveAny without the claims that these Claims made.
func (c *Claims) AliveElsewhere(ctx context.Context, prefix kv.Key) (bool, error) {
	return c.aliveWhere(ctx, prefix, func(claim Claim) bool { return !c.made(claim) })
}

func (c *Claims) aliveWhere(ctx context.Context, prefix kv.Key, counts func(Claim) bool) (bool, error) {
	live, err := c.Live(ctx, prefix)
	if err != nil {
		return false, err
	}
	for _, claim := range live {
		if counts(claim) {
			return true, nil
		}
	}
	return false, nil
}

func (c *Claims) alive(key kv.Key, claim Claim) bool {
	if c.self().knowsDead(claim) || c.restarted(claim) {
		return false
	}
	if c.holder.stuck.Load() {
		// No process can renew a claim there, so a counter that stands still says nothing.
		c.observer.forget(key)
		return true
	}
	if claim.TTL <= 0 {
		claim.TTL = DefaultTTL
	}
	return c.observer.alive(key, claim, c.mono())
}

// restarted reports whether this machine was started anew since the claim was made,
// so that the claim's process is gone.
func (c *Claims) restarted(claim Claim) bool {
	return c.machine != "" && claim.Machine == c.machine && claim.Boot != "" && c.self().boot != "" && !machine.SameKernel(claim.Boot, c.self().boot)
}

// CannotWrite says that the place takes no writes. No process can renew a claim there, so a
// counter that stood still does not show that its holder is dead: the count begins anew.
func (c *Claims) CannotWrite() { c.observer.forgetAll() }

// AwaitDead returns once no holder of a claim under the prefix lives, as far as these
// Claims can see. An error says that ctx ended before, or that the claims cannot be
// read.
func (c *Claims) AwaitDead(ctx context.Context, prefix kv.Key) error {
	looks := time.NewTicker(c.ttl / 3)
	defer looks.Stop()
	for {
		alive, err := c.AliveAny(ctx, prefix)
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
