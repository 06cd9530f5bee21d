package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"planb/store/home"
)

// checkStoreCommand is the checker of a home: it is given a file that nobody else
// uses, and runs in a process of its own, which some damage ends.
func (p program) checkStoreCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "check-store FILE",
		Hidden: true,
		Args:   exactlyOne("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return json.NewEncoder(p.stdout).Encode(home.Check(cmd.Context(), args[0]))
		},
	}
}
