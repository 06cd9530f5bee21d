package graph

import (
	"slices"

	"planb/tui/markdown/diagram/graph/simplex"
	"planb/tui/markdown/diagram/label"
)

// spacing says how much room a layout leaves, in cells, and how it writes labels.
type spacing struct {
	boxes int // between two boxes of a layer
	lines int // between a line and its neighbour in a layer
	tight bool
	wrap  int // the width at which labels wrap; 0 for no limit
	short int // the width to which labels are shortened; 0 if they are not
	ascii bool
	// shorten returns a label as it is shown. If it is nil, labels wrap at wrap.
	shorten func(l label.Label) label.Label
}

// place finds the place of everything across, and then the lines. Boxes are as large
// as their labels and lines need. A line that passes several layers is as straight as
// its neighbours allow.
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

// turned returns the spacing for the heading of the sheet: rows need less room
// between them than columns.
func (s *sheet) turned(sp spacing) spacing {
	if s.heading.sideways() {
		sp.boxes, sp.lines = 1, 1
	}
	return sp
}

// placing holds the variables for the places across: one for each box, one for each
// line that passes layers, and two for each frame. A line that twists around others
// has a variable for each of its bends.
type placing struct {
	s      *sheet
	sp     spacing
	of     []int // the variable of each slot
	frames int   // the first variable of the frames
	count  int   // of variables
	arcs   []simplex.Arc
	broken []bool // whether a link has a variable for each of its bends
}

// solve finds the values of the variables and sets the places of slots and frames. The
// error is errTangled if there are none.
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
	separations := slices.Clone(p.arcs)
	p.addCosts()
	values, ok := simplex.Minimize(p.count, p.arcs, true)
	if !ok {
		return errTangled
	}
	p.relax(values, separations)
	for i := range s.slots {
		s.slots[i].middle = values[p.of[i]]
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
		ofLink[i] = None
	}
	for i, at := range p.s.slots {
		passing := at.kind == bend || at.kind == words
		if passing && !p.broken[at.link] && ofLink[at.link] != None {
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

// separate adds the arcs that keep the slots of a layer apart and in order, and the
// frames around their contents.
func (p *placing) separate() {
	s := p.s
	p.arcs = p.arcs[:0]
	for _, layer := range s.layers {
		for n, i := range layer {
			if n == 0 {
				p.enter(None, i)
				continue
			}
			p.separatePair(layer[n-1], i)
		}
		if len(layer) > 0 {
			p.leave(layer[len(layer)-1], None)
		}
	}
	for f := range s.frames {
		p.arcs = append(p.arcs, simplex.Arc{From: p.frames + 2*f, To: p.frames + 2*f + 1, Least: s.titleRoom(f), Cost: 1})
	}
}

// titleRoom returns the least distance between the two borders of a frame across.
func (s *sheet) titleRoom(f int) int {
	if s.heading.sideways() {
		return 2
	}
	return s.titleWidth(s.frames[f].group) - 1
}

// titleWidth returns the least width of a group's frame on the screen.
func (s *sheet) titleWidth(group int) int {
	if title := s.title(group); title != "" {
		return label.Label{title}.Width() + 6
	}
	return 4
}

// title returns a group's title as it is shown, in one line.
func (s *sheet) title(group int) string {
	full := label.Label{s.g.Groups[group].Title.String()}
	if s.sp.shorten != nil {
		full = s.sp.shorten(full)
	}
	return full.String()
}

// pad returns the distance between a frame's border and its contents across.
func (p *placing) pad() int {
	if p.s.heading.sideways() {
		return 1
	}
	return 2
}

// separatePair adds the arcs that keep two neighbours and the borders between them
// apart.
func (p *placing) separatePair(i, j int) {
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
		room = 1 // between the borders of two frames
	}
	p.arcs = append(p.arcs, simplex.Arc{From: last, To: first, Least: after + room + 1 + ahead})
}

// leave adds the arcs from a slot to the far borders of its frames, up to but without
// outer. It returns the variable of the last border, and how much room that needs
// behind itself.
func (p *placing) leave(i, outer int) (variable, room int) {
	s := p.s
	variable, room = p.of[i], s.slots[i].after
	for f := s.slots[i].frame; f != outer; f = s.frames[f].parent {
		high := p.frames + 2*f + 1
		p.arcs = append(p.arcs, simplex.Arc{From: variable, To: high, Least: room + p.pad()})
		variable, room = high, 0
	}
	return variable, room
}

// enter does the same as leave on the other side, for the near borders.
func (p *placing) enter(outer, i int) (variable, room int) {
	s := p.s
	variable, room = p.of[i], s.slots[i].before
	for f := s.slots[i].frame; f != outer; f = s.frames[f].parent {
		low := p.frames + 2*f
		p.arcs = append(p.arcs, simplex.Arc{From: low, To: variable, Least: room + p.pad()})
		variable, room = low, 0
	}
	return variable, room
}

// twisted returns the links whose variables cannot be kept in order: those that remain
// after sorting the variables topologically from both ends. ordered is true if all
// variables can be sorted.
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

// unordered sorts the variables topologically. It returns how many incoming arcs of
// each variable remain; more than 0 means that the variable is in or behind a cycle.
func (p *placing) unordered(backwards bool) []int {
	open := make([]int, p.count)
	out := make([][]int, p.count)
	for _, a := range p.arcs {
		if backwards {
			a.From, a.To = a.To, a.From
		}
		open[a.To]++
		out[a.From] = append(out[a.From], a.To)
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

// addCosts adds, for each segment, a cost for every cell by which it is not straight.
func (p *placing) addCosts() {
	for _, e := range p.s.segs {
		if a, b := p.of[e.a], p.of[e.b]; a != b {
			cost := p.cost(e)
			p.arcs = append(p.arcs, simplex.Arc{From: p.count, To: a, Least: -e.aOffset, Cost: cost}, simplex.Arc{From: p.count, To: b, Least: -e.bOffset, Cost: cost})
			p.count++
		}
	}
}

// cost returns the cost of a segment for every cell by which it is not straight. It is
// higher in long lines.
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
		cost = 15 // less than 16, so that a line has one bend at its beginning, not two
	}
	if len(s.netSegs[e.net]) > 1 {
		cost /= 2 // a net that branches bends anyway
	}
	return cost
}

// shift moves everything across so that the first cell is 0, and sets the size across.
func (s *sheet) shift() {
	low, high := 0, 0
	for n, at := range s.slots {
		if n == 0 {
			low, high = at.middle-at.before, at.middle+at.after
		}
		low, high = min(low, at.middle-at.before), max(high, at.middle+at.after)
	}
	for _, f := range s.frames {
		low, high = min(low, f.low), max(high, f.high)
	}
	for i := range s.slots {
		s.slots[i].middle -= low
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
