package compare

import (
	"slices"
	"sort"
)

// viewport is what one way to show a diff looks like to whoever scrolls it:
// lines of which some begin a change.
type viewport struct {
	offsets []int // of the rows: their first line; one more than there are rows
	stops   []int // the rows with which changes begin
	height  int   // visible lines
	top     int   // the first visible line
	at      int   // the change that n and p count from
}

// SetRows takes rows of so many lines each, and the changes among them. The
// change that the view is at stays where it is on the screen.
func (v *viewport) setRows(heights, stops []int) {
	below := min(v.line(v.at)-v.top, v.height/2)
	v.offsets = append(v.offsets[:0], 0)
	for _, h := range heights {
		v.offsets = append(v.offsets, v.offsets[len(v.offsets)-1]+h)
	}
	v.stops = slices.Clone(stops) // the rows go on changing theirs
	v.at = max(min(v.at, len(stops)-1), 0)
	v.show(v.line(v.at) - below)
}

// lines is how many there are.
func (v *viewport) lines() int {
	if len(v.offsets) == 0 {
		return 0
	}
	return v.offsets[len(v.offsets)-1]
}

// line is where a change begins.
func (v *viewport) line(stop int) int {
	if stop >= len(v.stops) {
		return 0
	}
	return v.offsets[v.stops[stop]]
}

// show puts a line at the top, as far as there are lines.
func (v *viewport) show(top int) { v.top = max(min(top, v.lines()-v.height), 0) }

// scroll moves the view; the change it is at is then the last one in its upper part.
func (v *viewport) scroll(by int) { v.scrollTo(v.top + by) }

func (v *viewport) scrollTo(top int) {
	v.show(top)
	if v.lines() <= v.height {
		return // nothing moves
	}
	reached := v.top + contextLines
	if v.top >= v.lines()-v.height { // at the end the last change is reached, however low it stands
		reached = v.lines()
	}
	v.at = max(sort.Search(len(v.stops), func(i int) bool { return v.line(i) > reached })-1, 0)
}

// ToStart shows the first line, and is at the first change.
func (v *viewport) toStart() {
	v.show(0)
	v.at = 0
}

// ToEnd shows the last line, and is at the last change.
func (v *viewport) toEnd() {
	v.show(v.lines())
	v.at = max(len(v.stops)-1, 0)
}

// goTo shows a change with some lines above it, or with all if they are few.
func (v *viewport) goTo(stop int) bool {
	if stop < 0 || stop >= len(v.stops) {
		return false
	}
	v.at = stop
	if v.show(v.line(stop) - contextLines); v.line(stop) < v.height/2 {
		v.show(0)
	}
	return true
}

// resemble goes to about the change that another view of the same is at.
func (v *viewport) resemble(other *viewport) {
	if len(v.stops) > 0 && len(other.stops) > 1 {
		v.goTo(other.at * (len(v.stops) - 1) / (len(other.stops) - 1))
	}
}

// RowAt is the row that has a line, and which of its lines that is.
func (v *viewport) rowAt(line int) (row, within int) {
	row, exact := slices.BinarySearch(v.offsets, line)
	if !exact {
		row--
	}
	return row, line - v.offsets[row]
}

// visible calls do for each row in view, with its first line in view and behind
// its last one.
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
