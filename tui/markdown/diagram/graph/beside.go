package graph

import (
	"image"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/label"
)

// loop draws the line from a box to itself. The box begins at the cell x, y. The
// line is right of the box, or below it if the diagram leads sideways.
func (p picture) loop(it item, x, y int) {
	if len(it.loops) == 0 {
		return
	}
	e := p.s.g.Edges[it.loops[0]]
	f := it.outline
	column, row := f.middle()
	said := p.s.loopWords(&it, p.s.sp)
	var points []image.Point
	if p.s.heading.sideways() {
		from, to := column-1, column+2
		bottom := y + f.h - 1
		far := bottom + loopRoom - 1
		points = []image.Point{
			{x + from, bottom - f.inset(canvas.Down, from)}, {x + from, far},
			{x + to, far}, {x + to, bottom - f.inset(canvas.Down, to)},
		}
		for n, line := range said {
			p.Text(x+column-(label.Label{line}.Width()-1)/2, far+1+n, line, canvas.EdgeText)
		}
	} else {
		end := x + f.w - 1
		far := end + loopRoom
		points = []image.Point{
			{end - f.inset(canvas.Right, row-1), y + row - 1}, {far, y + row - 1},
			{far, y + row + 1}, {end - f.inset(canvas.Right, row+1), y + row + 1},
		}
		for n, line := range said {
			p.Text(far+2, y+row-(len(said)-1)/2+n, line, canvas.EdgeText)
		}
	}
	out, in := points[0], points[3]
	p.line(points, e.Stroke, e.Tail, e.Head, false)
	p.head(out, points[1], e.Tail)
	p.head(in, points[2], e.Head)
}

// notes draws the notes of a node or a group beside its box, each further out than
// the one before.
func (p picture) notes(it item, x, y int) {
	f := it.outline
	column, row := f.middle()
	sideways := p.s.heading.sideways()
	// low and high are the cells where the next note's line begins, on either side.
	low, high := x+f.inset(canvas.Left, row), x+f.w-1-f.inset(canvas.Right, row)
	middle := y + row
	if sideways {
		low, high = y+f.inset(canvas.Up, column), y+f.h-1-f.inset(canvas.Down, column)
		middle = x + column
	}
	for _, n := range p.s.notesAt(&it) {
		text := p.s.sp.label(n.Label)
		w, h := text.Width()+4, len(text)+2
		size, breadth := w, h
		if sideways {
			size, breadth = h, w
		}
		var from, to, start int // the ends of the line to the note, and where the note begins
		if n.After && len(it.loops) == 0 {
			from, to = high, high+p.s.noteRoom()+1
			start = to
			high = to + size - 1
		} else {
			from, to = low, low-p.s.noteRoom()-1
			start = to - size + 1
			low = start
		}
		if sideways {
			p.note(middle-(breadth-1)/2, start, w, h, text)
			p.Vertical(middle, from, to, canvas.Dotted, canvas.Note)
		} else {
			p.note(start, middle-(breadth-1)/2, w, h, text)
			p.Horizontal(from, to, middle, canvas.Dotted, canvas.Note)
		}
	}
}

// note draws a note of w × h cells with its text.
func (p picture) note(x, y, w, h int, text label.Label) {
	p.Box(x, y, w, h, false, canvas.Light, canvas.Note)
	for n, line := range text {
		p.Text(x+2, y+1+n, line, canvas.NoteText)
	}
}
