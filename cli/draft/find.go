package draft

import (
	"context"

	"github.com/spf13/cobra"

	"planb/store"
)

// Find returns the id of the draft that a person names by its id or its short id.
func (c Commands) Find(ctx context.Context, st *store.Store, name string) (id string, err error) {
	w, err := c.find(ctx, st, name)
	return w.ID, err
}

// Offer offers the drafts of this project to the shell's completion.
func (c Commands) Offer(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return c.offer(cmd, args, typed)
}
