package drafts

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"planb/drafts/schedule"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/screen"
	"planb/tui/wording"
)

// chart is the schedule as a Gantt chart: a row for each leaf of the work breakdown, and below
// them one for each fixed day.
type chart struct {
	placed *schedule.Schedule
	rows   []chartRow
	days   int // from the start to the end of what is drawn
	list   screen.List
}

// chartRow is a leaf or a deadline.
type chartRow struct {
	leaf     *schedule.Leaf
	deadline *schedule.Deadline
	apart    bool // an empty line stands above it
}

// name is its id and what it is called.
func (r chartRow) name() string {
	if r.deadline != nil {
		return nameOf(r.deadline.ID, r.deadline.Name)
	}
	return nameOf(r.leaf.ID, r.leaf.Name)
}

// chartHead is how many lines of months stand above the rows.
const chartHead = 1

// show lays the chart of a schedule out.
func (c *chart) show(placed *schedule.Schedule, lines int) {
	c.placed, c.rows = placed, c.rows[:0]
	c.days = placed.End.Likely
	for i := range placed.Leaves {
		leaf := &placed.Leaves[i]
		apart := i > 0 && placed.Leaves[i-1].Phase != leaf.Phase
		c.rows = append(c.rows, chartRow{leaf: leaf, apart: apart})
		c.days = max(c.days, leaf.End())
	}
	deadlines := fixedDays(placed)
	slices.SortStableFunc(deadlines, func(a, b schedule.Deadline) int { return b.Due.DaysUntil(a.Due) })
	for i := range deadlines {
		c.rows = append(c.rows, chartRow{deadline: &deadlines[i], apart: i == 0})
		c.days = max(c.days, placed.Start.DaysUntil(deadlines[i].Due)+1)
	}
	heights := make([]int, len(c.rows))
	for i, row := range c.rows {
		if heights[i] = 1; row.apart {
			heights[i]++
		}
	}
	c.list.SetLines(lines)
	c.list.SetRows(heights, c.list.Cursor)
}

// fixedDays are the deadlines of a schedule. If a task ends with its milestone, the milestone
// is enough.
func fixedDays(placed *schedule.Schedule) []schedule.Deadline {
	return slices.DeleteFunc(slices.Clone(placed.Deadlines), func(d schedule.Deadline) bool {
		return isTask(d) && slices.ContainsFunc(placed.Deadlines, func(m schedule.Deadline) bool {
			return !isTask(m) && m.Due == d.Due && m.Last == d.Last
		})
	})
}

// isTask reports whether a deadline is that of a task, whose id is a number.
func isTask(d schedule.Deadline) bool { return d.ID != "" && unicode.IsDigit(rune(d.ID[0])) }

// late is how many fixed days a schedule misses.
func late(placed *schedule.Schedule) (n int) {
	for _, d := range fixedDays(placed) {
		if d.Late() {
			n++
		}
	}
	return n
}

// missedBy says how many fixed days a schedule misses, and by how much, with a word behind the
// days; empty for none.
func missedBy(placed *schedule.Schedule, word string) string {
	n, most := late(placed), 0
	for _, d := range fixedDays(placed) {
		most = max(most, -d.Slack)
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "1 fixed day" + word + ", by " + wording.Count(most, "day")
	}
	return wording.Count(n, "fixed day") + word + ", by " + wording.Count(most, "day") + " at most"
}

// Signs of the chart. Meaning does not rest on colour alone.
const (
	signCritical = "█"
	signFree     = "▒"
	signWait     = "░"
	signDay      = "◆"
	signRisk     = "◇" // a fixed day that is kept unless work takes longer than is likely
	leastLabel   = 14  // cells of the names of rows at least
	mostLabel    = 50  // and at most
)

// column is where a day is drawn.
func (c *chart) column(day, room int) int { return day * room / max(c.days, 1) }

// pen draws a chart in a width.
type pen struct {
	*chart
	st                 *screen.Styles
	made               string // how the schedule is made, above the names
	width, label, room int    // of a row, of the names, and of the bars
}

func (c *chart) pen(st *screen.Styles, width int, made string) pen {
	const part = 2 // of the width
	longest := cells.Width(made) + 1
	for _, row := range c.rows {
		longest = max(longest, cells.Width(row.name())+1)
	}
	label := max(min(width/part-4, longest, mostLabel), leastLabel)
	return pen{c, st, made, width, label, max(width-label-3, 1)}
}

// head names the months above the rows, and at the left how the schedule is made.
func (p pen) head() string {
	return " " + p.st.Faint.Render(cells.Pad(cells.Cut(p.made, p.label-1), p.label)+" "+p.months(p.room))
}

// drawChart draws the chart, and below it what is said of the row under the cursor.
func (s *Screen) drawChart(lines int) []string {
	pen := s.chart.pen(&s.page.Look.Styles, s.page.Width, s.flags().String())
	out := append([]string{pen.head()}, s.chart.list.Visible(func(i int) []string { return pen.row(i, i == s.chart.list.Cursor) })...)
	for len(out) < lines+chartHead-s.detailLines() {
		out = append(out, "")
	}
	return append(out, s.chartDetail()...)
}

// previewChart draws the chart beside the steps.
func (s *Screen) previewChart(width, lines int) []string {
	c := chart{}
	c.show(s.draft.placed, lines)
	pen := c.pen(&s.page.Look.Styles, width, "")
	out := []string{pen.head()}
	for i := range c.rows {
		out = append(out, pen.row(i, false)...)
	}
	for i, line := range out {
		out[i] = strings.TrimPrefix(line, " ")
	}
	return out
}

// months names the months of the calendar where they begin: every one, or every second, and so
// on, as many as fit. The month of the first day stands above that day.
func (c *chart) months(room int) string {
	const name, gap, year = len("2027-01"), 1, 12
	first := c.placed.Start
	month, err := schedule.ParseDate(first.String()[:name] + "-01")
	if err != nil {
		return ""
	}
	at := func(months int) int { return c.column(max(first.DaysUntil(month.AddMonths(months)), 0), room) }
	begun := 0 // the first month that begins within the chart
	if first.DaysUntil(month) < 0 {
		begun = 1
	}
	last, step := begun, 1
	for first.DaysUntil(month.AddMonths(last+1)) <= c.days && at(last+1)+name <= room {
		last++
	}
	fits := func() bool {
		if year%step != 0 && step%year != 0 {
			return false // each year is to have the same months
		}
		for n := begun + step; n <= last; n += step {
			if at(n)-at(n-step) < name+gap {
				return false
			}
		}
		return true
	}
	for !fits() {
		step++
	}
	line := []byte(strings.Repeat(" ", room))
	for n := begun; n <= last; n += step {
		if at(n)+name <= room {
			copy(line[at(n):], month.AddMonths(n).String()[:name])
		}
	}
	if begun > 0 && (at(begun) >= name+gap || at(begun)+name > room) {
		copy(line, month.String()[:name])
	}
	return strings.TrimRight(string(line), " ")
}

// row draws a row of the chart.
func (p pen) row(i int, focused bool) []string {
	row, st, label, room := p.rows[i], p.st, p.label, p.room
	var lines []string
	if row.apart {
		lines = append(lines, "")
	}
	name, drawn := row.name(), ""
	if d := row.deadline; d != nil {
		at := min(p.column(p.placed.Start.DaysUntil(d.Due), room), room-1)
		sign, style := dayOf(*d).drawn(st)
		mark := style.Render(sign)
		for _, words := range slackWords(*d) {
			wide := cells.Width(words) + 1
			if room-at-1 >= wide {
				mark += style.Render(" " + words)
				break
			}
			if at > wide {
				mark, at = style.Render(words+" ")+mark, at-wide
				break
			}
		}
		drawn = strings.Repeat(" ", max(at, 0)) + mark
	} else {
		from, to := p.column(row.leaf.Placed, room), p.column(row.leaf.End(), room)
		sign, style := bar(*row.leaf, st)
		drawn = strings.Repeat(" ", min(from, room-1)) + style.Render(strings.Repeat(sign, max(to-from, 1)))
	}
	name = " " + cells.Pad(st.Text.Render(cells.Cut(name, label-1)), label)
	switch {
	case focused && st.FocusReversed(): // a bar in a reversed row would be a hole in it
		return append(lines, st.Focused(name, label+1)+" "+drawn)
	case focused:
		return append(lines, st.Focused(name+" "+drawn, p.width))
	}
	return append(lines, name+" "+drawn)
}

// bar is the sign of which the bar of a leaf is made, and its style.
func bar(leaf schedule.Leaf, st *screen.Styles) (string, cells.Style) {
	switch {
	case leaf.Critical():
		return signCritical, st.Warning // the accent is the focus and the view that is open
	case leaf.Wait:
		return signWait, st.Muted
	}
	return signFree, st.Info
}

// dayState is how a fixed day stands.
type dayState uint8

const (
	dayKept dayState = iota
	dayAtRisk
	dayMissed
)

func dayOf(d schedule.Deadline) dayState {
	switch {
	case d.Late():
		return dayMissed
	case d.LateMax > 0:
		return dayAtRisk
	}
	return dayKept
}

// drawn is the sign of a fixed day, and its style.
func (d dayState) drawn(st *screen.Styles) (string, cells.Style) {
	return [...]string{signDay, signRisk, signDay}[d], [...]cells.Style{st.Success, st.Warning, st.Danger}[d]
}

// nameOf is an id with its name, cleaned.
func nameOf(id, name string) string { return safe.New(id + " " + name).Line() }

// slackWords say how a fixed day stands, in ever fewer words.
func slackWords(d schedule.Deadline) []string {
	if d.Late() {
		return []string{wording.Count(-d.Slack, "day") + " late"}
	}
	left := wording.Count(d.Slack, "day") + " left"
	if d.LateMax > 0 {
		return []string{fmt.Sprintf("%s, %d late at worst", left, d.LateMax), wording.Count(d.LateMax, "day") + " late at worst"}
	}
	return []string{left}
}

// chartDetail tells the row under the cursor in full, and when everything ends. While the person
// tries flags, which say that, too, it explains the signs alone.
func (s *Screen) chartDetail() []string {
	height := s.detailLines()
	if height == 0 || s.chart.list.Cursor >= len(s.chart.rows) {
		return nil
	}
	st, row, room := &s.page.Look.Styles, s.chart.rows[s.chart.list.Cursor], s.page.Width-2
	legend := s.chart.legend(st)
	if s.asked.below() {
		return []string{" " + cells.Cut(legend, room)}
	}
	name, about := rowWords(s.chart.placed, row)
	lines := []string{s.page.RuleBelow(s.position()), " " + st.Strong.Render(cells.Cut(name, room)), " " + st.Muted.Render(cells.CutParts(about, room))}
	if height > len(lines) {
		const gap = 2
		end := cells.Longest(room-gap-cells.Width(legend), endWords(s.chart.placed), endsOn(s.chart.placed), "")
		lines = append(lines, " "+cells.Sides(legend, st.Faint.Render(end), room))
	}
	return lines[:min(len(lines), height)]
}

// legend explains the signs that are in the chart.
func (c *chart) legend(st *screen.Styles) string {
	said := map[string]bool{}
	for _, row := range c.rows {
		sign := ""
		if row.leaf != nil {
			sign, _ = bar(*row.leaf, st)
		} else {
			sign, _ = dayOf(*row.deadline).drawn(st)
		}
		said[sign] = true
	}
	var parts []string
	for _, part := range []struct {
		sign  string
		style cells.Style
		words string
	}{
		{signCritical, st.Warning, "critical"},
		{signFree, st.Info, "can move"},
		{signWait, st.Muted, "waits for others"},
		{signDay, st.Success, "fixed day"},
		{signRisk, st.Warning, "may be missed"},
	} {
		if said[part.sign] {
			parts = append(parts, part.style.Render(part.sign)+st.Faint.Render(" "+part.words))
		}
	}
	return strings.Join(parts, "  ")
}

// rowWords tell a row in full: its name, and what is known of it.
func rowWords(placed *schedule.Schedule, row chartRow) (name, about string) {
	if d := row.deadline; d != nil {
		return nameOf(d.ID, d.Name), cells.Join("due "+d.Due.String(), "its work ends "+d.Last.String(), slackWords(*d)[0])
	}
	first, last := placed.Days(*row.leaf)
	kind := "critical: nothing of it can move"
	if float := row.leaf.Float(); float > 0 {
		kind = "can move " + wording.Count(float, "day")
	}
	after := ""
	if len(row.leaf.After) > 0 {
		after = "after " + safe.New(strings.Join(row.leaf.After, ", ")).Line()
	}
	wait := ""
	if row.leaf.Wait {
		wait = "waits for others"
	}
	return nameOf(row.leaf.ID, row.leaf.Name), cells.Join(fmt.Sprintf("%s to %s", first, last), wording.Count(row.leaf.Days, "day"), kind, wait, after)
}

// endWords say when all is done, with the earliest and the latest day.
func endWords(placed *schedule.Schedule) string {
	return fmt.Sprintf("%s (%s)", endsOn(placed), rangeWords(placed))
}

// endsOn is endWords without the days that may be, too.
func endsOn(placed *schedule.Schedule) string { return "ends " + lastDay(placed).String() }

// rangeWords say when all is done if every task takes the least time that is thought possible,
// or the most.
func rangeWords(placed *schedule.Schedule) string {
	day := func(n int) schedule.Date { return placed.Start.AddDays(n - 1) }
	return fmt.Sprintf("at best %s, at worst %s", day(placed.End.Min), day(placed.End.Max))
}

// lastDay is the day on which all is done, as it is expected.
func lastDay(placed *schedule.Schedule) schedule.Date {
	return placed.Start.AddDays(placed.End.Likely - 1)
}
