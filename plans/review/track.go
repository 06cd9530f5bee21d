package review

import (
	"strings"

	"planb/plans/diff"
	"planb/questions/safe"
)

// State is what became of the lines of a comment in another version.
type State string

const (
	// Untouched lines are the same and stand where they stood, though what is
	// above them may have grown.
	Untouched State = "untouched"
	// Moved lines are the same and went elsewhere with their section.
	Moved State = "moved"
	// Addressed lines have changed, or are gone.
	Addressed State = "addressed"
)

// Tracked is a comment on an earlier version, found again in another one.
type Tracked struct {
	Comment
	State State
	// NewFrom and NewTo are its lines in the other version: the very same if the
	// state is Untouched or Moved, else what stands in their place. Where nothing
	// does, NewTo is NewFrom - 1, and NewFrom the line they would stand before.
	NewFrom, NewTo int
}

// Gone reports whether nothing stands in the place of the lines.
func (t Tracked) Gone() bool { return t.NewTo < t.NewFrom }

// Track finds comments on the text before in the text after, in their order.
func Track(before, after safe.Text, comments []Comment) []Tracked {
	if len(comments) == 0 {
		return nil
	}
	f := newFinder(before, after)
	list := make([]Tracked, len(comments))
	for i, c := range comments {
		list[i] = f.find(c)
	}
	return list
}

// finder knows what became of each line.
type finder struct {
	lines []diff.Line
	at    []int // of each old line, its index in lines
}

func newFinder(before, after safe.Text) *finder {
	f := &finder{lines: diff.Between(before.Raw(), after.Raw()).Lines}
	for i, line := range f.lines {
		if line.Old > 0 {
			f.at = append(f.at, i)
		}
	}
	return f
}

func (f *finder) find(c Comment) Tracked {
	t := Tracked{Comment: c, State: Addressed, NewFrom: 1}
	if c.From < 1 || c.To < c.From || c.To > len(f.at) {
		return t // it was not made on that text
	}
	if from, move, ok := f.same(c.From, c.To); ok {
		t.State, t.NewFrom, t.NewTo = Untouched, from, from+c.To-c.From
		if move {
			t.State = Moved
		}
		return t
	}
	t.NewFrom, t.NewTo = f.place(c.From, c.To)
	return t
}

// same returns where the old lines start in the new text, if they are all there
// one after another and nothing else is between them.
func (f *finder) same(from, to int) (start int, moved, ok bool) {
	for n := from; n <= to; n++ {
		now, move := f.now(n)
		if n == from {
			start, moved = now, move
		}
		if now == 0 || now != start+n-from || move != moved {
			return 0, false, false
		}
	}
	return start, moved, true
}

// now returns the number of an old line in the new text, 0 if it is not there,
// and whether it moved.
func (f *finder) now(old int) (number int, moved bool) {
	line := f.lines[f.at[old-1]]
	if line.Op == diff.Same {
		return line.New, false
	}
	if line.Pair == 0 {
		return 0, false
	}
	pair := f.lines[line.Pair-1]
	if strings.TrimSuffix(pair.Text, "\n") != strings.TrimSuffix(line.Text, "\n") {
		return 0, false
	}
	return pair.New, line.Move > 0
}

// place returns the new lines in the place of old ones that are not all there any
// more: what is left of them, with what was put between; else what was written
// where they stood; else nothing, before the line that follows.
func (f *finder) place(from, to int) (first, last int) {
	begin, end := f.at[from-1], f.at[to-1]
	var s stretch
	for _, line := range f.lines[begin : end+1] {
		s.take(line.New, line.Move)
		if line.Pair > 0 && line.Old > 0 {
			s.take(f.lines[line.Pair-1].New, line.Move)
		}
	}
	if s.first == 0 {
		for end+1 < len(f.lines) && f.lines[end+1].Op != diff.Same {
			if end++; f.lines[end].Pair == 0 {
				s.take(f.lines[end].New, 0)
			}
		}
	}
	if s.first > 0 {
		return s.first, s.last
	}
	for _, line := range f.lines[begin : end+1] {
		if line.Pair > 0 {
			s.take(f.lines[line.Pair-1].New, 0) // moved with their section, and changed
		}
	}
	if s.first > 0 {
		return s.first, s.last
	}
	next := f.before(end)
	return next, next - 1
}

// stretch grows to hold lines.
type stretch struct{ first, last int }

func (s *stretch) take(number, move int) {
	if number == 0 || move > 0 {
		return
	}
	if s.first == 0 || number < s.first {
		s.first = number
	}
	s.last = max(s.last, number)
}

// before returns the number of the first new line behind an index.
func (f *finder) before(index int) int {
	for _, line := range f.lines[index:] {
		if line.New > 0 {
			return line.New
		}
	}
	for i := index; i >= 0; i-- {
		if f.lines[i].New > 0 {
			return f.lines[i].New + 1
		}
	}
	return 1
}
