package diagram

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// maxCells is how many cells a drawing may have, blank ones included.
const maxCells = 1 << 20

// point is a cell: x to the right, y downwards, from 0.
type point struct{ x, y int }

// canvas is what diagrams are painted on: rows of cells that grow as far as
// something is painted. Lines leave arms in the cells they pass, and where lines
// meet the cell shows their junction; text and marks replace what is there. What
// lies left of or above the first cell is not painted. A canvas that would grow
// beyond maxCells paints no more, and finish says so.
type canvas struct {
	ascii bool
	rows  [][]cell
	cells int
	full  bool
}

// cell shows its text, or, where that is empty, its arms. The cells behind the
// first one of a wide character are covered by it.
type cell struct {
	text    string
	arms    arms
	role    Role
	round   bool
	covered bool
}

func newCanvas(ascii bool) *canvas { return &canvas{ascii: ascii} }

// at is the cell of a point; nil where nothing can be painted.
func (c *canvas) at(x, y int) *cell {
	if x < 0 || y < 0 || x >= maxCells || y >= maxCells || c.full {
		return nil
	}
	more := max(0, y+1-len(c.rows))
	if y < len(c.rows) {
		more += max(0, x+1-len(c.rows[y]))
	} else {
		more += x + 1
	}
	if c.cells += more; c.cells > maxCells {
		c.full = true
		return nil
	}
	for len(c.rows) <= y {
		c.rows = append(c.rows, nil)
	}
	for len(c.rows[y]) <= x {
		c.rows[y] = append(c.rows[y], cell{})
	}
	return &c.rows[y][x]
}

// arm adds a line that leaves a cell in one direction. A heavier line stays.
func (c *canvas) arm(x, y int, d direction, s stroke, r Role) {
	at := c.at(x, y)
	if at == nil {
		return
	}
	if at.text != "" || at.covered {
		c.blank(x, y)
	}
	if at.arms[d] != heavy {
		at.arms[d] = s
	}
	at.role = r
}

// horizontal draws a line from the middle of one cell to the middle of another
// of the same row, in either order.
func (c *canvas) horizontal(x1, x2, y int, s stroke, r Role) {
	x1, x2 = min(x1, x2), max(x1, x2)
	for x := x1; x < x2; x++ {
		c.arm(x, y, right, s, r)
		c.arm(x+1, y, left, s, r)
	}
}

// vertical is horizontal for the cells of one column.
func (c *canvas) vertical(x, y1, y2 int, s stroke, r Role) {
	y1, y2 = min(y1, y2), max(y1, y2)
	for y := y1; y < y2; y++ {
		c.arm(x, y, down, s, r)
		c.arm(x, y+1, up, s, r)
	}
}

// path draws a line through points of which each is in a row or a column with
// the one before. Its bends are round.
func (c *canvas) path(points []point, s stroke, r Role) {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if a.y == b.y {
			c.horizontal(a.x, b.x, a.y, s, r)
		} else {
			c.vertical(a.x, a.y, b.y, s, r)
		}
		if i+1 < len(points) {
			c.round(b.x, b.y)
		}
	}
}

// round makes the corner in a cell round, if what is there is a corner.
func (c *canvas) round(x, y int) {
	if at := c.at(x, y); at != nil {
		at.round = true
	}
}

// box draws the outline of a rectangle of w × h cells, at least 2 × 2.
func (c *canvas) box(x, y, w, h int, round bool, s stroke, r Role) {
	right, bottom := x+w-1, y+h-1
	c.horizontal(x, right, y, s, r)
	c.horizontal(x, right, bottom, s, r)
	c.vertical(x, y, bottom, s, r)
	c.vertical(right, y, bottom, s, r)
	if round {
		c.round(x, y)
		c.round(right, y)
		c.round(x, bottom)
		c.round(right, bottom)
	}
}

// clear takes away what is in a rectangle.
func (c *canvas) clear(x, y, w, h int) {
	for row := max(0, y); row < min(y+h, len(c.rows)); row++ {
		for column := max(0, x); column < min(x+w, len(c.rows[row])); column++ {
			c.blank(column, row)
		}
	}
}

// blank takes away what is in a cell, and the whole of a wide character.
func (c *canvas) blank(x, y int) {
	row := c.rows[y]
	from, to := x, x+1
	for row[from].covered && from > 0 {
		from--
	}
	for to < len(row) && row[to].covered {
		to++
	}
	clear(row[from:to])
}

// text puts words in place of what is there, from a cell to the right, and
// gives back how many cells they take.
func (c *canvas) text(x, y int, s string, r Role) int {
	start := x
	for s != "" {
		cluster, width := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s = s[len(cluster):]
		if width == 0 {
			continue
		}
		c.glyph(x, y, cluster, width, r)
		x += width
	}
	return x - start
}

// glyph puts one character of a width in place of what is there.
func (c *canvas) glyph(x, y int, character string, width int, r Role) {
	if c.at(x+width-1, y) == nil || x < 0 {
		return
	}
	c.clear(x, y, width, 1)
	row := c.rows[y]
	row[x] = cell{text: character, role: r}
	for i := 1; i < width; i++ {
		row[x+i] = cell{role: r, covered: true}
	}
}

// mark puts a mark that points to d in place of what is there.
func (c *canvas) mark(x, y int, m mark, d direction, r Role) {
	c.text(x, y, m.glyph(d, c.ascii), r)
}

// finish is what was painted.
func (c *canvas) finish() (Drawing, error) {
	if c.full {
		return Drawing{}, &UnsupportedError{Why: fmt.Sprintf("the drawing would have more than %d cells", maxCells)}
	}
	var d Drawing
	for _, row := range c.rows {
		line, width := c.line(row)
		d.Lines = append(d.Lines, line)
		d.Width = max(d.Width, width)
	}
	for len(d.Lines) > 0 && len(d.Lines[len(d.Lines)-1]) == 0 {
		d.Lines = d.Lines[:len(d.Lines)-1]
	}
	return d, nil
}

// line joins the cells of a row to spans, without blanks at the end, and tells
// how wide they are.
func (c *canvas) line(row []cell) (line Line, width int) {
	width = len(row)
	for width > 0 && !row[width-1].covered && c.show(row[width-1]) == " " {
		width--
	}
	var text strings.Builder
	role := Blank
	flush := func() {
		if text.Len() > 0 {
			line = append(line, Span{Text: text.String(), Role: role})
			text.Reset()
		}
	}
	for _, at := range row[:width] {
		if at.covered {
			continue
		}
		shown := c.show(at)
		r := at.role
		if at.text == "" && shown == " " {
			r = Blank
		}
		if r != role {
			flush()
			role = r
		}
		text.WriteString(shown)
	}
	flush()
	return line, width
}

func (c *canvas) show(at cell) string {
	if at.text != "" {
		return at.text
	}
	return at.arms.glyph(at.round, c.ascii)
}
