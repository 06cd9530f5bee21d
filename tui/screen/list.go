package screen

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/cells"
	"planb/tui/keymap"
)

// List is a list with one row under the cursor, of which a window of lines
// is visible. Rows may have different heights.
type List struct {
	heights []int // of the rows, in lines
	Cursor  int
	Top     int // first visible line
	Lines   int // visible lines
	Around  int // rows above and below the cursor that a move brings into view, too
}

// SetRows replaces the rows; the cursor goes to the row at, if there is one.
func (l *List) SetRows(heights []int, at int) {
	l.heights = heights
	l.put(at, 0)
}

// Total is how many lines all rows have.
func (l *List) Total() (lines int) {
	for _, h := range l.heights {
		lines += h
	}
	return lines
}

// SetLines says how many lines are visible.
func (l *List) SetLines(lines int) {
	l.Lines = max(lines, 0)
	l.reveal(0)
}

// Move moves the cursor by rows.
func (l *List) Move(by int) { l.MoveTo(l.Cursor + by) }

// MoveTo puts the cursor on a row, or on the nearest one there is.
func (l *List) MoveTo(to int) {
	l.put(to, l.Around)
}

// put puts the cursor on a row, or on the nearest one there is, with so many rows around it in view.
func (l *List) put(to, around int) {
	l.Cursor = min(max(to, 0), max(len(l.heights)-1, 0))
	l.reveal(around)
}

// page moves by a screenful of lines.
func (l *List) page(direction int) {
	left := max(l.Lines-1, 1)
	at := l.Cursor
	for next := at + direction; next >= 0 && next < len(l.heights); next += direction {
		if left -= l.heights[next]; left < 0 && at != l.Cursor {
			break
		}
		at = next
	}
	l.MoveTo(at)
}

// reveal scrolls just far enough for the cursor's row to be seen, and its
// first line before its last, with so many rows around it if there is room for all of them. It
// waits until it is known how many lines are visible.
func (l *List) reveal(around int) {
	if l.Lines == 0 {
		return
	}
	if len(l.heights) == 0 {
		l.Top = 0
		return
	}
	start, end := l.span(around)
	if end-start > l.Lines {
		start, end = l.span(0)
	}
	l.Top = max(l.Top, end-l.Lines)
	l.Top = min(l.Top, start)
	l.Top = max(min(l.Top, l.Total()-l.Lines), 0)
}

// span returns the first line of the cursor's row and the one after its last, with so many rows
// around it.
func (l *List) span(around int) (start, end int) {
	at := 0
	for i, h := range l.heights {
		if i == l.Cursor-around {
			start = at
		}
		if at += h; i <= l.Cursor+around {
			end = at
		}
	}
	return start, end
}

// FromTop returns how many lines below the first visible line the cursor's row ends.
func (l *List) FromTop() int {
	end := -l.Top
	for _, h := range l.heights[:min(l.Cursor+1, len(l.heights))] {
		end += h
	}
	return end
}

// Keep scrolls so that the cursor's row ends fromTop lines below the first visible line, as
// before the rows were replaced. The person can go on reading there.
func (l *List) Keep(fromTop int) {
	l.Top += l.FromTop() - fromTop
	l.reveal(0)
}

// RowAt returns the row on a visible line.
func (l *List) RowAt(line int) (row int, ok bool) {
	if line < 0 || line >= l.Lines {
		return 0, false
	}
	at := l.Top + line
	for i, h := range l.heights {
		if at < h {
			return i, true
		}
		at -= h
	}
	return 0, false
}

// Click puts the cursor on the row at which the mouse points, if the list begins at the line
// top of the screen. Again reports that the row had the cursor already.
func (l *List) Click(mouse tea.Mouse, top int) (hit, again bool) {
	row, ok := l.RowAt(mouse.Y - top)
	if !ok || mouse.Button != tea.MouseLeft {
		return false, false
	}
	again = row == l.Cursor
	l.put(row, 0) // a second click must find the row where it was
	return true, again
}

// Visible draws just the rows that are in view.
func (l *List) Visible(row func(i int) []string) []string {
	var lines []string
	at := 0
	for i, h := range l.heights {
		if at >= l.Top+l.Lines {
			break
		}
		if at+h > l.Top {
			drawn := row(i)
			lines = append(lines, drawn[min(max(l.Top-at, 0), len(drawn)):]...)
		}
		at += h
	}
	return lines[:min(len(lines), l.Lines)]
}

// Position says which rows are in view with their last line, "1–12 of 24"; it is empty if all
// lines are in view.
func (l *List) Position() string {
	first, last := l.InView()
	if last == 0 {
		return ""
	}
	return cells.Position(first, last-first, len(l.heights))
}

// InView returns the first row that is in view with its last line, and the one after the last
// of them; zeros if all lines are in view, or no row is.
func (l *List) InView() (first, last int) {
	first, end := len(l.heights), 0
	for i, h := range l.heights {
		if end += h; end > l.Top && end <= l.Top+l.Lines {
			first, last = min(first, i), i+1
		}
	}
	if end <= l.Lines || last == 0 {
		return 0, 0
	}
	return first, last
}

// WheelSteps returns how many rows a turn of the wheel moves.
func WheelSteps(mouse tea.Mouse) int {
	switch mouse.Button {
	case tea.MouseWheelUp:
		return -1
	case tea.MouseWheelDown:
		return 1
	}
	return 0
}

// WheelLines is how many lines of a text one notch of the wheel scrolls.
const WheelLines = 3

// Act does an action that moves the cursor, and reports whether it is one.
func (l *List) Act(act keymap.Action) bool {
	switch act {
	case keymap.Up:
		l.Move(-1)
	case keymap.Down:
		l.Move(1)
	case keymap.PageUp:
		l.page(-1)
	case keymap.PageDown:
		l.page(1)
	case keymap.Home:
		l.MoveTo(0)
	case keymap.End:
		l.MoveTo(len(l.heights) - 1)
	default:
		return false
	}
	return true
}
