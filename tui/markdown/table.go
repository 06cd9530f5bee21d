package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"planb/tui/cells"
)

// leastColumn is the least width to which a wide column is shrunk. In a narrower
// column words would be broken apart.
const leastColumn = 12

// easyColumn is the least width to which such a column is shrunk in a table that has room: one
// long cell would take all of it, and the others would have a word or two on a line.
const easyColumn = 16

// People read a cell of more than mostLines lines with ease only if its column has at least
// readColumn cells.
const (
	mostLines  = 10
	readColumn = 30
)

// A table that still does not fit is shown row by row, unless it is a grid of short
// values: many columns, none wider than a word or two. People read a grid both
// across and down. So it keeps its full width, and its first column stays in view
// while the person pans the others.
const (
	leastGrid  = 5  // columns; with fewer, row by row is as easy to read
	shortValue = 16 // cells
)

// between separates two columns.
const between = " │ "

// table draws a table and wraps its cells to fit. It cuts nothing. A table with too
// many columns for the width is shown row by row, or wider than the width if its
// values are short. A table with too many cells is shown as it was written.
func (l *layout) table(t *east.Table, width int) []row {
	columns := len(t.Alignments)
	if columns*t.ChildCount() > maxTableCells {
		first := l.rowSpan(t, 0)
		rows := rowsOf([]string{l.style.caption.draw("large table, shown as source")}, first)
		for i, line := range l.painter.sketch(l.source(t)) {
			rows = append(rows, row{text: line, Span: first.down(i), whole: 1})
		}
		return rows
	}
	rows := l.cells(t, columns)
	widths, fit := columnWidths(rows, width)
	if fit {
		return l.grid(t, rows, widths)
	}
	widths = naturalWidths(rows)
	if columns < leastGrid || slices.Max(widths) > shortValue {
		return l.records(rows, width, l.rowSpans(t, len(rows)))
	}
	still := 0
	if first := widths[0] + ansi.StringWidth(between); first <= width/2 {
		still = first
	}
	return wholes(l.grid(t, rows, widths), still)
}

// rowSpan returns the source line of a table's row n. Row 0 is the header. The line
// below the header is the delimiter line; the other rows follow it.
func (l *layout) rowSpan(t *east.Table, n int) Span {
	if n > 0 {
		n++
	}
	for c := t.FirstChild().FirstChild(); c != nil; c = c.NextSibling() {
		if c.Lines().Len() > 0 {
			return l.nth(c, 0).down(n)
		}
	}
	return Span{}
}

// cells draws every cell. The first row is the header. Each row has the given number
// of columns.
func (l *layout) cells(t *east.Table, columns int) [][]string {
	var rows [][]string
	for r := t.FirstChild(); r != nil; r = r.NextSibling() {
		row := make([]string, columns)
		i := 0
		for c := r.FirstChild(); c != nil && i < columns; c = c.NextSibling() {
			var as ast.Node = ast.NewParagraph()
			if r.Kind() == east.KindTableHeader {
				as = ast.NewHeading(4) // bold, in the colour of text
			}
			row[i] = l.flow(c, as)
			if i++; i == columns {
				row[i-1] += l.beyond(c)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// beyond returns the text of a row after its last column, which the parser drops.
func (l *layout) beyond(last ast.Node) string {
	if last.Lines().Len() == 0 {
		return ""
	}
	rest := l.src[last.Lines().At(0).Stop:]
	if end := bytes.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	if len(bytes.Trim(rest, " |")) == 0 {
		return ""
	}
	return l.style.html.draw(" " + clean(string(bytes.TrimSpace(rest))))
}

// grid draws a table in columns. If a cell is wrapped, an empty line stands between any two rows:
// without it nobody sees where a row ends.
func (l *layout) grid(t *east.Table, rows [][]string, widths []int) []row {
	bar := l.style.rule.draw(between)
	drawn := make([][]string, len(rows))
	wrapped := false
	for i, cells := range rows {
		drawn[i] = gridRow(cells, widths, t.Alignments, bar)
		wrapped = wrapped || i > 0 && len(drawn[i]) > 1
	}
	gap := gridRow(make([]string, len(widths)), widths, t.Alignments, bar)
	var lines []row
	for i := range rows {
		if i > 1 && wrapped {
			lines = append(lines, rowsOf(gap, Span{})...)
		}
		lines = append(lines, rowsOf(drawn[i], l.rowSpan(t, i))...)
		if i == 0 {
			lines = append(lines, row{text: l.tableRule(widths), Span: l.rowSpan(t, 0)})
		}
	}
	return lines
}

// tableRule returns the line below a table's header.
func (l *layout) tableRule(widths []int) string {
	rules := make([]string, len(widths))
	for c, w := range widths {
		rules[c] = strings.Repeat("─", w)
	}
	return l.style.rule.draw(strings.Join(rules, "─┼─"))
}

// gridRow draws one row, as high as its highest cell.
func gridRow(row []string, widths []int, align []east.Alignment, bar string) []string {
	cells := make([][]string, len(row))
	height := 1
	for c, cell := range row {
		cells[c] = wrap(cell, widths[c])
		height = max(height, len(cells[c]))
	}
	lines := make([]string, height)
	for y := range lines {
		for c := range cells {
			part := ""
			if y < len(cells[c]) {
				part = cells[c][y]
			}
			if c > 0 {
				lines[y] += bar
			}
			lines[y] += pad(part, widths[c], align[c])
		}
	}
	return lines
}

// pad fills text up to width, on the sides that the column's alignment asks for.
func pad(s string, width int, align east.Alignment) string {
	room := max(0, width-ansi.StringWidth(s))
	left := 0
	switch align {
	case east.AlignRight:
		left = room
	case east.AlignCenter:
		left = room / 2
	}
	return strings.Repeat(" ", left) + s + strings.Repeat(" ", room-left)
}

// columnWidths returns the widths of columns that fit into width. Narrow columns get
// the width that they need; wide ones share the rest, so that their longest cells take about
// as many lines. fit is false if an equal share would be less than leastColumn, or if a cell
// would be a high and narrow pile of words.
func columnWidths(rows [][]string, width int) (widths []int, fit bool) {
	natural := naturalWidths(rows)
	room := width - ansi.StringWidth(between)*(len(natural)-1)
	if widths, fit = sharedWidths(natural, room, min(max(room/(len(natural)+1), leastColumn), easyColumn)); fit {
		return widths, true
	}
	return sharedWidths(natural, room, leastColumn)
}

// sharedWidths is columnWidths with the least width of a wide column.
func sharedWidths(natural []int, room, least int) (widths []int, fit bool) {
	limit := fairLimit(natural, room)
	widths = slices.Clone(natural)
	var wide []int
	for c, need := range natural {
		if need > limit {
			wide, widths[c] = append(wide, c), least
		}
		room -= widths[c]
	}
	if len(wide) > 0 && limit < least {
		return nil, false
	}
	lines := func(c int) int { return (natural[c] + widths[c] - 1) / widths[c] }
	for ; room > 0 && len(wide) > 0; room-- { // to the column with the highest cell
		widths[slices.MaxFunc(wide, func(a, b int) int { return natural[a]*widths[b] - natural[b]*widths[a] })]++
	}
	piled := func(c int) bool { return widths[c] < readColumn && lines(c) > mostLines }
	return widths, !slices.ContainsFunc(wide, piled)
}

// naturalWidths returns the width that each column needs to wrap no cell.
func naturalWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for c, cell := range row {
			widths[c] = max(widths[c], 1, cells.Width(cell))
		}
	}
	return widths
}

// fairLimit returns the greatest column width with which all columns fit into room.
func fairLimit(widths []int, room int) int {
	sorted := slices.Sorted(slices.Values(widths))
	for i, w := range sorted {
		share := room / (len(sorted) - i)
		if w > share {
			return share
		}
		room -= w
	}
	return sorted[len(sorted)-1]
}

// rowSpans returns the source lines of a table's rows.
func (l *layout) rowSpans(t *east.Table, rows int) []Span {
	spans := make([]Span, rows)
	for i := range spans {
		spans[i] = l.rowSpan(t, i)
	}
	return spans
}

// records shows each row as lines of "column: value". from holds the source lines of
// the rows, the header's first; it may be nil.
func (l *layout) records(rows [][]string, width int, from []Span) []row {
	head, rows := rows[0], rows[1:]
	if len(rows) == 0 {
		rows = [][]string{make([]string, len(head))}
	}
	var lines []row
	for i, cells := range rows {
		if i > 0 {
			lines = append(lines, row{})
		}
		at := Span{}
		if i+1 < len(from) {
			at = from[i+1]
		}
		for c, cell := range cells {
			mark := "  "
			if c == 0 {
				mark = "• "
			}
			field := rowsOf(wrap(head[c]+": "+cell, inside(width, len("  "))), at)
			lines = append(lines, indent(field, width, l.style.marker.draw(mark), "  ")...)
		}
	}
	return lines
}

// source returns a table as it was written.
func (l *layout) source(t *east.Table) string {
	start, end := len(l.src), 0
	walk := func(n ast.Node, _ bool) (ast.WalkStatus, error) {
		if txt, ok := n.(*ast.Text); ok {
			start, end = min(start, txt.Segment.Start), max(end, txt.Segment.Stop)
		}
		return ast.WalkContinue, nil
	}
	if err := ast.Walk(t, walk); err != nil || start >= end {
		return ""
	}
	for start > 0 && l.src[start-1] != '\n' {
		start--
	}
	for end < len(l.src) && l.src[end] != '\n' {
		end++
	}
	return string(l.src[start:end])
}
