package graph

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/label"
)

// randomGraph returns a graph and its words. Each word stands for one part of the graph.
// Some lines lead to groups.
func randomGraph(t *rapid.T, h Heading) (g *Graph, said []string) {
	g = &Graph{Heading: h}
	say := func(format string, i int) label.Label {
		word := fmt.Sprintf(format, i)
		said = append(said, word)
		return label.Label{word}
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "groups") {
		g.Groups = append(g.Groups, Group{Name: fmt.Sprintf("g%d", i), Title: say("title%dg", i), Parent: i - 1, Stroke: canvas.Light})
	}
	in := len(g.Groups) - 1
	shapes := []Shape{Rectangle, Rounded, Stadium, Subroutine, Cylinder, Circle, Diamond, Hexagon, Flag, LeanRight, TrapezoidDown}
	for i := range rapid.IntRange(1, 12).Draw(t, "boxes") {
		g.Nodes = append(g.Nodes, Node{Label: say("w%dx", i), Shape: rapid.SampledFrom(shapes).Draw(t, "shape"), Group: in})
		if in != None && rapid.Bool().Draw(t, "ends") {
			in = g.Groups[in].Parent
		}
	}
	end := func(name string) (i int, isGroup bool) {
		i = rapid.IntRange(0, len(g.Nodes)+len(g.Groups)-1).Draw(t, name)
		if i < len(g.Nodes) {
			return i, false
		}
		return i - len(g.Nodes), true
	}
	lines := []Edge{
		{Stroke: canvas.Light, Head: canvas.ArrowSign, Length: 1},
		{Stroke: canvas.Light, Length: 1},
		{Stroke: canvas.Dotted, Head: canvas.ArrowSign, Length: 1},
		{Stroke: canvas.Heavy, Head: canvas.ArrowSign, Length: 1},
		{Stroke: canvas.Light, Tail: canvas.ArrowSign, Head: canvas.ArrowSign, Length: 1},
		{Stroke: canvas.Light, Head: canvas.CircleSign, Length: 1},
		{Stroke: canvas.Light, Head: canvas.ArrowSign, Length: 3},
	}
	for i := range rapid.IntRange(0, 18).Draw(t, "links") {
		e := rapid.SampledFrom(lines).Draw(t, "line")
		if rapid.IntRange(0, 3).Draw(t, "labelled") == 0 {
			e.Label = say("l%dx", i)
		}
		e.From, e.FromGroup = end("from")
		e.To, e.ToGroup = end("to")
		g.Edges = append(g.Edges, e)
	}
	return g, said
}

// skipGroups skips a diagram that cannot be drawn: one with a line to a group from
// between the boxes in it.
func skipGroups(t *rapid.T, err error) {
	if err != nil && !strings.Contains(err.Error(), "group") {
		t.Fatal(err)
	}
	if err != nil {
		t.SkipNow()
	}
}

// paint paints a graph and returns its rows and its legend.
func paint(t *rapid.T, g *Graph, width int) (rows, legend []string) {
	c := canvas.New(false)
	legend, err := g.Paint(c, width)
	skipGroups(t, err)
	lines, _, err := c.Lines()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		rows = append(rows, line.String())
	}
	return rows, legend
}

func TestEveryWordIsDrawn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		h := rapid.SampledFrom([]Heading{Downwards, Upwards, Rightwards, Leftwards}).Draw(t, "heading")
		g, said := randomGraph(t, h)
		rows, legend := paint(t, g, rapid.SampledFrom([]int{0, 40, 80}).Draw(t, "width"))
		shown := strings.Join(slices.Concat(rows, legend), "\n")
		for _, word := range said {
			most := 1
			if strings.HasPrefix(word, "title") {
				most = 3 // the title of a group may stand for it at the ends of lines
			}
			if n := strings.Count(shown, word); n < 1 || n > most {
				t.Fatalf("%q is there %d times\n%+v\n%s", word, n, g, shown)
			}
		}
	})
}

// The line of a note leads up from a group whose layers stand beside each other. It leaves the
// group's title whole.
func TestATitleBelowTheLineOfANote(t *testing.T) {
	for _, h := range []Heading{Rightwards, Leftwards} {
		g := &Graph{
			Heading: h,
			Groups:  []Group{{Title: label.Label{"long title"}, Parent: None, Stroke: canvas.Light, Notes: []Note{{Label: label.Label{"note"}}}}},
			Nodes:   []Node{{Label: label.Label{"a"}, Group: 0}},
		}
		c := canvas.New(false)
		if _, err := g.Paint(c, 0); err != nil {
			t.Fatal(err)
		}
		lines, _, _ := c.Lines()
		if shown := fmt.Sprint(lines); !strings.Contains(shown, "long title") || !strings.Contains(shown, "note") {
			t.Errorf("%s", shown)
		}
	}
}

// A hidden line from a box to itself is not drawn, like any other hidden line.
func TestAHiddenLoop(t *testing.T) {
	g := &Graph{Heading: Downwards, Nodes: []Node{{Label: label.Label{"a"}, Group: None}}, Edges: []Edge{{Hidden: true, Stroke: canvas.Light, Length: 1}}}
	c := canvas.New(false)
	if _, err := g.Paint(c, 0); err != nil {
		t.Fatal(err)
	}
	if lines, width, _ := c.Lines(); len(lines) != 3 || width != 5 {
		t.Errorf("%v", lines)
	}
}

func TestOppositeDirectionsAreAlike(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g, _ := randomGraph(t, Downwards)
		height := func(h Heading) int {
			turned := *g
			turned.Heading = h
			rows, _ := paint(t, &turned, 0)
			return len(rows)
		}
		for _, pair := range [][2]Heading{{Downwards, Upwards}, {Rightwards, Leftwards}} {
			if a, b := height(pair[0]), height(pair[1]); a != b {
				t.Fatalf("%d rows in one direction, %d in the other: %+v", a, b, g)
			}
		}
	})
}

// passage says how a line passes a cell: in which directions, and as part of which
// nets. There are two nets where a layer without height ends one and begins another.
type passage struct {
	nets []int
	arms [4]bool // by direction
}

// passages returns the cells of a link.
func passages(t *rapid.T, s *sheet, l link) map[image.Point]passage {
	cells := map[image.Point]passage{}
	for _, e := range l.segs {
		path, net := s.segs[e].path, s.segs[e].net
		mark := func(at image.Point, d canvas.Direction) {
			p := cells[at]
			p.arms[d] = true
			if !slices.Contains(p.nets, net) {
				p.nets = append(p.nets, net)
			}
			cells[at] = p
		}
		for i := 1; i < len(path); i++ {
			at, end := path[i-1], path[i]
			if at.X != end.X && at.Y != end.Y {
				t.Fatalf("a line leads from %v to %v", at, end)
			}
			for at != end {
				next := nextTo(at, end)
				d := canvas.Up
				switch {
				case next.X > at.X:
					d = canvas.Right
				case next.X < at.X:
					d = canvas.Left
				case next.Y > at.Y:
					d = canvas.Down
				}
				mark(at, d)
				mark(next, d.Opposite())
				at = next
			}
		}
	}
	return cells
}

// meets reports whether two lines in a cell collide: they neither belong to one net nor
// cross each other.
func (p passage) meets(other passage) bool {
	upright, level := [4]bool{canvas.Up: true, canvas.Down: true}, [4]bool{canvas.Left: true, canvas.Right: true}
	crosses := p.arms == upright && other.arms == level || p.arms == level && other.arms == upright
	return !crosses && !slices.ContainsFunc(p.nets, func(n int) bool { return slices.Contains(other.nets, n) })
}

// Lines lead from box to box without a gap. They meet no other box or label. They meet
// other lines only to cross them, or to run together with them from a box.
func TestLinesKeepApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, _ := randomGraph(t, Downwards)
		s, err := newSheet(g.withTitleNodes(), None, g.Heading)
		skipGroups(t, err)
		t.Logf("%+v", g)
		sp := rapid.SampledFrom(s.attempts()).Draw(t, "attempt").spacing
		if err := s.place(sp); err != nil {
			t.Fatal(err)
		}
		checkSheet(t, s)
	})
}

func checkSheet(t *rapid.T, s *sheet) {
	taken := map[image.Point][]passage{}
	for i, at := range s.slots {
		if at.kind == solid && s.items[at.item].inner != nil {
			checkSheet(t, s.items[at.item].inner)
		}
		for j, other := range s.slots[:i] {
			if at.layer == other.layer && at.middle-at.before <= other.middle+other.after && other.middle-other.before <= at.middle+at.after {
				t.Fatalf("the places %d and %d of layer %d overlap", j, i, at.layer)
			}
		}
	}
	for _, l := range s.links {
		var whole []image.Point
		for _, e := range l.segs {
			path := s.segs[e].path
			if n := len(whole); n > 0 && whole[n-1].X != path[0].X {
				t.Fatalf("a line breaks between %v and %v", whole[n-1], path[0])
			}
			whole = append(whole, path...)
		}
		for at, p := range passages(t, s, l) {
			if slices.ContainsFunc(taken[at], p.meets) {
				t.Fatalf("two lines meet at %v", at)
			}
			taken[at] = append(taken[at], p)
		}
		for _, end := range []struct{ item, slot, row int }{{l.from, s.segs[l.segs[0]].a, whole[0].Y}, {l.to, s.segs[l.segs[len(l.segs)-1]].b, whole[len(whole)-1].Y}} {
			at := s.slots[end.slot]
			if s.items[end.item].border == None && (end.row < at.start || end.row >= at.start+at.thick) {
				t.Fatalf("a line ends at %d, its box is at %d to %d", end.row, at.start, at.start+at.thick-1)
			}
		}
		for _, e := range l.segs {
			checkFree(t, s, s.segs[e])
		}
	}
}

// checkFree checks that a segment passes no box or label except its ends.
func checkFree(t *rapid.T, s *sheet, e seg) {
	for i := 1; i < len(e.path); i++ {
		a, b := e.path[i-1], e.path[i]
		for n, at := range s.slots {
			if n == e.a || n == e.b || at.kind == bend || at.kind == filler {
				continue
			}
			if max(a.X, b.X) >= at.middle-at.before && min(a.X, b.X) <= at.middle+at.after && max(a.Y, b.Y) >= at.start && min(a.Y, b.Y) < at.start+at.thick {
				t.Fatalf("a line from %v to %v passes the place at %d, %d", a, b, at.middle, at.start)
			}
		}
	}
}
