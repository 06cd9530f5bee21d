package tasks

import (
	"github.com/spf13/cobra"

	rules "planb/plans/tasks"
	"planb/questions/safe"
)

// maxOffered limits the plans and tasks offered to a shell.
const maxOffered = 50

// OfferPlans offers the plans of this project, with their titles.
func (c Commands) OfferPlans(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return c.offer(cmd, args, nil)
}

// offerTasks offers the plans of this project, and the nodeKeys of the tasks that a
// filter chooses in those that are open.
func (c Commands) offerTasks(fits func(rules.State) bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return c.offer(cmd, args, fits)
	}
}

// offer reads the store for a shell's completion. It drops errors: a message would land
// in the person's command line, and the command itself reports the same error.
func (c Commands) offer(cmd *cobra.Command, args []string, fits func(rules.State) bool) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	_ = c.withDesk(cmd.Context(), false, func(d desk) error {
		plans, err := d.Tasks().Plans(cmd.Context(), d.by)
		for i := len(plans) - 1; i >= 0 && len(list) < maxOffered; i-- {
			if plan := plans[i]; plan.Err == nil {
				list = append(list, cobra.CompletionWithDesc(rules.Short(plan.ID), plan.Title.Line()))
			}
		}
		if err != nil || fits == nil {
			return err
		}
		views, err := d.open(cmd.Context(), nil)
		for _, v := range views {
			if err := d.readTexts(cmd.Context(), v); err != nil {
				return err
			}
			for _, n := range v.inTurn() {
				if fits(v.State(n)) && len(list) < 2*maxOffered {
					list = append(list, cobra.CompletionWithDesc(safe.New(v.Graph.Key(n)).Line(), v.names(n).Line()))
				}
			}
		}
		return err
	})
	return list, cobra.ShellCompDirectiveNoFileComp
}

// The filters of offerTasks.
func anyState(rules.State) bool  { return true }
func unended(s rules.State) bool { return !s.Final() }
