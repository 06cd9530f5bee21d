package tui

import (
	"fmt"
	"slices"
	"strings"

	"planb/plans"
	"planb/plans/diff"
	"planb/tui/wording"
)

// How much that did not change is shown around what did.
const (
	diffContext = 3 // lines at either side
	leastFolded = 2 // fewer are shown: the row in their place would be no shorter
)

// diffKind is what a row of a diff on the screen is.
type diffKind uint8

const (
	diffLine    diffKind = iota // a line of either text, or of both beside each other
	diffFold                    // lines that are not shown
	diffWentTo                  // above a section that is elsewhere now
	diffCameOut                 // above a section that was elsewhere before
)

// diffRow is one row of a diff: what it shows, before it is known how wide the
// screen is.
type diffRow struct {
	kind        diffKind
	left, right int // indices in Diff.Lines; -1 for none
	from, to    int // of the rows that are folded
	moved       bool
	move        int // index in Diff.Moves, of the rows above sections
}

// diffRows is a diff as rows, side by side or one below the other, with what
// did not change folded away.
type diffRows struct {
	diff                *diff.Diff
	oldOutline, outline []plans.Section // of the two texts
	unified             bool
	open                map[int]bool // the folds that were opened, by their first row
	all                 bool         // nothing is folded

	went, came map[int]int // the line in Diff.Lines with which a section begins that moved: which move it is
	up         []bool      // of each move: the section stands further up now
	moving     []bool      // of each line in Diff.Lines: it is in such a section

	base  []diffRow // all rows, without folds
	rows  []diffRow
	stops []int // where the changes begin, in rows
}

// setDiff takes a diff, with everything folded.
func (r *diffRows) setDiff(d *diff.Diff, oldOutline, outline []plans.Section) {
	*r = diffRows{diff: d, oldOutline: oldOutline, outline: outline, unified: r.unified}
	r.findMoves()
	r.layOut()
}

// findMoves finds where in the diff the sections stand that moved.
func (r *diffRows) findMoves() {
	r.went, r.came = map[int]int{}, map[int]int{}
	r.up, r.moving = make([]bool, len(r.diff.Moves)), make([]bool, len(r.diff.Lines))
	came := make([]bool, len(r.diff.Moves))
	from, to := map[int]int{}, map[int]int{} // by line number
	for i, move := range r.diff.Moves {
		from[move.Old], to[move.New] = i, i
	}
	oldBehind, newBehind := 0, 0
	for i, line := range r.diff.Lines {
		if move, ok := from[line.Old]; ok && line.Op == diff.Removed {
			r.went[i], oldBehind = move, r.diff.Moves[move].OldBehind
			r.up[move] = came[move]
		}
		if move, ok := to[line.New]; ok && line.Op == diff.Added {
			r.came[i], newBehind = move, r.diff.Moves[move].NewBehind
			came[move] = true
		}
		r.moving[i] = line.Op == diff.Removed && line.Old < oldBehind || line.Op == diff.Added && line.New < newBehind
	}
}

// setUnified says whether removed lines stand above added ones, or beside them.
// Folds that were opened stay open only where it is as before.
func (r *diffRows) setUnified(unified bool) {
	if r.unified != unified {
		r.unified, r.open = unified, nil
		r.layOut()
	}
}

// openFold opens one fold.
func (r *diffRows) openFold(at int) {
	if r.open == nil {
		r.open = map[int]bool{}
	}
	r.open[r.rows[at].from] = true
	r.fold()
}

// openAll opens all folds, or folds everything again.
func (r *diffRows) openAll() {
	r.all, r.open = !r.all, nil
	r.fold()
}

func (r *diffRows) layOut() {
	r.base = nil
	if r.diff == nil {
		return
	}
	if r.unified {
		for i, line := range r.diff.Lines {
			row := diffRow{left: i, right: i}
			switch line.Op {
			case diff.Removed:
				row.right = -1
			case diff.Added:
				row.left = -1
			}
			r.append(row)
		}
	} else {
		for _, row := range r.diff.Rows(0, len(r.diff.Lines)) {
			r.append(diffRow{left: row.Left, right: row.Right})
		}
	}
	r.fold()
}

// append adds a row of the diff, and before it whatever is said of the section
// that begins there.
func (r *diffRows) append(row diffRow) {
	if move, ok := r.went[row.left]; ok {
		r.base = append(r.base, diffRow{kind: diffWentTo, left: row.left, right: -1, move: move})
	}
	if move, ok := r.came[row.right]; ok {
		r.base = append(r.base, diffRow{kind: diffCameOut, left: -1, right: row.right, move: move})
	}
	row.moved = row.left != row.right && (r.movedLine(row.left) || r.movedLine(row.right))
	r.base = append(r.base, row)
}

// movedLine reports whether a line only moved with its section. So did its empty
// lines, though a section has one less where a text ends.
func (r *diffRows) movedLine(at int) bool {
	if at < 0 {
		return false
	}
	line := r.diff.Lines[at]
	return line.Move > 0 || r.moving[at] && line.Op != diff.Same && strings.TrimSpace(line.Text) == ""
}

// class tells rows apart that are folded for different reasons, or not at all.
func (r *diffRows) class(row diffRow) foldClass {
	switch {
	case row.kind != diffLine:
		return changedRow
	case row.moved && row.left >= 0:
		return wentRow
	case row.moved:
		return cameRow
	case row.left == row.right:
		return sameRow
	}
	return changedRow
}

type foldClass uint8

const (
	changedRow foldClass = iota
	sameRow
	wentRow
	cameRow
)

// fold makes the rows that are shown of all of them.
func (r *diffRows) fold() {
	r.rows, r.stops = r.rows[:0], r.stops[:0]
	changed := false // the row before is part of a change
	for i := 0; i < len(r.base); {
		class, end := r.class(r.base[i]), i+1
		for end < len(r.base) && r.class(r.base[end]) == class && (class != changedRow || r.base[end].kind == diffLine) {
			end++
		}
		switch class {
		case changedRow:
			if !changed || r.base[i].kind != diffLine {
				r.stops = append(r.stops, len(r.rows))
			}
			r.rows = append(r.rows, r.base[i:end]...)
		default:
			r.foldRun(class, i, end)
		}
		changed = class == changedRow
		i = end
	}
}

// foldRun adds a run of rows in which nothing changed, but for those that are
// not near any change.
func (r *diffRows) foldRun(class foldClass, from, to int) {
	first, last := from, to
	if from > 0 && !r.apart(class, from-1) {
		first = min(from+diffContext, to)
	}
	if to < len(r.base) && !r.apart(class, to) {
		last = max(to-diffContext, first)
	}
	if r.all || r.open[first] || last-first < leastFolded {
		r.rows = append(r.rows, r.base[from:to]...)
		return
	}
	r.rows = append(r.rows, r.base[from:first]...)
	r.rows = append(r.rows, diffRow{kind: diffFold, left: r.base[first].left, right: r.base[first].right, from: first, to: last, moved: class != sameRow})
	r.rows = append(r.rows, r.base[last:to]...)
}

// apart reports whether the row beside a run is no reason to show lines around
// it: for a run that moved only the changes of its own section are.
func (r *diffRows) apart(class foldClass, beside int) bool {
	if class == sameRow {
		return false
	}
	row := r.base[beside]
	inside := row.left >= 0 && r.moving[row.left] || row.right >= 0 && r.moving[row.right]
	return row.kind != diffLine || row.left == row.right || !inside
}

// folded says how many lines a fold hides.
func (row diffRow) folded() int { return row.to - row.from }

// section names the part of the plan that goes on behind a fold; empty if that
// is no part with a heading, or begins there and is seen anyway.
func (r *diffRows) section(row diffRow) string {
	if row.to >= len(r.base) {
		return ""
	}
	next := r.base[row.to]
	if next.right < 0 || next.kind != diffLine {
		return ""
	}
	line := r.diff.Lines[next.right].New
	at, exact := slices.BinarySearchFunc(r.outline, line, func(s plans.Section, line int) int { return s.Line - line })
	if exact || at == 0 {
		return ""
	}
	return r.outline[at-1].Title.Line()
}

// foldText is what stands in place of folded lines.
func (r *diffRows) foldText(row diffRow) string {
	n := row.folded()
	if row.moved {
		return wording.Count(n, "line") + ", moved unchanged"
	}
	text := wording.Count(n, "unchanged line")
	if section := r.section(row); section != "" {
		text += " · in “" + section + "”"
	}
	return text
}

// moveText is what stands above a section that moved.
func (r *diffRows) moveText(row diffRow) string {
	m := r.diff.Moves[row.move]
	to, from := "down", "above"
	if r.up[row.move] {
		to, from = "up", "below"
	}
	if row.kind == diffWentTo {
		return fmt.Sprintf("“%s” moved %s, to line %d", m.Title.Line(), to, m.New)
	}
	return fmt.Sprintf("“%s” moved here from %s, line %d", m.Title.Line(), from, m.Old)
}
