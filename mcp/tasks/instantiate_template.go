package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"planb/mcp/tool"
	rules "planb/plans/tasks"
	"planb/plans/tasks/templatefile"
	"planb/questions/safe"
	"planb/store/project"
	"planb/store/tasks"
)

// templateTool is instantiate_template.
func (s *toolset) templateTool() tool.Tool {
	return tool.Tool{
		Name: "instantiate_template", Title: "Propose from a template",
		Description: templateDescription, Schema: templateSchema, Serve: s.instantiate,
	}
}

const templateDescription = "Propose a plan from a template of the project or your user, as propose_plan does. Without template: lists them."

const templateSchema = `{"type":"object","properties":{` +
	`"template":{"type":"string","description":"Its key"},` +
	`"title":{"type":"string"},` +
	`"params":{"type":"object"},` +
	`"overrides":{"type":"object","description":"{nodeKey:{field:value}}"},` +
	`"projectId":{"type":"string"},` +
	`"sessionId":{"type":"string"}}}`

// instantiate serves instantiate_template.
func (s *toolset) instantiate(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("instantiate_template", raw)
	key, title := args.Text("template", "templateKey", "key"), safe.New(args.Text("title"))
	params, _ := args.Raw("params", "parameters")
	overrides, _ := args.Raw("overrides")
	wanted := tasks.Proposal{Project: args.Text("projectId")}
	session, failure := s.sessionArgument(ctx, c, args)
	if refused := finish(args); refused != nil {
		return refused
	}
	if failure != nil {
		return failure
	}
	wanted.Session = session
	by := s.caller(ctx, c)
	folders := templatefile.In(project.Root(s.maker(ctx, c).Dir), s.SettingsDir)
	if key == "" {
		return s.templates(folders)
	}
	if _, err := s.Store.Tasks().Resolve(ctx, by, wanted.Project); err != nil {
		return failed(err)
	}
	template, err := folders.Find(key)
	if err == nil {
		wanted.Proposal, err = template.Fill(title, params, overrides)
	}
	if _, outside := errors.AsType[*templatefile.OutsideError](err); outside {
		err = rules.CrossOrg("Template "+strconv.Quote(key), s.Store.Tasks().Owner())
	}
	if err != nil {
		return failed(err)
	}
	return s.propose(ctx, c, by, wanted)
}

// templateRow is a template in the list of them.
type templateRow struct {
	Key    string                 `json:"key"`
	Title  safe.Text              `json:"title"`
	Params map[string]rules.Param `json:"params,omitempty"`
}

// templates lists the templates that can be instantiated.
func (s *toolset) templates(folders templatefile.Folders) *tool.Result {
	list, err := folders.List()
	if err != nil {
		return failed(err)
	}
	rows, unusable := []templateRow{}, 0
	for _, t := range list {
		switch {
		case t.Err != nil:
			unusable++
		case t.Status == rules.TemplatePublished:
			rows = append(rows, templateRow{t.Key, t.Title, t.Params})
		}
	}
	var words []string
	left := roomForLists
	if rest := keep(&rows, &left); rest > 0 {
		words = append(words, fmt.Sprintf("Templates that are not listed: %d.", rest))
	}
	if unusable > 0 {
		words = append(words, fmt.Sprintf("Files of templates that cannot be used: %d. Your user sees why with  planb tasks template list .", unusable))
	}
	return told(struct {
		Templates []templateRow `json:"templates"`
	}{rows}, words...)
}
