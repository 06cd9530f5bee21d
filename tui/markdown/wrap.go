package markdown

import (
	"strings"

	"charm.land/lipgloss/v2"

	"planb/tui/cells"
)

// wrap breaks drawn text into lines of at most width cells, between words if
// possible. It ends a style at each break and begins it again on the next line.
func wrap(drawn string, width int) []string {
	return cells.Wrap(width, func(width int) []string { return strings.Split(lipgloss.Wrap(drawn, width, ""), "\n") })
}
