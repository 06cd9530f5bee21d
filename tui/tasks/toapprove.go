package tasks

import (
	"slices"

	"planb/tui/cells"
	"planb/tui/wording"
)

// rowsWidth is the width of a window from which on a plan to approve is a list of rows.
const rowsWidth = 60

// titlesWidth is the width of a window from which on such a row has room for the title of another
// task; in a narrower one its key, which is shorter, stands for it.
const titlesWidth = 100

// inRows reports whether each card of a column is a row over the whole width.
func (s *Screen) inRows(c column) bool { return c == toApprove && s.page.Width >= rowsWidth }

// rowsToApprove returns a function that draws a task of a proposed plan as a row: its title, the
// tasks that come before it, whether it is the person's, and what it takes. The titles get as
// much as the widest one takes, but leave a third of the room.
func (s *Screen) rowsToApprove() func(i int) []string {
	const takesCells, gap, third = 14, 2, 3
	p, st, list := s.state.plan, &s.page.Look.Styles, &s.state.lists[toApprove]
	room := s.page.Width - 1 - leadCells - signCells - takesCells - 2*gap
	titles := min(slices.Max(append(p.widths, 0)), room-room/third)
	return func(i int) []string {
		n, here := s.state.cards[toApprove][i], i == list.Cursor
		sign, after := "  ", p.afterOthers(n, "", room-titles)
		if s.page.Width < titlesWidth {
			after = p.afterKeys(n, room-titles)
		}
		if p.onPath[n-1] {
			sign = st.Accent.Render(markCritical) + " "
		}
		line := " " + s.mark(n) + " " + sign + cells.Fill(s.hit(st.ItemTitle(here).Render(cells.Cut(p.title(n), titles))), titles+gap) + st.Muted.Render(after)
		line = cells.Sides(line, s.takes(n), s.page.Width-1)
		if here {
			line = st.Focused(line, s.page.Width)
		}
		return []string{line}
	}
}

// takes is a priority that differs from the usual one, and the time that a task takes.
func (s *Screen) takes(n int) string {
	const timeCells = 10
	p, st := s.state.plan, &s.page.Look.Styles
	return s.priority(n) + "  " + st.Muted.Render(cells.PadLeft(wording.Minutes(p.Graph.Minutes(n)), timeCells))
}
