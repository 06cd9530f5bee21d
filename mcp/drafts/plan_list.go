package drafts

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/mcp/tool"
	"planb/store/runs"
)

// listTool is plan_list.
func (s *toolset) listTool() tool.Tool {
	return tool.Tool{
		Name: "plan_list", Title: "The drafts of the project", Description: "The drafts of this project, the newest first.",
		Schema: `{"type":"object","properties":{"limit":{"type":"integer","description":"1–50, default 10"},"all":{"type":"boolean"}}}`,
		Hints:  tool.Hints{ReadOnly: true, Idempotent: true}, Serve: s.list,
	}
}

// Limits of a list.
const (
	defaultListed = 10
	maxListed     = 50
)

// listed are plans as data.
type listed struct {
	Plans   []listedPlan `json:"plans"`
	Message string       `json:"message"`
	tool.Facts
}

type listedPlan struct {
	Plan     string    `json:"plan_id"`
	Title    string    `json:"title,omitempty"`
	State    string    `json:"state"`
	Progress float64   `json:"progress_percentage"`
	Created  time.Time `json:"created_at"`
	Excerpt  string    `json:"prompt_excerpt"`
}

// Bound implements tool.Data.
func (d *listed) Bound() {
	d.Plans = nil
	d.Facts.Bound()
}

// list serves plan_list.
func (s *toolset) list(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("plan_list", raw)
	limit, given := args.Number("limit", 1e9)
	all := args.Flag("all")
	if problems := args.Finish(); problems != "" {
		return invalid(problems, false)
	}
	if !given {
		limit = defaultListed
	}
	dirs := c.Agent.Dirs(ctx)
	if all && s.AllProjects {
		dirs = nil
	}
	list, err := drafted(ctx, s.Store.Drafts(), dirs, min(max(int(limit), 1), maxListed))
	if err != nil {
		return refused("", err, false)
	}
	data := &listed{Plans: []listedPlan{}, Message: goOn(list)}
	if !s.AgentWrites {
		data.Message = "To look at a draft, call task_status with its task_id."
	}
	if len(list) == 0 {
		data.Message = noDraft
	}
	if all && !s.AllProjects {
		data.Message += " all had no effect: this server shows only this project's drafts. Your user can start it with planb mcp --all-projects."
	}
	room := s.room(ctx, c)
	for i, plan := range listedPlans(list) {
		if room -= tool.Size(tool.JSON(plan)); room < 0 {
			data.Message += fmt.Sprintf(" Not listed here, because the list would be too long: %d.", len(list)-i)
			break
		}
		data.Plans = append(data.Plans, plan)
	}
	return said("", data)
}

// drafted returns the plans of some directories, the newest first. One that somebody writes is
// processing, also before anything of it is accepted.
func drafted(ctx context.Context, room *runs.Store, dirs []string, limit int) ([]runs.Summary, error) {
	list, err := room.List(ctx, dirs, limit)
	if err != nil {
		return nil, err
	}
	for i, p := range list {
		if p.Err != nil || p.State != runs.Pending {
			continue
		}
		writers, err := room.Writers(ctx, p.ID)
		if err != nil {
			return nil, err
		}
		if len(writers) > 0 {
			list[i].State = runs.Processing
		}
	}
	return list, nil
}

// goOn says what to do with drafts that stand like this.
func goOn(list []runs.Summary) string {
	in := func(states ...runs.State) bool {
		return slices.ContainsFunc(list, func(p runs.Summary) bool { return p.Err == nil && slices.Contains(states, p.State) })
	}
	var words []string
	if in(runs.Pending, runs.Processing) {
		words = append(words, "To go on with a draft, call step_next with its plan_id.")
	}
	if in(runs.Stopped, runs.Failed) {
		words = append(words, "One that is stopped or failed goes on with plan_resume, if the user wants that.")
	}
	if in(runs.Completed) {
		words = append(words, "To save one that is completed, call plan_download.")
	}
	return strings.Join(append(words, "To look at one, call plan_status."), " ")
}

// listedPlans are plans as a list tells of them.
func listedPlans(list []runs.Summary) []listedPlan {
	plans := []listedPlan{}
	for _, p := range list {
		if p.Err != nil {
			plans = append(plans, listedPlan{Plan: p.ID, State: string(runs.Failed), Excerpt: "cannot be read: " + tool.OneLine(p.Err.Error())})
			continue
		}
		plans = append(plans, listedPlan{p.ID, p.Title.Raw(), string(p.State), percent(p), p.Created, p.Excerpt.Raw()})
	}
	return plans
}
