package graph

import (
	"image"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/label"
)

// outline is a shape with its size in cells.
type outline struct {
	shape Shape
	w, h  int
}

// outlineFor returns the smallest outline for words of a width and a number of lines.
func outlineFor(s Shape, width, lines int) outline {
	width, lines = max(width, 1), max(lines, 1)
	o := outline{shape: s, w: width + 4, h: lines + 2}
	switch s {
	case Subroutine:
		o.w = width + 6
	case Cylinder:
		o.h = lines + 3
	case Circle:
		o.w, o.h = max(width+4, 7), lines+4
	case DoubleCircle:
		o.w, o.h = max(width+6, 7), lines+4
	case Diamond, Hexagon:
		lines |= 1
		o.w, o.h = width+4+lines/2*2, lines+2
	case LeanRight, LeanLeft:
		o.w = width + 4 + o.h - 1
	case Trapezoid, TrapezoidDown:
		o.w = width + 4 + 2*(o.h-2)
	case Flag:
		o.w = width + 4 + (o.h-1)/2
	case Bare:
		o.w, o.h = width+2, lines
	}
	return o
}

// middle returns the column and the row at which a single line meets the outline.
func (o outline) middle() (column, row int) {
	if o.shape == Cylinder {
		return (o.w - 1) / 2, o.h / 2
	}
	return (o.w - 1) / 2, (o.h - 1) / 2
}

// span returns the columns at which the outline begins and ends in a row.
func (o outline) span(row int) (from, to int) {
	from, to = 0, o.w-1
	fromEnd := o.h - 1 - row
	switch o.shape {
	case Circle, DoubleCircle:
		if row == 0 || fromEnd == 0 {
			return 2, to - 2
		}
	case LeanRight:
		return fromEnd, to - row
	case LeanLeft:
		return row, to - fromEnd
	case Trapezoid:
		return fromEnd, to - fromEnd
	case TrapezoidDown:
		return row, to - row
	case Flag:
		return min(row, fromEnd), to
	}
	return from, to
}

// inset returns how far the outline lies inside its rectangle, seen from a side along one
// of its rows or columns.
func (o outline) inset(side canvas.Direction, along int) int {
	switch side {
	case canvas.Left, canvas.Right:
		from, to := o.span(min(max(along, 0), o.h-1))
		if side == canvas.Left {
			return from
		}
		return o.w - 1 - to
	}
	for depth := range o.h {
		row := depth
		if side == canvas.Down {
			row = o.h - 1 - depth
		}
		if from, to := o.span(row); from <= along && along <= to {
			return depth
		}
	}
	return 0
}

// reach returns how far from its middle lines may meet the outline without touching its
// corners. It holds for both sides at which lines meet the outline.
func (o outline) reach(sideways bool) int {
	column, row := o.middle()
	switch {
	case o.shape.sign() != canvas.NoSign:
		return 0
	case sideways && o.shape == Bar:
		return o.h / 2
	case sideways && o.shape == Cylinder:
		return o.h - 2 - row
	case sideways:
		return min(row-1, o.h-2-row)
	case o.shape == Bar:
		return o.w / 2
	}
	reach := o.w
	for _, r := range []int{0, o.h - 1} {
		from, to := o.span(r)
		reach = min(reach, column-from-1, to-1-column)
	}
	switch o.shape {
	case Diamond, Hexagon, Subroutine:
		reach-- // next to these corners a line would look broken
	}
	return reach
}

// paint draws the outline with its words at x, y.
func (o outline) paint(c *canvas.Canvas, x, y int, words label.Label) {
	switch o.shape {
	case Start, End, Choice:
		c.Sign(x, y, o.shape.sign(), canvas.Down, canvas.Mark)
		return
	case Bar:
		if o.h > o.w {
			c.Vertical(x, y, y+o.h-1, canvas.Heavy, canvas.Mark)
			c.Arm(x, y, canvas.Up, canvas.Heavy, canvas.Mark)
			c.Arm(x, y+o.h-1, canvas.Down, canvas.Heavy, canvas.Mark)
		} else {
			c.Horizontal(x, x+o.w-1, y, canvas.Heavy, canvas.Mark)
			c.Arm(x, y, canvas.Left, canvas.Heavy, canvas.Mark)
			c.Arm(x+o.w-1, y, canvas.Right, canvas.Heavy, canvas.Mark)
		}
		return
	case Bare:
	case Circle, DoubleCircle:
		o.circle(c, x, y)
	case Diamond, Hexagon:
		o.cornered(c, x, y)
	case LeanRight, LeanLeft, Trapezoid, TrapezoidDown, Flag:
		o.slanted(c, x, y)
	default:
		c.Box(x, y, o.w, o.h, o.shape == Rounded || o.shape == Stadium || o.shape == Cylinder, canvas.Light, canvas.Border)
		if o.shape == Subroutine {
			c.Vertical(x+1, y, y+o.h-1, canvas.Light, canvas.Border)
			c.Vertical(x+o.w-2, y, y+o.h-1, canvas.Light, canvas.Border)
		}
		if o.shape == Cylinder {
			c.Horizontal(x, x+o.w-1, y+1, canvas.Light, canvas.Border)
		}
	}
	o.write(c, x, y, words)
}

// write writes words into the middle of the outline.
func (o outline) write(c *canvas.Canvas, x, y int, words label.Label) {
	top := (o.h - len(words)) / 2
	if o.shape == Cylinder {
		top = 2 + (o.h-3-len(words))/2
	}
	for i, line := range words {
		from, to := o.span(top + i)
		c.Text(x+from+(to-from+1-label.Label{line}.Width())/2, y+top+i, line, canvas.Text)
	}
}

// circle draws an outline that bulges in its middle rows.
func (o outline) circle(c *canvas.Canvas, x, y int) {
	last, bottom := x+o.w-1, y+o.h-1
	for _, side := range []struct{ in, out int }{{x + 2, x}, {last - 2, last}} {
		c.Path([]image.Point{{side.in, y}, {side.in, y + 1}, {side.out, y + 1}, {side.out, bottom - 1}, {side.in, bottom - 1}, {side.in, bottom}}, canvas.Light, canvas.Border)
		c.Round(side.in, y)
		c.Round(side.in, bottom)
	}
	c.Horizontal(x+2, last-2, y, canvas.Light, canvas.Border)
	c.Horizontal(x+2, last-2, bottom, canvas.Light, canvas.Border)
	if o.shape == DoubleCircle {
		ring := canvas.Pick(c.ASCII, "|", "│")
		for row := y + 2; row < bottom-1; row++ {
			c.Text(x+1, row, ring, canvas.Border)
			c.Text(last-1, row, ring, canvas.Border)
		}
	}
}

// cornered draws a box with a sign in each corner. ASCII has too few signs for corners: there
// the sides point outwards, too.
func (o outline) cornered(c *canvas.Canvas, x, y int) {
	right, bottom := x+o.w-1, y+o.h-1
	c.Box(x, y, o.w, o.h, false, canvas.Light, canvas.Border)
	rising, falling := canvas.Pick(c.ASCII, "/", "╱"), canvas.Pick(c.ASCII, `\`, "╲")
	l, r := "{", "}"
	if o.shape == Diamond {
		rising, falling = canvas.Pick(c.ASCII, "/", "◇"), canvas.Pick(c.ASCII, `\`, "◇")
		l, r = "<", ">"
	}
	c.Text(x, y, rising, canvas.Border)
	c.Text(right, y, falling, canvas.Border)
	c.Text(x, bottom, falling, canvas.Border)
	c.Text(right, bottom, rising, canvas.Border)
	if c.ASCII {
		c.Text(x, y+o.h/2, l, canvas.Border)
		c.Text(right, y+o.h/2, r, canvas.Border)
	}
}

// slanted draws a shape with slanted sides.
func (o outline) slanted(c *canvas.Canvas, x, y int) {
	for row := range o.h {
		from, to := o.span(row)
		if row == 0 || row == o.h-1 {
			c.Horizontal(x+from, x+to, y+row, canvas.Light, canvas.Border)
			if o.shape == Flag {
				d := canvas.Up
				if row == 0 {
					d = canvas.Down
				}
				c.Arm(x+to, y+row, d, canvas.Light, canvas.Border)
			}
		}
		l, r := o.sides(row, c.ASCII)
		if l != "" {
			c.Text(x+from, y+row, l, canvas.Border)
		}
		if r != "" {
			c.Text(x+to, y+row, r, canvas.Border)
		} else if row > 0 && row < o.h-1 {
			c.Vertical(x+to, y+row-1, y+row+1, canvas.Light, canvas.Border)
		}
	}
}

// sides returns the characters at both ends of a row of a slanted shape; empty for an
// upright side.
func (o outline) sides(row int, ascii bool) (l, r string) {
	rising, falling := canvas.Pick(ascii, "/", "╱"), canvas.Pick(ascii, `\`, "╲")
	above, below := row < o.h/2, row > (o.h-1)/2
	switch o.shape {
	case LeanRight:
		return rising, rising
	case LeanLeft:
		return falling, falling
	case Trapezoid:
		return rising, falling
	case TrapezoidDown:
		return falling, rising
	case Flag:
		switch {
		case above:
			return falling, ""
		case below:
			return rising, ""
		}
		return ">", ""
	}
	return "", ""
}
