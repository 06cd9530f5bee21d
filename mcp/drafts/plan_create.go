package drafts

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/drafts"
	"planb/drafts/schedule"
	"planb/mcp/tool"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
)

// Limits of a prompt: characters at least, bytes as JSON at most.
const (
	minPrompt = 20
	maxPrompt = 16 << 10
)

// createTool is plan_create.
func (s *toolset) createTool() tool.Tool {
	return tool.Tool{Name: "plan_create", Title: "Begin a draft of a plan", Description: createDescription, Schema: createSchema, Serve: s.create}
}

const createDescription = "Turn one prompt into a draft of a strategic plan: scenarios, risks, budget, work breakdown, schedule, report. " +
	"For goals of months or years; not for a checklist, a summary or a SWOT alone. You write it step by step with step_next and step_submit; planb asks the user itself. " +
	"First have the user agree on the prompt (300–800 words: goal, place, money, deadlines, what must not be, success; example_prompts)."

const createSchema = `{"type":"object","properties":{` +
	`"prompt":{"type":"string"},` +
	`"detail":{"type":"string","enum":["brief","full","ping"],"description":"brief: 11 answers. ping: is the prompt usable?"},` +
	`"start_date":{"type":"string","description":"YYYY-MM-DD: when the prompt lets the work begin; default today"},` +
	`"target":{"type":"string","description":"build_plan: without the last steps, which review the plan. validate_plan: only those, for the draft parent_plan_id; no prompt"},` +
	`"model_profile":{"type":"string","description":"Only if model_profiles lists it"},` +
	`"client_request_id":{"type":"string"},` +
	`"parent_plan_id":{"type":"string"},` +
	`"sessionId":{"type":"string"}}}`

// maxCreated bounds the bytes of a created as JSON.
const maxCreated = 200

// created is a draft that was begun, as data.
type created struct {
	Plan         string    `json:"plan_id"`
	Created      time.Time `json:"created_at"`
	Deduplicated bool      `json:"deduplicated,omitempty"`
	// Step and Lease are those of the first step, whose text is in the result.
	Step  string `json:"step,omitempty"`
	Lease string `json:"lease,omitempty"`
	tool.Facts
}

// create serves plan_create.
func (s *toolset) create(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("plan_create", raw)
	detail, target := args.Text("detail", "speed_vs_detail"), drafts.Target(args.Text("target"))
	date, profile := args.Text("start_date"), args.Text("model_profile")
	var prompt string
	if target == drafts.ValidatePlan {
		prompt = args.Text("prompt")
	} else {
		prompt = args.Required("prompt", "what is to be planned, in 300 to 800 words")
	}
	r := runs.Request{Prompt: prompt, Session: args.Text("sessionId"), ID: args.Text("client_request_id"), Profile: profile, Target: target, Parent: args.Text("parent_plan_id"), Dedup: s.Dedup}
	args.Aside().Raw("user_api_key") // is understood, not kept, and asked of nobody
	checkPrompt(args, r)
	var known bool
	if r.Detail, known = detailOf(detail); !known {
		args.Problem("detail: got %q; allowed: %s.", tool.Shortened(detail), detailNames())
	}
	r.Start = s.Store.Drafts().Today()
	if date != "" {
		day, err := schedule.ParseDate(tool.Shortened(date))
		if err != nil {
			args.Problem("start_date: %s.", err)
		}
		r.Start = day
	}
	if problems := args.Finish(); problems != "" {
		return invalid(problems, false)
	}
	if failure := s.profiled(profile); failure != nil {
		return failure
	}
	if target != "" && !slices.Contains(drafts.Targets(), target) {
		return failed("", invalidTarget, fmt.Sprintf("target: got %q; allowed: %s.", tool.Shortened(string(target)), names(drafts.Targets())), false)
	}
	return s.begin(ctx, c, r)
}

// checkPrompt checks the prompt. If the call validates another plan, it checks that there
// is no prompt.
func checkPrompt(args *tool.Arguments, r runs.Request) {
	prompt := r.Prompt
	switch validates := r.Target == drafts.ValidatePlan; {
	case validates && prompt != "":
		args.Problem("prompt: got one; allowed: none, because target %s takes that of parent_plan_id.", r.Target)
	case validates && r.Parent == "":
		args.Problem("parent_plan_id is missing: the id of the draft to validate.")
	}
	switch n := tool.Characters(strings.TrimSpace(prompt)); {
	case n == 0: // it is missing, which create has reported
	case safe.New(prompt).Blank():
		args.Problem("prompt: got a blank text; allowed: what is to be planned, in 300 to 800 words.")
	case n < minPrompt:
		args.Problem("prompt: got %d characters; allowed: %d and more, best are 300 to 800 words.", n, minPrompt)
	}
	if n := drafts.Length(prompt); n > maxPrompt {
		args.Problem("prompt: got %s characters as JSON; allowed: at most %s. Leave out what does not decide anything.", tool.Grouped(n), tool.Grouped(maxPrompt))
	}
}

func detailNames() string { return names(drafts.Details()) }

// names are values as a list in a text.
func names[T ~string](values []T) string {
	var list []string
	for _, v := range values {
		list = append(list, string(v))
	}
	return strings.Join(list, ", ")
}

// begin begins the draft, in a session of its own if the call names none.
func (s *toolset) begin(ctx context.Context, c *tool.Caller, r runs.Request) *tool.Result {
	s.creating.Lock()
	defer s.creating.Unlock()
	if r.Session == "" {
		there, found, err := s.Store.Drafts().Find(ctx, r, c.Agent.Dirs(ctx)[0])
		switch {
		case err != nil:
			return refused("", err, false)
		case found:
			return s.begun(there, true)
		}
		session, err := s.Store.CreateSession(ctx, store.Session{
			Title: runs.SessionTitle(r.Prompt), Project: safe.New(c.Agent.Dirs(ctx)[0]), Client: c.Agent.Client(ctx),
		})
		if err != nil {
			return tool.NotStored("", "The session of the draft could not be created", err)
		}
		c.Agent.MakeSession(session.ID)
		r.Session = session.ID
	} else {
		session, failure := c.Session(ctx, r.Session, "plan_create")
		if failure != nil {
			return failure
		}
		r.Session = session.ID
	}
	s.Room.FindPlace(ctx)
	p, deduplicated, err := s.Store.Drafts().Create(ctx, caller(c), r)
	if err == nil && !deduplicated {
		err = s.start(ctx, c, p)
	}
	if err != nil {
		return refused(r.Session, err, false)
	}
	if !deduplicated && p.Profile == "" {
		if first := s.firstStep(ctx, c, p); first != nil {
			return first
		}
	}
	return s.begun(p, deduplicated)
}

// firstStep is the result for a new draft with its first step, which saves the agent a
// call. It is nil if the step cannot be given; step_next then says why.
func (s *toolset) firstStep(ctx context.Context, c *tool.Caller, p runs.Summary) *tool.Result {
	w, err := s.Store.Drafts().Plan(ctx, p.ID)
	if err != nil {
		return nil
	}
	begins := fmt.Sprintf("Plan %s: you write it in %s; planb and the user do the other steps. Here is the first step. Do what each result says until one says DONE.", p.ID, answers(p.Plan))
	answer := s.give(ctx, c, w, ask{before: begins, aside: maxCreated})
	given, ok := answer.Data.(*stepData)
	if !ok || given.Outcome != givenStep {
		return nil
	}
	return said(p.Session, &created{Plan: p.ID, Created: p.Created, Step: given.Step, Lease: given.Lease}, answer.Items...)
}

func (s *toolset) begun(p runs.Summary, deduplicated bool) *tool.Result {
	next := fmt.Sprintf(`Plan %s: you write it in %s; planb and the user do the other steps. Call step_next {"plan_id":%q} now and do what it says until it says DONE.`, p.ID, answers(p.Plan), p.ID)
	if p.Profile != "" {
		next = s.byWorker(p.ID, p.Profile)
	}
	return said(p.Session, &created{Plan: p.ID, Created: p.Created, Deduplicated: deduplicated}, next)
}

// answers says in how many answers a model writes a draft, and in how many the greatest
// detail.
func answers(p runs.Plan) string {
	part := p.Target == drafts.BuildPlan || p.Target == drafts.ValidatePlan
	switch {
	case p.Detail == drafts.Ping:
		return "1 answer"
	case part && p.Detail == drafts.Full:
		return fmt.Sprintf("at least %d answers", modelSteps(p))
	case part:
		return fmt.Sprintf("%d answers", modelSteps(p))
	case p.Detail == drafts.Full:
		return p.Detail.Answers() + " answers"
	}
	return fmt.Sprintf("%s answers (%s: %s)", p.Detail.Answers(), drafts.Full, drafts.Full.Answers())
}

// modelSteps counts the steps that a model writes in a plan.
func modelSteps(p runs.Plan) (n int) {
	d := drafts.Draft{Detail: p.Detail, Target: p.Target}
	for _, step := range d.Steps() {
		if step.Author == drafts.Model && d.Writes(step) {
			n++
		}
	}
	return n
}
