package mcp

import (
	"context"

	"planb/store"
	"planb/store/kv"
)

// leaveToAsker has the outcomes that a result tells count as delivered only where
// they are for the call's agent. If the asker may still live, deliverOnceGone decides
// after the reply was written. An agent that names the session of another project may
// be the one of that session, resumed elsewhere.
func (s *Server) leaveToAsker(ctx context.Context, c *call, answer *result, named bool) {
	if len(answer.carries) == 0 || c.agent.ChoseSession(answer.session) {
		return
	}
	asks, err := s.store.AsksNow(ctx, answer.carries...)
	if err != nil {
		s.log.Warn("whose answers these are could not be read", "asks", answer.carries, "error", err)
	}
	answer.carries = nil
	for _, ask := range asks {
		inherits := c.agent.MayInherit(ctx, ask) || named && c.agent.IsOfItsClient(ctx, ask)
		switch {
		case c.agent.IsFor(ctx, ask), inherits && c.agent.AskerGone(ctx, ask.ID):
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
func (s *Server) deliverOnceGone(ctx context.Context, askID string) {
	// A process in another container counts as gone when its claim stood still.
	ctx, cancel := context.WithTimeout(ctx, 3*store.DefaultTTL)
	defer cancel()
	for _, prefix := range []kv.Key{store.WaitClaims(askID), store.AskerClaims(askID)} {
		if s.store.AwaitDead(ctx, prefix) != nil {
			return // it lives, or nobody can tell
		}
	}
	if err := s.store.Deliver(ctx, askID); err != nil {
		s.log.Warn("an answer reached an agent, but the store does not know; it will be announced again", "ask", askID, "error", err)
	}
}
