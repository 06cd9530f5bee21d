package diff

import (
	"slices"
	"strings"
)

// Op is what became of a line.
type Op byte

// The lines of a diff are the same in both texts, only in the old one, or only
// in the new one.
const (
	Same Op = iota
	Removed
	Added
)

// String returns the mark of a patch: a space, "-" or "+".
func (op Op) String() string { return string(" -+"[op]) }

// Line is a line of the old text, of the new one, or of both.
type Line struct {
	Op   Op
	Old  int    // its number in the old text, from 1; 0 if it is not there
	New  int    // its number in the new text, likewise
	Text string // exactly, with its line end if it has one
	// Words are the parts of Text that are not in the similar line which it
	// became or came from; none if there is no such line.
	Words []Span
	// Pair is the index in Diff.Lines of that similar line plus 1; 0 if there is
	// none. A removed and an added line that only moved are each other's pair too.
	Pair int
	// Move is the index in Diff.Moves plus 1 of the section in which the line
	// moved unchanged; 0 if it did not.
	Move int
}

// Body is the text without the line end.
func (l Line) Body() string { return l.Text[:len(l.Text)-len(l.End())] }

// End is the line end: "\n", "\r\n", or "" for the last line of a text that has none.
func (l Line) End() string {
	switch {
	case strings.HasSuffix(l.Text, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(l.Text, "\n"):
		return "\n"
	}
	return ""
}

// Diff is what changed between two texts.
type Diff struct {
	Lines []Line // of both texts; where some were removed and others added, those removed first
	Moves []Move // in the order of the old text
	// MixedEnds says that some lines of the two texts end in CR LF and others in
	// LF alone, so that a change may be of nothing else.
	MixedEnds bool
}

// Stat counts changed lines.
type Stat struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
	Moved   int `json:"moved,omitempty"` // how many of each only moved with their section
}

// Between compares two texts.
func Between(before, after string) *Diff {
	old, new := lines(before), lines(after)
	d := &Diff{MixedEnds: mixedEnds(old, new)}
	ids := make(map[string]rune, len(old)+len(new))
	a, b := newSide(before, old, intern(ids, old)), newSide(after, new, intern(ids, new))
	gaps := between(a.ids, b.ids)
	if d.Moves = findMoves(gaps, a, b); len(d.Moves) > 0 {
		apart(d.Moves, a, b)
		gaps = between(a.ids, b.ids)
	}
	list := steps(gaps, len(old), len(new))
	d.Lines = make([]Line, 0, len(list))
	for _, step := range list {
		line := Line{Op: step.Op, Old: step.Old + 1, New: step.New + 1}
		if step.Op == Added {
			line.Text = new[step.New]
		} else {
			line.Text = old[step.Old]
		}
		d.Lines = append(d.Lines, line)
	}
	d.mark()
	return d
}

// Texts returns the lines of the old text and of the new one.
func (d *Diff) Texts() (old, new []string) {
	for _, line := range d.Lines {
		if line.Op != Added {
			old = append(old, line.Text)
		}
		if line.Op != Removed {
			new = append(new, line.Text)
		}
	}
	return old, new
}

// mark finds the pairs of lines and the words that differ in them: first within
// the sections that moved, then in what changed where it stands.
func (d *Diff) mark() {
	p := pairing{diff: d}
	moved := d.markMoves(&p)
	p.changes(moved)
}

// Count counts what changed between two texts; it is faster than Between, and
// leaves out which lines only moved.
func Count(before, after string) Stat {
	old, new := lines(before), lines(after)
	ids := make(map[string]rune, len(old)+len(new))
	var s Stat
	for _, g := range between(intern(ids, old), intern(ids, new)) {
		s.Removed += g.a1 - g.a0
		s.Added += g.b1 - g.b0
	}
	return s
}

// Stat counts the lines.
func (d *Diff) Stat() Stat {
	var s Stat
	for _, line := range d.Lines {
		switch line.Op {
		case Removed:
			s.Removed++
		case Added:
			s.Added++
			if line.Move > 0 {
				s.Moved++
			}
		}
	}
	return s
}

// lines splits a text behind each \n.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return slices.Collect(strings.Lines(text))
}

func mixedEnds(texts ...[]string) bool {
	crlf, lf := false, false
	for _, lines := range texts {
		for _, line := range lines {
			switch {
			case strings.HasSuffix(line, "\r\n"):
				crlf = true
			case strings.HasSuffix(line, "\n"):
				lf = true
			}
		}
	}
	return crlf && lf
}
