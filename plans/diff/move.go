package diff

import (
	"slices"
	"strings"

	"planb/plans"
	"planb/questions/safe"
)

// Move is a Markdown section, a heading with what is below it, that went to
// another place, unchanged or nearly. Its old lines are removed ones of the
// diff, its new lines added ones; those that are the same in both carry the
// move's number.
type Move struct {
	Title          safe.Text // of the heading, in the new text
	Old, OldBehind int       // line numbers: the first in the old text, and the first behind it
	New, NewBehind int       // likewise in the new text
}

// What counts as a section that moved. A smaller one may well be written anew,
// and one that changed more is easier to read as removed and added.
const (
	leastMovedLines = 3   // lines with text, the heading's included,
	leastMovedBytes = 80  // or bytes of text in any number of lines
	leastGone       = 0.9 // how much of it is not where it was
	leastKept       = 0.8 // how much of both is the same: lines, and words of other lines
	maxSimilarTried = 8   // sections of one title, or with the same beginning, that are compared
)

// side is one of two texts, with what is asked of its sections.
type side struct {
	lines []string
	ids   []rune // of the lines
	text  []int  // bytes of text in the lines before each
	full  []int  // lines with text before each
	gone  []int  // bytes of text before each that is not in the other text at its place
	stays []int  // lines with text before each that are
	list  []plans.Section
}

func newSide(text string, lines []string, ids []rune) *side {
	return &side{lines: lines, ids: ids, list: plans.Outline(safe.New(text))}
}

// setGone says which lines are not in the other text at their place.
func (s *side) setGone(gone []bool) {
	n := len(s.lines)
	s.text, s.full, s.gone, s.stays = make([]int, n+1), make([]int, n+1), make([]int, n+1), make([]int, n+1)
	for i, line := range s.lines {
		bytes := len(strings.TrimSpace(line))
		s.text[i+1] = s.text[i] + bytes
		s.full[i+1] = s.full[i] + min(bytes, 1)
		s.gone[i+1], s.stays[i+1] = s.gone[i], s.stays[i]
		if gone[i] {
			s.gone[i+1] += bytes
		} else {
			s.stays[i+1] += min(bytes, 1)
		}
	}
}

// within is what lies inside a section, of one of the sums.
func within(sums []int, s plans.Section) int { return sums[s.End-1] - sums[s.Line-1] }

// candidate reports whether a section may have moved: it is not too small, and
// not where it was.
func (s *side) candidate(section plans.Section) bool {
	text := within(s.text, section)
	if within(s.full, section) < leastMovedLines && text < leastMovedBytes {
		return false
	}
	return float64(within(s.gone, section)) >= leastGone*float64(text)
}

// keys are what a section can be found by: its title, and its first line of text.
func (s *side) keys(section plans.Section) []string {
	keys := []string{"#" + section.Title.Raw()}
	for _, line := range s.lines[section.Line : section.End-1] {
		if text := strings.TrimSpace(line); strings.Trim(text, "=-`~") != "" {
			return append(keys, text)
		}
	}
	return keys
}

// moves finds the sections that moved, the larger before those inside them.
func moves(old, new *side) []Move {
	byKey := map[string][]int{}
	for i, section := range new.list {
		if !new.candidate(section) {
			continue
		}
		for _, key := range new.keys(section) {
			byKey[key] = append(byKey[key], i)
		}
	}
	var found []Move
	var like likeness
	taken := make([]bool, len(new.lines)+1) // lines of the new text, by number
	behind := 0                             // the last move's section in the old text
	for _, section := range old.list {
		if section.Line < behind || len(byKey) == 0 || !old.candidate(section) {
			continue
		}
		if to, ok := like.movedTo(old, section, new, byKey, taken); ok {
			behind = section.End
			for line := to.Line; line < to.End; line++ {
				taken[line] = true
			}
			found = append(found, Move{to.Title, section.Line, section.End, to.Line, to.End})
		}
	}
	return found
}

// likeness compares sections. How much work goes into their words is bounded.
type likeness struct {
	book wordbook
	read int // bytes of which the words were compared
}

// movedTo finds the section of the new text that is most like one of the old.
func (l *likeness) movedTo(s *side, section plans.Section, new *side, byKey map[string][]int, taken []bool) (best plans.Section, ok bool) {
	alike := leastKept
	for _, key := range s.keys(section) {
		for _, i := range byKey[key][:min(len(byKey[key]), maxSimilarTried)] {
			to := new.list[i]
			if taken[to.Line] || taken[to.End-1] {
				continue
			}
			if s.stays[section.Line-1] == new.stays[to.Line-1] {
				continue // it stands where it stood, between the same lines
			}
			if n := l.alike(s, section, new, to, alike); n > alike || n == alike && !ok {
				best, alike, ok = to, n, true
			}
		}
	}
	return best, ok
}

// alike says how much of two sections is the same, in whatever order: lines, and
// the words of those that changed. It may be wrong about less than least.
func (l *likeness) alike(s *side, section plans.Section, new *side, to plans.Section, least float64) float64 {
	total := float64(within(s.text, section) + within(new.text, to))
	if smaller := min(within(s.text, section), within(new.text, to)); 2*float64(smaller) < least*total {
		return 0 // whatever they hold
	}
	counts, bodies := map[string]int{}, map[string]bool{}
	for _, line := range s.lines[section.Line-1 : section.End-1] {
		counts[strings.TrimSpace(line)]++
		bodies[Line{Text: line}.Body()] = true
	}
	both, unchanged := 0, false // but for line ends
	var added, removed []string
	for _, line := range new.lines[to.Line-1 : to.End-1] {
		text := strings.TrimSpace(line)
		unchanged = unchanged || text != "" && bodies[Line{Text: line}.Body()]
		if counts[text] > 0 {
			counts[text]--
			both += len(text)
			continue
		}
		added = append(added, line)
	}
	if !unchanged {
		return 0
	}
	same := 2 * float64(both) / total
	if same >= least || l.read > maxTriedBytes {
		return same
	}
	for _, line := range s.lines[section.Line-1 : section.End-1] {
		if text := strings.TrimSpace(line); counts[text] > 0 {
			counts[text]--
			removed = append(removed, line)
		}
	}
	before, after := strings.Join(removed, ""), strings.Join(added, "")
	l.read += len(before) + len(after)
	return same + (1-same)*l.book.alike(l.book.read(before), l.book.read(after))
}

// apart makes the lines of sections that moved different from all others, so
// that none of them is taken for the same as one elsewhere.
func apart(found []Move, old, new *side) {
	next := rune(-1)
	for _, move := range found {
		for line := move.Old; line < move.OldBehind; line++ {
			old.ids[line-1] = next
			next--
		}
		for line := move.New; line < move.NewBehind; line++ {
			new.ids[line-1] = next
			next--
		}
	}
}

// findMoves finds the sections that moved between two texts of which the gaps
// are known.
func findMoves(gaps []gap, old, new *side) []Move {
	if len(gaps) < 2 || len(old.list) == 0 || len(new.list) == 0 {
		return nil // a section that goes leaves one gap and makes another
	}
	removed, added := make([]bool, len(old.lines)), make([]bool, len(new.lines))
	for _, g := range gaps {
		for i := g.a0; i < g.a1; i++ {
			removed[i] = true
		}
		for i := g.b0; i < g.b1; i++ {
			added[i] = true
		}
	}
	old.setGone(removed)
	new.setGone(added)
	return moves(old, new)
}

// markMoves marks the lines of sections that moved, and pairs those in them that
// changed. It returns which lines belong to such sections.
func (d *Diff) markMoves(p *pairing) (moved func(Line) bool) {
	if len(d.Moves) == 0 {
		return func(Line) bool { return false }
	}
	var oldAt, newAt []int // index of each line of a text in d.Lines
	for i, line := range d.Lines {
		if line.Old > 0 {
			oldAt = append(oldAt, i)
		}
		if line.New > 0 {
			newAt = append(newAt, i)
		}
	}
	inside := make([]bool, len(d.Lines))
	for i, move := range d.Moves {
		old, new := oldAt[move.Old-1:move.OldBehind-1], newAt[move.New-1:move.NewBehind-1]
		for _, at := range slices.Concat(old, new) {
			inside[at] = true
		}
		d.markMove(p, i+1, old, new)
	}
	return func(line Line) bool {
		if line.Op == Removed {
			return inside[oldAt[line.Old-1]]
		}
		return inside[newAt[line.New-1]]
	}
}

// markMove marks one of them, given where in d.Lines its lines are.
func (d *Diff) markMove(p *pairing, number int, old, new []int) {
	bodies := func(at []int) []string {
		list := make([]string, len(at))
		for i, line := range at {
			list[i] = d.Lines[line].Body()
		}
		return list
	}
	var gone, come []int
	pair := func() {
		p.pair(gone, come)
		gone, come = nil, nil
	}
	for _, step := range Sequence(bodies(old), bodies(new)) {
		switch step.Op {
		case Removed:
			gone = append(gone, old[step.Old])
		case Added:
			come = append(come, new[step.New])
		case Same:
			pair()
			from, to := &d.Lines[old[step.Old]], &d.Lines[new[step.New]]
			from.Move, from.Pair = number, new[step.New]+1
			to.Move, to.Pair = number, old[step.Old]+1
		}
	}
	pair()
}
