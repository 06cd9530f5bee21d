package graph

import (
	"slices"
	"strconv"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/label"
)

// Paint lays a graph out and paints it, within a width in cells if possible; 0 or less
// is no limit. It returns the legend of the labels that it shortened. The error says in
// words for a person why the graph cannot be laid out.
func (g *Graph) Paint(c *canvas.Canvas, width int) (legend []string, err error) {
	s, err := newSheet(g.withTitleNodes(), None, g.Heading)
	if err != nil {
		return nil, err
	}
	if legend, err = s.fit(width, c.ASCII); err != nil {
		return nil, err
	}
	picture{Canvas: c, s: s}.paint()
	return legend, nil
}

// fit lays a sheet out by the first attempt that is narrow enough, and returns the
// legend of the labels that the attempt shortened. If no attempt is narrow enough,
// fit lays the sheet out for panning.
func (s *sheet) fit(width int, ascii bool) (legend []string, err error) {
	hopeless := map[Heading]bool{}
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
	lead Heading // the axis along which the sheet leads; Unsaid for that of the source
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
	leads := []Heading{Unsaid}
	for _, lead := range []Heading{Downwards, Rightwards} {
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
// Unsaid, each leads as its source says.
func (s *sheet) turnTo(h Heading) {
	s.heading = s.written
	if h != Unsaid && s.written.sideways() != h.sideways() {
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
func (s *sheet) wouldTurn(h Heading) bool {
	return s.written.sideways() != h.sideways() || slices.ContainsFunc(s.items, func(it item) bool {
		return it.inner != nil && it.inner.wouldTurn(h)
	})
}

// abbreviate finds a short form for each label that is longer than sp.short. Each
// short form stands for one label only. The legend lists them.
func (g *Graph) abbreviate(sp spacing) (shorten func(label.Label) label.Label, legend []string) {
	short := map[string]label.Label{}
	used := map[string]bool{}
	tried := map[string]int{} // for each beginning, the last number behind it
	sign := label.CutSign(sp.ascii)
	add := func(l label.Label) {
		full := l.String()
		if _, known := short[full]; known {
			return
		}
		s, cut := l.Shorten(sp.short, sign)
		if short[full] = s; !cut {
			return
		}
		for alike := s.String(); used[s.String()]; {
			n := max(tried[alike], 1) + 1
			tried[alike] = n
			s, _ = l.Shorten(sp.short, sign+strconv.Itoa(n))
		}
		used[s.String()] = true
		short[full] = s
		legend = append(legend, s.String()+": "+full)
	}
	for _, n := range g.Nodes {
		if n.Shape.sign() == canvas.NoSign && n.Shape != Bar {
			add(n.Label)
		}
		for _, note := range n.Notes {
			add(note.Label)
		}
	}
	for _, group := range g.Groups {
		add(group.Title)
		for _, note := range group.Notes {
			add(note.Label)
		}
	}
	for _, e := range g.Edges {
		add(e.Label)
	}
	return func(l label.Label) label.Label {
		if s, known := short[l.String()]; known {
			return s
		}
		return l.Wrap(sp.short)
	}, legend
}
