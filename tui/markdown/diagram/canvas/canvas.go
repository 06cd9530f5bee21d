package canvas

import (
	"fmt"
	"image"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// MaxCells is how many cells a drawing may have, blank ones included.
const MaxCells = 1 << 20

// ErrTooLarge is the error for a drawing with more than MaxCells.
var ErrTooLarge = fmt.Errorf("the drawing would have more than %d cells", MaxCells)

// Canvas is a grid of cells for painting a diagram. It grows when something is
// painted beyond its last row or column; it has no cells left of or above the first
// one. A line leaves arms in the cells that it passes, so that a cell where lines
// meet shows their junction. Text and signs replace what is in a cell. A canvas that
// would need more than MaxCells stops painting, and Lines returns ErrTooLarge.
type Canvas struct {
	ASCII bool // draw with ASCII characters only; texts keep theirs
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

func New(ascii bool) *Canvas { return &Canvas{ASCII: ascii} }

// at returns the cell of a point, and grows the canvas for it. It returns nil if
// nothing can be painted there.
func (c *Canvas) at(x, y int) *cell {
	if x < 0 || y < 0 || x >= MaxCells || y >= MaxCells || c.full {
		return nil
	}
	more := max(0, y+1-len(c.rows))
	if y < len(c.rows) {
		more += max(0, x+1-len(c.rows[y]))
	} else {
		more += x + 1
	}
	if c.cells += more; c.cells > MaxCells {
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

// Free reports whether text of the given width, written from a cell to the right, would
// hide no other text and no line that leads up or down.
func (c *Canvas) Free(x, y, width int) bool {
	for column := x; column < x+width; column++ {
		at := c.at(column, y)
		if at == nil || at.text != "" || at.covered || at.arms[Up] != noStroke || at.arms[Down] != noStroke {
			return false
		}
	}
	return true
}

// Arm adds a line that leaves a cell in one direction. It does not replace a heavy
// line.
func (c *Canvas) Arm(x, y int, d Direction, s Stroke, r Role) {
	at := c.at(x, y)
	if at == nil {
		return
	}
	if at.text != "" || at.covered {
		c.blank(x, y)
	}
	if at.arms[d] != Heavy {
		at.arms[d] = s
	}
	at.role = r
}

// Horizontal draws a line between the middles of two cells of one row, in either
// order.
func (c *Canvas) Horizontal(x1, x2, y int, s Stroke, r Role) {
	x1, x2 = min(x1, x2), max(x1, x2)
	for x := x1; x < x2; x++ {
		c.Arm(x, y, Right, s, r)
		c.Arm(x+1, y, Left, s, r)
	}
}

// Vertical draws a line between the middles of two cells of one column, in either
// order.
func (c *Canvas) Vertical(x, y1, y2 int, s Stroke, r Role) {
	y1, y2 = min(y1, y2), max(y1, y2)
	for y := y1; y < y2; y++ {
		c.Arm(x, y, Down, s, r)
		c.Arm(x, y+1, Up, s, r)
	}
}

// Path draws a line with round bends through cells. Each point must be in the row or
// the column of the one before.
func (c *Canvas) Path(points []image.Point, s Stroke, r Role) {
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if a.Y == b.Y {
			c.Horizontal(a.X, b.X, a.Y, s, r)
		} else {
			c.Vertical(a.X, a.Y, b.Y, s, r)
		}
		if i+1 < len(points) {
			c.Round(b.X, b.Y)
		}
	}
}

// Round makes a cell's corner round, if the cell shows a corner.
func (c *Canvas) Round(x, y int) {
	if at := c.at(x, y); at != nil {
		at.round = true
	}
}

// Box draws the outline of a rectangle of w × h cells, at least 2 × 2.
func (c *Canvas) Box(x, y, w, h int, round bool, s Stroke, r Role) {
	right, bottom := x+w-1, y+h-1
	c.Horizontal(x, right, y, s, r)
	c.Horizontal(x, right, bottom, s, r)
	c.Vertical(x, y, bottom, s, r)
	c.Vertical(right, y, bottom, s, r)
	if round {
		c.Round(x, y)
		c.Round(right, y)
		c.Round(x, bottom)
		c.Round(right, bottom)
	}
}

func (c *Canvas) Clear(x, y, w, h int) {
	for row := max(0, y); row < min(y+h, len(c.rows)); row++ {
		for column := max(0, x); column < min(x+w, len(c.rows[row])); column++ {
			c.blank(column, row)
		}
	}
}

// blank empties a cell. If the cell is part of a wide character, it empties all
// cells of that character.
func (c *Canvas) blank(x, y int) {
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

// Text writes s from a cell to the right, in place of what is there, and returns how
// many cells s takes.
func (c *Canvas) Text(x, y int, s string, r Role) int {
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
func (c *Canvas) glyph(x, y int, character string, width int, r Role) {
	if c.at(x+width-1, y) == nil || x < 0 {
		return
	}
	c.Clear(x, y, width, 1)
	row := c.rows[y]
	row[x] = cell{text: character, role: r}
	for i := 1; i < width; i++ {
		row[x+i] = cell{role: r, covered: true}
	}
}

// Sign writes a sign that points to d, in place of what is there.
func (c *Canvas) Sign(x, y int, s Sign, d Direction, r Role) {
	c.Text(x, y, s.Glyph(d, c.ASCII), r)
}

// Lines returns the rows of the canvas from top to bottom, without blank rows at the
// end, and the width of the widest one in cells. The only error is ErrTooLarge.
func (c *Canvas) Lines() (lines []Line, width int, err error) {
	if c.full {
		return nil, 0, ErrTooLarge
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
func (c *Canvas) line(row []cell) (line Line, width int) {
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
func (c *Canvas) show(at cell) string {
	if at.text != "" {
		return at.text
	}
	return at.arms.glyph(at.round, c.ASCII)
}
