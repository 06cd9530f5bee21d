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

// leastColumn is the width to which columns are shrunk at most: with less, words
// would fall to pieces.
const leastColumn = 12

// A table that does not fit even so is shown row by row, unless it is a grid of
// short values: many columns, none wider than a word or two. Such a one is read
// across and down, and row by row it would be neither; so it stays as wide as it
// is, and its first column stays in sight while the others are panned.
const (
	leastGrid  = 5  // columns; fewer read as well row by row
	shortValue = 16 // cells
)

// between stands between two columns.
const between = " │ "

// table draws a table as wide as it needs to be, its cells wrapped to fit.
// Nothing is cut: one with too many columns for the width is shown as records, or
// wider than asked if its values are short; one with too many cells as it was
// written.
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

// rowSpan is the source line of a table's row: the header is the first, below it
// a line that only draws, then the others follow.
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

// cells draws every cell; the first row is the header, and each row has all its
// columns.
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

// beyond returns what a row has after its last column, where the parser leaves
// it out.
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

func (l *layout) grid(t *east.Table, rows [][]string, widths []int) []row {
	bar := l.style.rule.draw(between)
	var lines []row
	for i, cells := range rows {
		lines = append(lines, rowsOf(gridRow(cells, widths, t.Alignments, bar), l.rowSpan(t, i))...)
		if i == 0 {
			lines = append(lines, row{text: l.tableRule(widths), Span: l.rowSpan(t, 0)})
		}
	}
	return lines
}

// tableRule is the line below a table's head.
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
	high := 1
	for c, cell := range row {
		cells[c] = wrap(cell, widths[c])
		high = max(high, len(cells[c]))
	}
	lines := make([]string, high)
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

// pad puts text where its column wants it.
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

// columnWidths gives each column what it needs, or, if that is too much, a fair
// share: narrow columns keep their width, the wide ones share the rest alike.
// It reports whether the shares are wide enough to be read.
func columnWidths(rows [][]string, width int) (widths []int, fit bool) {
	widths = naturalWidths(rows)
	limit := fairLimit(widths, width-ansi.StringWidth(between)*(len(widths)-1))
	for c := range widths {
		if widths[c] > limit {
			if limit < leastColumn {
				return nil, false
			}
			widths[c] = limit
		}
	}
	return widths, true
}

// naturalWidths gives each column what it needs for no cell to be wrapped.
func naturalWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for c, cell := range row {
			widths[c] = max(widths[c], 1, cells.Width(cell))
		}
	}
	return widths
}

// fairLimit returns the width to which columns have to be limited so that all
// fit into room.
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

// rowSpans are the source lines of a table's rows.
func (l *layout) rowSpans(t *east.Table, rows int) []Span {
	spans := make([]Span, rows)
	for i := range spans {
		spans[i] = l.rowSpan(t, i)
	}
	return spans
}

// records shows each row as lines of "column: value". From is where the rows are
// in the source, the header's first, if that is to be known.
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
