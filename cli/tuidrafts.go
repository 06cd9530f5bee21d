package cli

import (
	"context"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/store"
	"planb/tui"
	"planb/tui/screen"
)

func (p program) tuiDraftsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "drafts [DRAFT]",
		Short: "Drafts of plans: what is written, who writes what now, what waits for you",
		Long: "Drafts of plans: the steps as a list or as a graph beside the text of each, and the schedule. Without DRAFT it lists all\n" +
			"drafts. There you answer what waits for you, edit a section, have one written again, and stop the writing or let it go on.",
		Example:           "  planb tui drafts\n  planb tui drafts 3f9a1c",
		Args:              frame.AtMostOne("draft"),
		ValidArgsFunction: p.drafts().Offer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.WithStore(cmd.Context(), func(ctx context.Context, st *store.Store) error {
				if len(args) == 0 {
					return p.showDrafts(ctx, st, "")
				}
				id, err := p.drafts().Find(ctx, st, args[0])
				if err != nil {
					return err
				}
				return p.showDrafts(ctx, st, id)
			})
		},
	}
}

// showDrafts shows a draft on this terminal; the list of all drafts without an id.
func (p program) showDrafts(ctx context.Context, st *store.Store, id string) error {
	terminal, closeTTY, err := p.terminal()
	if err != nil {
		return err
	}
	defer closeTTY()
	return tui.Drafts(ctx, p.draftsOptions(st, terminal, id))
}

func (p program) draftsOptions(st *store.Store, terminal screen.Terminal, id string) tui.DraftsOptions {
	return tui.DraftsOptions{Store: st, Draft: id, Terminal: terminal, By: p.Env.Author(), Command: frame.CommandName(), OpenReport: p.drafts().OpenReport}
}
