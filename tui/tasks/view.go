package tasks

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	rules "planb/plans/tasks"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Sizes in cells and lines.
const (
	leastColumn = 22 // the width from which on a column is not folded
	leadCells   = 3  // before the title of a card: the focus, the mark and a blank
	headLines   = 2  // of a column: its name, and the rule below it
	foldedGap   = 2  // between the names of folded columns
	rowsWidth   = 60 // the width of a window from which on a plan to approve is a list of rows
	airyHeight  = 30 // the height of a window from which on cards stand apart
)

// slot is the place of an open column on the screen, or of the name of a folded one.
type slot struct {
	column   column
	x, width int
}

func (place slot) covers(x int) bool { return place.x <= x && x < place.x+place.width }

// room is the room of a card's texts. One cell stays empty between them and the edge of the
// focus, and one between that and the next column.
func (place slot) room() int { return max(place.width-leadCells-2, 1) }

// openColumns is how many columns are not folded.
func (s *Screen) openColumns() int {
	return max(min(s.page.Width/leastColumn, s.spanned()), 1)
}

// spanned is how many columns the plan has.
func (s *Screen) spanned() int {
	first, last := s.state.span()
	return int(last-first) + 1
}

// foldedLines is how many lines stand above the columns for the names of those that are folded.
func (s *Screen) foldedLines() int {
	if s.openColumns() < s.spanned() {
		return 1
	}
	return 0
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

// unfoldHits opens the columns around the cursor of which the most have tasks that pass the
// filter.
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
	st, count := &s.page.Look.Styles, digits(len(s.state.cards[c]))
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

func (s *Screen) airy() bool { return s.page.Height >= airyHeight }

func (s *Screen) filterShown() bool { return s.types || s.state.filter != "" }

// aboveColumns is how many lines stand between the header and the columns.
func (s *Screen) aboveColumns() int {
	n := 0
	if s.filterShown() {
		n++
	}
	if s.problem() != "" {
		n++
	}
	if s.airy() && n == 0 {
		n = 1
	}
	return n
}

// cardsTop is the line of the screen on which the cards begin.
func (s *Screen) cardsTop() int {
	return screen.HeaderLines + s.aboveColumns() + s.foldedLines() + headLines
}

// detailLines is the height of what is said of the task under the cursor, with its rule.
func (s *Screen) detailLines() int {
	switch {
	case s.page.Height >= airyHeight:
		return 4
	case s.page.Height >= 18:
		return 3
	}
	return 0
}

// layOut gives the lists their heights.
func (s *Screen) layOut() {
	most := s.openColumns()
	s.open = s.within(s.open)
	if s.page.Unsized() {
		return
	}
	if at := int(s.state.at); at < s.open || at >= s.open+most {
		s.open = s.within(at)
	}
	s.state.layOut()
	if s.graphed && s.state.plan != nil {
		s.graph.list.SetLines(s.page.BodyLines() - s.aboveColumns() - len(s.pathLines()) - 1 - s.detailLines())
		s.graph.show(s.state.plan, s.state.task(), s.page.Width, s.airy())
	}
	for c := range columns {
		s.state.lists[c].SetLines(s.listLines(c))
	}
}

// cardLines is how many lines a column has for its cards.
func (s *Screen) cardLines() int {
	return s.page.BodyLines() - s.aboveColumns() - s.foldedLines() - headLines - s.detailLines()
}

// listLines is how many lines the cards of a column have. Where not all fit, the last line says
// how many more there are; of a list over the whole width the rule below it says that.
func (s *Screen) listLines(c column) int {
	if lines := s.cardLines(); c == toApprove || s.state.tall[c]-s.airLines() <= lines || lines <= headLines {
		return lines
	}
	return s.cardLines() - 1
}

// airLines is how many empty lines stand below a card.
func (s *Screen) airLines() int {
	if s.airy() {
		return 1
	}
	return 0
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
		if at-s.airLines() > list.Lines {
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

// titleLines breaks the title of a card in a column, on one line or two.
func (s *Screen) titleLines(c column, n, room int) []string {
	title := s.state.plan.title(n)
	if ansi.StringWidth(title) <= room {
		return []string{title}
	}
	if !s.broken[c] {
		return []string{cells.Cut(title, room)}
	}
	lines := cells.Lines(title, room)
	if len(lines) > 2 {
		lines = []string{lines[0], cells.Cut(strings.Join(lines[1:], " "), room)}
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

// cardHeights returns a function that tells the height of a card in a column. It breaks no
// title, because a plan may have 10,000 of them. On a low screen long titles get two lines
// only if all cards of the column still fit, and then long hints do.
func (s *Screen) cardHeights(c column) func(n int) int {
	room := s.cardRoom(c)
	height := func(n int) int { return s.cardHeight(c, n, room) }
	s.broken[c], s.spread[c] = true, s.airy()
	if !s.airy() {
		s.broken[c] = s.fits(c, height)
		s.spread[c] = s.broken[c]
		s.spread[c] = s.broken[c] && s.fits(c, height)
	}
	return height
}

// fits reports whether all cards of a column fit.
func (s *Screen) fits(c column, height func(n int) int) bool {
	all := 0
	for _, n := range s.state.cards[c] {
		all += height(n)
	}
	return all <= s.cardLines()
}

// cardHeight is the height of a card with so much room for its texts.
func (s *Screen) cardHeight(c column, n, room int) int {
	if s.inRows(c) {
		return 1
	}
	p, lines := s.state.plan, 1+s.airLines()
	if s.broken[c] && p.widths[n-1] > room {
		lines++
	}
	if p.hinted(n) {
		lines++
	}
	if s.spreads(c, n, room) {
		lines++
	}
	return lines
}

// View draws the plan.
func (s *Screen) View() screen.Frame {
	title := "planb"
	if p := s.state.plan; p != nil {
		title = cells.Join(title, cells.Cut(p.Title.Line(), 60))
	}
	return s.decide.over(s.page, screen.Frame{Title: title, Content: s.page.Draw(s.header(), s.body(), s.footer())})
}

// header says which plan this is, how far it is, and what decides when it is done.
func (s *Screen) header() []string {
	p, st := s.state.plan, &s.page.Look.Styles
	if p == nil {
		return s.page.Header("Tasks", "")
	}
	left := st.Title.Render(p.Title.Line())
	if p.project != "" {
		left += st.Muted.Render(cells.Gap + p.project)
	}
	return []string{
		" " + cells.Sides(left, s.progress(), s.page.Width-2),
		" " + cells.Sides(s.standing(), s.views(), s.page.Width-2),
	}
}

// progress is how many tasks are done.
func (s *Screen) progress() string {
	st := &s.page.Look.Styles
	done, of := s.state.plan.done()
	if s.state.plan.Status == rules.PlanProposed { // nothing of it can be done yet
		return st.Muted.Render(wording.Count(of, "task"))
	}
	return st.Progress(done, of) + st.Muted.Render(fmt.Sprintf(" %d/%d done", done, of))
}

// standing says where the plan stands.
func (s *Screen) standing() string {
	p, st := s.state.plan, &s.page.Look.Styles
	standing := p.Status.Standing()
	words := standing.Word
	if p.Paused && !p.Status.Final() {
		words = "paused"
	}
	parts := []string{st.Role(themes.RoleOfTasks(p.Status)).Render(standing.Mark + " " + words)}
	if p.Status == rules.PlanProposed {
		parts = append(parts, st.Muted.Render("nothing begins before you approve it"))
	}
	if minutes := p.criticalMinutes(); minutes > 0 {
		parts = append(parts, st.Accent.Render(markCritical)+st.Muted.Render(" "+wording.Minutes(minutes)+" to go at least"))
	}
	if p.Approval != nil {
		parts = append(parts, p.approved(st, s.deps.Now()))
	}
	room := s.page.Width - 4 - ansi.StringWidth(s.views())
	return fittingParts(parts, st.Muted.Render(cells.Gap), room)
}

// approved says when the plan was approved, and whether an agent's own command opened the
// terminal of that.
func (p *plan) approved(st *screen.Styles, now time.Time) string {
	if agent := p.startedBy(); agent != "" {
		return st.Warning.Render("approved in a terminal that " + agent + " started")
	}
	return st.Muted.Render("approved " + wording.Ago(p.Approval.At, now))
}

// fittingParts joins as many drawn parts as fit.
func fittingParts(parts []string, gap string, room int) string {
	for len(parts) > 1 && ansi.StringWidth(strings.Join(parts, gap)) > room {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, gap)
}

// markCritical marks tasks of the critical path.
const markCritical = "◆"

// views names the views of the plan.
func (s *Screen) views() string {
	st := &s.page.Look.Styles
	board, graph, name := st.TabHere, st.Tab, "Board"
	if s.graphed {
		board, graph = graph, board
	}
	if s.state.plan.Status == rules.PlanProposed {
		name = "List"
	}
	return board.Render(name) + "  " + graph.Render("Graph")
}

// footer shows the keys that do something now.
func (s *Screen) footer() []string {
	if s.types {
		return s.page.Footer(s.typing, []keymap.Action{keymap.Enter, keymap.Escape}, s.decide.status)
	}
	lines := s.page.Footer(s.keys, s.useful(), s.decide.status)
	if s.detailLines() == 0 && s.decide.status == "" {
		lines[0] = s.page.RuleBelow(s.position())
	}
	return lines
}

// position says which tasks of the graph, or of a list, are in view. The columns of the board say it of their
// own cards.
func (s *Screen) position() string {
	if !s.graphed && s.state.at != toApprove {
		return ""
	}
	return s.list().Position()
}

// useful are the keys that do something now, the most useful ones first.
func (s *Screen) useful() []keymap.Action {
	acts := []keymap.Action{keymap.Enter}
	p, n := s.state.plan, s.task()
	switch {
	case p == nil:
		return []keymap.Action{keymap.Escape, keymap.Help, keymap.Quit}
	case p.Status == rules.PlanProposed:
		acts = []keymap.Action{keymap.Approve, keymap.Enter}
	case len(s.state.picked) > 0:
		acts = []keymap.Action{keymap.Space, keymap.Priority, keymap.CancelTask, keymap.Escape}
	case n == 0:
	case p.waits(n):
		acts = []keymap.Action{keymap.Approve, keymap.Enter}
	case p.column(n) == needsYou:
		acts = []keymap.Action{keymap.Space, keymap.Enter}
	case p.column(n) == working:
		acts = append(acts, keymap.Visit, keymap.Release)
	case p.column(n) == blocked:
		acts = append(acts, keymap.Why, keymap.Edit)
	case p.column(n) == ready:
		acts = append(acts, keymap.Priority, keymap.Edit)
	}
	if len(s.decide.undos) > 0 {
		acts = append(acts, keymap.Undo)
	}
	return append(acts, keymap.Next, keymap.Filter, keymap.Help, keymap.Quit, keymap.Theme)
}

func (s *Screen) body() (lines []string) {
	st := &s.page.Look.Styles
	if problem := s.problem(); problem != "" {
		lines = append(lines, " "+st.Danger.Render(cells.Cut("! "+problem, s.page.Width-2)))
	}
	if s.state.plan == nil {
		return lines
	}
	if s.filterShown() {
		lines = append(lines, s.filterLine())
	}
	for len(lines) < s.aboveColumns() {
		lines = append(lines, "")
	}
	if s.graphed {
		lines = append(lines, s.drawGraph()...)
	} else {
		lines = append(lines, s.drawColumns()...)
	}
	detail := s.detail()
	for len(lines) < s.page.BodyLines()-len(detail) {
		lines = append(lines, "")
	}
	return append(lines, detail...)
}

// filterLine shows the filter, and how many tasks pass it.
func (s *Screen) filterLine() string {
	st, hits, style := &s.page.Look.Styles, s.state.hits(), s.page.Look.Styles.Muted
	if hits == 0 {
		style = st.Warning
	}
	count := ""
	if s.state.filter != "" {
		count = fmt.Sprintf("%d of %s", hits, wording.Count(len(s.state.plan.tasks()), "task"))
	}
	room := s.page.Width - 2 - ansi.StringWidth(count)
	return " " + cells.Sides(s.typed.Draw(st, "/ ", s.types, room-4), style.Render(count), s.page.Width-2)
}

// hit marks in a drawn text what the filter matches.
func (s *Screen) hit(text string) string {
	for _, word := range filterWords(s.state.filter) {
		text = cells.Highlighted(text, word, s.page.Look.Styles.Match)
	}
	return text
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
	if s.foldedLines() > 0 {
		lines = append(lines, s.drawFolded())
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
	head := " " + c.mark(st) + " " + name.Render(c.name()) + st.Muted.Render("  "+digits(len(s.state.cards[c])))
	list, draw := &s.state.lists[c], func(i int) []string { return s.card(place, i) }
	right := ""
	switch {
	case c == toApprove:
		right = st.Keycap.Render(keymap.Label(s.keys, keymap.Approve)) + " " + st.Muted.Render("approves the plan")
	case list.Top > 0:
		right = st.Faint.Render("↑")
	}
	if s.inRows(c) {
		draw = s.rowsToApprove()
	}
	cards := list.Visible(draw)
	if list.Lines < s.cardLines() {
		first, end, more := s.whole(c)
		clear(cards[:min(first, len(cards))])
		for cards = cards[:min(end, len(cards))]; len(cards) < list.Lines; {
			cards = append(cards, "")
		}
		if more > 0 {
			cards = append(cards, strings.Repeat(" ", leadCells)+st.Muted.Render(fmt.Sprintf("+%d more", more)))
		}
	}
	return append([]string{cells.Sides(head, right, place.width-1), rule}, cards...)
}

// inRows reports whether each card of a column is a row over the whole width.
func (s *Screen) inRows(c column) bool { return c == toApprove && s.page.Width >= rowsWidth }

// rowsToApprove returns a function that draws a task of a proposed plan as a row: its title, the
// tasks that come before it, and what it takes. The titles get as much as the widest one takes,
// but leave a third of the room.
func (s *Screen) rowsToApprove() func(i int) []string {
	const takesCells, gap, third = 13, 2, 3
	p, st, list := s.state.plan, &s.page.Look.Styles, &s.state.lists[toApprove]
	room := s.page.Width - 1 - leadCells - signCells - takesCells - 2*gap
	titles := min(slices.Max(append(p.widths, 0)), room-room/third)
	return func(i int) []string {
		n, here := s.state.cards[toApprove][i], i == list.Cursor
		sign, after := "  ", p.afterOthers(n, "", room-titles)
		if p.onPath[n-1] {
			sign = st.Accent.Render(markCritical) + " "
		}
		if after == "" && p.Graph.Human(n) {
			after = "for you to do"
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
	return s.priority(n) + " " + st.Muted.Render(cells.PadLeft(wording.Minutes(p.Graph.Minutes(n)), timeCells))
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
	if s.airy() {
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

// detail says in full what the task under the cursor is, and why it stands where it does.
func (s *Screen) detail() []string {
	if s.detailLines() == 0 {
		return nil
	}
	p, st, n := s.state.plan, &s.page.Look.Styles, s.task()
	lines := []string{s.page.RuleBelow(s.position())}
	if n == 0 {
		return append(lines, "", "", "")[:s.detailLines()]
	}
	id := st.Faint.Render(cells.Join(p.key(n), rules.Short(p.ID)+"."+digits(n)))
	lines = append(lines, " "+cells.Sides(st.Strong.Render(p.title(n)), id, s.page.Width-2))
	room := s.page.Width - 2
	why := strings.Split(ansi.Wrap(p.why(n), room, ""), "\n")
	for _, line := range cells.Fold(why, s.detailLines()-2, room) {
		lines = append(lines, " "+st.Muted.Render(line))
	}
	return lines
}
