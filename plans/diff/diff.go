package diff

import (
	"slices"
	"strings"
)

// Op says what became of a line.
type Op byte

// A line of a diff is the same in both texts, only in the old one, or only in the
// new one.
const (
	Same Op = iota
	Removed
	Added
)

// String returns the line's mark in a patch: a space, "-" or "+".
func (op Op) String() string { return string(" -+"[op]) }

// Line is a line of the old text, of the new one, or of both.
type Line struct {
	Op   Op
	Old  int    // its number in the old text, from 1; 0 if it is not there
	New  int    // its number in the new text, from 1; 0 if it is not there
	Text string // the exact text, with its line end if it has one
	// Words holds the parts of Text that differ from the paired line. It is empty if
	// there is no pair.
	Words []Span
	// Pair is 1 plus the index in Diff.Lines of the similar line that this line
	// became or came from; 0 if there is none. A removed and an added line that only
	// moved are a pair, too.
	Pair int
	// Move is 1 plus the index in Diff.Moves of the section with which the line
	// moved unchanged; 0 if it did not move.
	Move int
	// Moved says that the line is no change, only part of a section that moved. Beside the
	// lines with a Move it is an empty line of such a section: a section at the end of a
	// text has one less.
	Moved bool
}

// Body returns the text without the line end.
func (l Line) Body() string { return l.Text[:len(l.Text)-len(l.End())] }

// End returns the line end: "\n", "\r\n", or "" for a last line without one.
func (l Line) End() string {
	switch {
	case strings.HasSuffix(l.Text, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(l.Text, "\n"):
		return "\n"
	}
	return ""
}

// Diff holds the changes between two texts.
type Diff struct {
	Lines []Line // of both texts; in each change the removed lines come before the added ones
	Moves []Move // in the order of the old text
	// MixedEnds says that some lines of the two texts end in CR LF and others in LF
	// alone. A change may then be only a change of line ends.
	MixedEnds bool
}

// Stat counts changed lines.
type Stat struct {
	Added   int `json:"added"`
	Removed int `json:"removed"`
	// How many of the added and of the removed lines only moved with their section.
	Moved     int `json:"moved,omitempty"`
	MovedAway int `json:"movedAway,omitempty"`
}

// New counts the added lines that did not only move.
func (s Stat) New() int { return s.Added - s.Moved }

// Gone counts the removed lines that did not only move.
func (s Stat) Gone() int { return s.Removed - s.MovedAway }

// Between compares two texts.
func Between(before, after string) *Diff {
	old, new := lines(before), lines(after)
	d := &Diff{MixedEnds: mixedEnds(old, new)}
	ids := make(map[string]rune, len(old)+len(new))
	a, b := newSide(before, old, intern(ids, old)), newSide(after, new, intern(ids, new))
	gaps := between(a.ids, b.ids)
	if d.Moves = findMoves(gaps, a, b); len(d.Moves) > 0 {
		isolate(d.Moves, a, b)
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

// mark finds the pairs of lines and the words that differ in them: first in the
// sections that moved, then in all other changes.
func (d *Diff) mark() {
	p := pairing{diff: d}
	moved := d.markMoves(&p)
	p.changes(moved)
	for i := range d.Lines {
		line := &d.Lines[i]
		line.Moved = line.Move > 0 || line.Op != Same && strings.TrimSpace(line.Text) == "" && moved(*line)
	}
}

// Stat counts the changed lines.
func (d *Diff) Stat() Stat {
	var s Stat
	for _, line := range d.Lines {
		moved := 0
		if line.Moved {
			moved = 1
		}
		switch line.Op {
		case Removed:
			s.Removed++
			s.MovedAway += moved
		case Added:
			s.Added++
			s.Moved += moved
		}
	}
	return s
}

// lines splits a text after each \n.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return slices.Collect(strings.Lines(text))
}

// mixedEnds reports whether some lines end in CR LF and others in LF alone.
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
