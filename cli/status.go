package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
)

func (p lookups) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Print how many forms wait for you, for a status line; nothing if none does",
		Long: "Print how many forms wait for you, except those you snoozed; print nothing if none waits. In tmux's status line:\n\n" +
			"    set -ag status-right ' #(planb status)'",
		Args: frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return p.status(cmd.Context()) },
	}
}

// status creates nothing: a status line may run it long before there is a
// store.
func (p lookups) status(ctx context.Context) error {
	st, err := p.ExistingStore()
	if err != nil {
		return err
	}
	waiting, err := st.Awake(ctx, time.Now())
	if frame.Missing(err) {
		err = nil // nothing is kept yet, or nothing but the doorbell's file is there
	}
	if err = errors.Join(err, st.Close()); err != nil {
		return err
	}
	if waiting == 0 {
		return nil
	}
	return p.Print(fmt.Sprintf("%d waiting\n", waiting))
}
