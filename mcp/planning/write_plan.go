package planning

import (
	"context"
	"encoding/json"
	"strings"

	"planb/mcp/planfile"
	"planb/mcp/tool"
	"planb/plans"
	"planb/questions/safe"
)

// writeTool is write_plan.
func (s *toolset) writeTool() tool.Tool {
	return tool.Tool{
		Name: "write_plan", Title: "Write a plan file",
		Description: writeDescription, Schema: writeSchema, Hints: tool.Hints{Destructive: true, Idempotent: true}, Serve: s.writePlan,
		Among: func(t *tool.Tool, offered func(string) bool) {
			if offered("save_plan") {
				t.Description += writeInstead
			}
			if !offered("init_planb_session") {
				t.Schema = strings.Replace(t.Schema, fromInit, "", 1)
			}
		},
	}
}

const writeDescription = "Write a plan as a file of the project, planName-plan.md, for one the team keeps or you change with edit_plan. " +
	"Replaces the file; versions are kept."

// writeInstead follows the description where save_plan is offered, too.
const writeInstead = " save_plan is for a plan of this session alone."

// fromInit describes the sessionId where init_planb_session is offered, too.
const fromInit = `,"description":"From init_planb_session"`

const writeSchema = `{"type":"object","required":["planName","content"],"properties":{` +
	`"planName":{"type":"string","description":"Letters, digits, - and _; the same for one plan"},` +
	`"content":{"type":"string","description":"Markdown, the whole plan"},` +
	`"sessionId":{"type":"string"` + fromInit + `}}}`

// writePlan serves write_plan.
func (s *toolset) writePlan(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("write_plan", raw)
	content := args.Given("content", "the plan's whole text, in Markdown", "plan", "text", "markdown")
	args.Limit("content", content, plans.MaxPlanBytes)
	about, failure := s.planCall(ctx, c, args)
	if failure != nil {
		return failure
	}
	written, path, err := s.Files.Work(ctx, c.Agent, about.name, about.session, true, func(w *planfile.Writing) (planfile.Written, error) {
		if safe.New(content).Blank() {
			return planfile.Written{}, planfile.Refuse("content is empty, so %s was not written: give the plan's whole text, in Markdown.", w.File.Path())
		}
		return w.Change(ctx, func(planfile.Held) (string, error) { return content, nil })
	})
	if err != nil {
		return planfile.Failure(about.session, err)
	}
	note := tool.Join(written.Foreign.Overwritten(written.Plan), written.Other.Overwritten(written.Plan), s.standing(ctx, written.Plan), s.uncitedIn(ctx, written))
	return planResult(written, path, "Write "+about.name.File(), struct {
		PlanName string `json:"planName"`
		PlanPath string `json:"planPath"`
		Bytes    int    `json:"bytesWritten"`
		Note     string `json:"note,omitempty"`
	}{string(about.name), path, len(content), note})
}
