package draft

import (
	"github.com/spf13/cobra"

	"planb/store"
)

// offer offers the drafts of this project to the shell's completion. It drops errors: a
// message would land in the person's command line.
func (c Commands) offer(cmd *cobra.Command, args []string, _ string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	_ = c.ReadStore(cmd.Context(), func(st *store.Store) error {
		plans, err := c.list(cmd.Context(), st, false)
		for _, p := range plans {
			list = append(list, cobra.CompletionWithDesc(store.ShortID(p.ID), titleOf(p)))
		}
		return err
	})
	return list, cobra.ShellCompDirectiveNoFileComp
}
