package graph

import (
	"image"

	"planb/tui/markdown/diagram/canvas"
)

// gap is the space before a layer. From the earlier layer on, it has room for the
// heads of lines, for borders of frames that end, for the tracks on which lines run
// across, for borders of frames that begin, and again for heads.
type gap struct {
	exit, closing, tracks, opening, entry int
	runs                                  []run
	start                                 int
}

// metrics holds sizes along, for the parts of a gap.
type metrics struct {
	head   int // a head with the piece of line before it
	stub   int // a line that leaves a box without a head
	track  int // from one track to the next one
	border int // from one border to the next one
	least  int // the least distance between boxes with lines between them
}

func (s *sheet) metrics(sp spacing) metrics {
	switch {
	case !s.heading.sideways():
		return metrics{head: 1, stub: 0, track: 1, border: 1, least: 2}
	case sp.tight:
		return metrics{head: 1, stub: 0, track: 1, border: 2, least: 3}
	}
	return metrics{head: 2, stub: 1, track: 2, border: 2, least: 4}
}

// route finds the place of everything along, and the paths of all lines.
func (s *sheet) route(sp spacing) error {
	m := s.metrics(sp)
	s.gaps = make([]gap, len(s.layers)+1)
	for i := range s.gaps {
		s.measureGap(i, m)
	}
	extra := make([]int, len(s.layers))
	for range len(s.frames) + 1 {
		s.lineUp(extra, m)
		if !s.lengthen(extra) {
			break
		}
	}
	for i := range s.segs {
		if !s.segs[i].hidden {
			s.segs[i].path = s.pathOf(i)
		}
	}
	return nil
}

// measureGap finds the sizes and tracks of the gap before a layer.
func (s *sheet) measureGap(i int, m metrics) {
	g := &s.gaps[i]
	for _, f := range s.frames {
		if f.last == i-1 {
			g.closing = max(g.closing, (f.outerLast+1)*m.border)
		}
		if f.first == i {
			g.opening = max(g.opening, (f.outerFirst+1)*m.border)
		}
	}
	if i == 0 || i == len(s.layers) {
		return
	}
	before, after, drawn, boxes := 0, 0, false, false
	for _, a := range s.layers[i-1] {
		for _, e := range s.slots[a].down {
			if s.segs[e].hidden {
				continue
			}
			drawn = true
			from, to := s.netKeys(e)
			g.exit = max(g.exit, m.stub)
			switch outside := s.isBorder(a); {
			case from.sign != canvas.NoSign && outside:
				before = m.head
			case from.sign != canvas.NoSign:
				g.exit = max(g.exit, m.head)
			}
			b := s.segs[e].b
			switch outside := s.isBorder(b); {
			case outside:
				after = m.head
			case s.slots[b].kind == solid && (to.sign != canvas.NoSign || s.heading.sideways()):
				g.entry, boxes = max(g.entry, m.head), true
			case s.slots[b].kind == solid:
				boxes = true
			case s.slots[b].kind == words:
				g.entry = max(g.entry, m.stub)
			}
		}
	}
	g.runs = s.runs(i)
	tracks := s.assignTracks(g.runs)
	if tracks > 0 && s.heading.sideways() {
		// Keep the vertical pieces of lines away from borders.
		before += min(g.closing, 1)
		after += min(g.opening, 1)
	}
	g.tracks = before + after + max(0, tracks*m.track-(m.track-1))
	least := 1
	switch {
	case drawn && boxes:
		least = m.head + 1
		if boxes, _ := s.kindsIn(i - 1); boxes {
			least = m.least
		}
	case drawn || s.heading.sideways():
		least = min(2, m.least-1)
		if !s.heading.sideways() {
			least = 1
		}
	}
	if drawn && g.tracks == 0 && g.opening+g.closing > 0 {
		g.tracks = 1 // so that a piece of the line is visible before the border
	}
	if lack := least - (g.exit + g.closing + g.tracks + g.opening + g.entry); lack > 0 {
		g.tracks += lack
	}
	for n := range g.runs {
		g.runs[n].offset = before + g.runs[n].level*m.track
	}
}

// kindsIn reports whether a layer has boxes, and whether it has labels.
func (s *sheet) kindsIn(layer int) (boxes, labels bool) {
	for _, i := range s.layers[layer] {
		boxes = boxes || s.slots[i].kind == solid
		labels = labels || s.slots[i].kind == words
	}
	return boxes, labels
}

// isBorder reports whether a slot stands for the border of a frame.
func (s *sheet) isBorder(i int) bool {
	return s.slots[i].kind == solid && s.items[s.slots[i].item].border != None
}

// lineUp places gaps and layers one behind the other, with extra room behind layers.
func (s *sheet) lineUp(extra []int, m metrics) {
	r := 0
	for i := range s.gaps {
		g := &s.gaps[i]
		g.start = r
		r += g.exit + g.closing + g.tracks + g.opening + g.entry
		for f := range s.frames {
			at := &s.frames[f]
			if at.last == i-1 {
				at.end = g.start + g.exit + g.closing - 1 - at.outerLast*m.border
			}
			if at.first == i {
				at.start = r - g.entry - g.opening + at.outerFirst*m.border
			}
		}
		if i == len(s.layers) {
			break
		}
		thick := 0
		for _, n := range s.layers[i] {
			thick = max(thick, s.slots[n].thick)
		}
		for _, n := range s.layers[i] {
			at := &s.slots[n]
			at.start = r
			if !s.heading.sideways() || at.kind == words {
				at.start += (thick - at.thick) / 2
			}
		}
		r += thick + extra[i]
	}
	s.along = r
}

// lengthen adds extra room to a frame that leads sideways and is too short for its
// title. It reports whether it did.
func (s *sheet) lengthen(extra []int) bool {
	if !s.heading.sideways() {
		return false
	}
	for _, f := range s.frames {
		if lack := s.titleWidth(f.group) - (f.end - f.start + 1); lack > 0 {
			extra[f.last] += lack
			return true
		}
	}
	return false
}

// pathOf returns the path of a segment. In its points, x is across and y is along.
func (s *sheet) pathOf(i int) []image.Point {
	e := s.segs[i]
	from := image.Point{s.slots[e.a].middle + e.aOffset, s.edgeOf(e.a, behind, e.aOffset)}
	to := image.Point{s.slots[e.b].middle + e.bOffset, s.edgeOf(e.b, before, e.bOffset)}
	g := s.gaps[s.slots[e.b].layer]
	path := []image.Point{from}
	for _, r := range g.runs {
		if r.net != e.net || r.low == r.high {
			continue
		}
		track := g.start + g.exit + g.closing + r.offset
		in, out := from.X, to.X
		if r.half == upperHalf {
			out = r.turn
		}
		if r.half == lowerHalf {
			in = r.turn
		}
		path = append(path, image.Point{in, track}, image.Point{out, track})
	}
	return append(path, to)
}

// edgeOf returns where, along, a line begins or ends at one side of a slot.
func (s *sheet) edgeOf(i, side, offset int) int {
	at := s.slots[i]
	if at.kind != solid {
		return at.start
	}
	it := s.items[at.item]
	if it.border != None {
		if side == before {
			return s.frames[it.border].start
		}
		return s.frames[it.border].end
	}
	inset := it.outline.inset(s.sideOf(side), s.alongSide(it.outline, offset))
	if side == before {
		return at.start + at.inset + inset
	}
	return at.start + at.inset + at.boxThick - 1 - inset
}

// sideOf returns the side on the screen for a side in the layout.
func (s *sheet) sideOf(side int) canvas.Direction {
	d := canvas.Up // before a layer, if the sheet leads downwards
	switch s.heading {
	case Upwards:
		d = canvas.Down
	case Rightwards:
		d = canvas.Left
	case Leftwards:
		d = canvas.Right
	}
	if side == behind {
		d = d.Opposite()
	}
	return d
}

// alongSide returns the row or column of an outline at a distance from its middle.
func (s *sheet) alongSide(o outline, offset int) int {
	column, row := o.middle()
	if s.heading.sideways() {
		return row + offset
	}
	return column + offset
}
