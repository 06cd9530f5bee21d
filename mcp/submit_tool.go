package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"planb/mcp/planfile"
	"planb/mcp/tool"
	"planb/questions/safe"
	"planb/store"
)

// planning has the tools of plans.
type planning struct {
	store         planStore
	log           *slog.Logger
	copies        planfile.Copies
	plans         *planfile.Files
	submitCommand []string      // reviews plans instead of planb; empty: planb does
	timeout       time.Duration // how long the command may take
	asking        *asking
}

// planStore is what these tools need of the store.
type planStore interface {
	planKeeper
	reviews
	Plans(ctx context.Context, session string) ([]store.Plan, error)
	Due(ctx context.Context, session string) ([]store.Ask, error)
	Asks(ctx context.Context, session string) ([]store.Ask, error)
	Ask(ctx context.Context, id string) (store.Ask, error)
}

// sessionTools are the tools of plans that belong to a planning session.
func (s *planning) sessionTools() []tool.Tool {
	return []tool.Tool{
		{
			Name: "save_plan", Title: "Save a plan version",
			Description: planDescription, Schema: planSchema, Hints: tool.Hints{Idempotent: true}, Serve: s.savePlan,
		},
	}
}

// reviewTools are the tools of plans that a person reviews.
func (s *planning) reviewTools() []tool.Tool {
	return []tool.Tool{
		{
			Name: "write_plan", Title: "Write a plan file",
			Description: writeDescription, Schema: writeSchema, Hints: tool.Hints{Destructive: true, Idempotent: true}, Serve: s.writePlan,
		},
		{
			Name: "edit_plan", Title: "Edit a plan file",
			Description: editDescription, Schema: editSchema, Hints: tool.Hints{Destructive: true}, Serve: s.editPlan,
		},
		{
			Name: "submit_plan", Title: "Submit a plan for review",
			Description: submitDescription, Schema: submitSchema, Hints: tool.Hints{OpenWorld: true}, Serve: s.submitPlan,
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
func (s *planning) submitPlan(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("submit_plan", raw)
	number, given := args.Seconds("version", 1e8)
	named := args.Text("planName", "name")
	done := args.Texts("done")
	var submitted submission
	var failure *tool.Result
	if named == "" {
		submitted, failure = s.submitSaved(ctx, c, args, number, given)
	} else {
		if given {
			args.Problem("version goes with sessionId alone: a plan file is submitted as it is now.")
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
	if submitted.note != "" && answer.Wants == nil {
		answer.Notes = append(answer.Notes, submitted.note)
	}
	return answer
}

// submitFile takes a plan file as it is.
func (s *planning) submitFile(ctx context.Context, c *tool.Caller, args *tool.Arguments) (submission, *tool.Result) {
	about, failure := s.planCall(ctx, c, args)
	if failure != nil {
		return submission{}, failure
	}
	written, path, err := s.plans.Work(ctx, c.Agent, about.name, about.session, false, func(w *planfile.Writing) (planfile.Written, error) { return w.Look(ctx) })
	if err != nil {
		return submission{}, planfile.Failure(about.session, err)
	}
	return submission{plan: written.Plan, text: safe.New(written.Text), path: path, note: written.Foreign.Submitted()}, nil
}

// submitSaved takes a version that is saved in the session: the one of that number
// if it is given, else the latest.
func (s *planning) submitSaved(ctx context.Context, c *tool.Caller, args *tool.Arguments, number float64, given bool) (submission, *tool.Result) {
	id := args.Text("sessionId")
	if id == "" {
		args.Problem("planName is missing: pass the name of a plan that write_plan wrote, or the sessionId of one that save_plan saved.")
	}
	if problems := args.Finish(); problems != "" {
		return submission{}, tool.Failed(s.asking.knownSession(ctx, c, id), problems)
	}
	session, failure := s.asking.session(ctx, c, id, args.Tool)
	if failure != nil {
		return submission{}, failure
	}
	saved, err := s.store.Plans(ctx, session.ID)
	if err != nil {
		return submission{}, tool.NotStored(session.ID, "The session's plans could not be read", err)
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
		return submission{}, tool.NotStored(session.ID, "The plan's text could not be read", err)
	}
	path, differs, err := s.copies.Write(session.ID, plan.Number, text.Raw())
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
func latestSaved(session string, saved []store.Plan) (store.Plan, *tool.Result) {
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
		return store.Plan{}, tool.Failed(session, "Nothing was saved with save_plan in this session, only plan files: pass planName, "+strings.Join(names, " or ")+".")
	}
	return store.Plan{}, tool.Failed(session, "Nothing was saved with save_plan in this session yet. Save the plan first, then submit it.")
}

// savedVersion finds one of a session's versions by its number.
func savedVersion(saved []store.Plan, number float64) (store.Plan, *tool.Result) {
	for _, plan := range saved {
		if float64(plan.Number) == number {
			return plan, nil
		}
	}
	return store.Plan{}, tool.Failed(saved[0].Session, fmt.Sprintf("version is %v; the session has versions 1 to %d.", number, saved[len(saved)-1].Number))
}
