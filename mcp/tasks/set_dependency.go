package tasks

import (
	"context"
	"encoding/json"
	"fmt"

	"planb/mcp/tool"
	rules "planb/plans/tasks"
	"planb/store/tasks"
)

// dependencyTool is set_dependency.
func (s *toolset) dependencyTool() tool.Tool {
	return tool.Tool{
		Name: "set_dependency", Title: "Set a dependency",
		Description: dependencyDescription, Schema: dependencySchema, Hints: tool.Hints{Idempotent: true}, Serve: s.setDependency,
	}
}

const dependencyDescription = "Have a task of an active plan wait for another of it (hard), or note that they are related (soft). Needs no approval. " +
	"remove takes back what an agent set."

const dependencySchema = `{"type":"object","required":["taskId","dependsOn"],"properties":{` +
	`"taskId":{"type":"string"},` +
	`"dependsOn":{"type":"string","description":"taskId of the other"},` +
	`"kind":{"enum":["hard","soft"],"description":"Default hard"},` +
	`"remove":{"type":"boolean"}}}`

const (
	hard = "hard"
	soft = "soft"
)

// dependency is the result of set_dependency.
type dependency struct {
	ID        string      `json:"taskId"`
	DependsOn string      `json:"dependsOn"`
	Kind      string      `json:"kind"`
	Removed   bool        `json:"removed,omitempty"`
	State     rules.State `json:"state"`
}

// setDependency serves set_dependency.
func (s *toolset) setDependency(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("set_dependency", raw)
	edge := tasks.Dependency{
		Task:      args.Required("taskId", "pass the id of the task that is to wait"),
		DependsOn: args.Required("dependsOn", "pass the id of the task that comes first", "dependsOnTaskId"),
	}
	kind := args.Text("kind", "type")
	switch kind {
	case "":
		kind = hard
	case hard, soft:
	default:
		args.Problem("kind must be hard or soft; got %s.", tool.Shortened(fmt.Sprintf("%q", kind)))
	}
	edge.Soft, edge.Remove = kind == soft, args.Flag("remove")
	if refused := finish(args); refused != nil {
		return refused
	}
	updated, err := s.Store.Tasks().SetDependency(ctx, s.caller(ctx, c), edge)
	if err != nil {
		return s.failedOn(ctx, c, err, edge.Task, edge.DependsOn)
	}
	return told(dependency{updated.ID, edge.DependsOn, kind, edge.Remove, updated.State})
}
