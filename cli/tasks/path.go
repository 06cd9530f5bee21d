package tasks

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/layout"
	"planb/tui/cells"
	"planb/tui/wording"
)

func (c Commands) pathCommand() *cobra.Command {
	var in scope
	command := &cobra.Command{
		Use:   "path PLAN",
		Short: "Print the critical path: the longest chain of open tasks",
		Long: "Print the longest chain of open tasks by their estimates, each waiting for the one before it. However many agents work,\n" +
			"the plan takes at least as long.\n\n" + namedHelp,
		Example:           "  planb tasks path 3f9a1c",
		Args:              exactly("one plan", 1),
		ValidArgsFunction: c.OfferPlans,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.path(cmd.Context(), in, args[0]) },
	}
	return in.flags(command)
}

func (c Commands) path(ctx context.Context, in scope, name string) error {
	err := c.withDesk(ctx, in.all, func(d desk) error {
		_, v, err := d.read(ctx, name)
		if err != nil {
			return err
		}
		path := v.CriticalPath()
		minutes := 0
		list := []shownTask{}
		for _, n := range path {
			minutes += v.Graph.Minutes(n)
			list = append(list, v.task(n))
		}
		if in.json {
			return frame.PrintJSON(c.Stdout, struct {
				Plan    string      `json:"planId"`
				Minutes int         `json:"minutes"`
				Tasks   []shownTask `json:"tasks"`
			}{v.ID, minutes, list})
		}
		if len(path) == 0 {
			_, err := fmt.Fprintln(c.Stderr, "No task of this plan is open.")
			return err
		}
		k := c.ink()
		if !k.Terminal {
			for _, t := range list {
				line := t.Short + "  " + cells.Join(string(t.State), t.Key, t.Title.Line(), wording.Minutes(t.Minutes))
				if err := c.Print(line + "\n"); err != nil {
					return err
				}
			}
			return nil
		}
		total := fmt.Sprintf("%s, %s at least.", wording.Count(len(path), "task"), wording.Minutes(minutes))
		return c.Print(planHead(k, v) + "\n" + taskTable(k, v, path) + "\n" + k.Muted.Render(layout.Text(total, k.Width)) + "\n")
	})
	return named(err, name)
}
