package lanes

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
)

// Pen draws the lines of rows.
type Pen struct {
	signs        *[16][16]string
	Light, Heavy cells.Style // of lines, and of those of the critical path
}

// NewPen returns a pen that draws without colours.
func NewPen() Pen { return Pen{signs: newSigns()} }

// Width is how many cells the lines of all rows need.
func Width(rows []Row) (wide int) {
	for _, row := range rows {
		wide = max(wide, len(row.Cells))
	}
	return wide
}

// Draw draws the lines of a row, as wide as those of all rows, with the mark of its node. A
// node without a lane has its mark in the last cell.
func (p Pen) Draw(row Row, mark string, wide int) string {
	var out strings.Builder
	noded := false
	for _, cell := range row.Cells {
		if cell.node {
			out.WriteString(mark)
			noded = true
			continue
		}
		sign, heavy := cell.glyph(p.signs)
		switch {
		case sign == " ":
			out.WriteString(sign)
		case heavy:
			out.WriteString(p.Heavy.Render(sign))
		default:
			out.WriteString(p.Light.Render(sign))
		}
	}
	line := cells.Fill(out.String(), wide)
	if row.Node != 0 && !noded {
		line = cells.Fill(ansi.Truncate(line, wide-1, ""), wide-1) + mark
	}
	return line
}

// glyph is the sign of a cell, and whether any line of it belongs to the critical path.
func (c Cell) glyph(signs *[16][16]string) (sign string, heavy bool) {
	if c.joint {
		return "•", c.heavy != 0
	}
	return signs[c.sides][c.heavy&c.sides], c.heavy&c.sides != 0
}

// newSigns are the signs of lines by the sides from which they leave a cell, and those of
// them that are heavy. A missing one is drawn as if all sides were light or heavy.
func newSigns() *[16][16]string {
	signs := &[16][16]string{}
	for _, line := range []struct {
		sides uint8
		heavy map[uint8]string
	}{
		{0, map[uint8]string{0: " "}},
		{up | down, map[uint8]string{0: "│", up | down: "┃"}},
		{left | right, map[uint8]string{0: "─", left | right: "━"}},
		{up | right, map[uint8]string{0: "╰", up: "┖", right: "┕", up | right: "┗"}},
		{up | left, map[uint8]string{0: "╯", up: "┚", left: "┙", up | left: "┛"}},
		{up | down | right, map[uint8]string{0: "├", right: "┝", up | down: "┠", up | right: "┡", up | down | right: "┣"}},
		{up | down | left, map[uint8]string{0: "┤", left: "┥", up | down: "┨", up | left: "┩", up | down | left: "┫"}},
		{up | left | right, map[uint8]string{0: "┴", left | right: "┷", up: "┸", up | right: "┺", up | left: "┹", up | left | right: "┻"}},
		{up | down | left | right, map[uint8]string{0: "┼", left | right: "┿", up | down: "╂", up | right: "╄", up | left: "╃", up | down | left | right: "╋"}},
	} {
		for heavy := range signs[line.sides] {
			signs[line.sides][heavy] = line.heavy[0]
		}
		for heavy, sign := range line.heavy {
			signs[line.sides][heavy] = sign
		}
	}
	return signs
}
