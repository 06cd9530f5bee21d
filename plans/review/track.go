package review

import (
	"strings"

	"planb/plans/diff"
	"planb/questions/safe"
)

// State says what became of a comment's lines in another version.
type State string

const (
	// Untouched lines are the same and in the same place; their line numbers and line
	// ends may differ.
	Untouched State = "untouched"
	// Moved lines are the same but moved with their section.
	Moved State = "moved"
	// Addressed lines have changed, or are gone.
	Addressed State = "addressed"
)

// Tracked is a comment on an earlier version, found in another one.
type Tracked struct {
	Comment
	State State
	// NewFrom and NewTo are the comment's lines in the other version: the same lines
	// if State is Untouched or Moved, else the lines in their place. If there are
	// none, NewFrom is the line before which they would stand, and NewTo is
	// NewFrom - 1.
	NewFrom, NewTo int
}

// Gone reports whether no lines stand in the place of the comment's lines.
func (t Tracked) Gone() bool { return t.NewTo < t.NewFrom }

// Track finds the lines of comments on the text before in the text after. The
// result has the order of comments.
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

// finder finds old lines in the new text.
type finder struct {
	lines []diff.Line
	at    []int // the index in lines of each old line
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
		return t // the comment was not made on the text before
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

// same returns the number of the first old line in the new text. ok is false unless
// all the old lines are there, in order and with no other line between them.
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

// now returns the number of an old line in the new text, and whether it moved. The
// number is 0 if the line is not there.
func (f *finder) now(old int) (number int, moved bool) {
	line := f.lines[f.at[old-1]]
	if line.Op == diff.Same {
		return line.New, false
	}
	if line.Pair == 0 {
		return 0, false
	}
	pair := f.lines[line.Pair-1]
	if strings.TrimRight(pair.Text, "\r\n") != strings.TrimRight(line.Text, "\r\n") {
		return 0, false
	}
	return pair.New, line.Move > 0
}

// place returns the new lines that stand in the place of old lines, if not all of
// these are left: the stretch that holds the rest of the old lines; else the lines
// added in their place; else an empty stretch before the next line.
func (f *finder) place(from, to int) (first, last int) {
	begin, end := f.at[from-1], f.at[to-1]
	var s stretch
	for _, line := range f.lines[begin : end+1] {
		s.include(line.New, line.Move)
		if line.Pair > 0 && line.Old > 0 {
			s.include(f.lines[line.Pair-1].New, line.Move)
		}
	}
	if s.first == 0 {
		for end+1 < len(f.lines) && f.lines[end+1].Op != diff.Same {
			if end++; f.lines[end].Pair == 0 {
				s.include(f.lines[end].New, 0)
			}
		}
	}
	if s.first > 0 {
		return s.first, s.last
	}
	for _, line := range f.lines[begin : end+1] {
		if line.Pair > 0 {
			s.include(f.lines[line.Pair-1].New, 0) // what is left has moved with its section
		}
	}
	if s.first > 0 {
		return s.first, s.last
	}
	next := f.before(end)
	return next, next - 1
}

// stretch is a run of new lines; it is empty while first is 0.
type stretch struct{ first, last int }

// include extends the stretch to a line, unless the line moved or has no number.
func (s *stretch) include(number, move int) {
	if number == 0 || move > 0 {
		return
	}
	if s.first == 0 || number < s.first {
		s.first = number
	}
	s.last = max(s.last, number)
}

// before returns the number of the first new line at or behind an index. If there
// is none, it returns the number behind the last new line.
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
