package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"planb/questions/safe"
	"planb/store"
)

// reviewTools are the tools of plans that a person reviews.
func (s *Server) reviewTools() []tool {
	return []tool{
		{
			name: "write_plan", title: "Write a plan file",
			description: writeDescription, schema: writeSchema, hints: hints{destructive: true, idempotent: true}, serve: s.writePlan,
		},
		{
			name: "edit_plan", title: "Edit a plan file",
			description: editDescription, schema: editSchema, hints: hints{destructive: true}, serve: s.editPlan,
		},
		{
			name: "submit_plan", title: "Submit a plan for review",
			description: submitDescription, schema: submitSchema, hints: hints{openWorld: true}, serve: s.submitPlan,
		},
	}
}

// submission is a version of a plan that is to be reviewed.
type submission struct {
	plan store.Plan
	text safe.Text
	path string   // of the plan's file, or of the version's readable copy; empty if there is none
	note string   // what else the agent must know
	done []string // ids of the last review's comments that the agent says it carried out
}

// submitPlan serves submit_plan.
func (s *Server) submitPlan(ctx context.Context, c *call, raw json.RawMessage) *result {
	args := readArguments("submit_plan", raw)
	number, given := args.seconds("version", 1e8)
	named := args.text("planName", "name")
	done := args.texts("done")
	var submitted submission
	var failure *result
	if named == "" {
		submitted, failure = s.submitSaved(ctx, c, args, number, given)
	} else {
		if given {
			args.problem("version goes with sessionId alone: a plan file is submitted as it is now.")
		}
		submitted, failure = s.submitFile(ctx, c, args)
	}
	if failure != nil {
		return failure
	}
	if len(s.submitCommand) > 0 {
		return s.submitOutside(c, submitted)
	}
	submitted.done = done
	answer := s.review(ctx, c, submitted)
	if submitted.note != "" && answer.wants == nil {
		answer.notes = append(answer.notes, submitted.note)
	}
	return answer
}

// submitFile takes a plan file as it is.
func (s *Server) submitFile(ctx context.Context, c *call, args *arguments) (submission, *result) {
	about, failure := s.planCall(ctx, c, args)
	if failure != nil {
		return submission{}, failure
	}
	written, path, err := s.onPlan(ctx, c, about.name, about.session, false, func(w *planWriting) (writtenPlan, error) { return w.look(ctx) })
	if err != nil {
		return submission{}, planFailure(about.session, err)
	}
	return submission{plan: written.plan, text: safe.New(written.text), path: path, note: written.foreign.submitted()}, nil
}

// submitSaved takes a version that is saved in the session: the one of that number
// if it is given, else the latest.
func (s *Server) submitSaved(ctx context.Context, c *call, args *arguments, number float64, given bool) (submission, *result) {
	id := args.text("sessionId")
	if id == "" {
		args.problem("planName is missing: pass the name of a plan that write_plan wrote, or the sessionId of one that save_plan saved.")
	}
	if problems := args.finish(); problems != "" {
		return submission{}, failed(s.knownSession(ctx, c, id), problems)
	}
	session, failure := s.session(ctx, c, id, args.tool)
	if failure != nil {
		return submission{}, failure
	}
	saved, err := s.store.Plans(ctx, session.ID)
	if err != nil {
		return submission{}, notStored(session.ID, "The session's plans could not be read", err)
	}
	plan, failure := latestSaved(session.ID, saved)
	if given && len(saved) > 0 {
		plan, failure = savedVersion(saved, number)
	}
	if failure != nil {
		return submission{}, failure
	}
	text, err := s.store.PlanText(ctx, session.ID, plan.Number)
	if err != nil {
		return submission{}, notStored(session.ID, "The plan's text could not be read", err)
	}
	path, differs, err := s.copies.write(session.ID, plan.Number, text.Raw())
	if err != nil {
		s.log.Warn("a plan's readable copy could not be written", "error", err)
	}
	if err != nil || differs {
		path = ""
	}
	return submission{plan: plan, text: text, path: path}, nil
}

// latestSaved is the latest version that save_plan saved. Those of plan files are
// submitted by their names, as the files are now.
func latestSaved(session string, saved []store.Plan) (store.Plan, *result) {
	var names []string
	for _, plan := range slices.Backward(saved) {
		if plan.Name == "" {
			return plan, nil
		}
		if !slices.Contains(names, string(plan.Name)) {
			names = append(names, string(plan.Name))
		}
	}
	if len(names) > 0 {
		return store.Plan{}, failed(session, "Nothing was saved with save_plan in this session, only plan files: pass planName, "+strings.Join(names, " or ")+".")
	}
	return store.Plan{}, failed(session, "Nothing was saved with save_plan in this session yet. Save the plan first, then submit it.")
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
