package editor

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/wording"
)

// tabCells is how wide a tab is drawn inside an editor.
const tabCells = 4

// Row is one visible row of an editor: clean text without style.
type Row struct {
	Text     string
	Attached bool // stands for an attached piece
}

// Layout returns the visible rows at a width, at most height of them, and the place of the
// caret in them. It scrolls so far that the caret is among them.
func (e *Editor) Layout(width, height int) (rows []Row, x, y int) {
	e.width = max(2, width)
	at, caretRow, total := 0, 0, 0
	for i := range e.lines {
		if i == e.row {
			caretRow = total + e.rowOf(i, e.col)
		}
		total += len(e.rowStarts(i))
	}
	height = max(1, height)
	e.top = max(min(e.top, caretRow, total-height), caretRow-height+1, 0)
	for i := range e.lines {
		starts := e.rowStarts(i)
		for n := range starts {
			if at >= e.top && at < e.top+height {
				rows = append(rows, e.drawRow(i, n, starts))
			}
			at++
		}
	}
	return rows, e.caretCell(), caretRow - e.top
}

// RowCount returns the rows of the whole text at a width.
func (e *Editor) RowCount(width int) int {
	e.width = max(2, width)
	total := 0
	for i := range e.lines {
		total += len(e.rowStarts(i))
	}
	return total
}

// drawRow draws row n of line i.
func (e *Editor) drawRow(i, n int, starts []int) Row {
	l := &e.lines[i]
	if l.attached != "" {
		return Row{Text: "[pasted " + wording.Bytes(len(l.attached)) + "]", Attached: true}
	}
	end := len(l.text)
	if n+1 < len(starts) {
		end = starts[n+1]
	}
	return Row{Text: cells.Clean(l.text[starts[n]:end])}
}

// caretCell returns the caret's cell in its row.
func (e *Editor) caretCell() int {
	l := e.line()
	starts := e.rowStarts(e.row)
	from := starts[e.rowOf(e.row, e.col)]
	return min(ansi.StringWidth(cells.Clean(l.text[from:e.col])), e.width-1)
}

// rowOf returns the row of a line that has a byte offset.
func (e *Editor) rowOf(line, col int) int {
	starts := e.rowStarts(line)
	n := len(starts) - 1
	for n > 0 && starts[n] > col {
		n--
	}
	return n
}

// rowStarts returns the byte offsets where the rows of a line begin at the editor's width.
// It caches them, so that a key lays out only the line that it changed.
func (e *Editor) rowStarts(line int) []int {
	l := &e.lines[line]
	if l.startsAt != e.width {
		l.starts, l.startsAt = wrapStarts(l.starts[:0], l.text, max(1, e.width-1)), e.width // one cell for the caret
	}
	return l.starts
}

// wrapStarts breaks a line into rows of at most width cells, after spaces if there are any.
func wrapStarts(starts []int, text string, width int) []int {
	starts = append(starts, 0)
	cells, afterSpace, cellsThere := 0, -1, 0
	for at := 0; at < len(text); {
		size, w := cluster(text[at:])
		if w > 1 || size > 1 { // the row also fits on terminals that do not know clusters
			w = max(w, roomOf(text[at:at+size]))
		}
		if cells+w > width && cells > 0 {
			next := at
			cells -= cellsThere
			if afterSpace > starts[len(starts)-1] {
				next = afterSpace
			} else {
				cells = 0
			}
			starts = append(starts, next)
			afterSpace, cellsThere = -1, 0
			if cells+w > width { // the word alone is too long, too
				continue
			}
		}
		cells += w
		at += size
		if text[at-1] == ' ' {
			afterSpace, cellsThere = at, cells
		}
	}
	return starts
}

// cluster measures the first user-perceived character as it is drawn.
func cluster(s string) (size, width int) {
	if s[0] == '\t' {
		return 1, tabCells
	}
	if s[0] >= ' ' && s[0] < 0x7f && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return 1, 1
	}
	size = max(1, cells.FirstCluster(s))
	return size, ansi.StringWidth(safe.New(s[:size]).Line())
}

// roomOf returns the cells of a character on a terminal that does not know clusters.
func roomOf(char string) int { return cells.Width(cells.Clean(char)) }

// vertical moves the caret by rows and aims at the cell where it began. If the caret cannot
// move, vertical returns atEnd.
func (e *Editor) vertical(by int, atEnd keymap.Effect) keymap.Effect {
	if e.width == 0 {
		e.width = 80
	}
	if e.goal < 0 {
		e.goal = e.caretCell()
	}
	row, sub := e.row, e.rowOf(e.row, e.col)
	step := 1
	if by < 0 {
		step, by = -1, -by
	}
	moves := 0
	for ; moves < by; moves++ {
		if sub+step >= 0 && sub+step < len(e.rowStarts(row)) {
			sub += step
			continue
		}
		if row+step < 0 || row+step >= len(e.lines) {
			break
		}
		row += step
		sub = 0
		if step < 0 {
			sub = len(e.rowStarts(row)) - 1
		}
	}
	if moves == 0 {
		return atEnd
	}
	e.row, e.col = row, e.offsetAt(row, sub, e.goal)
	return keymap.Moved
}

// offsetAt returns the byte offset in row sub of a line that is nearest to a cell from the
// left.
func (e *Editor) offsetAt(line, sub, cell int) int {
	starts, text := e.rowStarts(line), e.lines[line].text
	at, end := starts[sub], len(text)
	last := sub+1 == len(starts)
	if !last {
		end = starts[sub+1]
	}
	for cells := 0; at < end; {
		size, w := cluster(text[at:])
		if cells+w > cell || !last && at+size >= end { // the end of a row is the start of the next
			break
		}
		cells += w
		at += size
	}
	return at
}

// Click puts the caret at a visible cell.
func (e *Editor) Click(x, y int) {
	e.goal = -1
	at := 0
	for i := range e.lines {
		n := len(e.rowStarts(i))
		if e.top+y < at+n {
			e.row, e.col = i, e.offsetAt(i, max(0, e.top+y-at), x)
			return
		}
		at += n
	}
	e.row = len(e.lines) - 1
	e.col = len(e.line().text)
}
