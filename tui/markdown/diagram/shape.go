package diagram

// shape is the outline of a node.
type shape uint8

const (
	unshaped      shape = iota // no shape given: a rectangle
	rectangle                  // [words]
	rounded                    // (words)
	stadium                    // ([words])
	subroutine                 // [[words]]
	cylinder                   // [(words)]
	circle                     // ((words))
	doubleCircle               // (((words)))
	flag                       // >words]
	diamond                    // {words}
	hexagon                    // {{words}}
	leanRight                  // [/words/]
	leanLeft                   // [\words\]
	trapezoid                  // [/words\]
	trapezoidDown              // [\words/]
	bare                       // words without an outline
	bar                        // a fork or a join
	startSign
	endSign
	choiceSign
)

// sign returns the mark of a shape that is only a mark; noMark for other shapes.
func (s shape) sign() mark {
	switch s {
	case startSign:
		return startMark
	case endSign:
		return endMark
	case choiceSign:
		return choiceMark
	}
	return noMark
}

// frame is a shape with its size in cells.
type frame struct {
	shape shape
	w, h  int
}

// frameFor returns the smallest frame for words of a width and a number of lines.
func frameFor(s shape, width, lines int) frame {
	width, lines = max(width, 1), max(lines, 1)
	f := frame{shape: s, w: width + 4, h: lines + 2}
	switch s {
	case subroutine:
		f.w = width + 6
	case cylinder:
		f.h = lines + 3
	case circle:
		f.w, f.h = max(width+4, 7), lines+4
	case doubleCircle:
		f.w, f.h = max(width+6, 7), lines+4
	case diamond, hexagon:
		lines |= 1
		f.w, f.h = width+4+lines/2*2, lines+2
	case leanRight, leanLeft:
		f.w = width + 4 + f.h - 1
	case trapezoid, trapezoidDown:
		f.w = width + 4 + 2*(f.h-2)
	case flag:
		f.w = width + 4 + (f.h-1)/2
	case bare:
		f.w, f.h = width+2, lines
	}
	return f
}

// middle returns the column and the row at which a single line meets the frame.
func (f frame) middle() (column, row int) {
	if f.shape == cylinder {
		return (f.w - 1) / 2, f.h / 2
	}
	return (f.w - 1) / 2, (f.h - 1) / 2
}

// span returns the columns at which the outline begins and ends in a row.
func (f frame) span(row int) (from, to int) {
	from, to = 0, f.w-1
	fromEnd := f.h - 1 - row
	switch f.shape {
	case stadium:
		if row == 0 || fromEnd == 0 {
			return 1, to - 1
		}
	case circle, doubleCircle:
		if row == 0 || fromEnd == 0 {
			return 2, to - 2
		}
	case diamond, hexagon:
		inset := max(row-f.h/2, f.h/2-row)
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

// inset returns how far the outline lies inside the frame, seen from a side along one
// of its rows or columns.
func (f frame) inset(side direction, along int) int {
	switch side {
	case left, right:
		from, to := f.span(min(max(along, 0), f.h-1))
		if side == left {
			return from
		}
		return f.w - 1 - to
	}
	for depth := range f.h {
		row := depth
		if side == down {
			row = f.h - 1 - depth
		}
		if from, to := f.span(row); from <= along && along <= to {
			return depth
		}
	}
	return 0
}

// reach returns how far from its middle lines may meet the frame without touching its
// corners. It holds for both sides at which lines meet the frame.
func (f frame) reach(sideways bool) int {
	column, row := f.middle()
	switch {
	case f.shape.sign() != noMark:
		return 0
	case sideways && f.shape == bar:
		return f.h / 2
	case sideways && f.shape == cylinder:
		return f.h - 2 - row
	case sideways:
		return min(row-1, f.h-2-row)
	case f.shape == bar:
		return f.w / 2
	}
	reach := f.w
	for _, r := range []int{0, f.h - 1} {
		from, to := f.span(r)
		reach = min(reach, column-from-1, to-1-column)
	}
	switch f.shape {
	case diamond, hexagon, subroutine:
		reach-- // next to these corners a line would look broken
	}
	return reach
}

// paint draws the outline with its words at x, y.
func (c *canvas) paint(f frame, x, y int, words label) {
	switch f.shape {
	case startSign, endSign, choiceSign:
		c.mark(x, y, f.shape.sign(), down, Mark)
		return
	case bar:
		if f.h > f.w {
			c.vertical(x, y, y+f.h-1, heavy, Mark)
			c.arm(x, y, up, heavy, Mark)
			c.arm(x, y+f.h-1, down, heavy, Mark)
		} else {
			c.horizontal(x, x+f.w-1, y, heavy, Mark)
			c.arm(x, y, left, heavy, Mark)
			c.arm(x+f.w-1, y, right, heavy, Mark)
		}
		return
	case bare:
	case circle, doubleCircle:
		c.circle(f, x, y)
	case stadium:
		c.stadium(f, x, y)
	case diamond, hexagon, leanRight, leanLeft, trapezoid, trapezoidDown, flag:
		c.slanted(f, x, y)
	default:
		c.box(x, y, f.w, f.h, f.shape == rounded || f.shape == cylinder, light, Border)
		if f.shape == subroutine {
			c.vertical(x+1, y, y+f.h-1, light, Border)
			c.vertical(x+f.w-2, y, y+f.h-1, light, Border)
		}
		if f.shape == cylinder {
			c.horizontal(x, x+f.w-1, y+1, light, Border)
		}
	}
	c.words(f, x, y, words)
}

func (c *canvas) words(f frame, x, y int, words label) {
	top := (f.h - len(words)) / 2
	if f.shape == cylinder {
		top = 2 + (f.h-3-len(words))/2
	}
	for i, line := range words {
		from, to := f.span(top + i)
		c.text(x+from+(to-from+1-label{line}.width())/2, y+top+i, line, Text)
	}
}

// circle draws an outline that bulges in its middle rows.
func (c *canvas) circle(f frame, x, y int) {
	last, bottom := x+f.w-1, y+f.h-1
	for _, side := range []struct{ in, out int }{{x + 2, x}, {last - 2, last}} {
		c.path([]point{{side.in, y}, {side.in, y + 1}, {side.out, y + 1}, {side.out, bottom - 1}, {side.in, bottom - 1}, {side.in, bottom}}, light, Border)
		c.round(side.in, y)
		c.round(side.in, bottom)
	}
	c.horizontal(x+2, last-2, y, light, Border)
	c.horizontal(x+2, last-2, bottom, light, Border)
	if f.shape == doubleCircle {
		for row := y + 2; row < bottom-1; row++ {
			c.text(x+1, row, "(", Border)
			c.text(last-1, row, ")", Border)
		}
	}
}

// stadium draws a box with bent sides.
func (c *canvas) stadium(f frame, x, y int) {
	for _, row := range []int{y, y + f.h - 1} {
		c.horizontal(x+1, x+f.w-2, row, light, Border)
		c.round(x+1, row)
		c.round(x+f.w-2, row)
	}
	// Give the corners their second arm. The sides below are text, not lines.
	c.arm(x+1, y, down, light, Border)
	c.arm(x+f.w-2, y, down, light, Border)
	c.arm(x+1, y+f.h-1, up, light, Border)
	c.arm(x+f.w-2, y+f.h-1, up, light, Border)
	for row := y + 1; row < y+f.h-1; row++ {
		c.text(x, row, "(", Border)
		c.text(x+f.w-1, row, ")", Border)
	}
}

// slanted draws a shape with slanted sides.
func (c *canvas) slanted(f frame, x, y int) {
	for row := range f.h {
		from, to := f.span(row)
		if row == 0 || row == f.h-1 {
			c.horizontal(x+from, x+to, y+row, light, Border)
			if f.shape == flag {
				c.arm(x+to, y+row, pick(row == 0, down, up), light, Border)
			}
		}
		l, r := f.sides(row, c.ascii)
		if l != "" {
			c.text(x+from, y+row, l, Border)
		}
		if r != "" {
			c.text(x+to, y+row, r, Border)
		} else if row > 0 && row < f.h-1 {
			c.vertical(x+to, y+row-1, y+row+1, light, Border)
		}
	}
}

// sides returns the characters at both ends of a row of a slanted shape; empty for an
// upright side.
func (f frame) sides(row int, ascii bool) (l, r string) {
	rising, falling := pick(ascii, "/", "╱"), pick(ascii, `\`, "╲")
	above, below := row < f.h/2, row > (f.h-1)/2
	switch f.shape {
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
		case f.shape == hexagon:
			return pick(ascii, "{", "⟨"), pick(ascii, "}", "⟩")
		}
		return pick(ascii, "<", "◇"), pick(ascii, ">", "◇")
	}
	return "", ""
}
