package tasks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/wording"
)

// Sizes in cells and lines.
const (
	leastColumn = 22 // the width from which on a column is not folded
	headLines   = 2  // of a column: its name, and the rule below it
	foldedGap   = 2  // between the names of folded columns
)

// slot is the place of an open column on the screen, or of the name of a folded one.
type slot struct {
	column   column
	x, width int
}

func (place slot) covers(x int) bool { return place.x <= x && x < place.x+place.width }

// openColumns is how many columns are not folded.
func (s *Screen) openColumns() int {
	return max(min(s.page.Width/leastColumn, s.spanned()), 1)
}

// spanned is how many columns the plan has.
func (s *Screen) spanned() int {
	first, last := s.state.span()
	return int(last-first) + 1
}

// foldedLines is how many lines stand above the columns for the names of those that are folded:
// with lines to spare an empty one, too, so that they do not seem to belong to the heading below.
func (s *Screen) foldedLines() int {
	switch {
	case s.openColumns() >= s.spanned():
		return 0
	case s.page.Height >= roomyHeight:
		return 2
	}
	return 1
}

// unfold opens the column of the cursor.
func (s *Screen) unfold() {
	most := s.openColumns()
	before := s.open
	s.open = s.within(max(min(s.open, int(s.state.at)), int(s.state.at)-most+1))
	if s.open != before {
		s.layOut()
	}
}

// unfoldHits opens columns beside each other, that of the cursor among them: those of which the
// most have a task that passes the filter.
func (s *Screen) unfoldHits() {
	most, at, best := s.openColumns(), int(s.state.at), 0
	for open := s.within(at - most + 1); open <= s.within(at); open++ {
		hits := 0
		for c := open; c < open+most; c++ {
			hits += min(len(s.state.cards[c]), 1)
		}
		if hits > best {
			best, s.open = hits, open
		}
	}
}

// within returns the first open column, or the nearest one behind which enough others follow.
func (s *Screen) within(open int) int {
	first, last := s.state.span()
	return max(min(open, int(last)+1-s.openColumns()), int(first))
}

// slots are the open columns from left to right.
func (s *Screen) slots() []slot {
	most := s.openColumns()
	list := make([]slot, most)
	for i := range list {
		x := s.page.Width * i / most
		list[i] = slot{column(s.open + i), x, s.page.Width*(i+1)/most - x}
	}
	return list
}

// foldedSlots are the places of the names of the folded columns, in one line: at the left those
// before the open columns, at the right those behind them. Where not all of them fit, the
// furthest ones lose their words.
func (s *Screen) foldedSlots() []slot {
	most, room := s.openColumns(), s.page.Width-2*leadCells
	var list []slot
	wide := -foldedGap
	first, last := s.state.span()
	for c := first; c <= last; c++ {
		if away := s.away(c); away > 0 {
			list = append(list, slot{column: c, width: ansi.StringWidth(s.foldedName(c, true))})
			wide += list[len(list)-1].width + foldedGap
		}
	}
	for furthest := s.spanned() - most; furthest > 0 && wide > room; furthest-- {
		for i := range list {
			if place := &list[i]; s.away(place.column) == furthest {
				short := ansi.StringWidth(s.foldedName(place.column, false))
				wide -= place.width - short
				place.width = short
			}
		}
	}
	x := leadCells
	for i := range list {
		if place := &list[i]; int(place.column) == s.open+most { // what follows stands at the right
			x = s.page.Width - leadCells + foldedGap
			for _, behind := range list[i:] {
				x -= behind.width + foldedGap
			}
		}
		list[i].x = x
		x += list[i].width + foldedGap
	}
	return list
}

// away is how far a column is from the open ones; 0 for those.
func (s *Screen) away(c column) int {
	return max(s.open-int(c), int(c)-(s.open+s.openColumns()-1), 0)
}

// foldedName names a folded column, with the number of its cards.
func (s *Screen) foldedName(c column, worded bool) string {
	st := &s.page.Look.Styles
	cards, _ := s.count(c)
	count := digits(cards)
	if worded {
		count = c.name() + " " + count
	}
	style := st.Muted
	if s.state.filter != "" && len(s.state.cards[c]) > 0 {
		style = st.Strong
	}
	return c.mark(st) + " " + style.Render(count)
}

// drawFolded draws the names of the folded columns, and at each side the key that goes there.
func (s *Screen) drawFolded() string {
	st, line := &s.page.Look.Styles, ""
	if s.away(ready) > 0 {
		line = " " + st.Faint.Render("←")
	}
	for _, place := range s.foldedSlots() {
		name := s.foldedName(place.column, true)
		if ansi.StringWidth(name) > place.width {
			name = s.foldedName(place.column, false)
		}
		line = cells.Fill(line, place.x) + name
	}
	if s.away(finished) > 0 {
		line = cells.Fill(line, s.page.Width-leadCells) + " " + st.Faint.Render("→")
	}
	return cells.Cut(line, s.page.Width)
}

// cardLines is how many lines a column has for its cards.
func (s *Screen) cardLines() int {
	return s.page.BodyLines() - s.aboveColumns() - s.foldedLines() - headLines - s.detailLines()
}

// listLines is how many lines the cards of a column have. Where not all fit, the last line says
// how many more there are; of a list over the whole width the rule below it says that.
func (s *Screen) listLines(c column) int {
	lines := s.roomFor(c)
	if c == toApprove || s.state.tall[c]-s.airLines(c) <= lines || lines <= headLines {
		return lines
	}
	return lines - 1
}

// roomFor is how many lines a column has for its cards below what stands above them.
func (s *Screen) roomFor(c column) int {
	return s.cardLines() - len(s.changesAbove(c, s.cardRoom(c)))
}

// changesAbove are the lines above the cards of what needs the person: how many changes of the plan
// wait for an approval, and the key. They are no card, because some of their tasks are not there
// yet, and the others go on as they were approved.
func (s *Screen) changesAbove(c column, room int) []string {
	p := s.state.plan
	if c != needsYou || p == nil || len(p.changes) == 0 {
		return nil
	}
	st := &s.page.Look.Styles
	lead := " " + c.mark(st) + " "
	var lines []string
	for _, line := range cells.Lines(p.changesToApprove(), room) {
		lines = append(lines, lead+st.Required.Render(line))
		lead = strings.Repeat(" ", leadCells)
	}
	if tells := keymap.Tells(s.keys, "", keymap.Approve, " reviews them"); tells != "" {
		lines = append(lines, lead+st.Muted.Render(cells.Cut(tells, room)))
	}
	if s.page.Height >= roomyHeight {
		lines = append(lines, "")
	}
	return lines
}

// count is how many cards of a column count, and how many are of cancelled tasks, which do not.
// Changes that need the person count, too, although they are no cards.
func (s *Screen) count(c column) (count, cancelled int) {
	count, cancelled = s.state.plan.counted(s.state.cards[c])
	if c == needsYou {
		count += len(s.state.plan.changes)
	}
	return count, cancelled
}

// whole returns the visible lines of a column that have cards in view as a whole, and how many
// cards follow below them. A card that is higher than the column is in view in part.
func (s *Screen) whole(c column) (first, end, more int) {
	list, room := &s.state.lists[c], s.cardRoom(c)
	at := -list.Top
	for _, n := range s.state.cards[c] {
		begin := at
		at += s.cardHeight(c, n, room)
		if begin < 0 && at > 0 {
			first = at
		}
		if at-s.airLines(c) > list.Lines {
			more++
		} else {
			end = at
		}
	}
	if end <= first {
		return 0, list.Lines, more
	}
	return first, min(end, list.Lines), more
}

// drawColumns draws the open columns beside each other, below the names of the folded ones.
func (s *Screen) drawColumns() []string {
	rows := make([]strings.Builder, headLines+max(s.cardLines(), 0))
	for _, slot := range s.slots() {
		drawn := s.drawColumn(slot)
		for i := range rows {
			line := ""
			if i < len(drawn) {
				line = drawn[i]
			}
			rows[i].WriteString(cells.Fill(line, slot.width))
		}
	}
	var lines []string
	if n := s.foldedLines(); n > 0 {
		lines = append(lines, append([]string{s.drawFolded()}, make([]string, n-1)...)...)
	}
	for i := range rows {
		lines = append(lines, strings.TrimRight(rows[i].String(), " "))
	}
	return lines
}

// drawColumn draws a column: its name with the number of its cards, a rule, and the cards.
func (s *Screen) drawColumn(place slot) []string {
	st, c := &s.page.Look.Styles, place.column
	rule := st.Rule.Render(strings.Repeat("─", max(place.width-1, 0)))
	name := st.Strong
	if c == s.state.at {
		rule, name = st.Cursor.Render(strings.Repeat("━", max(place.width-1, 0))), st.TabHere
	}
	count, cancelled := s.count(c)
	head := " " + c.mark(st) + " " + name.Render(c.name())
	if c != toApprove { // the header counts its tasks
		head += st.Muted.Render("  " + digits(count))
	}
	list, draw := &s.state.lists[c], func(i int) []string { return s.card(place, i) }
	right := ""
	switch {
	case c == toApprove && len(s.state.plan.critical) > 0 && !strings.Contains(s.standing(), markCritical):
		right = st.Accent.Render(markCritical) + st.Muted.Render(" critical path")
		long := right + st.Muted.Render(": "+wording.Minutes(s.state.plan.criticalMinutes()))
		if ansi.StringWidth(head+long) < place.width-cells.SidesGap {
			right = long
		}
	case list.Top > 0:
		right = st.Faint.Render("↑")
	}
	if more := cancelledToo(cancelled); ansi.StringWidth(head+more+right) < place.width-min(len(right), cells.SidesGap) {
		head += st.Muted.Render(more)
	}
	if s.inRows(c) {
		draw = s.rowsToApprove()
	}
	cards := list.Visible(draw)
	above := s.changesAbove(c, place.room())
	if list.Lines < s.roomFor(c) {
		first, end, more := s.whole(c)
		clear(cards[:min(first, len(cards))])
		for cards = cards[:min(end, len(cards))]; len(cards) < list.Lines; {
			cards = append(cards, "")
		}
		if more > 0 {
			cards = append(cards, strings.Repeat(" ", leadCells)+st.Muted.Render(fmt.Sprintf("+%d more", more)))
		}
	}
	return slices.Concat([]string{cells.Sides(head, right, place.width-1), rule}, above, cards)
}
