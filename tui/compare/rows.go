package compare

import (
	"fmt"
	"slices"

	"planb/plans"
	"planb/plans/diff"
	"planb/tui/cells"
	"planb/tui/wording"
)

// rowKind is the kind of a row.
type rowKind uint8

const (
	lineRow     rowKind = iota // a line of one text, or of both side by side
	foldedRow                  // stands for folded lines
	wentAwayRow                // above the old place of a section that moved
	cameHereRow                // above the new place of a section that moved
)

// sourceRow is a row of the diff of the Markdown, whatever the width of the window is.
type sourceRow struct {
	kind        rowKind
	left, right int // indices in Diff.Lines; -1 for none
	from, to    int // the folded rows, in base
	moved       bool
	move        int // index in Diff.Moves; of a row above a section
}

// sourceRows are the rows of the diff of the Markdown, side by side or in one column, with
// unchanged parts folded.
type sourceRows struct {
	diff                *diff.Diff
	oldOutline, outline []plans.Section // of the two texts
	unified             bool
	folds               // by rows of base

	went, came map[int]int // the move whose section begins at a line of Diff.Lines
	up         []bool      // of each move: the section moved up
	moving     []bool      // of each line of Diff.Lines: it is in a section that moved

	base    []sourceRow // all rows, without folds
	rows    []sourceRow
	changes []change // by rows
}

// setDiff shows a diff, with everything folded.
func (r *sourceRows) setDiff(d *diff.Diff, oldOutline, outline []plans.Section) {
	*r = sourceRows{diff: d, oldOutline: oldOutline, outline: outline, unified: r.unified}
	r.findMoves()
	r.layOut()
}

// findMoves finds the lines of the sections that moved.
func (r *sourceRows) findMoves() {
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

// setUnified puts removed lines above added ones, or beside them. This folds everything
// again.
func (r *sourceRows) setUnified(unified bool) {
	if r.unified != unified {
		r.unified, r.open = unified, nil
		r.layOut()
	}
}

// openFold opens one fold.
func (r *sourceRows) openFold(at int) {
	r.unfold(r.rows[at].from)
	r.fold()
}

// openAll unfolds everything, or folds it again.
func (r *sourceRows) openAll() {
	r.toggleAll()
	r.fold()
}

func (r *sourceRows) layOut() {
	r.base = nil
	if r.diff == nil {
		return
	}
	if r.unified {
		for i, line := range r.diff.Lines {
			row := sourceRow{left: i, right: i}
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
			r.append(sourceRow{left: row.Left, right: row.Right})
		}
	}
	r.fold()
}

// append adds a row, and above the first row of a section that moved a row that says so.
func (r *sourceRows) append(row sourceRow) {
	if move, ok := r.went[row.left]; ok {
		r.base = append(r.base, sourceRow{kind: wentAwayRow, left: row.left, right: -1, move: move})
	}
	if move, ok := r.came[row.right]; ok {
		r.base = append(r.base, sourceRow{kind: cameHereRow, left: -1, right: row.right, move: move})
	}
	row.moved = row.left != row.right && (r.movedLine(row.left) || r.movedLine(row.right))
	r.base = append(r.base, row)
}

// movedLine reports whether a line only moved with its section.
func (r *sourceRows) movedLine(at int) bool { return at >= 0 && r.diff.Lines[at].Moved }

func (r *sourceRows) count() int { return len(r.base) }

func (r *sourceRows) class(at int) foldClass {
	switch row := r.base[at]; {
	case row.kind != lineRow:
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

func (r *sourceRows) heads(at int) bool { return r.base[at].kind != lineRow }

func (r *sourceRows) far(of run) (first, last int) {
	first, last = of.from, of.to
	if of.from > 0 && !r.apart(of.class, of.from-1) {
		first = min(of.from+contextLines, of.to)
	}
	if of.to < len(r.base) && !r.apart(of.class, of.to) {
		last = max(of.to-contextLines, first)
	}
	// The empty line that a section has only in one place stays, so that the folds of both
	// places hide the same number of lines.
	for of.class != sameRow && last == of.to && last > first && r.onePlace(last-1) {
		last--
	}
	return first, last
}

// onePlace reports whether a row that moved has no line at the other place.
func (r *sourceRows) onePlace(at int) bool {
	row := r.base[at]
	return r.diff.Lines[max(row.left, row.right)].Move == 0
}

// fold makes the visible rows.
func (r *sourceRows) fold() {
	r.rows, r.changes = r.rows[:0], r.changes[:0]
	changed := false // the run before belongs to a change
	for _, run := range r.runs(r) {
		if run.class == changedRow && (!changed || r.heads(run.from)) {
			r.changes = append(r.changes, change{from: len(r.rows)})
		}
		r.rows = append(r.rows, r.base[run.from:run.first]...)
		if run.folded() {
			row := r.base[run.first]
			r.rows = append(r.rows, sourceRow{kind: foldedRow, left: row.left, right: row.right, from: run.first, to: run.last, moved: run.class != sameRow})
		}
		r.rows = append(r.rows, r.base[run.last:run.to]...)
		if changed = run.class == changedRow; changed {
			r.changes[len(r.changes)-1].to = len(r.rows)
		}
	}
}

// apart reports whether the row beside a run does not keep the run's nearest rows
// unfolded. Beside a run that moved, only a change inside its own section does.
func (r *sourceRows) apart(class foldClass, beside int) bool {
	if class == sameRow {
		return false
	}
	row := r.base[beside]
	inside := row.left >= 0 && r.moving[row.left] || row.right >= 0 && r.moving[row.right]
	return row.kind != lineRow || row.left == row.right || !inside
}

// section returns the heading of the section in which a fold ends. It is empty if there
// is no heading, or if the section begins right behind the fold, where its heading is
// visible.
func (r *sourceRows) section(row sourceRow) string {
	if row.to >= len(r.base) {
		return ""
	}
	next := r.base[row.to]
	if next.right < 0 || next.kind != lineRow {
		return ""
	}
	line := r.diff.Lines[next.right].New
	at, exact := slices.BinarySearchFunc(r.outline, line, func(s plans.Section, line int) int { return s.Line - line })
	if exact || at == 0 {
		return ""
	}
	return r.outline[at-1].Title.Line()
}

// foldText is the text of a fold.
func (r *sourceRows) foldText(row sourceRow) string {
	n := row.to - row.from
	if row.moved {
		return movedText(n)
	}
	text := fmt.Sprintf("%d lines unchanged", n)
	if section := r.section(row); section != "" {
		text = cells.Join(text, section)
	}
	return text
}

// movedText is the text of a fold of lines that moved.
func movedText(n int) string { return wording.Count(n, "line") + ", moved unchanged" }

// moveText is the text above a section that moved.
func (r *sourceRows) moveText(row sourceRow) string {
	m := r.diff.Moves[row.move]
	to, from := "down", "above"
	if r.up[row.move] {
		to, from = "up", "below"
	}
	if row.kind == wentAwayRow {
		return fmt.Sprintf("“%s” moved %s, to line %d", m.Title.Line(), to, m.New)
	}
	return fmt.Sprintf("“%s” moved here from %s, line %d", m.Title.Line(), from, m.Old)
}
