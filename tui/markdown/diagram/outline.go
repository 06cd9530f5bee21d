package diagram

import "image"

// outline is a shape with its size in cells.
type outline struct {
	shape shape
	w, h  int
}

// outlineFor returns the smallest outline for words of a width and a number of lines.
func outlineFor(s shape, width, lines int) outline {
	width, lines = max(width, 1), max(lines, 1)
	o := outline{shape: s, w: width + 4, h: lines + 2}
	switch s {
	case subroutine:
		o.w = width + 6
	case cylinder:
		o.h = lines + 3
	case circle:
		o.w, o.h = max(width+4, 7), lines+4
	case doubleCircle:
		o.w, o.h = max(width+6, 7), lines+4
	case diamond, hexagon:
		lines |= 1
		o.w, o.h = width+4+lines/2*2, lines+2
	case leanRight, leanLeft:
		o.w = width + 4 + o.h - 1
	case trapezoid, trapezoidDown:
		o.w = width + 4 + 2*(o.h-2)
	case flag:
		o.w = width + 4 + (o.h-1)/2
	case bare:
		o.w, o.h = width+2, lines
	}
	return o
}

// middle returns the column and the row at which a single line meets the outline.
func (o outline) middle() (column, row int) {
	if o.shape == cylinder {
		return (o.w - 1) / 2, o.h / 2
	}
	return (o.w - 1) / 2, (o.h - 1) / 2
}

// span returns the columns at which the outline begins and ends in a row.
func (o outline) span(row int) (from, to int) {
	from, to = 0, o.w-1
	fromEnd := o.h - 1 - row
	switch o.shape {
	case stadium:
		if row == 0 || fromEnd == 0 {
			return 1, to - 1
		}
	case circle, doubleCircle:
		if row == 0 || fromEnd == 0 {
			return 2, to - 2
		}
	case diamond, hexagon:
		inset := max(row-o.h/2, o.h/2-row)
		return inset, to - inset
	case leanRight:
		return fromEnd, to - row
	case leanLeft:
		return row, to - fromEnd
	case trapezoid:
		return fromEnd, to - fromEnd
	case trapezoidDown:
		return row, to - row
	case flag:
		return min(row, fromEnd), to
	}
	return from, to
}

// inset returns how far the outline lies inside its rectangle, seen from a side along one
// of its rows or columns.
func (o outline) inset(side direction, along int) int {
	switch side {
	case left, right:
		from, to := o.span(min(max(along, 0), o.h-1))
		if side == left {
			return from
		}
		return o.w - 1 - to
	}
	for depth := range o.h {
		row := depth
		if side == down {
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
	case o.shape.sign() != noMark:
		return 0
	case sideways && o.shape == bar:
		return o.h / 2
	case sideways && o.shape == cylinder:
		return o.h - 2 - row
	case sideways:
		return min(row-1, o.h-2-row)
	case o.shape == bar:
		return o.w / 2
	}
	reach := o.w
	for _, r := range []int{0, o.h - 1} {
		from, to := o.span(r)
		reach = min(reach, column-from-1, to-1-column)
	}
	switch o.shape {
	case diamond, hexagon, subroutine:
		reach-- // next to these corners a line would look broken
	}
	return reach
}

// paint draws the outline with its words at x, y.
func (o outline) paint(c *canvas, x, y int, words label) {
	switch o.shape {
	case startSign, endSign, choiceSign:
		c.mark(x, y, o.shape.sign(), down, Mark)
		return
	case bar:
		if o.h > o.w {
			c.vertical(x, y, y+o.h-1, heavy, Mark)
			c.arm(x, y, up, heavy, Mark)
			c.arm(x, y+o.h-1, down, heavy, Mark)
		} else {
			c.horizontal(x, x+o.w-1, y, heavy, Mark)
			c.arm(x, y, left, heavy, Mark)
			c.arm(x+o.w-1, y, right, heavy, Mark)
		}
		return
	case bare:
	case circle, doubleCircle:
		o.circle(c, x, y)
	case stadium:
		o.stadium(c, x, y)
	case diamond, hexagon, leanRight, leanLeft, trapezoid, trapezoidDown, flag:
		o.slanted(c, x, y)
	default:
		c.box(x, y, o.w, o.h, o.shape == rounded || o.shape == cylinder, light, Border)
		if o.shape == subroutine {
			c.vertical(x+1, y, y+o.h-1, light, Border)
			c.vertical(x+o.w-2, y, y+o.h-1, light, Border)
		}
		if o.shape == cylinder {
			c.horizontal(x, x+o.w-1, y+1, light, Border)
		}
	}
	o.write(c, x, y, words)
}

// write writes words into the middle of the outline.
func (o outline) write(c *canvas, x, y int, words label) {
	top := (o.h - len(words)) / 2
	if o.shape == cylinder {
		top = 2 + (o.h-3-len(words))/2
	}
	for i, line := range words {
		from, to := o.span(top + i)
		c.text(x+from+(to-from+1-label{line}.width())/2, y+top+i, line, Text)
	}
}

// circle draws an outline that bulges in its middle rows.
func (o outline) circle(c *canvas, x, y int) {
	last, bottom := x+o.w-1, y+o.h-1
	for _, side := range []struct{ in, out int }{{x + 2, x}, {last - 2, last}} {
		c.path([]image.Point{{side.in, y}, {side.in, y + 1}, {side.out, y + 1}, {side.out, bottom - 1}, {side.in, bottom - 1}, {side.in, bottom}}, light, Border)
		c.round(side.in, y)
		c.round(side.in, bottom)
	}
	c.horizontal(x+2, last-2, y, light, Border)
	c.horizontal(x+2, last-2, bottom, light, Border)
	if o.shape == doubleCircle {
		for row := y + 2; row < bottom-1; row++ {
			c.text(x+1, row, "(", Border)
			c.text(last-1, row, ")", Border)
		}
	}
}

// stadium draws a box with bent sides.
func (o outline) stadium(c *canvas, x, y int) {
	for _, row := range []int{y, y + o.h - 1} {
		c.horizontal(x+1, x+o.w-2, row, light, Border)
		c.round(x+1, row)
		c.round(x+o.w-2, row)
	}
	// Give the corners their second arm. The sides below are text, not lines.
	c.arm(x+1, y, down, light, Border)
	c.arm(x+o.w-2, y, down, light, Border)
	c.arm(x+1, y+o.h-1, up, light, Border)
	c.arm(x+o.w-2, y+o.h-1, up, light, Border)
	for row := y + 1; row < y+o.h-1; row++ {
		c.text(x, row, "(", Border)
		c.text(x+o.w-1, row, ")", Border)
	}
}

// slanted draws a shape with slanted sides.
func (o outline) slanted(c *canvas, x, y int) {
	for row := range o.h {
		from, to := o.span(row)
		if row == 0 || row == o.h-1 {
			c.horizontal(x+from, x+to, y+row, light, Border)
			if o.shape == flag {
				d := up
				if row == 0 {
					d = down
				}
				c.arm(x+to, y+row, d, light, Border)
			}
		}
		l, r := o.sides(row, c.ascii)
		if l != "" {
			c.text(x+from, y+row, l, Border)
		}
		if r != "" {
			c.text(x+to, y+row, r, Border)
		} else if row > 0 && row < o.h-1 {
			c.vertical(x+to, y+row-1, y+row+1, light, Border)
		}
	}
}

// sides returns the characters at both ends of a row of a slanted shape; empty for an
// upright side.
func (o outline) sides(row int, ascii bool) (l, r string) {
	rising, falling := pick(ascii, "/", "╱"), pick(ascii, `\`, "╲")
	above, below := row < o.h/2, row > (o.h-1)/2
	switch o.shape {
	case leanRight:
		return rising, rising
	case leanLeft:
		return falling, falling
	case trapezoid:
		return rising, falling
	case trapezoidDown:
		return falling, rising
	case flag:
		switch {
		case above:
			return falling, ""
		case below:
			return rising, ""
		}
		return ">", ""
	case diamond, hexagon:
		switch {
		case above:
			return rising, falling
		case below:
			return falling, rising
		case o.shape == hexagon:
			return pick(ascii, "{", "⟨"), pick(ascii, "}", "⟩")
		}
		return pick(ascii, "<", "◇"), pick(ascii, ">", "◇")
	}
	return "", ""
}
