package tasks

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/setup"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/wording"
)

func (c Commands) listCommand() *cobra.Command {
	var in scope
	var ended bool
	command := &cobra.Command{
		Use:   "tasks [PLAN]",
		Short: "List plans of tasks and their tasks, and work on them",
		Long: "List the plans of tasks of this project that are proposed or active, or the tasks of one plan: what needs you first,\n" +
			"then what is in work, what is ready, what waits, and what is done.\n\n" +
			"An agent proposes a plan, or `planb tasks import` makes one from a file; you approve it with `planb tasks approve`.\n\n" + namedHelp,
		Example:           "  planb tasks\n  planb tasks 3f9a1c\n  planb tasks import TODO.md",
		Args:              frame.AtMostOne("plan"),
		ValidArgsFunction: c.OfferPlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.listPlans(cmd.Context(), in, ended)
			}
			return mistyped(cmd, args[0], c.listTasks(cmd.Context(), in, args[0]))
		},
	}
	command.Flags().BoolVar(&ended, "ended", false, "list the plans that are done or cancelled, too")
	return in.flags(command)
}

// mistyped suggests the command that was probably meant instead of a plan that does not
// exist.
func mistyped(cmd *cobra.Command, name string, err error) error {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.Name())
	}
	nearest, near := setup.Nearest(name, names)
	if _, unknown := errors.AsType[unknownName](err); !unknown || !near {
		return err
	}
	return frame.UnknownCommand(cmd, name, cmd.CommandPath()+" "+nearest)
}

// listedPlan is a plan in the list; the view is missing if it cannot be read.
type listedPlan struct {
	shownPlan
	view *view
}

func (c Commands) listPlans(ctx context.Context, in scope, ended bool) error {
	list := []listedPlan{}
	hidden := 0
	err := c.withDesk(ctx, in.all, func(d desk) error {
		plans, err := d.Tasks().Plans(ctx, d.by)
		if err != nil {
			return err
		}
		for i := len(plans) - 1; i >= 0; i-- { // the newest first
			plan := plans[i]
			if plan.Err == nil && plan.Status.Final() && !ended {
				hidden++
				continue
			}
			if plan.Err == nil {
				w, err := d.Tasks().Plan(ctx, d.everywhere(), plan.ID)
				var v view
				if err == nil {
					v, err = d.judge(ctx, w)
				}
				if err == nil {
					list = append(list, listedPlan{v.plan(), &v})
					continue
				}
				plan.Err = err
			}
			list = append(list, listedPlan{unreadable(plan, plan.Err), nil})
		}
		return nil
	})
	if err != nil && !frame.Missing(err) {
		return err
	}
	k := c.ink()
	switch {
	case in.json:
		shown := make([]shownPlan, len(list))
		for i, plan := range list {
			shown[i] = plan.shownPlan
		}
		return frame.PrintJSON(c.Stdout, shown)
	case len(list) == 0 && hidden > 0:
		return ink.Note(c.Stderr, c.Env.Pairs(), c.Theme, fmt.Sprintf("No plan is open; `planb tasks --ended` lists %s.", wording.Count(hidden, "plan")))
	case len(list) == 0:
		return c.noPlan(in.all)
	case k.Terminal:
		return c.Print(planTable(k, list, hidden))
	}
	for _, plan := range list {
		if err := c.Print(plan.Short + "  " + cells.Join(string(plan.Status), plan.title(), plan.progress()) + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// noPlan says how the first plan comes here. all is whether the plans of all projects were asked for.
func (c Commands) noPlan(all bool) error {
	can, err := c.HaveTools()
	if err != nil {
		return err
	}
	none, comes := "This project has no plan of tasks yet.", "`planb tasks on` lets its agents propose one, or"
	if can {
		comes = "Ask an agent to propose one, or"
	}
	if all {
		none = "No project has a plan of tasks yet."
	}
	return ink.Note(c.Stderr, c.Env.Pairs(), c.Theme, none+" "+comes+" `planb tasks import FILE` makes one from a to-do list. `planb demo tasks` shows a plan from start to end.")
}

func (p listedPlan) title() string {
	if p.Title.IsZero() {
		return safe.New(p.Unreadable).Line()
	}
	return p.Title.Line()
}

// progress counts the tasks of a plan, in words.
func (p listedPlan) progress() string {
	if p.view == nil {
		return ""
	}
	counts := p.view.Counts()
	held := counts[rules.Claimed] + counts[rules.InProgress]
	var parts []string
	part := func(n int, words string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words))
		}
	}
	if p.Status == rules.PlanProposed {
		return wording.Count(p.Count, "task")
	}
	of := 0 // cancelled tasks do not count, as on the board
	for state, n := range counts {
		if state != rules.Cancelled {
			of += n
		}
	}
	parts = append(parts, fmt.Sprintf("%d of %d done", counts[rules.Done], of))
	if needs := p.view.needing(); needs > 0 {
		parts = append(parts, wording.NeedYou(needs))
	}
	part(held, "in work")
	part(counts[rules.Ready], "ready")
	if p.Paused {
		parts = append(parts, "paused")
	}
	return cells.JoinBy(", ", parts...)
}

// still counts the tasks that are not ready, in words.
func (p listedPlan) still() string {
	switch {
	case p.Status == rules.PlanProposed:
		return "it waits for your approval"
	case p.Status.Final():
		return "it is " + p.Status.Standing().Word
	}
	counts := p.view.Counts()
	var parts []string
	if needs := p.view.needing(); needs > 0 {
		parts = append(parts, wording.NeedYou(needs))
	}
	for _, state := range []rules.State{rules.InProgress, rules.Claimed, rules.Blocked} {
		if n := counts[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state.Standing().Word))
		}
	}
	if p.Paused {
		parts = append(parts, "the plan is paused")
	}
	if ready := counts[rules.Ready]; ready > 0 {
		parts = append(parts, fmt.Sprintf("%d kept from agents", ready))
	}
	return cells.JoinBy(", ", parts...)
}

func planTable(k ink.Ink, list []listedPlan, hidden int) string {
	columns := []ink.Column{{}, {}, {Least: 20, Wants: 32, Fill: true}, {Leave: 2}, {Least: 20}, {Right: true, Leave: 1}}
	var rows [][]ink.Cell
	proposed := ""
	for _, p := range list {
		standing := p.Status.Standing()
		style := k.Role(themes.RoleOfTasks(p.Status))
		title := ink.Cell{Text: p.title(), Style: k.Text}
		if p.view == nil {
			standing.Mark, standing.Word, style = "✗", "unreadable", k.Danger
			title.Style = k.Danger
		}
		ago := ""
		if p.view != nil {
			ago = wording.Ago(p.Updated.Local(), p.view.Now)
		}
		if p.Status == rules.PlanProposed {
			proposed = p.Short
		}
		rows = append(rows, []ink.Cell{
			{Text: standing.Mark, Style: style}, {Text: p.Short, Style: k.Accent}, title,
			{Text: standing.Word, Style: style}, {Text: p.progress(), Style: k.Muted}, {Text: ago, Style: k.Faint},
		})
	}
	hints := layout.Item(k.Muted.Render("Look at one:  "), k.Accent.Render("planb tasks "+list[0].Short), k.Width)
	if proposed != "" {
		hints += layout.Item(k.Muted.Render("Approve one:  "), k.Accent.Render("planb tasks approve "+proposed), k.Width)
	}
	if hidden > 0 {
		ended := fmt.Sprintf("%d have ended:  ", hidden)
		if hidden == 1 {
			ended = "1 has ended:  "
		}
		hints += layout.Item(k.Muted.Render(ended), k.Accent.Render("planb tasks --ended"), k.Width)
	}
	return k.Table(columns, rows) + "\n" + hints
}

// shownTasks is a plan with its tasks as --json prints it.
type shownTasks struct {
	shownPlan
	Description safe.Text   `json:"description,omitzero"`
	Tasks       []shownTask `json:"tasks"`
}

func (c Commands) listTasks(ctx context.Context, in scope, name string) error {
	err := c.withDesk(ctx, in.all, func(d desk) error {
		_, v, err := d.read(ctx, name)
		if err != nil {
			return err
		}
		if in.json {
			return frame.PrintJSON(c.Stdout, v.tasks())
		}
		k := c.ink()
		if k.Terminal {
			return c.Print(planHead(k, v) + "\n" + taskTable(k, v, v.inTurn()))
		}
		return c.printTasks(v, v.inTurn())
	})
	return named(err, name)
}

func (v view) tasks() shownTasks {
	list := shownTasks{v.plan(), v.Graph.Description(), []shownTask{}}
	for _, n := range v.all() {
		list.Tasks = append(list.Tasks, v.task(n))
	}
	return list
}

// printTasks prints a line a task: id, state, priority, nodeKey, title, and why it is
// not ready.
func (c Commands) printTasks(v view, numbers []int) error {
	for _, n := range numbers {
		t := v.task(n)
		line := fmt.Sprintf("%s  %s", t.Short, cells.Join(string(t.State), t.Key, t.Title.Line(), t.Why))
		if err := c.Print(line + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// planHead is what a plan is, in two lines, and a third if changes of it wait for the person.
func planHead(k ink.Ink, v view) string {
	p := listedPlan{v.plan(), &v}
	standing := p.Status.Standing()
	style := k.Role(themes.RoleOfTasks(p.Status))
	about := cells.Join(p.progress(), "plan "+p.Short)
	head := k.Title.Render(layout.Text(p.title(), k.Width)) + "\n" +
		layout.Row(style.Render(standing.Mark+" "+standing.Word+cells.Gap), k.Muted.Render(about), k.Width)
	if len(v.changes) > 0 {
		needs := rules.NeedsReview
		head += layout.Item(k.Role(themes.RoleOfTask(needs)).Render(needs.Standing().Mark)+" "+k.Muted.Render(wording.Count(len(v.changes), "change")+" to approve:  "),
			k.Accent.Render("planb tasks approve "+p.Short), k.Width)
	}
	return head
}

// inShort says where a task stands in few words: what it waits for by nodeKey, because the
// titles stand in the same table.
func (t shownTask) inShort() string {
	switch {
	case len(t.open) > 0:
		return "after " + strings.Join(t.open, ", ")
	case t.Why != "":
		return t.Why
	}
	return t.State.Standing().Word
}

// taskTable lists tasks on a terminal.
func taskTable(k ink.Ink, v view, numbers []int) string {
	columns := []ink.Column{{}, {}, {Least: 20, Wants: 28}, {Least: 8, Leave: 3}, {Leave: 1}, {Right: true, Leave: 2}, {Least: 25}}
	var rows [][]ink.Cell
	for _, n := range numbers {
		t := v.task(n)
		standing := v.Shown(n).Standing()
		style := k.Role(themes.RoleOfTask(v.Shown(n)))
		title := k.Text
		if t.State.Final() {
			title = k.Muted
		}
		about := ink.Cell{Text: t.inShort(), Style: style}
		rows = append(rows, []ink.Cell{
			{Text: standing.Mark, Style: style}, {Text: t.Short, Style: k.Accent}, {Text: t.Title.Line(), Style: title},
			{Text: t.Key, Style: k.Muted}, {Text: fmt.Sprintf("P%d", t.Priority), Style: k.Faint},
			{Text: wording.Minutes(t.Minutes), Style: k.Faint}, about,
		})
	}
	return k.Table(columns, rows)
}
