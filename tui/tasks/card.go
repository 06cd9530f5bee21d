package tasks

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	rules "planb/plans/tasks"
	"planb/tui/cells"
)

// leadCells is how many cells stand before the title of a card: the focus, the mark and a blank.
const leadCells = 3

// room is the room of a card's texts. One cell stays empty between them and the edge of the
// focus, and one between that and the next column.
func (place slot) room() int { return max(place.width-leadCells-2, 1) }

// airLines is how many empty lines stand below a card of a column.
func (s *Screen) airLines(c column) int {
	if s.apart[c] {
		return 1
	}
	return 0
}

// mostTitleLines is how many lines a title has at most, where its column has lines to spare.
const mostTitleLines = 4

// titleLines breaks the title of a card in a column: on one line, on two, or on as many as it
// takes.
func (s *Screen) titleLines(c column, n, room int) []string {
	title := s.state.plan.title(n)
	if ansi.StringWidth(title) <= room {
		return []string{title}
	}
	if !s.broken[c] {
		return []string{cells.Cut(title, room)}
	}
	most := 2
	if s.long[c] {
		most = mostTitleLines
	}
	lines := cells.Lines(title, room)
	if len(lines) > most {
		lines = append(lines[:most-1], cells.Cut(strings.Join(lines[most-1:], " "), room))
	}
	return lines
}

// cardRoom is the room of a card's texts in its column.
func (s *Screen) cardRoom(c column) int {
	for _, slot := range s.slots() {
		if slot.column == c {
			return slot.room()
		}
	}
	return slot{width: leastColumn}.room()
}

// cardHeights returns a function that tells the height of a card in a column. On a low screen the
// cards get more lines as long as all of them still fit into the column: first long titles have two
// lines, then long hints have, then the cards stand apart. On a high screen they have all that in
// any case. On either, titles are shown whole if all cards fit even so. A column with more cards
// than lines is not tried for that: a plan may have 10,000, and each title would be broken.
func (s *Screen) cardHeights(c column) func(n int) int {
	room := s.cardRoom(c)
	height := func(n int) int { return s.cardHeight(c, n, room) }
	s.broken[c], s.spread[c], s.apart[c], s.long[c] = true, s.airy(), s.airy(), false
	if !s.airy() {
		s.broken[c] = s.fits(c, height)
		s.spread[c] = s.broken[c] // so high are the cards if their hints have two lines
		s.spread[c] = s.broken[c] && s.fits(c, height)
		s.apart[c] = s.spread[c]
		s.apart[c] = s.spread[c] && s.fits(c, height)
	}
	if s.apart[c] && len(s.state.cards[c]) <= s.roomFor(c) {
		s.long[c] = true
		s.long[c] = s.fits(c, height)
	}
	return height
}

// fits reports whether all cards of a column fit.
func (s *Screen) fits(c column, height func(n int) int) bool {
	all := 0
	for _, n := range s.state.cards[c] {
		all += height(n)
	}
	return all-s.airLines(c) <= s.roomFor(c)
}

// cardHeight is the height of a card with so much room for its texts.
func (s *Screen) cardHeight(c column, n, room int) int {
	if s.inRows(c) {
		return 1
	}
	p, lines := s.state.plan, 1+s.airLines(c)
	if s.broken[c] && p.widths[n-1] > room {
		lines++
		if s.long[c] {
			lines += len(s.titleLines(c, n, room)) - 2
		}
	}
	if p.hinted(n) {
		lines++
	}
	if s.spreads(c, n, room) {
		lines++
	}
	return lines
}

// priority is a priority that differs from the usual one.
func (s *Screen) priority(n int) string {
	p, style := s.state.plan, s.page.Look.Styles.Muted
	words := p.priority(n)
	switch {
	case words == "":
		return ""
	case p.Marks.Priority(n) < rules.DefaultPriority:
		style = s.page.Look.Styles.Danger
	}
	return style.Render(words)
}

// card draws a card: the mark and the title, and below it what matters about the task.
func (s *Screen) card(place slot, i int) []string {
	p, st, n := s.state.plan, &s.page.Look.Styles, s.state.cards[place.column][i]
	room := place.room()
	here := place.column == s.state.at && i == s.state.lists[place.column].Cursor
	style := st.ItemTitle(here)
	if p.view.State(n).Final() {
		style = st.Faint
	}
	var lines []string
	lead := " " + s.mark(n) + " "
	for _, line := range s.titleLines(place.column, n, room) {
		lines = append(lines, lead+s.hit(style.Render(line)))
		lead = strings.Repeat(" ", leadCells)
	}
	if p.hinted(n) {
		for _, line := range s.cardHints(place.column, n, room) {
			lines = append(lines, strings.Repeat(" ", leadCells)+line)
		}
	}
	if here {
		lines = st.FocusedItem(lines, place.width-1)
	}
	if s.apart[place.column] {
		lines = append(lines, "")
	}
	return lines
}

// cardHints are the last lines of a card: the mark of the critical path, a priority that differs
// from the usual one, and the hint. A hint that waits for others has two lines if that spares the
// title of the other task.
func (s *Screen) cardHints(c column, n, room int) []string {
	p, st := s.state.plan, &s.page.Look.Styles
	signs := p.signs(n)
	lines := []string{signs + p.hint(n, room-ansi.StringWidth(signs))}
	if s.spreads(c, n, room) {
		lines = nil
		for most := 2*room - ansi.StringWidth(signs); lines == nil || len(lines) > 2; most-- {
			lines = cells.Lines(signs+p.hint(n, most), room)
		}
	}
	for i, line := range lines {
		drawn, rest := "", line
		if rest = strings.TrimPrefix(line, signs); i == 0 && rest != line {
			if p.onPath[n-1] {
				drawn = st.Accent.Render(markCritical) + " "
			}
			if p.priority(n) != "" {
				drawn += s.priority(n) + st.Muted.Render(cells.Gap)
			}
		}
		rest = st.Muted.Render(rest)
		if c == working { // it names who works on the task
			rest = s.hit(rest)
		}
		lines[i] = drawn + rest
	}
	return lines
}

// spreads reports whether the hint of a card has two lines.
func (s *Screen) spreads(c column, n, room int) bool {
	return s.spread[c] && s.state.plan.hints[n-1] > room
}

// fitting drops parts from the end of a line made by cells.Join until it fits.
func fitting(text string, room int) string {
	return cells.Cut(fittingParts(strings.Split(text, cells.Gap), cells.Gap, room), room)
}
