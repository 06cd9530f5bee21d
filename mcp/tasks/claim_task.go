package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/mcp/tool"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/project"
	"planb/store/tasks"
)

// claimTool is claim_task.
func (s *toolset) claimTool() tool.Tool {
	return tool.Tool{
		Name: "claim_task", Title: "Claim a task",
		Description: claimDescription, Schema: claimSchema, Serve: s.claimTask,
	}
}

const claimDescription = "Claim an approved task, so that no other agent works on it; without taskId the best one. " +
	"Returns all you need for it, and a claimId for the next calls. Work only on what you claimed. " +
	"With taskId and claimId: your claim again, after a lost context or connection."

const claimSchema = `{"type":"object","properties":{` +
	`"taskId":{"type":"string"},` +
	`"planId":{"type":"string","description":"Only of this plan"},` +
	`"claimId":{"type":"string"},` +
	`"leaseSec":{"type":"integer","minimum":60,"maximum":86400,"description":"Others may have it after so long without a call; default never while you are connected"}}}`

// claimTask serves claim_task.
func (s *toolset) claimTask(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("claim_task", raw)
	request := tasks.ClaimRequest{Task: args.Text("taskId"), Plan: args.Text("planId"), ClaimID: args.Text("claimId")}
	seconds, _ := args.Number("leaseSec", float64(rules.MaxLease/time.Second))
	request.Lease = time.Duration(seconds) * time.Second
	if refused := finish(args); refused != nil {
		return refused
	}
	answer, err := s.claim(ctx, c, request)
	if err != nil {
		return s.failedOn(ctx, c, s.unapproved(ctx, c, request, err), request.Task)
	}
	return answer
}

// unapproved adds to the refusal of a claim which call has the plan approved, if the plan is only
// proposed and the agent has that tool.
func (s *toolset) unapproved(ctx context.Context, c *tool.Caller, request tasks.ClaimRequest, err error) error {
	refused, ok := errors.AsType[*rules.Error](err)
	if !ok || refused.Code != rules.CodeTaskNotActionable || !c.Has("approve_plan") {
		return err
	}
	by, plans := s.caller(ctx, c), []string(nil)
	if request.Task == "" {
		next, failed := s.Store.Tasks().Next(ctx, by, tasks.Query{Plan: request.Plan})
		if failed != nil {
			return err
		}
		plans = next.Unapproved
	} else if plan, failed := s.Store.Tasks().Plan(ctx, by, request.Task); failed == nil && plan.Status == rules.PlanProposed {
		plans = []string{plan.ID}
	}
	if len(plans) == 0 {
		return err
	}
	said := *refused
	said.Message += " " + approvals(plans)
	return &said
}

// claim claims a task and tells all about it.
func (s *toolset) claim(ctx context.Context, c *tool.Caller, request tasks.ClaimRequest) (*tool.Result, error) {
	worker, err := s.workers.of(c.Agent)
	if err != nil {
		return nil, err
	}
	request.Repository = s.repository(ctx, c)
	claimed, err := worker.Claim(ctx, s.worker(ctx, c), request)
	if err != nil {
		return nil, err
	}
	return claimedResult(claimed), nil
}

// repository reads where the client's repository stands.
func (s *toolset) repository(ctx context.Context, c *tool.Caller) tasks.Repository {
	head, branch := project.Head(s.maker(ctx, c).Dir)
	return tasks.Repository{Head: head, Branch: branch}
}

// worker is the caller of a tool that works on tasks, with the place where a person finds
// it.
func (s *toolset) worker(ctx context.Context, c *tool.Caller) tasks.Caller {
	by := s.caller(ctx, c)
	by.Place = s.Place(ctx)
	return by
}

// claimedTask is the result of claim_task.
type claimedTask struct {
	ID           string             `json:"taskId"`
	ClaimID      string             `json:"claimId"`
	Attempt      int                `json:"attempt"`
	State        rules.State        `json:"state"`
	Title        safe.Text          `json:"title"`
	Description  safe.Text          `json:"description,omitzero"`
	Execution    rules.Execution    `json:"executionContract"`
	Verification rules.Verification `json:"verificationContract"`
	Done         []tasks.Before     `json:"done,omitempty"`
	Earlier      []earlier          `json:"earlier,omitempty"`
}

// earlier is an attempt before.
type earlier struct {
	Worker  string       `json:"worker"`
	End     tasks.Ending `json:"end"`
	Notes   []safe.Text  `json:"notes,omitempty"`
	Summary safe.Text    `json:"summary,omitzero"`
	Comment safe.Text    `json:"comment,omitzero"` // what the person said of it
}

const (
	// mostDone limits the finished tasks before the claimed one that a result tells of.
	mostDone = 20
	// mostEarlier limits the earlier attempts that a result tells of.
	mostEarlier = 3
)

// claimedResult tells all that the holder of a task must know. Texts that are too long for
// its client are in files.
func claimedResult(got tasks.Claimed) *tool.Result {
	words := func(cut *tool.Cutter) []string { return claimedWords(got, cut) }
	data := claimedData{got.ID, got.ClaimID, got.Attempt}
	return &tool.Result{
		Data: &resultData{Said: data},
		Telling: &tool.Telling{
			Words: words, Least: []string{tool.JSON(data), "It is yours. Read all of it before you begin."}, About: copyName(got.ID),
			Whole: "All of the task", Again: "call claim_task with taskId and claimId",
		},
	}
}

// copyName names the readable copies of a task's texts.
func copyName(task string) string { return "task-" + strings.ReplaceAll(rules.Short(task), ".", "-") }

// claimedData is a claim as data.
type claimedData struct {
	ID      string `json:"taskId"`
	ClaimID string `json:"claimId"`
	Attempt int    `json:"attempt"`
}

func claimedWords(got tasks.Claimed, cut *tool.Cutter) []string {
	said := claimedTask{
		ID: got.ID, ClaimID: got.ClaimID, Attempt: got.Attempt, State: got.State,
		Title: got.Task.Title, Execution: cutExecution(got.Task.Execution, cut),
		Verification: rules.Verification{
			Kind: got.Task.Verification.Kind, Criteria: cutTexts(got.Task.Verification.Criteria, cut), Commands: cutTexts(got.Task.Verification.Commands, cut),
		},
	}
	if text := got.Task.Description; !text.IsZero() {
		said.Description = safe.New(cut.Piece(tool.Piece{Name: "description", File: "description.md", Text: text.Raw()}))
	}
	for _, before := range got.Done[:min(len(got.Done), mostDone)] {
		before.Summary = cut.Text(before.Summary)
		said.Done = append(said.Done, before)
	}
	for _, attempt := range got.Earlier[:min(len(got.Earlier), mostEarlier)] {
		said.Earlier = append(said.Earlier, earlierOf(attempt, cut))
	}
	items := []string{tool.JSON(said)}
	if rest := len(got.Done) - len(said.Done); rest > 0 {
		items = append(items, fmt.Sprintf("More tasks that it waited for are done: %d.", rest))
	}
	return append(append(items, got.Overlaps...), afterClaim(got))
}

// afterClaim says what to do with the task.
func afterClaim(got tasks.Claimed) string {
	ids := fmt.Sprintf("\"taskId\":%q,\"claimId\":%q", got.ID, got.ClaimID)
	text := "It is yours. When it is done, call complete_task {" + ids + "," + needs(got.Task.Verification) + "}. "
	if len(got.Task.Verification.Commands) > 0 {
		text += "Run each command, and report its own exit code and last lines. "
	}
	return text + "If you cannot do it, give it back: update_task_status with status ready, or needs_review if your user must decide."
}

// mostProofs is how many pieces of evidence the example of a report shows.
const mostProofs = 4

// needs shows what a report must have to meet the contract. It leaves out what only the
// agent can know, so that no exit code is copied from here.
func needs(v rules.Verification) string {
	var proofs []string
	for _, command := range v.Commands {
		proofs = append(proofs, fmt.Sprintf(`{"command":%s,"exitCode":…,"output":"…"}`, tool.JSON(command)))
	}
	for i := range v.Criteria {
		proofs = append(proofs, fmt.Sprintf(`{"criterion":%d,"text":"…"}`, i+1))
	}
	switch rest := len(proofs) - mostProofs; {
	case len(proofs) == 0:
		return `"summary":"…"`
	case rest > 0:
		proofs = append(proofs[:mostProofs], fmt.Sprintf("… %d more", rest))
	}
	return `"summary":"…","evidence":[` + strings.Join(proofs, ",") + `]`
}

func earlierOf(a tasks.Attempt, cut *tool.Cutter) earlier {
	said := earlier{Worker: a.Worker, End: a.End, Comment: cut.Text(a.Comment)}
	for _, note := range a.Notes {
		said.Notes = append(said.Notes, cut.Text(note.Text))
	}
	if a.Report != nil {
		said.Summary = cut.Text(a.Report.Summary)
	}
	return said
}

func cutExecution(e rules.Execution, cut *tool.Cutter) rules.Execution {
	e.Files, e.Inputs = cutTexts(e.Files, cut), cutTexts(e.Inputs, cut)
	e.Constraints, e.Output = cutTexts(e.Constraints, cut), cut.Text(e.Output)
	return e
}

func cutTexts(list []safe.Text, cut *tool.Cutter) []safe.Text {
	list = slices.Clone(list)
	for i := range list {
		list[i] = cut.Text(list[i])
	}
	return list
}
