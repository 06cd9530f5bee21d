package planning

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"planb/mcp/planfile"
	"planb/mcp/tool"
	"planb/questions/safe"
	"planb/store"
)

// submitTool is submit_plan.
func (s *toolset) submitTool() tool.Tool {
	return tool.Tool{
		Name: "submit_plan", Title: "Submit a plan for review",
		Description: submitDescription, Schema: submitSchema, Hints: tool.Hints{OpenWorld: true}, Serve: s.submitPlan,
		Among: func(t *tool.Tool, offered func(string) bool) {
			if !offered("save_plan") {
				t.Schema = strings.NewReplacer(whatWasSaved, "a plan that is no file", ofSaved, "Of that plan; default the latest").Replace(t.Schema)
			}
		},
	}
}

const submitDescription = "Have your user review a plan's text, and wait for the verdict: it opens in their terminal. " +
	"Returns JSON {approved, feedback}. Carry out only what was approved, exactly as it was; after changes resubmit. " +
	"In part: only the sections named. " +
	"NOT ANSWERED YET: do what it says."

// These words of the schema are for where save_plan is offered, too.
const (
	whatWasSaved = "what save_plan saved in it"
	ofSaved      = "Of save_plan; default the latest"
)

const submitSchema = `{"type":"object","properties":{` +
	`"planName":{"type":"string","description":"A plan file"},` +
	`"sessionId":{"type":"string","description":"Without planName: ` + whatWasSaved + `"},` +
	`"version":{"type":"integer","minimum":1,"description":"` + ofSaved + `"},` +
	`"done":{"type":"array","items":{"type":"string"},"description":"Ids of comments carried out; the last feedback has them"}}}`

// submission is a version of a plan that is to be reviewed.
type submission struct {
	plan store.Plan
	text safe.Text
	path string   // of the plan's file, or of the version's readable copy; empty if there is none
	note string   // what else the agent must know
	done []string // ids of the last review's comments that the agent says it carried out
}

// submitPlan serves submit_plan.
func (s *toolset) submitPlan(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("submit_plan", raw)
	number, given := args.Number("version", 1e8)
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
	if len(s.SubmitCommand) > 0 {
		return s.submitOutside(c, submitted)
	}
	submitted.done = done
	answer := s.review(ctx, c, submitted)
	if submitted.note != "" && answer.Wants == nil {
		answer.Notes = append(answer.Notes, submitted.note)
	}
	return answer
}

// submitFile submits a plan file as it is now.
func (s *toolset) submitFile(ctx context.Context, c *tool.Caller, args *tool.Arguments) (submission, *tool.Result) {
	about, failure := s.planCall(ctx, c, args)
	if failure != nil {
		return submission{}, failure
	}
	written, path, err := s.Files.Work(ctx, c.Agent, about.name, about.session, false, func(w *planfile.Writing) (planfile.Written, error) { return w.Look(ctx) })
	if err != nil {
		return submission{}, planfile.Failure(about.session, err)
	}
	return submission{plan: written.Plan, text: safe.New(written.Text), path: path, note: written.Foreign.Submitted()}, nil
}

// submitSaved submits a version that save_plan saved: version number if the agent gave
// one, else the latest.
func (s *toolset) submitSaved(ctx context.Context, c *tool.Caller, args *tool.Arguments, number float64, given bool) (submission, *tool.Result) {
	id := args.Text("sessionId")
	if id == "" {
		problem := "planName is missing: pass the name of a plan that write_plan wrote"
		if c.Has("save_plan") {
			problem += ", or the sessionId of one that save_plan saved"
		}
		args.Problem("%s.", problem)
	}
	if problems := args.Finish(); problems != "" {
		return submission{}, tool.Failed(c.KnownSession(ctx, id), problems)
	}
	session, failure := c.Session(ctx, id, args.Tool)
	if failure != nil {
		return submission{}, failure
	}
	saved, err := s.Store.Plans(ctx, session.ID)
	if err != nil {
		return submission{}, tool.NotStored(session.ID, "The session's plans could not be read", err)
	}
	plan, failure := latestSaved(c, session.ID, saved)
	if given && len(saved) > 0 {
		plan, failure = savedVersion(c, saved, number)
	}
	if failure != nil {
		return submission{}, failure
	}
	text, err := s.Store.PlanText(ctx, session.ID, plan.Number)
	if err != nil {
		return submission{}, tool.NotStored(session.ID, "The plan's text could not be read", err)
	}
	path, differs, err := s.Copies.Write(session.ID, plan.Number, text.Raw())
	if err != nil {
		s.Log.Warn("a plan's readable copy could not be written", "error", err)
	}
	if err != nil || differs {
		path = ""
	}
	return submission{plan: plan, text: text, path: path}, nil
}

// latestSaved returns the latest version that save_plan saved. Plan files are submitted by
// their names instead.
func latestSaved(c *tool.Caller, session string, saved []store.Plan) (store.Plan, *tool.Result) {
	var names []string
	for _, plan := range slices.Backward(saved) {
		if plan.Name == "" {
			return plan, nil
		}
		if !store.IsTasksPlan(plan.Name) && !slices.Contains(names, string(plan.Name)) {
			names = append(names, string(plan.Name))
		}
	}
	switch saves := c.Has("save_plan"); {
	case len(names) > 0 && saves:
		return store.Plan{}, tool.Failed(session, "Nothing was saved with save_plan in this session, only plan files: pass planName, "+strings.Join(names, " or ")+".")
	case len(names) > 0:
		return store.Plan{}, tool.Failed(session, "This session has only plan files: pass planName, "+strings.Join(names, " or ")+".")
	case !saves:
		return store.Plan{}, tool.Failed(session, "This session has no plan yet. Write one with write_plan first, then submit it by its planName.")
	}
	return store.Plan{}, tool.Failed(session, "Nothing was saved with save_plan in this session yet. Save the plan first, then submit it.")
}

// savedVersion finds one of a session's versions by its number.
func savedVersion(c *tool.Caller, saved []store.Plan, number float64) (store.Plan, *tool.Result) {
	for _, plan := range saved {
		switch {
		case float64(plan.Number) != number:
		case store.IsTasksPlan(plan.Name):
			refused := fmt.Sprintf("Version %d is what your user read of a plan of tasks.", plan.Number)
			if c.Has("approve_plan") {
				refused += " To have tasks approved, call approve_plan."
			}
			return store.Plan{}, tool.Failed(plan.Session, refused)
		default:
			return plan, nil
		}
	}
	return store.Plan{}, tool.Failed(saved[0].Session, fmt.Sprintf("version is %v; the session has %s.", number, upTo(saved[len(saved)-1].Number)))
}

func upTo(last int) string {
	if last == 1 {
		return "only version 1"
	}
	return fmt.Sprintf("versions 1 to %d", last)
}
