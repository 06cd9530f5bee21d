package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
)

// fitted is a frame for a terminal that knows no clusters.
func fitted(f frame, width int) frame {
	lines := strings.Split(f.Content, "\n")
	cursor := f.Cursor
	for i, line := range lines {
		caret := 0
		if cursor != nil && cursor.Y == i {
			caret = cursor.X
		}
		var now int
		if lines[i], now = cells.Fit(line, width, caret); now != caret && cursor != nil && cursor.Y == i {
			moved := *cursor
			moved.X = now
			f.Cursor = &moved
		}
	}
	f.Content = strings.Join(lines, "\n")
	return f
}

// wrapped are the lines of a text at a width, for terminals of either kind.
func wrapped(text string, width int) []string {
	return cells.Wrap(width, func(width int) []string { return strings.Split(ansi.Wrap(text, width, ""), "\n") })
}
