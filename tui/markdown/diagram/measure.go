package diagram

// measure finds how much room a slot needs, and where the lines meet it.
func (s *sheet) measure(i int, sp spacing) {
	at := &s.slots[i]
	*at = slot{kind: at.kind, item: at.item, link: at.link, frame: at.frame, layer: at.layer, pos: at.pos, up: at.up, down: at.down, ports: at.ports}
	switch {
	case at.kind == words:
		l := &s.links[at.link]
		l.words = sp.label(s.g.edges[l.edge].label)
		w, h := l.words.width(), len(l.words)
		if s.heading.sideways() {
			w, h = h, w+2
		}
		at.before, at.after, at.thick = (w-1)/2, w/2, h
	case at.kind == solid && s.items[at.item].border == none:
		s.measureBox(i, sp)
	}
}

// label is how a label is shown.
func (sp spacing) label(l label) label {
	if sp.shorten != nil {
		return sp.shorten(l)
	}
	return l.wrap(sp.wrap)
}

// measureBox makes a box large enough for its words, the lines that meet it, and
// what hangs at its side.
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
	s.placePorts(i, step)
	s.outline(it, sp, s.portReach(i, step))
	f := it.outline
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
	if f.shape.sign() != noMark {
		for _, e := range at.up {
			s.segs[e].bo = 0
		}
		for _, e := range at.down {
			s.segs[e].ao = 0
		}
	}
}

// outline is the least frame in which everything finds room.
func (s *sheet) outline(it *item, sp spacing, reach int) {
	sideways := s.heading.sideways()
	var shape shape
	var width, height int // of the words
	switch {
	case it.inner != nil:
		it.outline = it.inner.outside()
		it.words = nil
		width, height = it.outline.w-4, it.outline.h-2
	default:
		n := s.g.nodes[it.node]
		shape = n.shape
		it.words = sp.label(n.label)
		width, height = it.words.width(), len(it.words)
	}
	if shape.sign() != noMark {
		w := label{shape.sign().glyph(down, sp.ascii)}.width()
		it.outline = frame{shape, w, 1}
		return
	}
	if shape == bar {
		it.words = nil
		it.outline = frame{shape, max(5, 2*reach+3), 1}
		if sideways {
			it.outline = frame{shape, 1, max(3, 2*reach+1)}
		}
		return
	}
	if len(it.loops) > 0 {
		height = max(height, 3)
		if sideways {
			width = max(width, 5)
		}
	}
	for it.outline = frameFor(shape, width, height); it.outline.reach(sideways) < reach; it.outline = frameFor(shape, width, height) {
		if sideways {
			height++
		} else {
			width++
		}
	}
}

// outside is the frame around the inside of a group.
func (s *sheet) outside() frame {
	w, h := s.size()
	title := s.titleWidth(s.group)
	return frame{rectangle, max(w+4, title, 6), max(h, 1) + 2}
}

// size is how many columns and rows a sheet has.
func (s *sheet) size() (w, h int) {
	if s.heading.sideways() {
		return s.along, s.across
	}
	return s.across, s.along
}

// loopRoom is how far a line from a box to itself leads away from it.
const loopRoom = 3

// measureLoops makes room for a line from a box to itself, behind it across.
// Several of them are drawn as one with all their labels.
func (s *sheet) measureLoops(at *slot, it *item, sp spacing) {
	if len(it.loops) == 0 {
		return
	}
	said := s.loopWords(it, sp)
	if s.heading.sideways() {
		at.after += loopRoom - 1 + len(said)
		at.thick = max(at.thick, said.width())
		return
	}
	at.after += loopRoom
	if len(said) > 0 {
		at.after += said.width() + 1
		at.thick = max(at.thick, len(said))
	}
}

func (s *sheet) loopWords(it *item, sp spacing) label {
	var said label
	for _, e := range it.loops {
		said = append(said, sp.label(s.g.edges[e].label)...)
	}
	return said
}

// noteRoom is how long the line is that ties a note to its box.
func (s *sheet) noteRoom() int {
	if s.heading.sideways() {
		return 1
	}
	return 2
}

// measureNotes makes room for notes, before and behind a box across.
func (s *sheet) measureNotes(at *slot, it *item, sp spacing) {
	if it.node == none {
		return
	}
	for _, n := range s.g.nodes[it.node].notes {
		text := sp.label(n.label)
		w, h := text.width()+4, len(text)+2
		if s.heading.sideways() {
			w, h = h, w
		}
		if n.after && len(it.loops) == 0 {
			at.after += s.noteRoom() + w
		} else {
			at.before += s.noteRoom() + w
		}
		at.thick = max(at.thick, h)
	}
}
