package diagram

import "slices"

// spacing is how much room a layout leaves, in cells, and how it writes labels.
type spacing struct {
	boxes int // between boxes of a layer
	lines int // between a line and what is next to it in a layer
	tight bool
	wrap  int // how wide a label may be; 0 for any width
	short int // to how many cells labels are shortened; 0 for not at all
	ascii bool
	// shorten is how a label is shown; without it, wrapped.
	shorten func(l label) label
}

// place finds where everything is across. Boxes are as large as their labels
// and the lines that meet them need; a line that passes several layers is as
// straight as what it passes allows.
func (s *sheet) place(sp spacing) error {
	s.sp = sp
	for i := range s.items {
		if inner := s.items[i].inner; inner != nil {
			if err := inner.place(sp); err != nil {
				return err
			}
		}
	}
	s.measure(sp)
	p := placing{s: s, sp: s.turned(sp)}
	if err := p.solve(); err != nil {
		return err
	}
	return s.route(sp)
}

// turned is the spacing in the direction of the sheet: rows need less room than
// columns.
func (s *sheet) turned(sp spacing) spacing {
	if s.heading.sideways() {
		sp.boxes, sp.lines = 1, 1
	}
	return sp
}

// placing are the variables of the places across: one for each box, one for each
// line that passes layers (or one for each of its bends, where lines twist), and
// two for each frame.
type placing struct {
	s      *sheet
	sp     spacing
	of     []int // the variable of each slot
	frames int   // the first variable of the frames
	count  int
	arcs   []arc
	broken []bool // whether a link has a variable for each of its bends
}

func (p *placing) solve() error {
	s := p.s
	p.broken = make([]bool, len(s.links))
	for {
		p.name()
		p.separate()
		twisted, ordered := p.twisted()
		if ordered {
			break
		}
		if len(twisted) == 0 {
			return errTangled
		}
		for _, l := range twisted {
			p.broken[l] = true
		}
	}
	apart := slices.Clone(p.arcs)
	p.pull()
	values, ok := minimize(p.count, p.arcs, true)
	if !ok {
		return errTangled
	}
	p.relax(values, apart)
	for i := range s.slots {
		s.slots[i].o = values[p.of[i]]
	}
	for f := range s.frames {
		s.frames[f].low, s.frames[f].high = values[p.frames+2*f], values[p.frames+2*f+1]
	}
	s.shift()
	s.straighten()
	return nil
}

// name gives every slot its variable.
func (p *placing) name() {
	p.of = make([]int, len(p.s.slots))
	p.count = 0
	ofLink := make([]int, len(p.s.links))
	for i := range ofLink {
		ofLink[i] = none
	}
	for i, at := range p.s.slots {
		passing := at.kind == bend || at.kind == words
		if passing && !p.broken[at.link] && ofLink[at.link] != none {
			p.of[i] = ofLink[at.link]
			continue
		}
		p.of[i] = p.count
		if passing {
			ofLink[at.link] = p.count
		}
		p.count++
	}
	p.frames = p.count
	p.count += 2 * len(p.s.frames)
}

// separate keeps what is in a layer apart, in its order, and frames around what
// they hold.
func (p *placing) separate() {
	s := p.s
	p.arcs = p.arcs[:0]
	for _, layer := range s.layers {
		for n, i := range layer {
			if n == 0 {
				p.enter(none, i)
				continue
			}
			p.apart(layer[n-1], i)
		}
		if len(layer) > 0 {
			p.leave(layer[len(layer)-1], none)
		}
	}
	for f := range s.frames {
		p.arcs = append(p.arcs, arc{p.frames + 2*f, p.frames + 2*f + 1, s.titleRoom(f), 1})
	}
}

// titleRoom is how far the borders across of a frame must be from each other.
func (s *sheet) titleRoom(f int) int {
	if s.heading.sideways() {
		return 2
	}
	return s.titleWidth(s.frames[f].group) - 1
}

// titleWidth is how wide a group's frame is at least.
func (s *sheet) titleWidth(group int) int {
	if title := s.title(group); title != "" {
		return label{title}.width() + 6
	}
	return 4
}

// title is what is shown of a group's title: one line.
func (s *sheet) title(group int) string {
	full := label{s.g.groups[group].title.String()}
	if s.sp.shorten != nil {
		full = s.sp.shorten(full)
	}
	return full.String()
}

// pad is the distance of a frame's border to what is next to it across.
func (p *placing) pad() int {
	if p.s.heading.sideways() {
		return 1
	}
	return 2
}

// apart keeps two neighbours apart, with the borders of frames between them.
func (p *placing) apart(i, j int) {
	s := p.s
	common := s.slots[i].frame
	for !s.frameWithin(s.slots[j].frame, common) {
		common = s.frames[common].parent
	}
	last, after := p.leave(i, common)
	first, ahead := p.enter(common, j)
	room := p.sp.boxes
	if s.slots[i].kind != solid || s.slots[j].kind != solid {
		room = p.sp.lines
	}
	if last != p.of[i] && first != p.of[j] {
		room = 1 // two frames
	}
	p.arcs = append(p.arcs, arc{last, first, after + room + 1 + ahead, 0})
}

// leave closes the frames around a slot that are inside of another one, and gives
// back the last variable and how much room it needs behind itself.
func (p *placing) leave(i, outer int) (variable, room int) {
	s := p.s
	variable, room = p.of[i], s.slots[i].after
	for f := s.slots[i].frame; f != outer; f = s.frames[f].parent {
		high := p.frames + 2*f + 1
		p.arcs = append(p.arcs, arc{variable, high, room + p.pad(), 0})
		variable, room = high, 0
	}
	return variable, room
}

// enter is leave for the other side.
func (p *placing) enter(outer, i int) (variable, room int) {
	s := p.s
	variable, room = p.of[i], s.slots[i].before
	for f := s.slots[i].frame; f != outer; f = s.frames[f].parent {
		low := p.frames + 2*f
		p.arcs = append(p.arcs, arc{low, variable, room + p.pad(), 0})
		variable, room = low, 0
	}
	return variable, room
}

// twisted are links whose variables cannot be kept in order: what is left when
// everything that can be ordered is taken away from both ends.
func (p *placing) twisted() (links []int, ordered bool) {
	left := p.unordered(false)
	if slices.Max(append(left, 0)) == 0 {
		return nil, true
	}
	right := p.unordered(true)
	for i, at := range p.s.slots {
		v := p.of[i]
		if (at.kind == bend || at.kind == words) && left[v] > 0 && right[v] > 0 && !p.broken[at.link] {
			links = append(links, at.link)
		}
	}
	return links, false
}

// unordered counts, for every variable, the arcs to it that come from a circle.
func (p *placing) unordered(backwards bool) []int {
	open := make([]int, p.count)
	out := make([][]int, p.count)
	for _, a := range p.arcs {
		if backwards {
			a.from, a.to = a.to, a.from
		}
		open[a.to]++
		out[a.from] = append(out[a.from], a.to)
	}
	var queue []int
	for v, n := range open {
		if n == 0 {
			queue = append(queue, v)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, w := range out[queue[0]] {
			if open[w]--; open[w] == 0 {
				queue = append(queue, w)
			}
		}
	}
	return open
}

// pull makes segments cost what they are askew.
func (p *placing) pull() {
	for _, e := range p.s.segs {
		if a, b := p.of[e.a], p.of[e.b]; a != b {
			cost := p.cost(e)
			p.arcs = append(p.arcs, arc{p.count, a, -e.ao, cost}, arc{p.count, b, -e.bo, cost})
			p.count++
		}
	}
}

// cost is what a segment costs for each cell that it is askew: more in long lines.
func (p *placing) cost(e seg) int {
	s := p.s
	if e.hidden {
		return 2
	}
	cost := 8
	switch passing := s.slots[e.a].kind != solid; {
	case passing && s.slots[e.b].kind != solid:
		cost = 64
	case passing:
		cost = 16
	case s.slots[e.b].kind != solid:
		cost = 15 // so that a line has one bend at its beginning, not two
	}
	if len(s.netSegs[e.net]) > 1 {
		cost /= 2 // it branches in any case
	}
	return cost
}

// shift moves everything so that the first cell across is 0.
func (s *sheet) shift() {
	low, high := 0, 0
	for n, at := range s.slots {
		if n == 0 {
			low, high = at.o-at.before, at.o+at.after
		}
		low, high = min(low, at.o-at.before), max(high, at.o+at.after)
	}
	for _, f := range s.frames {
		low, high = min(low, f.low), max(high, f.high)
	}
	for i := range s.slots {
		s.slots[i].o -= low
	}
	for f := range s.frames {
		s.frames[f].low -= low
		s.frames[f].high -= low
	}
	s.across = high - low + 1
	if len(s.slots) == 0 {
		s.across = 0
	}
}
