package ink

import (
	"testing"

	"github.com/charmbracelet/x/exp/golden"
	"github.com/spf13/cobra"

	"planb/cli/layout"
)

func TestHelp(t *testing.T) {
	root := &cobra.Command{Use: "planb", Long: "Asks:\n\n" +
		"  FILE.html\tone page that needs nothing else: the story, the plan and its changes, the answers\n" +
		"  -\tstandard output\n\nAnd waits."}
	for use, short := range map[string]string{
		"ask FILE|-":                   "Show a form from a file and print the answers as JSON",
		"show SESSION|FORM|SESSION@vN": "Print the story of a session, a form's answers, or a plan",
		"status":                       "Print what waits for you",
	} {
		root.AddCommand(&cobra.Command{Use: use, Short: short, Run: func(*cobra.Command, []string) {}})
	}
	root.Flags().String("to", "", "write to `PATH`")
	for name, width := range map[string]int{"80": 80, "pipe": layout.Endless} {
		t.Run(name, func(t *testing.T) { golden.RequireEqual(t, Ink{Width: width}.Help(root)) })
	}
}
