package diagram

import "image"

// picture paints a sheet. Its first cell is at the origin on the canvas.
type picture struct {
	*canvas
	s      *sheet
	origin image.Point
}

// at returns the point on the canvas for a place of the layout.
func (p picture) at(across, along int) image.Point {
	x, y := across, along
	switch p.s.heading {
	case upwards:
		y = p.s.along - 1 - along
	case rightwards:
		x, y = along, across
	case leftwards:
		x, y = p.s.along-1-along, across
	}
	return image.Point{p.origin.X + x, p.origin.Y + y}
}

// area returns the rectangle on the canvas for a rectangle of the layout.
func (p picture) area(across, along, wide, deep int) (x, y, w, h int) {
	a, b := p.at(across, along), p.at(across+wide-1, along+deep-1)
	return min(a.X, b.X), min(a.Y, b.Y), max(a.X, b.X) - min(a.X, b.X) + 1, max(a.Y, b.Y) - min(a.Y, b.Y) + 1
}

func (p picture) paint() {
	for _, f := range p.s.frames {
		x, y, w, h := p.area(f.low, f.start, f.high-f.low+1, f.end-f.start+1)
		p.group(f.group, x, y, w, h)
	}
	for i := range p.s.links {
		p.link(i)
	}
	for i, at := range p.s.slots {
		switch {
		case at.kind == words:
			p.words(i)
		case at.kind == solid && p.s.items[at.item].border == none:
			p.item(i)
		}
	}
	for i := range p.s.links {
		p.heads(i)
	}
	for _, f := range p.s.frames {
		x, y, w, _ := p.area(f.low, f.start, f.high-f.low+1, f.end-f.start+1)
		p.title(f.group, x, y, w)
	}
}

// group draws the frame of a group.
func (p picture) group(group, x, y, w, h int) {
	g := p.s.g.groups[group]
	p.box(x, y, w, h, g.round, g.stroke, Group)
}

// title writes a title into the upper border of a frame, if possible at a place where
// no line crosses the border.
func (p picture) title(group, x, y, w int) {
	title := p.s.title(group)
	if title == "" {
		return
	}
	title = " " + title + " "
	width := label{title}.width()
	start := x + 2
	for from := x + 2; from+width < x+w; from++ {
		if p.free(from, y, width) {
			start = from
			break
		}
	}
	p.text(start, y, title, GroupTitle)
}

// route returns the path of a link on the canvas.
func (p picture) route(i int) []image.Point {
	var points []image.Point
	for _, e := range p.s.links[i].segs {
		for _, at := range p.s.segs[e].path {
			next := p.at(at.X, at.Y)
			if n := len(points); n == 0 || points[n-1] != next {
				points = append(points, next)
			}
		}
	}
	return points
}

func (p picture) link(i int) {
	e := p.s.g.edges[p.s.links[i].edge]
	if !e.hidden {
		p.line(p.route(i), e.stroke, e.tail, e.head, p.s.links[i].turned)
	}
}

// line draws a line up to its marks. An end without a mark touches the box.
func (p picture) line(points []image.Point, s stroke, first, last mark, turned bool) {
	if turned {
		first, last = last, first
	}
	n := len(points)
	if n < 2 {
		return
	}
	if last != noMark {
		points[n-1] = nextTo(points[n-1], points[n-2])
	}
	if first != noMark {
		points[0] = nextTo(points[0], points[1])
	}
	p.path(points, s, Edge)
}

// nextTo returns the cell next to a point on the way to another one.
func nextTo(at, to image.Point) image.Point {
	switch {
	case to.X < at.X:
		at.X--
	case to.X > at.X:
		at.X++
	case to.Y < at.Y:
		at.Y--
	case to.Y > at.Y:
		at.Y++
	}
	return at
}

// heads writes the marks at the two ends of a link.
func (p picture) heads(i int) {
	l := p.s.links[i]
	e := p.s.g.edges[l.edge]
	points := p.route(i)
	if e.hidden || len(points) < 2 {
		return
	}
	first, last := e.tail, e.head
	if l.turned {
		first, last = last, first
	}
	n := len(points)
	p.head(points[0], points[1], first)
	p.head(points[n-1], points[n-2], last)
}

// head writes a mark next to the end of a line. from is the point before the end.
func (p picture) head(end, from image.Point, m mark) {
	if m == noMark {
		return
	}
	at, d := nextTo(end, from), up
	switch {
	case from.X < end.X:
		d = right
	case from.X > end.X:
		d = left
	case from.Y < end.Y:
		d = down
	}
	p.mark(at.X, at.Y, m, d, Edge)
}

// words writes the label of a link onto its line.
func (p picture) words(i int) {
	at := p.s.slots[i]
	x, y, w, _ := p.area(at.o-at.before, at.r, at.before+at.after+1, at.thick)
	for n, line := range p.s.links[at.link].words {
		width := label{line}.width()
		from := x + (w-width)/2
		if p.s.heading.sideways() {
			from = x + 1 + (w-2-width)/2
			p.text(from-1, y+n, " ", Blank)
			p.text(from+width, y+n, " ", Blank)
		}
		p.text(from, y+n, line, EdgeText)
	}
}

// item paints a node, or a group with its inside, and its loops and notes.
func (p picture) item(i int) {
	at := p.s.slots[i]
	it := p.s.items[at.item]
	f := it.outline
	column, row := f.middle()
	middle, deep := column, f.h
	if p.s.heading.sideways() {
		middle, deep = row, f.w
	}
	wide := f.w + f.h - deep
	x, y, _, _ := p.area(at.o-middle, at.r+at.inset, wide, deep)
	if it.inner != nil {
		p.group(it.group, x, y, f.w, f.h)
		w, h := it.inner.size()
		inner := picture{p.canvas, it.inner, image.Point{x + 2 + (f.w-4-w)/2, y + 1 + (f.h-2-h)/2}}
		inner.paint()
		p.title(it.group, x, y, f.w)
	} else {
		f.paint(p.canvas, x, y, it.words)
	}
	p.loop(it, x, y)
	p.notes(it, x, y)
}
