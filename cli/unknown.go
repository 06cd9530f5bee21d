package cli

import (
	"strconv"
	"strings"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/cli/layout"
)

// unknownCommand formats an unknown command for a person at a terminal.
func unknownCommand(k ink.Ink, unknown frame.UnknownCommand) string {
	const margin = "  "
	sentence, meant := "unknown command "+strconv.Quote(unknown.Name), ""
	if unknown.Nearest == "" {
		sentence += "; the commands are " + strings.Join(unknown.Known, ", ")
	} else {
		meant = margin + "Did you mean  " + k.Accent.Render(unknown.Nearest) + "\n"
	}
	return layout.Row(k.Danger.Render("✗")+" ", sentence, k.Width) + "\n" +
		meant + margin + k.Faint.Render(unknown.Under+" --help") + "\n"
}
