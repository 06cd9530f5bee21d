package mcp

import (
	"context"
	"time"

	"planb/store"
)

// An answer is for the agent that asked. Another one is told only that it is there,
// and where, unless the process that asked is gone.

// asks remembers that the connection's agent is to learn the ask's outcome, and
// claims that its process lives until it has.
func (c *conn) asks(askID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asking == nil {
		c.asking = map[string]func(time.Duration){}
	}
	if c.asking[askID] == nil {
		c.asking[askID] = c.server.askers.enter(askID)
	}
}

// learned notes that the agent knows the outcomes of these asks, or needs them no more.
func (c *conn) learned(askIDs ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range askIDs {
		if leave := c.asking[id]; leave != nil {
			leave(0)
			delete(c.asking, id)
		}
	}
}

// forgetAsked gives the claims back when the connection ends.
func (c *conn) forgetAsked() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, leave := range c.asking {
		leave(0)
	}
	c.asking = nil
}

func (c *conn) isAsking(askID string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asking[askID] != nil
}

// askerGone reports whether no process that asked the ask lives, or waits for it.
func (s *Server) askerGone(ctx context.Context, askID string) bool {
	for _, prefix := range []store.Key{store.WaitClaims(askID), store.AskerClaims(askID)} {
		if alive, err := s.store.AliveAny(ctx, prefix); alive || err != nil {
			return false
		}
	}
	return true
}

// mayInherit reports whether the connection's agent takes the place of the one that
// asked, once that one is gone: it is of the same client, in the same project.
func (c *conn) mayInherit(ctx context.Context, ask store.Ask) bool {
	if !c.isOfItsClient(ctx, ask) {
		return false
	}
	sees, err := c.sees(ctx, ask.Session)
	return sees && err == nil
}

func (c *conn) isOfItsClient(ctx context.Context, ask store.Ask) bool {
	return ask.Client.Name == c.client(ctx).Name
}

// isFor reports whether the ask's outcome is for the connection's agent.
func (c *conn) isFor(ctx context.Context, ask store.Ask) bool {
	return c.choseSession(ask.Session) || c.isAsking(ask.ID) || c.mayInherit(ctx, ask) && c.server.askerGone(ctx, ask.ID)
}

// leaveToAsker has the outcomes that a result tells count as delivered only where
// they are for the call's agent. If the asker may still live, deliverOnceGone decides
// after the reply was written. An agent that names the session of another project may
// be the one of that session, resumed elsewhere.
func (s *Server) leaveToAsker(ctx context.Context, c *call, answer *result, named bool) {
	if len(answer.carries) == 0 || c.conn.choseSession(answer.session) {
		return
	}
	asks, err := s.store.AsksNow(ctx, answer.carries...)
	if err != nil {
		s.log.Warn("whose answers these are could not be read", "asks", answer.carries, "error", err)
	}
	answer.carries = nil
	for _, ask := range asks {
		inherits := c.conn.mayInherit(ctx, ask) || named && c.conn.isOfItsClient(ctx, ask)
		switch {
		case c.conn.isFor(ctx, ask), inherits && s.askerGone(ctx, ask.ID):
		case inherits:
			c.inherit(ask.ID)
		default:
			continue
		}
		answer.carries = append(answer.carries, ask.ID)
	}
}

// deliverOnceGone marks an outcome that a written reply carried as delivered, if the
// process that asked turns out to be gone.
func (c *conn) deliverOnceGone(askID string) {
	// A process in another container counts as gone when its claim stood still.
	ctx, cancel := context.WithTimeout(c.Context(), 3*store.DefaultTTL)
	defer cancel()
	for _, prefix := range []store.Key{store.WaitClaims(askID), store.AskerClaims(askID)} {
		if c.server.store.AwaitDead(ctx, prefix) != nil {
			return // it lives, or nobody can tell
		}
	}
	if err := c.server.store.Deliver(ctx, askID); err != nil {
		c.server.log.Warn("an answer reached an agent, but the store does not know; it will be announced again", "ask", askID, "error", err)
	}
}
