package diff

import (
	"slices"
	"strings"

	"planb/plans"
	"planb/questions/safe"
)

// Move is a Markdown section (a heading with the lines below it) that moved to
// another place, unchanged or nearly so. In the diff its old lines are removed and
// its new lines added. Lines that are the same in both places have the move's
// number in Line.Move.
type Move struct {
	Title          safe.Text // of the heading in the new text
	Old, OldBehind int       // in the old text: the first line's number, and that of the first line behind the section
	New, NewBehind int       // the same in the new text
}

// A section counts as moved only if it is large enough, in lines or in bytes: a smaller
// one may be there by chance. It must also be gone from its old place, and be nearly the
// same: a section that changed more is easier to read as removed and added.
const (
	leastMovedLines = 3   // lines with text, the heading's included
	leastMovedBytes = 80  // bytes of text, in any number of lines
	leastGone       = 0.9 // the share of its bytes that are no longer in the old place
	leastKept       = 0.8 // the share of both sections that is the same: lines, and words of changed lines
	maxSimilarTried = 8   // candidates compared for one title or first line
)

// side is one of two texts, with running sums over its lines. Entry i of a sum
// covers the lines before line i, counted from 0.
type side struct {
	lines []string
	ids   []rune // of the lines
	text  []int  // bytes of text
	full  []int  // lines with text
	gone  []int  // bytes of text that the other text does not have in that place
	stays []int  // lines with text that the other text has in that place
	list  []plans.Section
}

func newSide(text string, lines []string, ids []rune) *side {
	return &side{lines: lines, ids: ids, list: plans.Outline(safe.New(text))}
}

// sum fills in the running sums. gone marks the lines that the other text lacks at the
// same place.
func (s *side) sum(gone []bool) {
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

// within returns the part of a running sum that lies inside a section.
func within(sums []int, s plans.Section) int { return sums[s.End-1] - sums[s.Line-1] }

// candidate reports whether a section may have moved: it is large enough and no
// longer in its place.
func (s *side) candidate(section plans.Section) bool {
	text := within(s.text, section)
	if within(s.full, section) < leastMovedLines && text < leastMovedBytes {
		return false
	}
	return float64(within(s.gone, section)) >= leastGone*float64(text)
}

// keys returns the keys for finding a section: its title, and its first line of
// text.
func (s *side) keys(section plans.Section) []string {
	keys := []string{"#" + section.Title.Raw()}
	for _, line := range s.lines[section.Line : section.End-1] {
		if text := strings.TrimSpace(line); strings.Trim(text, "=-`~") != "" {
			return append(keys, text)
		}
	}
	return keys
}

// moves finds the sections that moved. It does not look inside a section that it
// has found.
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
	used := make([]bool, len(new.lines)+1) // by number, the lines of the new text that belong to a move
	behind := 0                            // the first line behind the last moved section of the old text
	for _, section := range old.list {
		if section.Line < behind || len(byKey) == 0 || !old.candidate(section) {
			continue
		}
		if to, ok := like.movedTo(old, section, new, byKey, used); ok {
			behind = section.End
			for line := to.Line; line < to.End; line++ {
				used[line] = true
			}
			found = append(found, Move{to.Title, section.Line, section.End, to.Line, to.End})
		}
	}
	return found
}

// likeness compares sections. It stops comparing words after maxTriedBytes.
type likeness struct {
	book wordbook
	read int // bytes whose words were compared
}

// movedTo finds the section of the new text that is most like a section of the old
// one. used marks the lines of the new text that already belong to a move.
func (l *likeness) movedTo(s *side, section plans.Section, new *side, byKey map[string][]int, used []bool) (best plans.Section, ok bool) {
	alike := leastKept
	for _, key := range s.keys(section) {
		for _, i := range byKey[key][:min(len(byKey[key]), maxSimilarTried)] {
			to := new.list[i]
			if used[to.Line] || used[to.End-1] {
				continue
			}
			if s.stays[section.Line-1] == new.stays[to.Line-1] {
				continue // it did not move: it is between the same lines as before
			}
			if n := l.alike(s, section, new, to, alike); n > alike || n == alike && !ok {
				best, alike, ok = to, n, true
			}
		}
	}
	return best, ok
}

// alike returns the share of two sections that is the same, in any order: lines,
// and the words of changed lines. A result below least may be too low.
func (l *likeness) alike(s *side, section plans.Section, new *side, to plans.Section, least float64) float64 {
	total := float64(within(s.text, section) + within(new.text, to))
	if smaller := min(within(s.text, section), within(new.text, to)); 2*float64(smaller) < least*total {
		return 0 // the sizes differ too much to reach least
	}
	counts, bodies := map[string]int{}, map[string]bool{}
	for _, line := range s.lines[section.Line-1 : section.End-1] {
		counts[strings.TrimSpace(line)]++
		bodies[Line{Text: line}.Body()] = true
	}
	both, unchanged := 0, false // unchanged: some line with text is in both, apart from its line end
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

// isolate gives each line of a moved section an id of its own, so that it matches
// no line elsewhere.
func isolate(found []Move, old, new *side) {
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

// findMoves finds the sections that moved, given the gaps between the two texts.
func findMoves(gaps []gap, old, new *side) []Move {
	if len(gaps) < 2 || len(old.list) == 0 || len(new.list) == 0 {
		return nil // a section that moves makes two gaps, one at each place
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
	old.sum(removed)
	new.sum(added)
	return moves(old, new)
}

// markMoves marks the lines of the sections that moved and pairs their changed
// lines. The returned function reports whether a line belongs to such a section.
func (d *Diff) markMoves(p *pairing) (moved func(Line) bool) {
	if len(d.Moves) == 0 {
		return func(Line) bool { return false }
	}
	var oldAt, newAt []int // the index in d.Lines of each line of a text
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

// markMove marks the lines of one moved section. old and new hold the indices of
// its lines in d.Lines.
func (d *Diff) markMove(p *pairing, number int, old, new []int) {
	bodies := func(at []int) []string {
		list := make([]string, len(at))
		for i, line := range at {
			list[i] = d.Lines[line].Body()
		}
		return list
	}
	var removed, added []int
	pair := func() {
		p.pair(removed, added)
		removed, added = nil, nil
	}
	for _, step := range Sequence(bodies(old), bodies(new)) {
		switch step.Op {
		case Removed:
			removed = append(removed, old[step.Old])
		case Added:
			added = append(added, new[step.New])
		case Same:
			pair()
			from, to := &d.Lines[old[step.Old]], &d.Lines[new[step.New]]
			from.Move, from.Pair = number, new[step.New]+1
			to.Move, to.Pair = number, old[step.Old]+1
		}
	}
	pair()
}
