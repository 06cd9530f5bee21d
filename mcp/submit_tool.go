package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"planb/store"
)

// reviewTools are the tools of plans that a person reviews.
func (s *Server) reviewTools() []tool {
	return []tool{
		{
			name: "submit_plan", title: "Submit a plan for review",
			description: submitDescription, schema: submitSchema, serve: s.submitPlan,
		},
	}
}

// submitPlan serves submit_plan.
func (s *Server) submitPlan(ctx context.Context, c *call, raw json.RawMessage) *result {
	args := readArguments("submit_plan", raw)
	sessionID := args.required("sessionId", sessionHint)
	number, given := args.seconds("version", 1e8)
	if problems := args.finish(); problems != "" {
		return failed(s.knownSession(ctx, sessionID), problems)
	}
	session, failure := s.session(ctx, sessionID, "submit_plan")
	if failure != nil {
		return failure
	}
	saved, err := s.store.Plans(ctx, session.ID)
	if err != nil {
		return notStored(session.ID, "The session's plans could not be read", err)
	}
	if len(saved) == 0 {
		return failed(session.ID, "Nothing was saved with save_plan in this session yet. Save the plan first, then submit it.")
	}
	plan := saved[len(saved)-1]
	if given {
		if plan, failure = savedVersion(saved, number); failure != nil {
			return failure
		}
	}
	text, err := s.store.PlanText(ctx, session.ID, plan.Number)
	if err != nil {
		return notStored(session.ID, "The plan's text could not be read", err)
	}
	path, _, err := s.copies.write(session.ID, plan.Number, text.Raw())
	if err != nil {
		s.log.Warn("a plan's readable copy could not be written", "error", err)
		path = ""
	}
	return s.review(ctx, c, plan, "", text, path)
}

// savedVersion finds one of a session's versions by its number.
func savedVersion(saved []store.Plan, number float64) (store.Plan, *result) {
	for _, plan := range saved {
		if float64(plan.Number) == number {
			return plan, nil
		}
	}
	return store.Plan{}, failed(saved[0].Session, fmt.Sprintf("version is %v; the session has versions 1 to %d.", number, saved[len(saved)-1].Number))
}
