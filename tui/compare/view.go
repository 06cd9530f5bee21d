package compare

import (
	"slices"
	"sort"
)

// change is the rows of one change, from the first to the one behind the last.
type change struct{ from, to int }

// viewport is the visible part of the rows, which are of different heights, and the place
// among the changes.
type viewport struct {
	offsets []int // the first line of each row, and the line behind the last row
	changes []change
	height  int // visible lines
	top     int // the first visible line
	at      int // the index of the current change
}

// setRows replaces the rows, by their heights, and the changes. The current change stays
// where it is on the screen.
func (v *viewport) setRows(heights []int, changes []change) {
	below := min(v.line(v.at)-v.top, v.height/2)
	v.offsets = append(v.offsets[:0], 0)
	for _, h := range heights {
		v.offsets = append(v.offsets, v.offsets[len(v.offsets)-1]+h)
	}
	v.changes = slices.Clone(changes) // the caller goes on using its slice
	v.at = max(min(v.at, len(changes)-1), 0)
	v.show(v.line(v.at) - below)
}

// lines is how many lines all rows have.
func (v *viewport) lines() int {
	if len(v.offsets) == 0 {
		return 0
	}
	return v.offsets[len(v.offsets)-1]
}

// line is the first line of a change.
func (v *viewport) line(stop int) int {
	if stop >= len(v.changes) {
		return 0
	}
	return v.offsets[v.changes[stop].from]
}

// first is the first row of the current change; 0 without one.
func (v *viewport) first() int {
	if v.at >= len(v.changes) {
		return 0
	}
	return v.changes[v.at].from
}

// current reports whether a row belongs to the current change.
func (v *viewport) current(row int) bool {
	return v.at < len(v.changes) && v.changes[v.at].from <= row && row < v.changes[v.at].to
}

// show puts a line at the top, or as near as there are lines below it.
func (v *viewport) show(top int) { v.top = max(min(top, v.lines()-v.height), 0) }

// scroll moves the view. The last change in its upper part becomes the current one.
func (v *viewport) scroll(by int) { v.scrollTo(v.top + by) }

func (v *viewport) scrollTo(top int) {
	v.show(top)
	if v.lines() <= v.height {
		return // nothing moves
	}
	reached := v.top + contextLines
	if v.top >= v.lines()-v.height { // at the end the last change is current, however low it stands
		reached = v.lines()
	}
	v.at = max(sort.Search(len(v.changes), func(i int) bool { return v.line(i) > reached })-1, 0)
}

// toStart shows the first line and makes the first change the current one.
func (v *viewport) toStart() {
	v.show(0)
	v.at = 0
}

// toEnd shows the last line and makes the last change the current one.
func (v *viewport) toEnd() {
	v.show(v.lines())
	v.at = max(len(v.changes)-1, 0)
}

// goTo makes a change the current one and shows it with the lines above it.
func (v *viewport) goTo(stop int) bool {
	if stop < 0 || stop >= len(v.changes) {
		return false
	}
	v.at = stop
	if v.show(v.line(stop) - contextLines); v.line(stop) < v.height/2 {
		v.show(0)
	}
	return true
}

// resemble goes to about the current change of another viewport on the same diff.
func (v *viewport) resemble(other *viewport) {
	if len(v.changes) > 0 && len(other.changes) > 1 {
		v.goTo(other.at * (len(v.changes) - 1) / (len(other.changes) - 1))
	}
}

// rowAt is the row of a line, and the index of the line in the row.
func (v *viewport) rowAt(line int) (row, within int) {
	row, exact := slices.BinarySearch(v.offsets, line)
	if !exact {
		row--
	}
	return row, line - v.offsets[row]
}

// visible calls do for each visible row with its first visible line and the line behind
// its last visible one.
func (v *viewport) visible(do func(row, from, to int) (goOn bool)) {
	end := min(v.top+v.height, v.lines())
	for at := v.top; at < end; {
		row, within := v.rowAt(at)
		h := v.offsets[row+1] - v.offsets[row]
		to := min(h, within+end-at)
		if !do(row, within, to) {
			return
		}
		at += to - within
	}
}
