package tui

// pickList is a list with one row under the cursor, of which a window of lines
// is visible. Rows may have different heights.
type pickList struct {
	heights []int // of the rows, in lines
	cursor  int
	top     int // first visible line
	lines   int // visible lines
}

// setRows replaces the rows; the cursor goes to the row at, if there is one.
func (l *pickList) setRows(heights []int, at int) {
	l.heights = heights
	l.moveTo(at)
}

// setLines says how many lines are visible.
func (l *pickList) setLines(lines int) {
	l.lines = max(lines, 0)
	l.reveal()
}

func (l *pickList) move(by int)   { l.moveTo(l.cursor + by) }
func (l *pickList) moveTo(to int) { l.cursor = min(max(to, 0), max(len(l.heights)-1, 0)); l.reveal() }

// page moves by a screenful of lines.
func (l *pickList) page(direction int) {
	left := max(l.lines-1, 1)
	at := l.cursor
	for next := at + direction; next >= 0 && next < len(l.heights); next += direction {
		if left -= l.heights[next]; left < 0 && at != l.cursor {
			break
		}
		at = next
	}
	l.moveTo(at)
}

// reveal scrolls just far enough for the cursor's row to be seen, and its
// first line before its last.
func (l *pickList) reveal() {
	total, start := 0, 0
	for i, h := range l.heights {
		if i == l.cursor {
			start = total
		}
		total += h
	}
	if len(l.heights) == 0 {
		l.top = 0
		return
	}
	end := start + l.heights[l.cursor]
	l.top = max(l.top, end-l.lines)
	l.top = min(l.top, start)
	l.top = max(min(l.top, total-l.lines), 0)
}

// fromTop is how far below the first visible line the cursor's row ends.
func (l *pickList) fromTop() int {
	end := -l.top
	for _, h := range l.heights[:min(l.cursor+1, len(l.heights))] {
		end += h
	}
	return end
}

// keep scrolls so that the cursor's row ends as far below the first visible line
// as it did before the rows were replaced: whoever reads there reads on.
func (l *pickList) keep(fromTop int) {
	l.top += l.fromTop() - fromTop
	l.reveal()
}

// rowAt is the row that stands on a visible line.
func (l *pickList) rowAt(line int) (row int, ok bool) {
	if line < 0 || line >= l.lines {
		return 0, false
	}
	at := l.top + line
	for i, h := range l.heights {
		if at < h {
			return i, true
		}
		at -= h
	}
	return 0, false
}

// visible draws just the rows that are in view.
func (l *pickList) visible(row func(i int) []string) []string {
	var lines []string
	at := 0
	for i, h := range l.heights {
		if at >= l.top+l.lines {
			break
		}
		if at+h > l.top {
			drawn := row(i)
			lines = append(lines, drawn[min(max(l.top-at, 0), len(drawn)):]...)
		}
		at += h
	}
	return lines[:min(len(lines), l.lines)]
}
