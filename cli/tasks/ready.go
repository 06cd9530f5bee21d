package tasks

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
	rules "planb/plans/tasks"
	"planb/store/ledger"
	kept "planb/store/tasks"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/wording"
)

// mostExplained is how many bytes of reasons ready --explain prints of a plan; the other
// tasks are counted.
const mostExplained = 8 << 10

func (c Commands) readyCommand() *cobra.Command {
	var in scope
	var explain bool
	limit := kept.MaxNext
	command := &cobra.Command{
		Use:   "ready [PLAN]",
		Short: "List the tasks that an agent can have now, the best first",
		Long: "List the tasks that an agent can have now, the best first: the lower priority number, then the longer chain of tasks\n" +
			"that wait for it. With --explain, print why agents cannot have the other open tasks.\n\n" + namedHelp,
		Example:           "  planb tasks ready\n  planb tasks ready 3f9a1c --explain\n  planb tasks ready --json | jq -r '.tasks[0].nodeKey'",
		Args:              frame.AtMostOne("plan"),
		ValidArgsFunction: c.OfferPlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 1 || limit > kept.MaxNext {
				return frame.UsageError(fmt.Errorf("--limit is %d, but it must be 1 to %d", limit, kept.MaxNext))
			}
			return c.ready(cmd.Context(), in, args, limit, explain)
		},
	}
	command.Flags().BoolVar(&explain, "explain", false, "print why the other open tasks are not ready")
	command.Flags().IntVar(&limit, "limit", limit, "print at most `N` tasks")
	return in.flags(command)
}

// readiness is what planb tasks ready --json prints.
type readiness struct {
	Tasks  []kept.Actionable   `json:"tasks"`
	Counts map[rules.State]int `json:"counts"` // of all looked at
	// Explained has the open tasks that agents cannot have, and why; Unexplained counts
	// those for which there was no room. Both only with --explain.
	Explained   []shownTask `json:"explained,omitempty"`
	Unexplained int         `json:"unexplained,omitempty"`
	said        []string    // what goes on instead, by plan
	open        bool        // whether a plan has open tasks
}

func (c Commands) ready(ctx context.Context, in scope, args []string, limit int, explain bool) error {
	r := readiness{Tasks: []kept.Actionable{}, Counts: map[rules.State]int{}}
	err := c.withDesk(ctx, in.all, func(d desk) error {
		query := kept.Query{Limit: limit, Open: true}
		if len(args) == 1 {
			t, err := d.find(ctx, args[0])
			if err != nil {
				return err
			}
			d.by, query.Plan = d.everywhere(), t.ID
		}
		next, err := d.Tasks().Next(ctx, d.by, query)
		if err != nil {
			return err
		}
		if r.Tasks, r.Counts = next.Tasks, next.Counts; len(r.Tasks) > 0 && !explain {
			return nil
		}
		views, err := d.open(ctx, args)
		if err != nil {
			return err
		}
		return r.explain(ctx, d, views, explain)
	})
	if len(args) == 1 {
		err = named(err, args[0])
	} else if frame.Missing(err) {
		err = nil
	}
	if err != nil {
		return err
	}
	if in.json {
		return frame.PrintJSON(c.Stdout, r)
	}
	return c.printReady(r, explain)
}

// open looks at the plan that is named, else at all plans that are proposed or active.
// A plan that cannot be read is left out of all; planb doctor tells of it.
func (d desk) open(ctx context.Context, args []string) (views []view, err error) {
	if len(args) == 1 {
		t, err := d.find(ctx, args[0])
		if err != nil {
			return nil, err
		}
		v, err := d.judge(ctx, t.Whole)
		return []view{v}, err
	}
	list, err := d.Tasks().Plans(ctx, d.by)
	for _, plan := range list {
		if plan.Err != nil || plan.Status.Final() {
			continue
		}
		w, err := d.Tasks().Plan(ctx, d.by, plan.ID)
		var v view
		if err == nil {
			v, err = d.judge(ctx, w)
		}
		if ledger.AboutOne(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		views = append(views, v)
	}
	return views, err
}

// explain says, if each is true, why agents cannot have the open tasks, task by task.
// Otherwise it says in a sentence for each plan what goes on there instead.
func (r *readiness) explain(ctx context.Context, d desk, views []view, each bool) error {
	for _, v := range views {
		r.open = r.open || !v.Whole.Status.Final()
		switch {
		case !each:
			r.said = append(r.said, fmt.Sprintf("Nothing is ready in %s: %s.", wording.Quote(v.Title.Line()), listedPlan{v.plan(), &v}.still()))
		default:
			if err := d.readTexts(ctx, v); err != nil {
				return err
			}
			list, rest := v.Explain(v.names, mostExplained)
			for _, e := range list {
				r.Explained = append(r.Explained, v.task(e.Number))
			}
			r.Unexplained += rest
		}
	}
	return nil
}

func (c Commands) printReady(r readiness, explain bool) error {
	k := c.ink()
	switch {
	case len(r.Tasks) > 0 && k.Terminal:
		if err := c.Print(readyTable(k, r.Tasks)); err != nil {
			return err
		}
	default:
		for _, t := range r.Tasks {
			line := rules.Short(t.ID) + "  " + cells.Join(fmt.Sprintf("P%d", t.Priority), t.Key, t.Title.Line(), "path "+wording.Minutes(t.PathMinutes), unblocks(t)) + "\n"
			if err := c.Print(line); err != nil {
				return err
			}
		}
	}
	if len(r.Tasks) == 0 && !explain {
		return c.sayNothingReady(r)
	}
	if k.Terminal && len(r.Explained) > 0 && len(r.Tasks) > 0 {
		if err := c.Print("\n"); err != nil {
			return err
		}
	}
	for _, t := range r.Explained {
		standing, head := t.State.Standing(), t.Short+"  "
		if k.Terminal {
			head = k.Role(themes.RoleOfTask(t.State)).Render(standing.Mark) + "  " + k.Accent.Render(t.Short) + "  "
		}
		if err := c.Print(layout.Row(head, t.Title.Line()+": "+t.Why, k.Width)); err != nil {
			return err
		}
	}
	if r.Unexplained > 0 {
		_, err := fmt.Fprintf(c.Stderr, "More tasks that are not ready: %d.\n", r.Unexplained)
		return err
	}
	return nil
}

func (c Commands) sayNothingReady(r readiness) error {
	text := "Nothing is ready: no plan of this project is open."
	if len(r.said) > 0 {
		text = strings.Join(r.said, "\n")
	}
	if r.open {
		text += "\nplanb tasks ready --explain says why."
	}
	_, err := fmt.Fprintln(c.Stderr, layout.Text(text, frame.Columns(c.Stderr)))
	return err
}

// readyTable lists on a terminal the tasks that agents can have.
func readyTable(k ink.Ink, list []kept.Actionable) string {
	columns := []ink.Column{{}, {}, {Least: 18, Wants: 28}, {Least: 8, Leave: 2}, {}, {Right: true, Leave: 3}, {Leave: 1}}
	standing := rules.Ready.Standing()
	style := k.Role(themes.RoleOfTask(rules.Ready))
	var rows [][]ink.Cell
	for _, t := range list {
		rows = append(rows, []ink.Cell{
			{Text: standing.Mark, Style: style}, {Text: rules.Short(t.ID), Style: k.Accent}, {Text: t.Title.Line(), Style: k.Text}, {Text: t.Key, Style: k.Muted},
			{Text: fmt.Sprintf("P%d", t.Priority), Style: style}, {Text: "path " + wording.Minutes(t.PathMinutes), Style: k.Faint}, {Text: unblocks(t), Style: k.Muted},
		})
	}
	return k.Table(columns, rows)
}

// unblocks says how many tasks wait for one; empty if none does.
func unblocks(t kept.Actionable) string {
	if t.Unblocks == 0 {
		return ""
	}
	return fmt.Sprintf("unblocks %d", t.Unblocks)
}
