package diagram

import (
	"fmt"
	"image"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// maxCells is how many cells a drawing may have, blank ones included.
const maxCells = 1 << 20

// errTooLarge is the error for a drawing with more than maxCells.
var errTooLarge = fmt.Errorf("the drawing would have more than %d cells", maxCells)

// canvas is a grid of cells for painting a diagram. It grows when something is
// painted beyond its last row or column; it has no cells left of or above the first
// one. A line leaves arms in the cells that it passes, so that a cell where lines
// meet shows their junction. Text and marks replace what is in a cell. A canvas that
// would need more than maxCells stops painting, and finish returns errTooLarge.
type canvas struct {
	ascii bool
	rows  [][]cell
	cells int
	full  bool
}

// cell shows its text or, if that is empty, its arms. A wide character stands in its
// first cell and covers the cells behind it.
type cell struct {
	text    string
	arms    arms
	role    Role
	round   bool
	covered bool
}

func newCanvas(ascii bool) *canvas { return &canvas{ascii: ascii} }

// at returns the cell of a point, and grows the canvas for it. It returns nil if
// nothing can be painted there.
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

// free reports whether the cells of a row can be written to without hiding text or a
// line that leads up or down.
func (c *canvas) free(x, y, width int) bool {
	for column := x; column < x+width; column++ {
		at := c.at(column, y)
		if at == nil || at.text != "" || at.arms[up] != noStroke || at.arms[down] != noStroke {
			return false
		}
	}
	return true
}

// arm adds a line that leaves a cell in one direction. It does not replace a heavy
// line.
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

// horizontal draws a line between the middles of two cells of one row, in either
// order.
func (c *canvas) horizontal(x1, x2, y int, s stroke, r Role) {
	x1, x2 = min(x1, x2), max(x1, x2)
	for x := x1; x < x2; x++ {
		c.arm(x, y, right, s, r)
		c.arm(x+1, y, left, s, r)
	}
}

// vertical draws a line between the middles of two cells of one column, in either
// order.
func (c *canvas) vertical(x, y1, y2 int, s stroke, r Role) {
	y1, y2 = min(y1, y2), max(y1, y2)
	for y := y1; y < y2; y++ {
		c.arm(x, y, down, s, r)
		c.arm(x, y+1, up, s, r)
	}
}

// path draws a line with round bends through cells. Each point must be in the row or
// the column of the one before.
func (c *canvas) path(points []image.Point, s stroke, r Role) {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if a.Y == b.Y {
			c.horizontal(a.X, b.X, a.Y, s, r)
		} else {
			c.vertical(a.X, a.Y, b.Y, s, r)
		}
		if i+1 < len(points) {
			c.round(b.X, b.Y)
		}
	}
}

// round makes a cell's corner round, if the cell shows a corner.
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

// clear empties the cells of a rectangle.
func (c *canvas) clear(x, y, w, h int) {
	for row := max(0, y); row < min(y+h, len(c.rows)); row++ {
		for column := max(0, x); column < min(x+w, len(c.rows[row])); column++ {
			c.blank(column, row)
		}
	}
}

// blank empties a cell. If the cell is part of a wide character, it empties all
// cells of that character.
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

// text writes s from a cell to the right, in place of what is there, and returns how
// many cells s takes.
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

// glyph writes one character of the given width, in place of what is there.
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

// mark writes a mark that points to d, in place of what is there.
func (c *canvas) mark(x, y int, m mark, d direction, r Role) {
	c.text(x, y, m.glyph(d, c.ascii), r)
}

// finish returns the rows of the canvas from top to bottom, without blank rows at the
// end, and the width of the widest one in cells. The only error is errTooLarge.
func (c *canvas) finish() (lines []Line, width int, err error) {
	if c.full {
		return nil, 0, errTooLarge
	}
	for _, row := range c.rows {
		line, cells := c.line(row)
		lines = append(lines, line)
		width = max(width, cells)
	}
	for len(lines) > 0 && len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines, width, nil
}

// line joins the cells of a row into spans, without trailing blanks, and returns
// their width in cells.
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

// show returns the character that a cell shows.
func (c *canvas) show(at cell) string {
	if at.text != "" {
		return at.text
	}
	return at.arms.glyph(at.round, c.ascii)
}
