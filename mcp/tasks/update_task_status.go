package tasks

import (
	"context"
	"encoding/json"
	"strings"

	"planb/mcp/tool"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/tasks"
)

// updateTool is update_task_status.
func (s *toolset) updateTool() tool.Tool {
	return tool.Tool{
		Name: "update_task_status", Title: "Say how a claimed task stands",
		Description: updateDescription, Schema: updateSchema, Serve: s.updateTask,
	}
}

const updateDescription = "Say how your claimed task stands: in_progress; ready: you give it back; needs_review: only your user can go on with it. " +
	"If it is done: complete_task."

const updateSchema = `{"type":"object","required":["taskId","claimId","status"],"properties":{` +
	`"taskId":{"type":"string"},` +
	`"claimId":{"type":"string"},` +
	`"status":{"enum":["in_progress","ready","needs_review"]},` +
	`"note":{"type":"string","description":"For who takes it next"}}}`

// updateTask serves update_task_status.
func (s *toolset) updateTask(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("update_task_status", raw)
	progress := tasks.Progress{
		Task: args.Required("taskId", claimedHint), ClaimID: args.Required("claimId", claimedHint),
		Status: rules.State(args.Required("status", "in_progress, ready or needs_review", "state")),
		Note:   safe.New(args.Text("note", "comment", "reason")),
	}
	if instead := otherStatus(c, progress.Status); instead != "" {
		args.Problem("status: got %q; allowed: in_progress, ready or needs_review. %s", progress.Status, instead)
	}
	if refused := finish(args); refused != nil {
		return refused
	}
	worker, err := s.workers.of(c.Agent)
	if err != nil {
		return failed(err)
	}
	updated, err := worker.Update(ctx, s.worker(ctx, c), progress)
	if err != nil {
		return s.failedOn(ctx, c, err, progress.Task)
	}
	words := ""
	switch updated.State {
	case rules.NeedsReview:
		words = waitsForUser
	case rules.Ready:
		words = readyAgain
	}
	return told(updated, words)
}

// otherStatus says for a status that this tool does not set what does it instead; empty for others.
func otherStatus(c *tool.Caller, status rules.State) string {
	switch strings.ToLower(string(status)) {
	case "done", "complete", "completed", "finished", "closed":
		return "For a task that is done call complete_task, with what you did and the evidence that the task asks for."
	case "blocked", "waiting", "on_hold":
		instead := "To leave it, give it back with ready and say in note what it waits for; if only your user can go on with it, pass needs_review."
		if c.Has("set_dependency") {
			instead = "If it waits for another task, call set_dependency with both taskIds. " + instead
		}
		return instead
	}
	return ""
}

const (
	claimedHint = "pass the one that claim_task returned"
	// waitsForUser is for a task that only the person can go on with.
	waitsForUser = "It waits in your user's inbox. Go on with what is ready."
	// readyAgain is for a task that was given back. The order of tasks is the same for all
	// agents, so it is often the first again.
	readyAgain = "It is ready again, for you, too: claim_task without taskId may give you the same one. To claim another task, pass its taskId."
)
