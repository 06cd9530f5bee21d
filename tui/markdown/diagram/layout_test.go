package diagram

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// randomFlow returns the source of a flowchart and the words of its boxes. Each word
// occurs once. Some lines lead to groups, if the caller allows it.
func randomFlow(t *rapid.T, heading string, toGroups bool) (source string, said []string) {
	var b strings.Builder
	fmt.Fprintf(&b, "flowchart %s\n", heading)
	n := rapid.IntRange(1, 12).Draw(t, "boxes")
	groups := rapid.IntRange(0, 3).Draw(t, "groups")
	ends := n
	if toGroups {
		ends += groups
	}
	shapes := []string{"[%s]", "(%s)", "([%s])", "[[%s]]", "[(%s)]", "((%s))", "{%s}", "{{%s}}", ">%s]", "[/%s/]", `[\%s/]`}
	for g := range groups {
		fmt.Fprintf(&b, "subgraph g%d [title%dg]\n", g, g)
		said = append(said, fmt.Sprintf("title%dg", g))
	}
	for i := range n {
		word := fmt.Sprintf("w%dx", i)
		said = append(said, word)
		fmt.Fprintf(&b, "n%d"+rapid.SampledFrom(shapes).Draw(t, "shape")+"\n", i, word)
		if groups > 0 && rapid.Bool().Draw(t, "ends") {
			b.WriteString("end\n")
			groups--
		}
	}
	for range groups {
		b.WriteString("end\n")
	}
	for i := range rapid.IntRange(0, 18).Draw(t, "links") {
		arrow := rapid.SampledFrom([]string{"-->", "---", "-.->", "==>", "<-->", "--o", "---->"}).Draw(t, "arrow")
		if rapid.IntRange(0, 3).Draw(t, "labelled") == 0 {
			arrow += fmt.Sprintf("|l%dx|", i)
			said = append(said, fmt.Sprintf("l%dx", i))
		}
		end := func(name string) string {
			if i := rapid.IntRange(0, ends-1).Draw(t, name); i >= n {
				return fmt.Sprintf("g%d", i-n)
			} else {
				return fmt.Sprintf("n%d", i)
			}
		}
		fmt.Fprintf(&b, "%s %s %s\n", end("from"), arrow, end("to"))
	}
	return b.String(), said
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

func randomHeading(t *rapid.T) string {
	return rapid.SampledFrom([]string{"TB", "BT", "LR", "RL"}).Draw(t, "heading")
}

func TestEveryWordIsDrawn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source, said := randomFlow(t, randomHeading(t), true)
		d, err := Draw(source, Options{Width: rapid.SampledFrom([]int{0, 40, 80}).Draw(t, "width")})
		skipGroups(t, err)
		shown := d.String() + strings.Join(d.Legend, "\n")
		for _, word := range said {
			n := strings.Count(shown, word)
			most := 1
			if strings.HasPrefix(word, "title") {
				most = 3 // the title of a group may stand for it at the ends of lines
			}
			if n < 1 || n > most {
				t.Fatalf("%q is there %d times\n%s\n%s", word, n, source, shown)
			}
		}
	})
}

func TestOppositeDirectionsAreAlike(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		source, _ := randomFlow(t, "TB", true)
		draw := func(heading string) Drawing {
			d, err := Draw(strings.Replace(source, "TB", heading, 1), Options{})
			skipGroups(t, err)
			return d
		}
		for _, pair := range [][2]string{{"TB", "BT"}, {"LR", "RL"}} {
			a, b := draw(pair[0]), draw(pair[1])
			if len(a.Lines) != len(b.Lines) {
				t.Fatalf("%s has %d lines and %s has %d\n%s\n%s", pair[0], len(a.Lines), pair[1], len(b.Lines), a, b)
			}
		}
	})
}

// passage says how a line passes a cell: in which directions, and as part of which
// nets. There are two nets where a layer without height ends one and begins another.
type passage struct {
	nets []int
	arms arms
}

// passages returns the cells of a link.
func passages(t *rapid.T, s *sheet, l link) map[image.Point]passage {
	cells := map[image.Point]passage{}
	for _, e := range l.segs {
		path, net := s.segs[e].path, s.segs[e].net
		mark := func(at image.Point, d direction) {
			p := cells[at]
			p.arms[d] = light
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
				d := up
				switch {
				case next.X > at.X:
					d = right
				case next.X < at.X:
					d = left
				case next.Y > at.Y:
					d = down
				}
				mark(at, d)
				mark(next, d.opposite())
				at = next
			}
		}
	}
	return cells
}

// meets reports whether two lines in a cell collide: they neither belong to one net nor
// cross each other.
func (p passage) meets(other passage) bool {
	upright, level := arms{light, 0, light, 0}, arms{0, light, 0, light}
	crosses := p.arms == upright && other.arms == level || p.arms == level && other.arms == upright
	return !crosses && !slices.ContainsFunc(p.nets, func(n int) bool { return slices.Contains(other.nets, n) })
}

// Lines lead from box to box without a gap. They meet no other box or label. They meet
// other lines only to cross them, or to run together with them from a box.
func TestLinesKeepApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source, _ := randomFlow(t, "TB", true)
		src, err := readSource(source)
		if err != nil {
			t.Fatal(err)
		}
		g, err := readFlow(src)
		skipGroups(t, err)
		s, err := newSheet(g.withTitleNodes(), none, g.heading)
		skipGroups(t, err)
		t.Log(source)
		sp := rapid.SampledFrom(s.attempts()).Draw(t, "attempt").spacing
		if err := s.place(sp); err != nil {
			t.Fatalf("%v\n%s", err, source)
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
			if at.layer == other.layer && at.o-at.before <= other.o+other.after && other.o-other.before <= at.o+at.after {
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
		for _, end := range []struct{ item, slot, r int }{{l.from, s.segs[l.segs[0]].a, whole[0].Y}, {l.to, s.segs[l.segs[len(l.segs)-1]].b, whole[len(whole)-1].Y}} {
			at := s.slots[end.slot]
			if s.items[end.item].border == none && (end.r < at.r || end.r >= at.r+at.thick) {
				t.Fatalf("a line ends at %d, its box is at %d to %d", end.r, at.r, at.r+at.thick-1)
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
			if max(a.X, b.X) >= at.o-at.before && min(a.X, b.X) <= at.o+at.after && max(a.Y, b.Y) >= at.r && min(a.Y, b.Y) < at.r+at.thick {
				t.Fatalf("a line from %v to %v passes the place at %d, %d", a, b, at.o, at.r)
			}
		}
	}
}
