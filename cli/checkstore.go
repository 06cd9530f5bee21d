package cli

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/store/home"
)

// checkStoreCommand is the process that a home starts to check a file. Some damage
// crashes that process. No other process uses the file.
func (p upkeep) checkStoreCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "check-store FILE",
		Hidden: true,
		Args:   frame.ExactlyOne("file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return json.NewEncoder(p.Stdout).Encode(home.Check(cmd.Context(), args[0]))
		},
	}
}
