package graph

import (
	"image"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/label"
)

// picture paints a sheet. Its first cell is at the origin on the canvas.
type picture struct {
	*canvas.Canvas
	s      *sheet
	origin image.Point
}

// at returns the point on the canvas for a place of the layout.
func (p picture) at(across, along int) image.Point {
	x, y := across, along
	switch p.s.heading {
	case Upwards:
		y = p.s.along - 1 - along
	case Rightwards:
		x, y = along, across
	case Leftwards:
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
		case at.kind == solid && p.s.items[at.item].border == None:
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
	g := p.s.g.Groups[group]
	p.Box(x, y, w, h, g.Round, g.Stroke, canvas.Group)
}

// title writes a title into the upper border of a frame, if possible at a place where
// no line crosses the border.
func (p picture) title(group, x, y, w int) {
	title := p.s.title(group)
	if title == "" {
		return
	}
	title = " " + title + " "
	width := label.Label{title}.Width()
	start := x + 2
	for from := x + 2; from+width < x+w; from++ {
		if p.Free(from, y, width) {
			start = from
			break
		}
	}
	p.Text(start, y, title, canvas.GroupTitle)
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
	e := p.s.g.Edges[p.s.links[i].edge]
	if !e.Hidden {
		p.line(p.route(i), e.Stroke, e.Tail, e.Head, p.s.links[i].turned)
	}
}

// line draws a line up to its signs. An end without a sign touches the box.
func (p picture) line(points []image.Point, s canvas.Stroke, first, last canvas.Sign, turned bool) {
	if turned {
		first, last = last, first
	}
	n := len(points)
	if n < 2 {
		return
	}
	if last != canvas.NoSign {
		points[n-1] = nextTo(points[n-1], points[n-2])
	}
	if first != canvas.NoSign {
		points[0] = nextTo(points[0], points[1])
	}
	p.Path(points, s, canvas.Edge)
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

// heads writes the signs at the two ends of a link.
func (p picture) heads(i int) {
	l := p.s.links[i]
	e := p.s.g.Edges[l.edge]
	points := p.route(i)
	if e.Hidden || len(points) < 2 {
		return
	}
	first, last := e.Tail, e.Head
	if l.turned {
		first, last = last, first
	}
	n := len(points)
	p.head(points[0], points[1], first)
	p.head(points[n-1], points[n-2], last)
}

// head writes a sign next to the end of a line. from is the point before the end.
func (p picture) head(end, from image.Point, s canvas.Sign) {
	if s == canvas.NoSign {
		return
	}
	at, d := nextTo(end, from), canvas.Up
	switch {
	case from.X < end.X:
		d = canvas.Right
	case from.X > end.X:
		d = canvas.Left
	case from.Y < end.Y:
		d = canvas.Down
	}
	p.Sign(at.X, at.Y, s, d, canvas.Edge)
}

// words writes the label of a link onto its line.
func (p picture) words(i int) {
	at := p.s.slots[i]
	x, y, w, _ := p.area(at.middle-at.before, at.start, at.before+at.after+1, at.thick)
	for n, line := range p.s.links[at.link].words {
		width := label.Label{line}.Width()
		from := x + (w-width)/2
		if p.s.heading.sideways() {
			from = x + 1 + (w-2-width)/2
			p.Text(from-1, y+n, " ", canvas.Blank)
			p.Text(from+width, y+n, " ", canvas.Blank)
		}
		p.Text(from, y+n, line, canvas.EdgeText)
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
	x, y, _, _ := p.area(at.middle-middle, at.start+at.inset, wide, deep)
	if it.inner != nil {
		p.group(it.group, x, y, f.w, f.h)
		w, h := it.inner.size()
		inner := picture{p.Canvas, it.inner, image.Point{x + 2 + (f.w-4-w)/2, y + 1 + (f.h-2-h)/2}}
		inner.paint()
	} else {
		f.paint(p.Canvas, x, y, it.words)
	}
	p.loop(it, x, y)
	p.notes(it, x, y)
	if it.inner != nil { // after its notes: the line of one may lead up from the border
		p.title(it.group, x, y, f.w)
	}
}
