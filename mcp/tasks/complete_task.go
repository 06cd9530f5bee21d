package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"planb/mcp/tool"
	rules "planb/plans/tasks"
	"planb/store/tasks"
)

// completeTool is complete_task.
func (s *toolset) completeTool() tool.Tool {
	return tool.Tool{
		Name: "complete_task", Title: "Complete a claimed task",
		Description: completeDescription, Schema: completeSchema, Serve: s.completeTask,
	}
}

const completeDescription = "Complete your claimed task, with the evidence that its verificationContract asks for. " +
	"Report only what you did and saw. claimNext: claims the next task of the plan, too."

const completeSchema = `{"type":"object","required":["taskId","claimId","summary"],"properties":{` +
	`"taskId":{"type":"string"},` +
	`"claimId":{"type":"string"},` +
	`"summary":{"type":"string","description":"What was done; tasks that waited for it are told"},` +
	`"evidence":{"type":"array","items":{"type":"object","properties":{` +
	`"criterion":{"type":"integer","description":"Its number, from 1"},` +
	`"text":{"type":"string","description":"Evidence for it"},` +
	`"command":{"type":"string","description":"Exactly as in commands"},` +
	`"exitCode":{"type":"integer"},` +
	`"output":{"type":"string","description":"Last lines"}}}},` +
	`"claimNext":{"type":"boolean"}}}`

// completeTask serves complete_task.
func (s *toolset) completeTask(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("complete_task", raw)
	done := tasks.Completion{Task: args.Required("taskId", claimedHint), ClaimID: args.Required("claimId", claimedHint)}
	claimNext := args.Flag("claimNext")
	var err error
	done.Report, err = rules.ReadReport(object(raw), "taskId", "claimId", "claimNext")
	if err = withProblems(args, err); err != nil {
		return failed(err)
	}
	worker, err := s.workers.of(c.Agent)
	if err != nil {
		return failed(err)
	}
	done.Repository = s.repository(ctx, c)
	completed, err := worker.Complete(ctx, s.worker(ctx, c), done)
	if err != nil {
		return s.failedOn(ctx, c, err, done.Task)
	}
	answer := told(completed, afterCompletion(completed))
	if claimNext && completed.State.Final() && completed.Plan.Status == rules.PlanActive || claimNext && completed.State == rules.NeedsReview {
		return s.andNext(ctx, c, completed, answer)
	}
	return answer
}

// fewKeys is how many tasks are named.
const fewKeys = 10

// keyList names tasks, at most a few of them.
func keyList(keys []string) string {
	shown := keys[:min(len(keys), fewKeys)]
	words := strings.Join(shown, ", ")
	if rest := len(keys) - len(shown); rest > 0 {
		words += fmt.Sprintf(" and %d more", rest)
	}
	return words
}

// forUser says which tasks are the user's turn; empty for none.
func forUser(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	return "For your user to do: " + keyList(keys) + ". They see it on their board."
}

// afterCompletion says where the task and its plan stand now.
func afterCompletion(done tasks.Completed) string {
	switch {
	case done.State == rules.NeedsReview:
		return waitsForUser
	case done.Plan.Status == rules.PlanDone:
		return "The plan is done. Tell your user what was done."
	}
	var words []string
	if len(done.Keys) > 0 {
		words = append(words, "Ready by it: "+keyList(done.Keys)+".")
	}
	if yours := forUser(done.ForUser); yours != "" {
		words = append(words, yours)
	}
	return strings.Join(words, " ")
}

// completedAndNext is a completion and the claim that came with it, as data.
type completedAndNext struct {
	tasks.Completed
	Next tool.Data `json:"next"`
}

// andNext adds the claim of the plan's next task to the result of a completion. A task
// that cannot be claimed undoes nothing.
func (s *toolset) andNext(ctx context.Context, c *tool.Caller, done tasks.Completed, answer *tool.Result) *tool.Result {
	next, err := s.claim(ctx, c, tasks.ClaimRequest{Plan: done.Plan.ID})
	if err != nil {
		answer.Items = append(answer.Items, fmt.Sprintf("No next task was claimed: %s", err.Error()))
		return answer
	}
	next.Data = &resultData{Said: completedAndNext{done, next.Data}}
	said, words := answer.Items, next.Telling.Words
	next.Telling.Words = func(cut *tool.Cutter) []string { return append(said[:len(said):len(said)], words(cut)...) }
	next.Telling.Least = append(said[:len(said):len(said)], next.Telling.Least...)
	return next
}
