package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"planb/mcp/tool"
	"planb/store/tasks"
)

// nextTool is get_next_actionable.
func (s *toolset) nextTool() tool.Tool {
	return tool.Tool{
		Name: "get_next_actionable", Title: "Which tasks can be worked on",
		Description: nextDescription, Schema: nextSchema, Hints: tool.Hints{ReadOnly: true, Idempotent: true}, Serve: s.nextActionable,
	}
}

const nextDescription = "Which approved tasks can be claimed now, the best first, and which you hold: look here after a lost context. " +
	"Changes nothing; claim_task takes one. explain: why the others are not ready."

const nextSchema = `{"type":"object","properties":{` +
	`"planId":{"type":"string"},` +
	`"taskId":{"type":"string","description":"Only this one"},` +
	`"limit":{"type":"integer","minimum":1,"maximum":20,"description":"Default 5"},` +
	`"explain":{"type":"boolean"}}}`

// nextActionable serves get_next_actionable.
func (s *toolset) nextActionable(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("get_next_actionable", raw)
	query := tasks.Query{Plan: args.Text("planId"), Task: args.Text("taskId"), Explain: args.Flag("explain")}
	limit, given := args.Number("limit", tasks.MaxNext)
	if query.Limit = int(limit); given && (limit != float64(query.Limit) || query.Limit < 1) {
		args.Problem("limit must be a whole number from 1 to %d; got %v.", tasks.MaxNext, limit)
	}
	if refused := finish(args); refused != nil {
		return refused
	}
	worker, err := s.workers.of(c.Agent)
	if err != nil {
		return failed(err)
	}
	next, err := worker.Next(ctx, s.caller(ctx, c), query)
	if err != nil {
		return s.failedOn(ctx, c, err, query.Task)
	}
	var words []string
	if len(next.Held) > 0 {
		words = append(words, "Continue only what you claimed yourself; others may be your sub-agents'.")
	}
	left := roomForLists
	if rest := keep(&next.Held, &left); rest > 0 {
		words = append(words, fmt.Sprintf("More tasks that this connection holds: %d.", rest))
	}
	keep(&next.Tasks, &left)
	next.More += keep(&next.Blocked, &left)
	if len(next.Counts) == 0 && next.Nothing == "" {
		words = append(words, "No plan of tasks in this project is active: nothing can be claimed. A plan is active once your user has approved it.")
	}
	words = append(words, leftWords(next.Left), next.Nothing)
	if c.Has("approve_plan") {
		words = append(words, approvals(next.Unapproved))
	}
	return told(next, words...)
}

// mostLeft is how many tasks are named that planb keeps for agents that are gone.
const mostLeft = 3

// leftWords tells an agent that lost its connection, and all that it knew, of the task that may
// have been its own: it has begun that one, and would begin another beside it.
func leftWords(left []tasks.Explanation) string {
	var words []string
	for _, task := range left[:min(len(left), mostLeft)] {
		words = append(words, fmt.Sprintf("\"%s\" (taskId %s) %s.", task.Title.Line(), task.ID, task.Why))
	}
	if len(words) == 0 {
		return ""
	}
	return strings.Join(words, " ") + " If that agent was you, go on with it first: claim_task with its taskId after that time, or now with your claimId, too."
}

// mostApprovals is how many plans are named that wait for their approval.
const mostApprovals = 4

// approvals tells an agent that lost its context between its proposal and the approval how it
// goes on. approve_plan opens the review if none is open.
func approvals(plans []string) string {
	if len(plans) == 0 {
		return ""
	}
	calls := make([]string, min(len(plans), mostApprovals))
	for i := range calls {
		calls[i] = fmt.Sprintf("approve_plan {\"planId\":%q}", plans[i])
	}
	return "If you proposed it, have it approved, or wait for the review that is open: " + strings.Join(calls, "; ") + "."
}
