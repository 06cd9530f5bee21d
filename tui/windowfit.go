package tui

import (
	"strings"

	"planb/tui/cells"
	"planb/tui/screen"
)

// fitted returns the frame for a terminal that does not count cells by clusters.
func fitted(f screen.Frame, width int) screen.Frame {
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
