package mcp

import (
	"context"
	"fmt"

	"planb/store"
)

// lapsed says that the user approved another version of the plan than this one;
// nothing if they did not, or approved this very text.
func (s *Server) lapsed(ctx context.Context, plan store.Plan) string {
	last, err := s.reviewedLast(ctx, plan.Session, plan.Name)
	if err != nil || last == "" {
		if err != nil {
			s.log.Warn("whether the plan was approved could not be looked up", "session", plan.Session, "error", err)
		}
		return ""
	}
	ask, err := s.store.Ask(ctx, last)
	if err != nil {
		s.log.Warn("whether the plan was approved could not be read", "ask", last, "error", err)
		return ""
	}
	said, err := reviewed(ask)
	if err != nil || !said.Verdict.Approves() {
		return ""
	}
	approved, which := said.Digest, fmt.Sprintf("version %d of this plan", ask.Spec.Plan.Number)
	if said.Edited != "" {
		approved, which = said.Edited, "this plan as they had edited it"
	}
	if approved == plan.Digest {
		return ""
	}
	return fmt.Sprintf("The user approved %s; version %d is NOT approved: submit it before you carry it out.", which, plan.Number)
}
