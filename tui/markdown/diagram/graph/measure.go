package graph

import (
	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/label"
)

// measure finds how much room every slot needs, and where lines meet it.
func (s *sheet) measure(sp spacing) {
	for _, labels := range []bool{true, false} { // labels first: the size of a box depends on those next to it
		for i := range s.slots {
			if (s.slots[i].kind == words) == labels {
				s.measureSlot(i, sp)
			}
		}
	}
	s.evenRegions()
}

func (s *sheet) measureSlot(i int, sp spacing) {
	at := &s.slots[i]
	*at = slot{kind: at.kind, item: at.item, link: at.link, frame: at.frame, layer: at.layer, pos: at.pos, up: at.up, down: at.down, ports: at.ports}
	switch {
	case at.kind == words:
		l := &s.links[at.link]
		l.words = sp.edgeLabel(s.g.Edges[l.edge].Label)
		w, h := l.words.Width(), len(l.words)
		if s.heading.sideways() {
			w, h = h, w+2
		}
		at.before, at.after, at.thick = (w-1)/2, w/2, h
	case at.kind == solid && s.items[at.item].border != None:
		step := 2
		if s.heading.sideways() {
			step = 1
		}
		s.placePorts(i, step, sp)
		at.before = s.portReach(i, step, sp)
		at.after = at.before
	case at.kind == solid:
		s.measureBox(i, sp)
	}
}

// label returns a label as it is shown in a box.
func (sp spacing) label(l label.Label) label.Label {
	if sp.shorten != nil {
		return sp.shorten(l)
	}
	return l.Wrap(sp.wrap)
}

// edgeLabel returns a label as it is shown at a line, narrower than in a box.
func (sp spacing) edgeLabel(l label.Label) label.Label {
	if sp.shorten == nil {
		sp.wrap = min(sp.wrap, 20)
	}
	return sp.label(l)
}

// measureBox makes a box large enough for its words and the lines that meet it, and
// its slot large enough for the loops and notes beside it.
func (s *sheet) measureBox(i int, sp spacing) {
	at, it := &s.slots[i], &s.items[s.slots[i].item]
	sideways := s.heading.sideways()
	step := 4
	switch {
	case sideways:
		step = 1
	case sp.tight || len(at.ports[before])+len(at.ports[behind]) > 8:
		step = 2
	}
	s.setOutline(it, sp, s.portReach(i, step, sp))
	f := it.outline
	if most := max(len(at.ports[before]), len(at.ports[behind])); !sideways && most > 1 {
		step = max(step, f.reach(false)*4/3/(most-1)&^1)
	}
	s.placePorts(i, step, sp)
	column, row := f.middle()
	across, middle := f.w, column
	at.boxThick = f.h
	if sideways {
		across, middle, at.boxThick = f.h, row, f.w
	}
	at.before, at.after, at.thick = middle, across-1-middle, at.boxThick
	s.measureLoops(at, it, sp)
	s.measureNotes(at, it, sp)
	at.inset = (at.thick - at.boxThick) / 2
}

// setOutline sets the item's outline to the smallest outline that has room for the item's
// words or inner sheet, and for lines at a distance of reach from its middle.
func (s *sheet) setOutline(it *item, sp spacing, reach int) {
	sideways := s.heading.sideways()
	var shape Shape
	var width, height int // of the words
	switch {
	case it.inner != nil:
		it.outline = it.inner.outside()
		it.words = nil
		width, height = it.outline.w-4, it.outline.h-2
	default:
		n := s.g.Nodes[it.node]
		shape = n.Shape
		it.words = sp.label(n.Label)
		width, height = it.words.Width(), len(it.words)
	}
	if bare := len(it.loops) == 0 && reach == 0; shape.sign() != canvas.NoSign && !bare {
		// One cell has no room for all its lines, so the sign becomes a box.
		it.words = label.Label{shape.sign().Glyph(canvas.Down, sp.ascii)}
		shape, width, height = Rounded, it.words.Width(), 1
	} else if shape == Bar && len(it.loops) > 0 {
		it.words = nil
		shape, width, height = Rectangle, 1, 1
	}
	if shape.sign() != canvas.NoSign {
		w := label.Label{shape.sign().Glyph(canvas.Down, sp.ascii)}.Width()
		it.outline = outline{shape, w, 1}
		return
	}
	if shape == Bar {
		it.words = nil
		it.outline = outline{shape, max(9, 2*reach+3), 1}
		if sideways {
			it.outline = outline{shape, 1, max(5, 2*reach+1)}
		}
		return
	}
	if len(it.loops) > 0 {
		height = max(height, 3)
		if sideways {
			width = max(width, 5)
		}
	}
	for it.outline = outlineFor(shape, width, height); it.outline.reach(sideways) < reach; it.outline = outlineFor(shape, width, height) {
		if sideways {
			height++
		} else {
			width += 2
		}
	}
}

// outside returns the frame around the inside of a group.
func (s *sheet) outside() outline {
	w, h := s.size()
	title := s.titleWidth(s.group)
	return outline{Rectangle, max(w+4, title, 6), max(h, 1) + 2}
}

// size returns how many columns and rows a sheet has on the screen.
func (s *sheet) size() (w, h int) {
	if s.heading.sideways() {
		return s.along, s.across
	}
	return s.across, s.along
}

// loopRoom is how many cells a line from a box to itself leads away from the box.
const loopRoom = 3

// measureLoops makes room for a line from a box to itself, behind the box across. It
// is one line for all loops of the box, with all their labels.
func (s *sheet) measureLoops(at *slot, it *item, sp spacing) {
	if len(it.loops) == 0 {
		return
	}
	said := s.loopWords(it, sp)
	if s.heading.sideways() {
		at.after += loopRoom - 1 + len(said)
		at.makeRoom(said.Width(), it.outline, true)
		return
	}
	at.after += loopRoom
	if len(said) > 0 {
		at.after += said.Width() + 1
		at.makeRoom(len(said), it.outline, false)
	}
}

// loopWords returns the labels of an item's loops, one below the other.
func (s *sheet) loopWords(it *item, sp spacing) label.Label {
	var said label.Label
	for _, e := range it.loops {
		said = append(said, sp.edgeLabel(s.g.Edges[e].Label)...)
	}
	return said
}

// makeRoom makes a slot thick enough for something of the given size that stands
// beside the middle of its box. The box stays in the middle of the slot.
func (at *slot) makeRoom(size int, o outline, sideways bool) {
	middle, row := o.middle() // the column
	if !sideways {
		middle = row
	}
	lack := max((size-1)/2-middle, size/2-(at.boxThick-1-middle))
	at.thick = max(at.thick, at.boxThick+2*lack)
}

// noteRoom returns the length of the line between a box and its note.
func (s *sheet) noteRoom() int {
	if s.heading.sideways() {
		return 1
	}
	return 2
}

// measureNotes makes room for notes, before and behind a box across.
func (s *sheet) measureNotes(at *slot, it *item, sp spacing) {
	for _, n := range s.notesAt(it) {
		text := sp.label(n.Label)
		w, h := text.Width()+4, len(text)+2
		if s.heading.sideways() {
			w, h = h, w
		}
		at.makeRoom(h, it.outline, s.heading.sideways())
		if n.After && len(it.loops) == 0 {
			at.after += s.noteRoom() + w
		} else {
			at.before += s.noteRoom() + w
		}
	}
}

// evenRegions makes the regions of a composite state equally long.
func (s *sheet) evenRegions() {
	longest := 0
	each := func(do func(at *slot, it *item)) {
		for i := range s.slots {
			if at := &s.slots[i]; at.kind == solid {
				if it := &s.items[at.item]; it.inner != nil && s.g.Groups[it.group].Stroke == canvas.Dotted {
					do(at, it)
				}
			}
		}
	}
	each(func(at *slot, _ *item) { longest = max(longest, at.boxThick) })
	each(func(at *slot, it *item) {
		at.boxThick, at.thick = longest, max(at.thick, longest)
		if s.heading.sideways() {
			it.outline.w = longest
		} else {
			it.outline.h = longest
		}
	})
}
