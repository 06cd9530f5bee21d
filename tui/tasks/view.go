package tasks

import (
	"fmt"
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
	foldedCells = 5  // a folded column: its mark and its count
	leadCells   = 3  // before the title of a card: the focus, the mark and a blank
	headLines   = 2  // of a column: its name, and the rule below it
	airyHeight  = 30 // the height of a window from which on cards stand apart
)

// slot is the place of a column on the screen.
type slot struct {
	column   column
	x, width int
	folded   bool
}

// openColumns is how many columns are not folded.
func (s *Screen) openColumns() int {
	for n := int(columns); n > 1; n-- {
		if n*leastColumn+(int(columns)-n)*foldedCells <= s.page.Width {
			return n
		}
	}
	return 1
}

// unfold opens the column of the cursor.
func (s *Screen) unfold() {
	most := s.openColumns()
	before := s.open
	s.open = max(min(s.open, int(s.state.at)), int(s.state.at)-most+1)
	s.open = max(min(s.open, int(columns)-most), 0)
	if s.open != before {
		s.layOut()
	}
}

// slots are the columns from left to right. The rest of the width goes to the open columns.
func (s *Screen) slots() []slot {
	most, x := s.openColumns(), 0
	room := s.page.Width - (int(columns)-most)*foldedCells
	list := make([]slot, columns)
	for c := range columns {
		at := int(c) - s.open
		width := foldedCells
		if at >= 0 && at < most {
			width = room*(at+1)/most - room*at/most
		}
		list[c] = slot{c, x, width, at < 0 || at >= most}
		x += width
	}
	return list
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
func (s *Screen) cardsTop() int { return screen.HeaderLines + s.aboveColumns() + headLines }

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
	s.open = max(min(s.open, int(columns)-most), 0)
	if s.page.Unsized() {
		return
	}
	if at := int(s.state.at); at < s.open || at >= s.open+most {
		s.open = max(min(at, int(columns)-most), 0)
	}
	s.state.layOut()
	if s.graphed && s.state.plan != nil {
		s.graph.list.SetLines(s.page.BodyLines() - s.aboveColumns() - len(s.pathLines()) - 1 - s.detailLines())
		s.graph.show(s.state.plan, s.state.task(), s.page.Width, s.airy())
	}
	for c := range columns {
		s.state.lists[c].SetLines(s.cardLines())
	}
}

// cardLines is how many lines a column has for its cards.
func (s *Screen) cardLines() int {
	return s.page.BodyLines() - s.aboveColumns() - headLines - s.detailLines()
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
		if slot.column == c && !slot.folded {
			return max(slot.width-leadCells-1, 1)
		}
	}
	return leastColumn - leadCells - 1
}

// cardHeights returns a function that tells the height of a card in a column. It breaks no
// title, because a plan may have 10,000 of them. On a low screen long titles get two lines
// only if all cards of the column still fit.
func (s *Screen) cardHeights(c column) func(n int) int {
	room, airy, p := s.cardRoom(c), s.airy(), s.state.plan
	height := func(n int) int {
		lines := 1
		if s.broken[c] && p.widths[n-1] > room {
			lines++
		}
		if p.hinted(n) {
			lines++
		}
		if airy {
			lines++
		}
		return lines
	}
	s.broken[c] = true
	if !airy {
		all := 0
		for _, n := range s.state.cards[c] {
			all += height(n)
		}
		s.broken[c] = all <= s.cardLines()
	}
	return height
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
	board, graph := st.TabHere, st.Tab
	if s.graphed {
		board, graph = graph, board
	}
	return board.Render("Board") + "  " + graph.Render("Graph")
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

// position says which tasks of the graph are in view. The columns of the board say it of their
// own cards.
func (s *Screen) position() string {
	if !s.graphed {
		return ""
	}
	return s.graph.list.Position()
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
		lines = append(lines, " "+s.typed.Draw(st, "/ ", s.types, s.page.Width-4))
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

// drawColumns draws the columns beside each other.
func (s *Screen) drawColumns() []string {
	rows := make([]strings.Builder, headLines+s.state.lists[ready].Lines)
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
	lines := make([]string, len(rows))
	for i := range rows {
		lines[i] = strings.TrimRight(rows[i].String(), " ")
	}
	return lines
}

// drawColumn draws a column: its name with the number of its cards, a rule, and the cards.
func (s *Screen) drawColumn(place slot) []string {
	st, c := &s.page.Look.Styles, place.column
	role, count := st.Role(themes.RoleOfTask(c.state())), len(s.state.cards[c])
	mark := c.state().Standing().Mark
	rule := st.Rule.Render(strings.Repeat("─", max(place.width-1, 0)))
	name := st.Strong
	if c == s.state.at {
		rule, name = st.Cursor.Render(strings.Repeat("━", max(place.width-1, 0))), st.TabHere
	}
	if place.folded {
		return []string{cells.Cut(" "+role.Render(mark)+" "+st.Muted.Render(digits(count)), foldedCells-1), rule}
	}
	head := " " + role.Render(mark) + " " + name.Render(c.name()) + st.Muted.Render("  "+digits(count))
	if list := &s.state.lists[c]; list.Top > 0 {
		head = cells.Sides(head, st.Faint.Render("↑"), place.width-1)
	}
	return append([]string{head, rule}, s.state.lists[c].Visible(func(i int) []string { return s.card(place, i) })...)
}

// card draws a card: the mark and the title, and below it what matters about the task.
func (s *Screen) card(place slot, i int) []string {
	p, st, n := s.state.plan, &s.page.Look.Styles, s.state.cards[place.column][i]
	room := place.width - leadCells - 1
	here := place.column == s.state.at && i == s.state.lists[place.column].Cursor
	style := st.ItemTitle(here)
	if p.view.State(n).Final() {
		style = st.Faint
	}
	var lines []string
	lead := " " + s.mark(n) + " "
	for _, line := range s.titleLines(place.column, n, room) {
		lines = append(lines, lead+style.Render(line))
		lead = strings.Repeat(" ", leadCells)
	}
	if p.hinted(n) {
		lines = append(lines, strings.Repeat(" ", leadCells)+s.cardHint(n, room))
	}
	if here {
		lines = st.FocusedItem(lines, place.width-1)
	}
	if s.airy() {
		lines = append(lines, "")
	}
	return lines
}

// cardHint is the last line of a card, with the mark of the critical path and a priority
// that differs from the usual one.
func (s *Screen) cardHint(n, room int) string {
	p, st := s.state.plan, &s.page.Look.Styles
	line, used := "", 0
	if p.onPath[n-1] {
		line, used = st.Accent.Render(markCritical)+" ", 2
	}
	if priority := p.Marks.Priority(n); priority != rules.DefaultPriority && !p.view.State(n).Final() {
		text := fmt.Sprintf("P%d", priority)
		style := st.Muted
		if priority < rules.DefaultPriority {
			style = st.Danger
		}
		line, used = line+style.Render(text)+st.Muted.Render(cells.Gap), used+len(text)+ansi.StringWidth(cells.Gap)
	}
	return line + st.Muted.Render(fitting(p.hint(n), room-used))
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
