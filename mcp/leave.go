package mcp

import (
	"context"

	"planb/mcp/tool"
	"planb/store"
	"planb/store/kv"
)

// leaveToAsker has the outcomes that a result tells count as delivered only where
// they are for the call's agent. If the asker may still live, deliverOnceGone decides
// after the reply was written. An agent that names the session of another project may
// be the one of that session, resumed elsewhere.
func (s *waiting) leaveToAsker(ctx context.Context, c *tool.Caller, answer *tool.Result, named bool) {
	if len(answer.Carries) == 0 || c.Agent.ChoseSession(answer.Session) {
		return
	}
	asks, err := s.store.AsksNow(ctx, answer.Carries...)
	if err != nil {
		s.log.Warn("whose answers these are could not be read", "asks", answer.Carries, "error", err)
	}
	answer.Carries = nil
	for _, ask := range asks {
		inherits := c.Agent.MayInherit(ctx, ask) || named && c.Agent.IsOfItsClient(ctx, ask)
		switch {
		case c.Agent.IsFor(ctx, ask), inherits && c.Agent.AskerGone(ctx, ask.ID):
		case inherits:
			c.Inherit(ask.ID)
		default:
			continue
		}
		answer.Carries = append(answer.Carries, ask.ID)
	}
}

// deliverOnceGone marks an outcome that a written reply carried as delivered, if the
// process that asked turns out to be gone.
func (s *waiting) deliverOnceGone(ctx context.Context, askID string) {
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
