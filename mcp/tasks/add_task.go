package tasks

import (
	"context"
	"encoding/json"

	"planb/mcp/tool"
	rules "planb/plans/tasks"
	"planb/store/tasks"
)

// addTool is add_task.
func (s *toolset) addTool() tool.Tool {
	return tool.Tool{
		Name: "add_task", Title: "Add a task",
		Description: addDescription, Schema: addSchema, Serve: s.addTask,
	}
}

const addDescription = "Add a task found while working on another. Locked until your user approves it; the others go on. " +
	"Fields as in propose_plan."

const addSchema = `{"type":"object","required":["planId","title"],"properties":{` +
	`"planId":{"type":"string"},` +
	`"title":{"type":"string"},` +
	`"description":{"type":"string"},` +
	`"nodeKey":{"type":"string"},` +
	`"dependsOn":{"type":"array","items":{"type":"string"}},` +
	`"discoveredFrom":{"type":"string","description":"taskId or nodeKey"},` +
	`"executionContract":{"type":"object"},` +
	`"verificationContract":{"type":"object"},` +
	`"priority":{"type":"integer"},` +
	`"estimateMinutes":{"type":"integer"}}}`

// addTask serves add_task.
func (s *toolset) addTask(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("add_task", raw)
	wanted := tasks.Addition{
		Plan: args.Required("planId", "pass the id of an active plan"), DiscoveredFrom: args.Text("discoveredFrom"),
	}
	if len(args.Problems) > 0 {
		return failed(invalid(args.Problems))
	}
	by := s.caller(ctx, c)
	plan, err := s.Store.Tasks().Plan(ctx, by, wanted.Plan)
	if err == nil && plan.Status != rules.PlanActive {
		err = rules.RequiresApproval(plan.Title, plan.Status)
	}
	if err == nil {
		wanted.Seed, err = rules.ReadTask(object(raw), plan.Graph, "planId", "discoveredFrom")
	}
	if err != nil {
		return failed(err)
	}
	added, err := s.Store.Tasks().Add(ctx, by, wanted)
	if err != nil {
		return failed(err)
	}
	return told(added, waitsForUser)
}
