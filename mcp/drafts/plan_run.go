package drafts

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"planb/mcp/tool"
	"planb/store/runs"
)

const idSchema = `"plan_id":{"type":"string"}`

// stopTool is plan_stop.
func (s *toolset) stopTool() tool.Tool {
	return tool.Tool{
		Name: "plan_stop", Title: "Stop a draft", Description: "Stop writing a draft. What is written stays; plan_resume goes on.",
		Schema: `{"type":"object","required":["plan_id"],"properties":{` + idSchema + `,"reason":{"type":"string"}}}`,
		Hints:  tool.Hints{Idempotent: true}, Serve: s.stop,
	}
}

// resumeTool is plan_resume.
func (s *toolset) resumeTool() tool.Tool {
	return tool.Tool{
		Name: "plan_resume", Title: "Go on with a draft", Description: "Go on with a stopped or failed draft where it stood, if the user wants it. detail \"full\" adds the missing steps to a brief draft.",
		Schema: `{"type":"object","required":["plan_id"],"properties":{` + idSchema + `,"detail":{"type":"string"},"model_profile":{"type":"string"}}}`, Serve: s.resume,
	}
}

// retryTool is plan_retry.
func (s *toolset) retryTool() tool.Tool {
	return tool.Tool{
		Name: "plan_retry", Title: "Write a draft anew", Description: "Write a stopped or failed draft anew from its prompt. What somebody edited stays.",
		Schema: `{"type":"object","required":["plan_id"],"properties":{` + idSchema + `,"model_profile":{"type":"string"}}}`,
		Hints:  tool.Hints{Destructive: true}, Serve: s.retry,
	}
}

// maxReason bounds why a plan is stopped.
const maxReason = 1 << 10

// stopped is a plan that was stopped, as data.
type stopped struct {
	Plan      string `json:"plan_id"`
	State     string `json:"state"`
	Requested bool   `json:"stop_requested"`
	tool.Facts
}

// stop serves plan_stop.
func (s *toolset) stop(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("plan_stop", raw)
	id, reason := args.Required("plan_id", "the id that plan_create returned", "task_id"), strings.TrimSpace(args.Text("reason"))
	args.Limit("reason", reason, maxReason)
	if problems := args.Finish(); problems != "" {
		return invalid(problems, false)
	}
	if reason == "" {
		reason = "no reason was given"
	}
	w, failure := s.plan(ctx, c, id, true, false)
	if failure != nil {
		return failure
	}
	w, ended, err := s.Store.Drafts().Stop(ctx, caller(c), w.ID, reason)
	if err != nil {
		return refused(w.Session, err, false)
	}
	next := "It had ended before."
	if ended {
		s.withdrawGates(ctx, w)
		next = "It is stopped. What is written stays. " + goesOn(w.ID)
		if s.AgentWrites {
			next = fmt.Sprintf(`It is stopped. What is written stays. If the user wants to go on: plan_resume {"plan_id":%q}.`, w.ID)
		}
	}
	return said(w.Session, &stopped{Plan: w.ID, State: string(w.State), Requested: ended}, next)
}

// withdrawGates takes back the forms of a plan that is not written any more.
func (s *toolset) withdrawGates(ctx context.Context, w runs.Whole) {
	open, err := s.gates(ctx, w)
	if err != nil {
		s.Log.Warn("the forms of a draft could not be read", "plan", w.ID, "error", err)
	}
	for _, g := range open {
		s.withdraw(ctx, g.Ask)
	}
}

// resumed is a plan that goes on, as data.
type resumed struct {
	Plan      string     `json:"plan_id"`
	State     string     `json:"state"`
	Profile   string     `json:"model_profile,omitempty"`
	Count     int        `json:"resume_count,omitempty"`
	Resumed   *time.Time `json:"resumed_at,omitempty"`
	Retried   *time.Time `json:"retried_at,omitempty"`
	Recompute []string   `json:"recompute,omitempty"`
	tool.Facts
}

// resume serves plan_resume.
func (s *toolset) resume(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("plan_resume", raw)
	id, profile, name := args.Required("plan_id", "the id that plan_create returned", "task_id"), args.Text("model_profile"), args.Text("detail")
	detail, known := detailOf(name)
	if !known {
		args.Problem("detail: got %q; allowed: %s.", tool.Shortened(name), detailNames())
	}
	if name == "" {
		detail = ""
	}
	w, failure := s.planToRun(ctx, c, args, id, profile)
	if failure != nil {
		return failure
	}
	w, recompute, err := s.Store.Drafts().Resume(ctx, caller(c), w.ID, runs.Resumption{Detail: detail, Profile: profile})
	if err == nil {
		err = s.start(ctx, c, w.Summary)
	}
	if err != nil {
		return refused(w.Session, err, false)
	}
	now := time.Now().UTC()
	return said(w.Session, &resumed{Plan: w.ID, State: string(w.State), Profile: w.Profile, Count: w.Resumes, Resumed: &now, Recompute: recompute}, s.goOn(w))
}

// planToRun returns the plan of a call that has it go on.
func (s *toolset) planToRun(ctx context.Context, c *tool.Caller, args *tool.Arguments, id, profile string) (runs.Whole, *tool.Result) {
	if problems := args.Finish(); problems != "" {
		return runs.Whole{}, invalid(problems, false)
	}
	if failure := s.profiled(profile); failure != nil {
		return runs.Whole{}, failure
	}
	return s.plan(ctx, c, id, true, false)
}

func (s *toolset) goOn(w runs.Whole) string {
	if w.Profile != "" {
		return s.byWorker(w.ID, w.Profile)
	}
	return fmt.Sprintf(`Call step_next {"plan_id":%q} now and do what it says until it says DONE.`, w.ID)
}

// retry serves plan_retry.
func (s *toolset) retry(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("plan_retry", raw)
	id, profile := args.Required("plan_id", "the id that plan_create returned", "task_id"), args.Text("model_profile")
	w, failure := s.planToRun(ctx, c, args, id, profile)
	if failure != nil {
		return failure
	}
	w, err := s.Store.Drafts().Retry(ctx, caller(c), w.ID, profile)
	if err == nil {
		err = s.start(ctx, c, w.Summary)
	}
	if err != nil {
		return refused(w.Session, err, false)
	}
	now := time.Now().UTC()
	return said(w.Session, &resumed{Plan: w.ID, State: string(w.State), Profile: w.Profile, Retried: &now}, s.goOn(w))
}
