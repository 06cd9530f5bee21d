package tasks

import (
	"context"
	"encoding/json"
	"fmt"

	"planb/mcp/tool"
	"planb/questions/safe"
)

// listProjectsTool is list_projects.
func (s *toolset) listProjectsTool() tool.Tool {
	return tool.Tool{
		Name: "list_projects", Title: "List projects",
		Description: listProjectsDescription, Schema: noArguments, Hints: tool.Hints{ReadOnly: true, Idempotent: true}, Serve: s.listProjects,
	}
}

const listProjectsDescription = "List projects: first this repository's, the oldest of which is the default, then others."

const noArguments = `{"type":"object","properties":{}}`

// projectRow is a project in the result of list_projects.
type projectRow struct {
	ID     string    `json:"projectId"`
	Name   safe.Text `json:"name"`
	Slug   string    `json:"slug"`
	Tasks  int       `json:"taskCount"`
	Status string    `json:"status"` // always active: a project has no states
}

// listProjects serves list_projects.
func (s *toolset) listProjects(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	if refused := finish(tool.ReadArguments("list_projects", raw)); refused != nil {
		return refused
	}
	list, err := s.Store.Tasks().Projects(ctx, s.maker(ctx, c))
	if err != nil {
		return failed(err)
	}
	rows := []projectRow{}
	words, own := "", 0
	for _, p := range list {
		if p.Err != nil {
			s.Log.Warn("a project cannot be read", "project", p.ID, "error", p.Err)
			words = "Some projects cannot be read. Tell your user to run  planb doctor ."
			continue
		}
		if p.Own {
			own++
		}
		rows = append(rows, projectRow{p.ID, p.Name, p.Slug, p.Tasks, "active"})
	}
	if len(list) == 0 {
		words = "There is no project yet: call create_project once for this repository, then propose_plan."
	}
	whose := whoseProjects(rows, own)
	more, left := "", roomForLists
	if rest := keep(&rows, &left); rest > 0 {
		more = fmt.Sprintf("Projects that are not listed: %d.", rest)
	}
	return told(struct {
		Projects []projectRow `json:"projects"`
	}{rows}, more, whose, words)
}

// whoseProjects says how many of the projects are this repository's, if not all are.
func whoseProjects(rows []projectRow, own int) string {
	switch {
	case own == len(rows):
		return ""
	case own == 0:
		return "None of these is this repository's: call create_project once for it, then propose_plan."
	case own == 1:
		return fmt.Sprintf("%s is this repository's, and the default.", tool.Quoted(rows[0].Name))
	}
	return fmt.Sprintf("The first %d are this repository's; %s is the default.", own, tool.Quoted(rows[0].Name))
}
