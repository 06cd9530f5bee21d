package diagram

import (
	"errors"
	"strconv"
)

// drawGraph lays a graph out so that it fits a width, if it can.
func drawGraph(g *graph, o Options) (Drawing, error) {
	s, err := newSheet(g, none, g.heading)
	if err != nil {
		return Drawing{}, g.unsupported(err)
	}
	attempts := spacings(o)
	if o.Width > 0 && s.places() > manySlots {
		fits, err := s.fitsNarrowest(o, attempts[len(attempts)-1])
		if err != nil {
			return Drawing{}, g.unsupported(err)
		}
		if !fits {
			attempts = nil
		}
	}
	for _, sp := range attempts {
		var legend []string
		if sp.short > 0 {
			sp.shorten, legend = g.abbreviate(sp)
			if len(legend) == 0 {
				continue
			}
		}
		if err := s.place(sp); err != nil {
			return Drawing{}, g.unsupported(err)
		}
		if w, _ := s.size(); o.Width <= 0 || w <= o.Width {
			return s.draw(legend)
		}
	}
	if err := s.place(fallback(o)); err != nil {
		return Drawing{}, g.unsupported(err)
	}
	return s.draw(nil)
}

// manySlots is from how many places on an attempt takes so long that the narrowest
// is tried first: if that does not fit, none is likely to.
const manySlots = 800

// places are the slots of a sheet and those inside of it.
func (s *sheet) places() int {
	n := len(s.slots)
	for _, it := range s.items {
		if it.inner != nil {
			n += it.inner.places()
		}
	}
	return n
}

func (s *sheet) fitsNarrowest(o Options, sp spacing) (bool, error) {
	sp.shorten, _ = s.g.abbreviate(sp)
	if err := s.place(sp); err != nil {
		return false, err
	}
	w, _ := s.size()
	return w <= o.Width, nil
}

// spacings are the attempts to fit a width, from the most pleasant to the
// narrowest one.
func spacings(o Options) []spacing {
	all := []spacing{
		{boxes: 3, lines: 2, wrap: 28},
		{boxes: 3, lines: 2, wrap: 20},
		{boxes: 2, lines: 1, wrap: 20, tight: true},
		{boxes: 2, lines: 1, wrap: 14, tight: true},
		{boxes: 1, lines: 1, wrap: 8, tight: true},
		{boxes: 1, lines: 1, short: 12, tight: true},
		{boxes: 1, lines: 1, short: 9, tight: true},
		{boxes: 1, lines: 1, short: 7, tight: true},
		{boxes: 1, lines: 1, short: 5, tight: true},
	}
	for i := range all {
		all[i].ascii = o.ASCII
	}
	return all
}

// fallback is how a diagram is drawn that fits no other way.
func fallback(o Options) spacing {
	return spacing{boxes: 2, lines: 1, wrap: 24, tight: true, ascii: o.ASCII}
}

func (s *sheet) draw(legend []string) (Drawing, error) {
	c := newCanvas(s.sp.ascii)
	picture{canvas: c, s: s}.paint()
	d, err := c.finish()
	if err != nil {
		return Drawing{}, s.g.unsupported(err)
	}
	d.Legend = legend
	return d.titled(s.g.title), nil
}

// unsupported makes an error one that says what kind of diagram it is about.
func (g *graph) unsupported(err error) error {
	var u *UnsupportedError
	if errors.As(err, &u) {
		return &UnsupportedError{Kind: g.kind, Line: u.Line, Why: u.Why}
	}
	return &UnsupportedError{Kind: g.kind, Why: err.Error()}
}

// abbreviate finds short forms, each for one label only, for what is longer than
// that, and lists them.
func (g *graph) abbreviate(sp spacing) (shorten func(label) label, legend []string) {
	short := map[string]label{}
	taken := map[string]bool{}
	tried := map[string]int{} // the last number of those that begin alike
	sign := cutSign(sp.ascii)
	add := func(l label) {
		full := l.String()
		if _, known := short[full]; known {
			return
		}
		s, cut := l.shorten(sp.short, sign)
		if short[full] = s; !cut {
			return
		}
		for alike := s.String(); taken[s.String()]; {
			n := max(tried[alike], 1) + 1
			tried[alike] = n
			s, _ = l.shorten(sp.short, sign+strconv.Itoa(n))
		}
		taken[s.String()] = true
		short[full] = s
		legend = append(legend, s.String()+": "+full)
	}
	for _, n := range g.nodes {
		if n.shape.sign() == noMark && n.shape != bar {
			add(n.label)
		}
		for _, note := range n.notes {
			add(note.label)
		}
	}
	for _, group := range g.groups {
		add(group.title)
		for _, note := range group.notes {
			add(note.label)
		}
	}
	for _, e := range g.edges {
		add(e.label)
	}
	return func(l label) label {
		if s, known := short[l.String()]; known {
			return s
		}
		return l.wrap(sp.short)
	}, legend
}

// cutSign stands for what is cut from a label.
func cutSign(ascii bool) string { return pick(ascii, "~", "…") }
