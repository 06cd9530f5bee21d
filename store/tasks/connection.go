package tasks

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"planb/store/ledger"
)

// linger is how long a connection without a task says that it lives, in case it claims
// the next one soon.
const linger = 30 * time.Second

// Connection is a connection of agents to a server. Agents claim tasks through it, and
// sub-agents share it: a claim belongs to its claimId, not to the connection. The
// connection says that it lives, but only while it holds a task and shortly after, so
// that a long build loses nothing and an idle server writes nothing. Its methods may be
// called from many goroutines.
type Connection struct {
	s      *Store
	ctx    context.Context // of the connection
	id     string          // a hash: names its liveness claim
	linger time.Duration

	mu    sync.Mutex
	alive *ledger.Held
	held  map[string]*holding // by the task's id
	// proposed are the digests of the amendments that it proposed last, by the plan's id.
	proposed map[string]string
	calls    int // under way that may end with a task held
	idle     *time.Timer
	untold   []News     // the oldest first
	looking  sync.Mutex // held while a call looks for news
	// observed are the plans whose holders are being looked at.
	observed map[string]bool
	// lookEvery is how often a claim looks for holders that are gone, unless no task is
	// ready; looked is the time of the last look, or of the connection's beginning.
	lookEvery time.Duration
	looked    time.Time
}

// lookEvery keeps each claim in a crowd of agents from reading the records of all other
// agents: the claim that looks waits for its turn three times, not once. A task waits for a
// holder that is gone for two minutes (tasks.DefaultGrace), so seconds more do not count.
const lookEvery = 5 * time.Second

// toLook reports whether it is time to look for holders that are gone. If so, it notes
// that the caller looks now.
func (c *Connection) toLook() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.looked) >= c.lookEvery {
		c.looked = now
		return true
	}
	return false
}

// Connect returns a connection that lives until ctx ends or Close. It writes nothing yet.
func (s *Store) Connect(ctx context.Context) (*Connection, error) {
	id, err := s.ledger.NewID()
	if err != nil {
		return nil, err
	}
	return &Connection{s: s, ctx: ctx, id: ledger.Hash(id), linger: linger, lookEvery: lookEvery, looked: time.Now(), held: map[string]*holding{}, proposed: map[string]string{}, observed: map[string]bool{}}, nil
}

// Propose is Store.Propose. News tells if an amendment that it kept is replaced by another
// connection's.
func (c *Connection) Propose(ctx context.Context, by Caller, p Proposal) (Proposed, error) {
	by.connection = c.id
	done, err := c.s.Propose(ctx, by, p)
	if err == nil && done.amendment != "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.proposed[done.ID] = done.amendment
	}
	return done, err
}

// Close writes that the connection's tasks have lost their holder. They are ready again
// once the grace is over, unless a claimId resumes its claim.
func (c *Connection) Close(ctx context.Context) error {
	plans := c.plansHeld()
	c.mu.Lock()
	alive := c.alive
	c.alive = nil
	clear(c.held)
	c.stopIdling()
	c.mu.Unlock()
	if alive == nil {
		return nil
	}
	err := alive.Release(ctx)
	for _, plan := range plans {
		if noticed := c.s.noticeGone(ctx, plan, func(claim Claim) bool { return claim.Agent == c.id }); noticed != nil && err == nil {
			err = noticed
		}
	}
	return err
}

// begin makes sure that the connection is known to live, before a call about a task it has.
func (c *Connection) begin(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopIdling()
	if c.lives() {
		c.calls++
		return nil
	}
	alive, err := c.s.options.Claims.Hold(c.ctx, agentKey(c.id), "tasks")
	if _, known := errors.AsType[*ledger.HeldError](err); known {
		err = nil // a first claim of this connection is committed; it sets alive when it returns
	}
	if err != nil {
		return err
	}
	c.live(alive)
	c.calls++
	return nil
}

// live notes that the connection is known to live, and watches that it stays so.
func (c *Connection) live(alive *ledger.Held) {
	if c.alive = alive; alive != nil {
		go c.stay(alive)
	}
}

// stay has the connection come back whenever others may have believed it dead: its server was
// suspended, or the disk took no writes for a while. Its agents know nothing of it. They may
// work for hours before their next call, and must not lose their tasks meanwhile.
func (c *Connection) stay(alive *ledger.Held) {
	for {
		select {
		case <-alive.Late():
			c.comeBack()
		case <-alive.Lost():
			c.mu.Lock()
			ended := c.alive == nil || !c.working() || c.ctx.Err() != nil
			c.mu.Unlock()
			if !ended && c.begin(c.ctx) == nil { // on an error the next call begins anew
				c.comeBack()
				c.end()
			}
			return
		}
	}
}

// comeBack writes that the connection is not gone. What cannot be written is left to the next
// call about each task.
func (c *Connection) comeBack() {
	for _, plan := range c.plansHeld() {
		_ = c.s.mark(c.ctx, plan, TaskResumed, func(claim Claim) bool { return claim.Agent == c.id && !claim.Gone.IsZero() })
	}
}

// plansHeld returns the plans of the tasks that the connection holds.
func (c *Connection) plansHeld() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	plans := map[string]bool{}
	for id := range c.held {
		plan, _, _ := c.s.splitTask(id)
		plans[plan] = true
	}
	return slices.Sorted(maps.Keys(plans))
}

// lives reports whether the connection is known to live.
func (c *Connection) lives() bool {
	if c.alive != nil {
		select {
		case <-c.alive.Lost():
			c.alive = nil
		default:
		}
	}
	return c.alive != nil
}

// birth makes a connection known to live in the commit of its first claim.
type birth struct {
	claiming *ledger.Claiming // nil: it is known
	put      bool
}

// beginClaim is begin for a call that claims a task. The caller puts the birth into its
// commit and settles it afterwards.
func (c *Connection) beginClaim() *birth {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopIdling()
	c.calls++
	if c.lives() {
		return &birth{}
	}
	return &birth{claiming: c.s.options.Claims.Claiming("tasks")}
}

func (b *birth) putFor(ctx context.Context, ch *ledger.Change, c *Connection) error {
	if b.claiming == nil {
		return nil
	}
	err := b.claiming.Put(ctx, ch, agentKey(c.id))
	b.put = err == nil
	if _, known := errors.AsType[*ledger.HeldError](err); known {
		return nil // another call of this connection was quicker
	}
	return err
}

// settle says whether the commit happened.
func (b *birth) settle(c *Connection, happened bool) {
	switch {
	case b.claiming == nil:
	case happened && b.put:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.live(b.claiming.Held(c.ctx))
	default:
		b.claiming.Cancel()
	}
}

// end ends a call that begin or beginClaim began. Without a task the connection soon stops
// saying that it lives.
func (c *Connection) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls--
	if c.calls > 0 || c.working() || c.alive == nil {
		return
	}
	c.idle = time.AfterFunc(c.linger, c.rest)
}

// rest ends the liveness claim of a connection that holds no task.
func (c *Connection) rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls > 0 || c.working() || c.alive == nil {
		return
	}
	// A claim that could not be deleted is renewed no more, and dies within its TTL.
	_ = c.alive.Release(c.ctx)
	c.alive = nil
}

// working reports whether the connection holds a task.
func (c *Connection) working() bool {
	for _, h := range c.held {
		if !h.reported {
			return true
		}
	}
	return false
}

func (c *Connection) stopIdling() {
	if c.idle != nil {
		c.idle.Stop()
		c.idle = nil
	}
}

// holds notes that the connection holds a task, with its present words and whether its
// plan is paused.
func (c *Connection) holds(t *task, claimID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held[t.id()] = &holding{claimID: claimID, hash: t.graph.TaskHash(t.n), paused: t.plan.Paused}
}
