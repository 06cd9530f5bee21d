package review

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"planb/plans/review"
	"planb/tui/cells"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// move does the actions that move in the plan; false for any other.
func (b *Body) move(act keymap.Action) bool {
	s := b.State
	at := b.locate(s.Cursor)
	page := max(b.height-2, 1)
	switch act {
	case keymap.Up, keymap.LineUp:
		if !b.within(at, -1) {
			b.step(at, b.prevStop)
		}
	case keymap.Down, keymap.LineDown:
		if !b.within(at, 1) {
			b.step(at, b.nextStop)
		}
	case keymap.SelectUp, keymap.SelectDown:
		if b.anchor == 0 {
			b.anchor = s.Cursor.Line
		}
		if act == keymap.SelectUp {
			b.step(at, b.prevStop)
		} else {
			b.step(at, b.nextStop)
		}
	case keymap.Select:
		if b.anchor > 0 {
			b.anchor = 0
		} else {
			b.anchor = s.Cursor.Line
		}
	case keymap.PageUp:
		b.page(at, -page)
	case keymap.PageDown:
		b.page(at, page)
	case keymap.Home:
		b.goTo(review.Spot{Line: 1})
	case keymap.End:
		b.goTo(review.Spot{Line: len(s.Lines)})
	case keymap.HeadingUp, keymap.HeadingDown:
		b.goTo(review.Spot{Line: b.heading(act == keymap.HeadingDown)})
		b.y = headingRow
	case keymap.BlockUp:
		b.goTo(review.Spot{Line: b.neighbour(b.folds.seen(b.blocks), false, 1)})
	case keymap.BlockDown:
		b.goTo(review.Spot{Line: b.neighbour(b.folds.seen(b.blocks), true, len(s.Lines))})
	case keymap.Next:
		b.nextComment(1)
	case keymap.Prev:
		b.nextComment(-1)
	case keymap.Left:
		b.left = max(b.left-markdown.PanCells, 0)
	case keymap.Right:
		b.left = max(min(b.left+markdown.PanCells, b.widest()-b.textWidth), 0)
	default:
		return false
	}
	return true
}

// widest returns the cells of the widest line in view.
func (b *Body) widest() int {
	widest := 0
	for i := b.first; i <= b.last && i < len(b.pieces); i++ {
		for _, row := range b.pieces[i].base {
			if row.kind == rowPlan {
				widest = max(widest, cells.Width(row.text))
			}
		}
	}
	return widest
}

// step moves the cursor to a stop beside it, and the screen row with it.
func (b *Body) step(at reviewAt, beside func(reviewAt) (reviewAt, bool)) {
	to, ok := beside(at)
	if !ok {
		return
	}
	b.State.Cursor = b.spotAt(to)
	b.y += b.distance(at, to)
	if high := b.heightOf(to, b.height); high == b.height && to.before(at) { // show its end first
		b.y = b.height - b.heightOf(to, mostHigh)
		return
	}
	b.keepInView(to)
}

// mostHigh bounds how far heights are counted, in rows.
const mostHigh = 10_000

// before reports whether a place is above another.
func (a reviewAt) before(b reviewAt) bool {
	return a.piece < b.piece || a.piece == b.piece && a.row < b.row
}

// within scrolls inside the block under the cursor if that block, a diagram for example,
// is higher than the screen and goes on in that direction. It reports whether it did.
func (b *Body) within(at reviewAt, way int) bool {
	if b.heightOf(at, b.height) < b.height {
		return false
	}
	by := max(b.height/4, 1)
	if way > 0 {
		by = min(by, b.y+b.heightOf(at, b.height-b.y+by)-b.height)
	} else {
		by = min(by, -b.y)
	}
	b.y -= way * max(by, 0)
	return by > 0
}

// linesAbove is how many lines stay above the cursor after a jump.
const linesAbove = 3

// goTo moves the cursor to any spot.
func (b *Body) goTo(spot review.Spot) {
	from, to := b.locate(b.State.Cursor), b.locate(spot)
	b.State.Cursor = b.spotAt(to)
	if b.height == 0 { // nothing was drawn yet
		b.y = linesAbove
		return
	}
	if n := b.distance(from, to); n > -b.height && n < b.height {
		b.y += n
		b.keepInView(to)
		return
	}
	b.y = b.height / 4
}

// headingRow is the row of the screen, from 0, to which a jump brings a heading. Its
// section stands below it, and above it the end of the section before.
const headingRow = 2

// keepInView scrolls just far enough to show the cursor with the comments below it, and a row
// beside them.
func (b *Body) keepInView(at reviewAt) {
	beside := 1
	if b.height < 6 {
		beside = 0
	}
	high := min(b.heightWithComments(at), b.height)
	b.y = max(min(b.y, b.height-high-beside), min(beside, b.height-high))
}

// heightWithComments counts the rows from a stop to the next stop that is not a comment on
// it. It counts no more rows than fit on the screen with the stop itself.
func (b *Body) heightWithComments(at reviewAt) int {
	most := max(b.height, 1)
	own := b.heightOf(at, most)
	if b.row(at).kind != rowPlan {
		return own
	}
	high := own
	for high < most-1 {
		next, ok := b.nextStop(at)
		if !ok || b.row(next).kind != rowComment {
			break
		}
		high += b.heightOf(next, most)
		at = next
	}
	return max(own, min(high, most-1))
}

// distance returns the rows between two places, up to the height of a screen.
func (b *Body) distance(from, to reviewAt) int {
	most := max(b.height, 1)
	walk := func(at reviewAt, step func(reviewAt) (reviewAt, bool)) (int, bool) {
		for n := range most {
			if at == to {
				return n, true
			}
			next, ok := step(at)
			if !ok {
				break
			}
			at = next
		}
		return most, at == to
	}
	if from.piece > to.piece || from.piece == to.piece && from.row > to.row {
		n, _ := walk(from, b.prev)
		return -n
	}
	n, _ := walk(from, b.next)
	return n
}

// page scrolls by rows. The cursor keeps its row of the screen.
func (b *Body) page(at reviewAt, rows int) {
	// If the block under the cursor is longer than the screen, at is its first row.
	to, step := at, b.next
	if rows < 0 {
		step = b.prev
	}
	moved := 0
	for range max(rows, -rows) {
		next, ok := step(to)
		if !ok {
			break
		}
		to = next
		moved++
	}
	y := b.y
	for !b.row(to).first {
		back, ok := b.prev(to)
		if !ok {
			if to, ok = b.nextStop(to); !ok {
				return
			}
			break
		}
		to = back
		y--
	}
	switch {
	case moved == 0:
	case to == at && rows > 0: // it goes on below
		y = b.y - moved
		if next, ok := b.nextStop(at); ok && b.distance(at, next) <= moved {
			to, y = next, b.y-moved+b.distance(at, next)
		}
	}
	if high := b.heightOf(to, b.height); y < 0 && high < b.height { // show its first row
		if next, ok := b.nextStop(to); ok {
			to, y = next, y+high
		} else {
			y = 0
		}
	}
	b.State.Cursor, b.y = b.spotAt(to), y
}

// scroll scrolls the plan. It moves the cursor only to keep it on the screen.
func (b *Body) scroll(by int) {
	at := b.locate(b.State.Cursor)
	b.y -= by
	for b.y < 0 {
		next, ok := b.nextStop(at)
		if !ok || b.y+b.heightOf(at, b.height) > 0 && b.heightOf(at, b.height) >= b.height {
			break
		}
		b.y += b.distance(at, next)
		at = next
	}
	for b.y >= b.height {
		prev, ok := b.prevStop(at)
		if !ok {
			break
		}
		b.y += b.distance(at, prev)
		at = prev
	}
	b.State.Cursor = b.spotAt(at)
}

// heading returns the line of the nearest heading before or after the cursor.
func (b *Body) heading(after bool) int {
	lines := make([]int, len(b.State.Outline))
	for i, section := range b.State.Outline {
		lines[i] = section.Line
	}
	none := b.State.Cursor.Line
	if !after && len(lines) > 0 {
		none = 1
	}
	return b.neighbour(b.folds.seen(lines), after, none)
}

// neighbour returns the given line nearest to the cursor's line, after or before it.
func (b *Body) neighbour(lines []int, after bool, none int) int {
	row := b.row(b.locate(b.State.Cursor))
	if after {
		if i := sort.SearchInts(lines, max(row.to, b.State.Cursor.Line)+1); i < len(lines) {
			return lines[i]
		}
		return none
	}
	if i := sort.SearchInts(lines, min(row.from, b.State.Cursor.Line)); i > 0 {
		return lines[i-1]
	}
	return none
}

// pointAt puts the cursor on the comment that contains a text, before the first drawing.
func (b *Body) pointAt(text string) {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), ">"))
	if text == "" {
		return
	}
	said := func(c review.Comment) bool { return strings.Contains(c.Text.Raw()+"\n"+c.Instead.Raw(), text) }
	quoted := func(c review.Comment) bool { return strings.Contains(c.Quote.Raw(), text) }
	comments := b.comments()
	at := slices.IndexFunc(comments, said)
	if at < 0 {
		at = slices.IndexFunc(comments, quoted)
	}
	if at >= 0 {
		b.State.Cursor = review.Spot{Line: comments[at].To, Comment: comments[at].ID}
		b.y = linesAbove
	}
}

// nextComment goes to the next comment after or before the cursor, and wraps around.
func (b *Body) nextComment(by int) {
	spots := b.commentSpots()
	if len(spots) == 0 {
		b.host.Say(screen.ToneCalm, "There is no comment yet.")
		return
	}
	here := slices.IndexFunc(spots, func(spot review.Spot) bool { return spot.Comment == b.State.Cursor.Comment })
	switch {
	case here >= 0:
		here = (here + by + len(spots)) % len(spots)
	case by > 0:
		here = sort.Search(len(spots), func(i int) bool { return spots[i].Line >= b.State.Cursor.Line }) % len(spots)
	default:
		here = (sort.Search(len(spots), func(i int) bool { return spots[i].Line >= b.State.Cursor.Line }) - 1 + len(spots)) % len(spots)
	}
	b.goTo(spots[here])
}

// commentSpots returns the spots of all comments, from top to bottom.
func (b *Body) commentSpots() []review.Spot {
	var spots []review.Spot
	for _, c := range b.comments() {
		spots = append(spots, review.Spot{Line: c.To, Comment: c.ID})
	}
	return spots
}

// comments returns all shown comments, settled ones too, in the order of the plan.
func (b *Body) comments() []review.Comment {
	list := slices.Clone(b.State.Review.Comments)
	for _, o := range b.State.Earlier {
		if _, open := b.State.Comment(o.ID); !open {
			c := o.Comment
			c.From, c.To = b.State.Place(o)
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(x, y review.Comment) int {
		if x.To != y.To {
			return x.To - y.To
		}
		return x.From - y.From
	})
	return list
}

// planSearch is a search in the plan.
type planSearch struct {
	edit  *editor.Editor
	from  review.Spot // where it began
	lines []int       // the lines that match, from 1
}

func newPlanSearch(from review.Spot) *planSearch {
	return &planSearch{edit: editor.New(true), from: from}
}

// found says which of the matching lines has the cursor, and of how many; empty while nothing
// is searched for.
func (q *planSearch) found(line int) string {
	switch at, ok := slices.BinarySearch(q.lines, line); {
	case q.edit.Empty():
		return ""
	case len(q.lines) == 0:
		return "not found"
	case ok:
		return fmt.Sprintf("%d of %d", at+1, len(q.lines))
	default:
		return fmt.Sprintf("%d in all", len(q.lines))
	}
}

// pressInSearch does one key while the person searches.
func (b *Body) pressInSearch(p keymap.Press) {
	q := b.search
	switch p.Act {
	case keymap.Escape, keymap.Menu:
		b.search = nil
	case keymap.Enter, keymap.NewLine, keymap.Down, keymap.Next:
		b.find(b.State.Cursor.Line+1, 1)
	case keymap.Up, keymap.Prev:
		b.find(b.State.Cursor.Line-1, -1)
	default:
		if q.edit.Act(p) == keymap.Changed {
			b.find(q.from.Line, 1)
		}
	}
}

// find goes to the first match from a line on, in the direction of by, and wraps around.
func (b *Body) find(from, by int) {
	q, what := b.search, strings.ToLower(b.search.edit.Text())
	q.lines = q.lines[:0]
	for i, line := range b.State.Lines {
		if what != "" && containsFold(line, what) {
			q.lines = append(q.lines, i+1)
		}
	}
	n := len(q.lines)
	if n == 0 {
		return
	}
	at, ok := slices.BinarySearch(q.lines, from)
	if by < 0 && !ok {
		at--
	}
	line := q.lines[(at+n)%n]
	b.unfoldTo(line)
	b.goTo(review.Spot{Line: line})
	b.State.Cursor.Line = line // of lines shown together, the cursor is on this one
}

// containsFold reports whether a line contains what, in any case; what is in lower case.
func containsFold(line, what string) bool {
	return len(line) >= len(what) && strings.Contains(strings.ToLower(line), what)
}
