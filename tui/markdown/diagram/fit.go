package diagram

import (
	"slices"
	"strconv"
)

// paint lays a graph out and paints it, within a width if possible.
func (g *graph) paint(c *canvas, width int) (legend []string, err error) {
	s, err := newSheet(g.withTitleNodes(), none, g.heading)
	if err != nil {
		return nil, err
	}
	if legend, err = s.fit(width, c.ascii); err != nil {
		return nil, err
	}
	picture{canvas: c, s: s}.paint()
	return legend, nil
}

// fit lays a sheet out by the first attempt that is narrow enough, and returns the
// legend of the labels that the attempt shortened. If no attempt is narrow enough,
// fit lays the sheet out for panning.
func (s *sheet) fit(width int, ascii bool) (legend []string, err error) {
	hopeless := map[heading]bool{}
	for n, a := range s.attempts() {
		if _, known := hopeless[a.lead]; !known && n > 0 {
			// Attempts are slow. If the narrowest one does not fit, none does.
			_, fits, err := s.try(attempt{narrowest(), a.lead}, width, ascii)
			if err != nil {
				return nil, err
			}
			hopeless[a.lead] = !fits
		}
		if hopeless[a.lead] {
			continue
		}
		if legend, fits, err := s.try(a, width, ascii); fits || err != nil {
			return legend, err
		}
	}
	_, _, err = s.try(attempt{spacing: panned()}, width, ascii)
	return nil, err
}

// attempt is one way to lay a sheet out.
type attempt struct {
	spacing
	lead heading // the axis along which the sheet leads; unsaid for that of the source
}

// try lays a sheet out and reports whether it is narrow enough.
func (s *sheet) try(a attempt, width int, ascii bool) (legend []string, fits bool, err error) {
	a.ascii = ascii
	if a.short > 0 {
		a.shorten, legend = s.g.abbreviate(a.spacing)
	}
	s.turnTo(a.lead)
	if err := s.place(a.spacing); err != nil {
		return nil, false, err
	}
	w, _ := s.size()
	return legend, width <= 0 || w <= width, nil
}

// attempts returns the ways to fit a width, from the most readable to the narrowest.
// On each level of narrowness, the diagram is also tried on the other axis before
// its labels are broken or shortened more.
func (s *sheet) attempts() []attempt {
	leads := []heading{unsaid}
	for _, lead := range []heading{downwards, rightwards} {
		if s.wouldTurn(lead) {
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

// narrowest returns the spacing that takes the least width.
func narrowest() spacing { return spacing{boxes: 1, lines: 1, short: 5, tight: true} }

// panned returns the spacing for a diagram that does not fit. It cuts no word, and
// leaves little room between boxes, because a person who pans sees only a part.
func panned() spacing { return spacing{boxes: 1, lines: 1, wrap: 10, tight: true} }

// turnTo turns a sheet and the sheets inside it to the axis of a heading. If h is
// unsaid, each leads as its source says.
func (s *sheet) turnTo(h heading) {
	s.heading = s.written
	if h != unsaid && s.written.sideways() != h.sideways() {
		s.heading = h
	}
	for _, it := range s.items {
		if it.inner != nil {
			it.inner.turnTo(h)
		}
	}
}

// wouldTurn reports whether turnTo(h) would change the axis of the sheet or of one
// inside it.
func (s *sheet) wouldTurn(h heading) bool {
	return s.written.sideways() != h.sideways() || slices.ContainsFunc(s.items, func(it item) bool {
		return it.inner != nil && it.inner.wouldTurn(h)
	})
}

// abbreviate finds a short form for each label that is longer than sp.short. Each
// short form stands for one label only. The legend lists them.
func (g *graph) abbreviate(sp spacing) (shorten func(label) label, legend []string) {
	short := map[string]label{}
	used := map[string]bool{}
	tried := map[string]int{} // for each beginning, the last number behind it
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
		for alike := s.String(); used[s.String()]; {
			n := max(tried[alike], 1) + 1
			tried[alike] = n
			s, _ = l.shorten(sp.short, sign+strconv.Itoa(n))
		}
		used[s.String()] = true
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
