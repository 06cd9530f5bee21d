package draft

import (
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/layout"
	"planb/store"
	"planb/store/runs"
)

func (c Commands) logCommand() *cobra.Command {
	var asJSON bool
	var since, most int
	command := &cobra.Command{
		Use:               "log DRAFT",
		Short:             "Print what happened to a draft, a line each",
		Long:              "Print what happened to a draft, a line each: what was accepted, edited, stopped, and by whom.",
		Example:           "  planb draft log 3f9a1c",
		Args:              one,
		ValidArgsFunction: c.offer,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.named(cmd.Context(), args[0], func(st *store.Store, w runs.Whole) error {
				events, err := st.Drafts().Events(cmd.Context(), w.Summary, since, most)
				if err != nil {
					return err
				}
				k := c.ink()
				for _, e := range events {
					if asJSON {
						err = frame.PrintJSON(c.Stdout, e)
					} else {
						err = c.Print(layout.Row(k.Faint.Render(e.At.Local().Format(time.DateTime))+"  ", c.happened(e), k.Width))
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	command.Flags().IntVar(&since, "since", 0, "only what came after the event `N`")
	command.Flags().IntVar(&most, "most", runs.MaxEvents, "at most `N` events")
	return command
}
