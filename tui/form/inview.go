package form

import (
	"cmp"
	"slices"

	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/marks"
	"planb/tui/screen"
)

// bodyTop returns the first row to show. It changes only if the focus would be off the
// screen; then it brings the question's label into view, too, if both fit, and begins with a
// whole question or option. A second call gives the same row, so that a form drawn twice looks
// the same.
func (q *questionnaire) bodyTop(b screen.Block, around screen.Span, rows int) int {
	first, last := 0, len(b.Lines)-rows
	if last > 0 {
		first = emptyAbove(b) // the row is worth more to what is hidden
	}
	last = max(last, emptyAbove(b)) // once it is hidden it stays so: a filter must not move what stands below it
	top := min(max(q.scroll.body, first), last)
	switch {
	case q.scroll.free:
	case q.state.zone != inBody: // no row has the focus
		end := screen.Span{Top: len(b.Lines), Bottom: len(b.Lines)}
		top = q.wholeFrom(b, end, end, top, rows)
	default:
		near := nearFocus(b, rows)
		seen := near
		if seen.Bottom-around.Top < rows {
			seen.Top = around.Top
		}
		if around.Bottom-seen.Top < rows {
			seen.Bottom = around.Bottom
		}
		if seen.Bottom >= top+rows {
			top = seen.Bottom - rows + 1
		}
		if seen.Top < top {
			top = seen.Top
		}
		if top > around.Top && near.Top == top && near.Bottom < top+rows-1 && rows >= leastSticky {
			top-- // room for the question's label
		}
		top = q.wholeFrom(b, around, near, max(top, first), rows)
	}
	q.scroll.body = top
	q.scroll.above = 0
	if q.state.zone == inBody {
		q.scroll.above = top - around.Top
	}
	return top
}

// emptyAbove returns how many empty rows stand above the questions.
func emptyAbove(b screen.Block) int {
	if b.Lines[0] == "" {
		return 1
	}
	return 0
}

// wholeFrom returns the first row at or below top with which the view can begin without
// cutting anything: the head of a question. If the view would then end in too many empty
// rows, it returns the first row of an option.
func (q *questionnaire) wholeFrom(b screen.Block, around, near screen.Span, top, rows int) int {
	at := func(row int) int { // the clickable thing in a row; 0 if there is none, since nothing has the number 0
		i, found := slices.BinarySearchFunc(b.Hits, row, func(h screen.Hit, row int) int { return cmp.Compare(h.Y, row) })
		if !found {
			return 0
		}
		return b.Hits[i].At
	}
	covered := 0
	switch {
	case top == 0:
		return 0
	case top <= around.Top:
		head := top
		for head < around.Top && (at(head)%hitSpan-hitZero != clickLabel || at(head-1) == at(head)) {
			head++
		}
		if empty := head + rows - len(b.Lines); empty <= rows/3 {
			return head
		}
	case rows >= leastSticky:
		covered = 1 // by the sticky label
	}
	for top+covered < near.Top && at(top+covered) != 0 && at(top+covered) == at(top+covered-1) {
		top++
	}
	return top
}

// nearFocus returns the rows that should be in view with the focus. If they do not fit, it
// returns the rows of the focus alone.
func nearFocus(b screen.Block, rows int) screen.Span {
	if b.Near.Bottom-b.Near.Top < rows {
		return b.Near
	}
	return b.Focus
}

// leastSticky is the least height of the questions that leaves a row for a sticky label.
const leastSticky = 6

// stickyLabel returns the label of the question with the focus if it has scrolled off
// the top, else "". It replaces the first visible row, so that the person still sees the
// question in a list longer than the screen.
func (q *questionnaire) stickyLabel(b screen.Block, around screen.Span, top, rows, width int) string {
	e := q.state.focused()
	near := nearFocus(b, rows)
	if e == nil || q.scroll.free || rows < leastSticky || top <= around.Top || near.Top <= top || near.Bottom >= top+rows {
		return ""
	}
	st := q.host.Styles()
	return st.Faint.Render(marks.Bar+" ") + st.Strong.Render(cells.Cut(e.q.Label.Line(), width-gutter-1))
}

// scrollToHead handles ↑ on a question's first option while rows above it are off the
// screen: it scrolls up to them, and reports true. Only from the top of the question does
// ↑ go to the question above.
func (q *questionnaire) scrollToHead() bool {
	e := q.state.focused()
	if e == nil || e.onNote || e.text() != nil || q.scroll.above <= 0 {
		return false
	}
	if c, ok := e.field.(field.Illustrated); ok && c.Row() > 0 {
		return false
	}
	q.scroll.body -= min(q.scroll.above, screen.WheelLines)
	q.scroll.free = true
	return true
}
