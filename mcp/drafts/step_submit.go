package drafts

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"planb/drafts"
	"planb/drafts/shape"
	"planb/mcp/tool"
	"planb/plans/tasks"
	"planb/store/runs"
)

// submitTool is step_submit.
func (s *toolset) submitTool() tool.Tool {
	return tool.Tool{Name: "step_submit", Title: "Submit a step of a draft", Description: submitDescription, Schema: submitSchema, Serve: s.submit}
}

const submitDescription = "Hand in the step that step_next gave you. Returns the next one, or what to correct."

const submitSchema = `{"type":"object","required":["plan_id","step"],"properties":{` +
	`"plan_id":{"type":"string"},` +
	`"step":{"type":"string"},` +
	`"lease":{"type":"string"},` +
	`"output":{"type":"object"},` +
	`"model":{"type":"string","description":"Your model's name"},` +
	`"next":{"type":"boolean","description":"false: no next step"},` +
	`"give_up":{"type":"string"}}}`

// maxGiveUp bounds the reason of a step that was given up.
const maxGiveUp = 1 << 10

// inPart is the id of a part of a step, which a model may name beside the step.
func inPart(step, part string) string {
	if part == "" || strings.Contains(step, ".") {
		return step
	}
	return step + "." + strings.TrimPrefix(part, step+".")
}

// submission is one call of step_submit.
type submission struct {
	plan   runs.Whole
	step   drafts.Step
	lease  string
	raw    []byte
	model  string
	next   bool
	giveUp string
}

// submit serves step_submit.
func (s *toolset) submit(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("step_submit", raw)
	id, step := args.Required("plan_id", "the id that plan_create returned", "task_id"), args.Required("step", "the id of the step that step_next gave you")
	sub := submission{lease: args.Text("lease"), model: args.Text("model"), giveUp: strings.TrimSpace(args.Text("give_up"))}
	step = inPart(step, args.Text("part"))
	args.Limit("lease", sub.lease, maxLease)
	args.Limit("model", sub.model, 200)
	args.Limit("give_up", sub.giveUp, maxGiveUp)
	sub.raw, _ = args.Raw("output", "result", "answer")
	_, chosen := args.Aside().Raw("next")
	sub.next = args.Flag("next") || !chosen
	if len(sub.raw) == 0 && sub.giveUp == "" {
		args.Problem("output: got nothing; allowed: the JSON object that step_next described, whole.")
	}
	if problems := args.Finish(); problems != "" {
		return invalid(problems, true)
	}
	w, failure := s.plan(ctx, c, id, true, true)
	if failure != nil {
		return failure
	}
	defer s.hears(ctx, c, w)
	var known bool
	sub.plan = w
	if sub.step, known = w.Draft.Step(step); !known {
		return failed(w.Session, stepNotFound, w.Draft.NoSuchStep(step), true)
	}
	if !chosen && s.leases.ofSubAgent(w.ID, step) {
		sub.next = false
	}
	if sub.giveUp != "" {
		return s.giveUp(ctx, c, sub)
	}
	return s.accept(ctx, c, sub)
}

// giveUp fails the run, because its agent cannot write the step.
func (s *toolset) giveUp(ctx context.Context, c *tool.Caller, sub submission) *tool.Result {
	a, refusal := s.fits(ctx, c, sub)
	if refusal != nil {
		return refusal
	}
	if ended := s.ended(sub.plan, ask{}); ended != nil {
		return ended
	}
	if who := s.writtenBy(ctx, sub); who != "" {
		return failed(sub.plan.Session, runs.Conflict, "NOT GIVEN UP: "+who+". Only the agent that has the step can give it up, with the lease that step_next gave.", true)
	}
	w, err := s.Store.Drafts().GiveUp(ctx, caller(c), a, sub.giveUp)
	if err != nil {
		return s.late(ctx, c, sub, err)
	}
	s.leases.release(w.ID, sub.step.ID)
	if ended := s.ended(w, ask{}); ended != nil {
		return ended
	}
	return s.give(ctx, c, w, ask{})
}

// writtenBy says who has the step of a submission, if that is another agent, or may be one:
// agents of one server are told apart by the lease alone. It is empty otherwise.
func (s *toolset) writtenBy(ctx context.Context, sub submission) string {
	plan, step := sub.plan.ID, sub.step.ID
	if s.leases.has(plan, step) && (sub.lease != "" || !s.leases.ofSubAgent(plan, step)) {
		return ""
	}
	writers, err := s.Store.Drafts().Writers(ctx, plan)
	if err != nil {
		s.Log.Warn("who writes a draft could not be read", "plan", plan, "error", err)
	}
	if w, taken := writers[step]; taken {
		return writing(step, w)
	}
	return ""
}

// accept checks an answer and keeps it.
func (s *toolset) accept(ctx context.Context, c *tool.Caller, sub submission) *tool.Result {
	w := sub.plan
	a, refusal := s.fits(ctx, c, sub)
	if refusal != nil {
		return refusal
	}
	wrong := func(problems shape.Problems) *tool.Result {
		// A draft that was stopped wants no correction, and none that failed does.
		if ended := s.ended(w, ask{before: drafts.Refused(sub.step.ID, problems), wrong: true}); ended != nil {
			return ended
		}
		return failed(w.Session, stepInvalid, drafts.NotAccepted(w.ID, sub.step.ID, leaseName(w, sub.step), problems, s.refuse(sub)), true)
	}
	output, err := s.read(sub)
	if problems, ok := errors.AsType[shape.Problems](err); ok {
		return wrong(problems)
	} else if err != nil {
		return failed(w.Session, internalError, tool.OneLine(err.Error()), true)
	}
	a.Output = output
	a.Usage = drafts.Usage{Tries: s.refusals(sub) + 1, Took: s.leases.age(w.ID, sub.step.ID).Milliseconds()}
	over := s.leases.handOver(w, sub.step.ID, c.Who, sub.next && w.Mode == runs.ByAgent)
	a.Also = over.put
	now, err := s.Store.Drafts().Accept(ctx, caller(c), a)
	over.end(ctx, err == nil)
	if problems, ok := errors.AsType[shape.Problems](err); ok { // beside what others wrote meanwhile
		return wrong(problems)
	} else if err != nil {
		return s.late(ctx, c, sub, err)
	}
	s.forget(sub)
	kept := now.Draft.Records[sub.step.ID]
	answer := s.after(ctx, c, now, sub, drafts.Accepted(sub.step.ID, now.Done, now.Of, kept.SHA256))
	if data, ok := answer.Data.(*stepData); ok {
		data.Accepted, data.SHA256 = sub.step.ID, kept.SHA256
	}
	return answer
}

// fits returns the answer without its output, or refuses a submission to a step that its
// writer does not have.
func (s *toolset) fits(ctx context.Context, c *tool.Caller, sub submission) (a runs.Answer, refusal *tool.Result) {
	w := sub.plan
	a = runs.Answer{Plan: w.ID, Step: sub.step.ID, Inputs: w.Draft.Inputs(sub.step), Generation: w.Generation, Model: sub.model}
	r, standing := w.Draft.Records[sub.step.ID], w.Draft.Standings()[sub.step.ID]
	late, of := sub.lease != "" && sub.lease != leaseName(w, sub.step), s.leases.of(w.ID, sub.lease)
	mistaken := late && s.leases.mistaken(w, sub.step.ID, sub.lease)
	switch {
	case sub.step.Author == drafts.Person:
		return a, failed(w.Session, runs.PermissionDenied, "Only the user decides this. Call step_next, which asks them.", true)
	case standing.Done():
		return a, s.notNeeded(ctx, c, sub, drafts.AlreadyDone(sub.step.ID, r.By, since(r.At)))
	case late && of != "" && of != sub.step.ID:
		return a, failed(w.Session, runs.Conflict, drafts.LeaseOfAnother(w.ID, sub.lease, of, sub.step.ID), true)
	case late && !mistaken:
		a.Inputs, a.Generation = "lease "+sub.lease, generationOf(sub.lease)
	case standing != drafts.Ready:
		return a, failed(w.Session, stepNotReady, w.Draft.NotReady(sub.step, s.ready(w)), true)
	case mistaken:
		return a, s.anew(ctx, c, w, sub, drafts.NotTheLease(sub.lease))
	}
	return a, nil
}

// late is the result of a submission that the store refuses.
func (s *toolset) late(ctx context.Context, c *tool.Caller, sub submission, err error) *tool.Result {
	if stale, ok := errors.AsType[*runs.StaleError](err); ok {
		return s.stale(ctx, c, sub, stale)
	}
	if done, ok := errors.AsType[*runs.DoneError](err); ok {
		return s.notNeeded(ctx, c, sub, drafts.AlreadyDone(done.Step, done.By, tasks.Lasted(done.Ago)))
	}
	return refused(sub.plan.Session, err, true)
}

// read reads an answer. An answer to inputs that have changed is only kept in the
// history, so only its shape is checked.
func (s *toolset) read(sub submission) (shape.Object, error) {
	if sub.lease != "" && sub.lease != leaseName(sub.plan, sub.step) {
		return sub.step.Shape.Read(sub.raw, shape.Full)
	}
	return sub.plan.Draft.Read(sub.step, sub.raw, s.refusals(sub))
}

// refusals counts the answers to a step that were refused.
type refusals struct {
	lease string // names the inputs that they were written from
	n     int
}

// refusals is how often an answer to the step as it is now was refused.
func (s *toolset) refusals(sub submission) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counted(sub).n
}

// counted is what is counted of the step as it is now. The caller holds s.mu.
func (s *toolset) counted(sub submission) refusals {
	now := refusals{lease: leaseName(sub.plan, sub.step)}
	if r := s.tries[leaseKey(sub.plan.ID, sub.step.ID)]; r.lease == now.lease {
		return r
	}
	return now
}

// refuse counts the refusals of an answer.
func (s *toolset) refuse(sub submission) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.counted(sub)
	r.n++
	s.tries[leaseKey(sub.plan.ID, sub.step.ID)] = r
	return r.n
}

func (s *toolset) forget(sub submission) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tries, leaseKey(sub.plan.ID, sub.step.ID))
}

// notNeeded is the result of an answer to a step that somebody else wrote.
func (s *toolset) notNeeded(ctx context.Context, c *tool.Caller, sub submission, text string) *tool.Result {
	s.leases.release(sub.plan.ID, sub.step.ID)
	w, err := s.Store.Drafts().Plan(ctx, sub.plan.ID)
	if err != nil {
		return refused(sub.plan.Session, err, true)
	}
	return s.after(ctx, c, w, sub, text)
}

// after is the result of an answer that needs no correction: the next step, or for a
// sub-agent the ids of those that are ready.
func (s *toolset) after(ctx context.Context, c *tool.Caller, w runs.Whole, sub submission, text string) *tool.Result {
	if sub.next || w.State.Ended() {
		return s.give(ctx, c, w, ask{before: text})
	}
	return s.tell(w, ask{}, acceptedAlone, text+s.readyText(w))
}

// stale says that an answer was written from what has changed, and gives the step anew.
func (s *toolset) stale(ctx context.Context, c *tool.Caller, sub submission, e *runs.StaleError) *tool.Result {
	w, err := s.Store.Drafts().Plan(ctx, sub.plan.ID)
	if err != nil {
		return refused(sub.plan.Session, err, true)
	}
	became := drafts.StaleKept
	if sub.giveUp != "" {
		became = drafts.StaleNotGivenUp
	}
	// What was written once was not changed after the writer got the step.
	if len(w.History[e.Changed]) == 0 && sub.lease != "" && !s.leases.knows(w.ID, sub.step.ID, sub.lease) {
		return s.anew(ctx, c, w, sub, drafts.StaleLease(sub.lease, became))
	}
	return s.anew(ctx, c, w, sub, drafts.Stale(e.Changed, e.By, became))
}

// anew refuses a submission in words, and gives its step as it is now.
func (s *toolset) anew(ctx context.Context, c *tool.Caller, w runs.Whole, sub submission, why string) *tool.Result {
	answer := s.give(ctx, c, w, ask{step: sub.step.ID, before: why, wrong: true})
	if data, ok := answer.Data.(*stepData); ok {
		data.Code = runs.Conflict
	}
	return answer
}
