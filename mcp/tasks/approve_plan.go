package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"planb/mcp/tool"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store"
	"planb/store/tasks"
)

// approveTool is approve_plan.
func (s *toolset) approveTool() tool.Tool {
	return tool.Tool{
		Name: "approve_plan", Title: "Have a plan of tasks approved",
		Description: approveDescription, Schema: approveSchema, Hints: tool.Hints{OpenWorld: true}, Serve: s.approvePlan,
	}
}

const approveDescription = "Have your user review a plan of tasks in their terminal. " +
	"Only they approve, and exactly what they read. Not approved: change it by propose_plan with planId, then call this again. " +
	"NOT ANSWERED YET: do what it says."

const approveSchema = `{"type":"object","required":["planId"],"properties":{` +
	`"planId":{"type":"string"},` +
	`"sessionId":{"type":"string","description":"For a plan without one"},` +
	`"withPlan":{"type":"boolean","description":"The session's latest plan above the tasks: one verdict on both"}}}`

// approvePlan serves approve_plan.
func (s *toolset) approvePlan(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("approve_plan", raw)
	id := args.Required("planId", "pass the id that propose_plan returned")
	review := store.TaskReview{WithPlan: args.Flag("withPlan")}
	session, failure := s.sessionArgument(ctx, c, args)
	if refused := finish(args); refused != nil {
		return refused
	}
	if failure != nil {
		return failure
	}
	by := s.caller(ctx, c)
	plan, err := s.Store.Tasks().Plan(ctx, by, id)
	if err != nil {
		return failed(err)
	}
	if answer := s.unheard(ctx, c, plan); answer != nil {
		return answer
	}
	review.Session = session
	review.NewSession = func(ctx context.Context) (string, error) { return s.newSession(ctx, c, plan) }
	asked, err := s.Store.ReviewTasks(ctx, by, id, review)
	if err != nil {
		return failed(err)
	}
	answer := s.Room.Ask(ctx, c, asked)
	if rules.CodeOf(answer.Cause) != "" {
		return failed(answer.Cause) // the plan was decided or changed meanwhile
	}
	return answer
}

// unheard is the result that tells a verdict on the plan that no agent has heard yet; nil
// if there is none.
func (s *toolset) unheard(ctx context.Context, c *tool.Caller, plan tasks.Whole) *tool.Result {
	if plan.Session == "" {
		return nil
	}
	list, err := s.Store.Undelivered(ctx, plan.Session)
	if _, deleted := errors.AsType[*store.UnknownError](err); deleted {
		return nil
	}
	if err != nil {
		return failed(err)
	}
	for _, ask := range list {
		if ask.About() != tasks.SubjectKind || !strings.HasPrefix(ask.Subject.ID, plan.ID+"/") || !ask.Outcome.State.Final() {
			continue
		}
		s.Room.AwaitDelivery(ctx, ask.ID) // a verdict on its way to this agent is not told again
		now, err := s.Store.Ask(ctx, ask.ID)
		if err != nil {
			return failed(err)
		}
		if now.Undelivered() {
			// The verdict is the plan's, and not only for the agent that asked: kept for an agent
			// that lives and never calls, it would come in place of every later review.
			c.Agent.Asks(now.ID)
			return s.Room.Outcome(now)
		}
	}
	return nil
}

// newSession makes the session in which a plan without one is reviewed: it never had one, or
// the person deleted it.
func (s *toolset) newSession(ctx context.Context, c *tool.Caller, plan tasks.Whole) (string, error) {
	made, err := s.Store.CreateSession(ctx, store.Session{
		Title: plan.Title, Project: safe.New(s.maker(ctx, c).Dir), Client: c.Agent.Client(ctx),
	})
	if err != nil {
		return "", err
	}
	c.Agent.MakeSession(made.ID)
	return made.ID, nil
}
