package tasks

import (
	"context"
	"encoding/json"
	"fmt"

	"planb/mcp/tool"
	"planb/questions/safe"
)

// createProjectTool is create_project.
func (s *toolset) createProjectTool() tool.Tool {
	return tool.Tool{
		Name: "create_project", Title: "Create a project",
		Description: createProjectDescription, Schema: createProjectSchema, Serve: s.createProject,
	}
}

const createProjectDescription = "Create the container of plans, once for a repository."

const createProjectSchema = `{"type":"object","required":["name"],"properties":{` +
	`"name":{"type":"string"},` +
	`"slug":{"type":"string","description":"Default: from the name"}}}`

// projectMade is the result of create_project.
type projectMade struct {
	ID   string    `json:"projectId"`
	Name safe.Text `json:"name"`
	Slug string    `json:"slug"`
}

// createProject serves create_project.
func (s *toolset) createProject(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("create_project", raw)
	name, slug := args.Text("name", "title"), args.Text("slug")
	if refused := finish(args); refused != nil {
		return refused
	}
	made, err := s.Store.Tasks().CreateProject(ctx, s.maker(ctx, c), name, slug)
	if err != nil {
		return failed(err)
	}
	return told(projectMade{made.ID, made.Name, made.Slug}, fmt.Sprintf("Next: propose_plan {\"projectId\":%q,\"title\":…,\"tasks\":[…]}.", made.ID))
}

// finish is the result for arguments that are wrong; nil if they are right.
func finish(args *tool.Arguments) *tool.Result {
	if args.Finish() == "" {
		return nil
	}
	return failed(invalid(args.Problems))
}
