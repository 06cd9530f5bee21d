package diagram

import (
	"errors"
	"slices"
	"strconv"
)

// drawGraph draws a graph so that it fits a width, if it can.
func drawGraph(g *graph, o Options) (Drawing, error) {
	s, err := newSheet(g, none, g.heading)
	if err != nil {
		return Drawing{}, g.unsupported(err)
	}
	legend, err := s.fit(o)
	if err != nil {
		return Drawing{}, g.unsupported(err)
	}
	c := newCanvas(o.ASCII)
	picture{canvas: c, s: s}.paint()
	d, err := c.finish()
	if err != nil {
		return Drawing{}, g.unsupported(err)
	}
	d.Legend = legend
	return d.titled(g.title), nil
}

// fit lays a sheet out in the first way that is narrow enough, and gives back what
// labels it shortened for that. If there is none, it is as wide as it has to be.
func (s *sheet) fit(o Options) (legend []string, err error) {
	hopeless := map[heading]bool{}
	for n, a := range s.attempts() {
		if _, known := hopeless[a.lead]; !known && n > 0 {
			// An attempt takes its time, and where the narrowest does not fit, none does.
			_, fits, err := s.try(attempt{narrowest(), a.lead}, o)
			if err != nil {
				return nil, err
			}
			hopeless[a.lead] = !fits
		}
		if hopeless[a.lead] {
			continue
		}
		if legend, fits, err := s.try(a, o); fits || err != nil {
			return legend, err
		}
	}
	_, _, err = s.try(attempt{spacing: panned()}, o)
	return nil, err
}

// attempt is one way to lay a sheet out.
type attempt struct {
	spacing
	lead heading // the axis along which it leads; unsaid for what the source says
}

// try lays a sheet out, and reports whether it is narrow enough.
func (s *sheet) try(a attempt, o Options) (legend []string, fits bool, err error) {
	a.ascii = o.ASCII
	if a.short > 0 {
		a.shorten, legend = s.g.abbreviate(a.spacing)
	}
	s.lead(a.lead)
	if err := s.place(a.spacing); err != nil {
		return nil, false, err
	}
	w, _ := s.size()
	return legend, o.Width <= 0 || w <= o.Width, nil
}

// attempts are the ways to fit a width, from the most pleasant to the narrowest
// one. Before labels are broken much, and again before they are shortened, the
// diagram is turned to the other axis.
func (s *sheet) attempts() []attempt {
	leads := []heading{unsaid}
	for _, lead := range []heading{downwards, rightwards} {
		if s.turns(lead) {
			leads = append(leads, lead)
		}
	}
	var all []attempt
	for _, level := range [][]spacing{
		{
			{boxes: 3, lines: 2, wrap: 28},
			{boxes: 3, lines: 2, wrap: 20},
			{boxes: 2, lines: 1, wrap: 20, tight: true},
			{boxes: 2, lines: 1, wrap: 14, tight: true},
		},
		{{boxes: 1, lines: 1, wrap: 8, tight: true}},
		{
			{boxes: 1, lines: 1, short: 12, tight: true},
			{boxes: 1, lines: 1, short: 9, tight: true},
		},
		{
			{boxes: 1, lines: 1, short: 7, tight: true},
			narrowest(),
		},
	} {
		for _, lead := range leads {
			for _, sp := range level {
				all = append(all, attempt{sp, lead})
			}
		}
	}
	return all
}

// narrowest is the spacing that takes the least width.
func narrowest() spacing { return spacing{boxes: 1, lines: 1, short: 5, tight: true} }

// panned is the spacing of what fits in no way: no word is cut, and little room is
// left between boxes, because who pans sees a part only.
func panned() spacing { return spacing{boxes: 1, lines: 1, wrap: 10, tight: true} }

// lead makes a sheet and those inside of it lead along the axis of a heading, or,
// where that is unsaid, as the source says.
func (s *sheet) lead(h heading) {
	s.heading = s.written
	if h != unsaid && s.written.sideways() != h.sideways() {
		s.heading = h
	}
	for _, it := range s.items {
		if it.inner != nil {
			it.inner.lead(h)
		}
	}
}

// turns reports whether a sheet or one inside of it would be turned to lead along
// the axis of a heading.
func (s *sheet) turns(h heading) bool {
	return s.written.sideways() != h.sideways() || slices.ContainsFunc(s.items, func(it item) bool {
		return it.inner != nil && it.inner.turns(h)
	})
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
