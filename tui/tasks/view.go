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

// airyHeight is the height of a window from which on cards stand apart.
const airyHeight = 30

// roomyHeight is the height of a window from which on there are lines to spare.
const roomyHeight = 22

func (s *Screen) airy() bool { return s.page.Height >= airyHeight }

func (s *Screen) filterShown() bool { return s.types || s.state.filter != "" }

// aboveColumns is how many lines stand between the header and the columns.
func (s *Screen) aboveColumns() int {
	if s.problem() != "" || s.airy() {
		return 1
	}
	return 0
}

// cardsTop is the line of the screen on which the cards begin.
func (s *Screen) cardsTop() int {
	return screen.HeaderLines + s.aboveColumns() + s.foldedLines() + headLines
}

// detailLines is the height of what is said of the task under the cursor, with its rule.
func (s *Screen) detailLines() int {
	switch {
	case s.page.Height >= airyHeight, s.page.Height >= roomyHeight && (s.graphed || s.state.at == toApprove):
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
		s.graph.show(s.state.plan, s.state.task(), s.page.Width, s.airy())
		s.fitGraph()
	}
	for c := range columns {
		s.state.lists[c].SetLines(s.listLines(c))
	}
}

// fitGraph gives the graph the lines that are left by what is said of the task under its cursor:
// an empty line below the graph would look like its end.
func (s *Screen) fitGraph() {
	below := s.detailLines()
	if below > 0 && s.task() != 0 {
		below = detailHead + len(s.whyLines(s.task()))
	}
	s.graph.list.SetLines(s.page.BodyLines() - s.aboveColumns() - len(s.pathLines()) - 1 - below)
}

// View draws the plan.
func (s *Screen) View() screen.Frame {
	title := "planb"
	if p := s.state.plan; p != nil {
		title = cells.Join(title, cells.Cut(p.Title.Line(), 60))
	}
	return s.decide.over(s.page, screen.Frame{Title: title, Content: s.page.Draw(s.header(), s.body(), s.footer())})
}

// header says which plan this is and how far it is; below that, how the plan stands, or the filter.
func (s *Screen) header() []string {
	p, st := s.state.plan, &s.page.Look.Styles
	if p == nil {
		return s.page.Header("Tasks", "")
	}
	left := st.Title.Render(p.Title.Line())
	if p.project != "" {
		left += st.Muted.Render(cells.Gap + p.project)
	}
	second := s.filterLine
	if !s.filterShown() {
		second = func() string { return " " + cells.Sides(s.standing(), s.views(), s.page.Width-2) }
	}
	return []string{" " + cells.Sides(left, s.progress(), s.page.Width-2), second()}
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
		words := " critical path: " + wording.Minutes(minutes) + " to go" // it explains the sign of the cards
		if s.graphed {                                                    // the line above the graph does
			words = " " + wording.Minutes(minutes) + " to go at least"
		}
		parts = append(parts, st.Accent.Render(markCritical)+st.Muted.Render(words))
	}
	if p.Approval != nil {
		parts = append(parts, p.approved(st, s.deps.Now()))
	}
	room := s.page.Width - 4 - ansi.StringWidth(s.views())
	return fittingParts(parts, st.Muted.Render(cells.Gap), room)
}

// approved says when the plan was approved. If it was approved in a terminal that an agent's own
// command opened, it says that instead.
func (p *plan) approved(st *screen.Styles, now time.Time) string {
	if agent := p.Approval.StartedBy(); agent != "" {
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
	words := map[keymap.Action]string{}
	if p, n := s.state.plan, s.task(); p != nil && n != 0 && len(s.state.picked) == 0 && p.unanswered(n) {
		words[keymap.Space] = "answer"
	}
	lines := s.page.FooterSaying(s.keys, s.useful(), words, s.decide.status)
	if s.detailLines() == 0 && s.decide.status == "" {
		lines[0] = s.page.RuleBelow(s.position())
	}
	return lines
}

// position says which tasks of the graph, or of the list, are in view. It is empty for the board,
// whose columns say it of their own cards. In the graph, cancelled tasks are left out of the
// range; how many of them are in view stands behind it.
func (s *Screen) position() string {
	if !s.graphed && s.state.at != toApprove {
		return ""
	}
	first, last := s.list().InView()
	if last == 0 || !s.graphed {
		return s.list().Position()
	}
	count := func(tasks []int) int { n, _ := s.state.plan.counted(tasks); return n }
	from, to := count(s.graph.tasks[:first]), count(s.graph.tasks[:last])
	position := cells.Position(from, to-from, count(s.graph.tasks))
	if position == "" {
		return ""
	}
	return position + cancelledToo(last-first-(to-from))
}

// cancelledToo says behind a count of tasks how many more were cancelled.
func cancelledToo(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d cancelled", n)
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
	case n == 0 && s.state.at == needsYou && len(p.changes) > 0:
		acts = []keymap.Action{keymap.Approve}
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
	if len(p.changes) > 0 && !slices.Contains(acts, keymap.Approve) {
		acts = append(acts, keymap.Approve)
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

// filterLine shows the filter in place of how the plan stands, and how many tasks pass it.
func (s *Screen) filterLine() string {
	st, style := &s.page.Look.Styles, s.page.Look.Styles.Muted
	hits, cancelled := s.state.hits()
	if hits+cancelled == 0 {
		style = st.Warning
	}
	count := ""
	if s.state.filter != "" {
		_, of := s.state.plan.done()
		count = fmt.Sprintf("%d of %s", hits, wording.Count(of, "task")) + cancelledToo(cancelled)
	}
	right := style.Render(count)
	if s.page.Width >= rowsWidth {
		right = cells.JoinBy("   ", right, s.views())
	}
	room := s.page.Width - 2 - ansi.StringWidth(right)
	return " " + cells.Sides(s.typed.Draw(st, "/ ", s.types, room-4), right, s.page.Width-2)
}

// hit marks in a drawn text what the filter matches.
func (s *Screen) hit(text string) string {
	for _, word := range filterWords(s.state.filter) {
		text = cells.Highlighted(text, word, s.page.Look.Styles.Match)
	}
	return text
}

// detail says in full what the task under the cursor is, and why it stands where it does.
func (s *Screen) detail() []string {
	if s.detailLines() == 0 {
		return nil
	}
	p, st, n := s.state.plan, &s.page.Look.Styles, s.task()
	lines := []string{s.page.RuleBelow(s.position())}
	if n == 0 {
		says := []string{"", "", ""}
		if s.state.at == needsYou && len(p.changes) > 0 {
			says = append([]string{" " + st.Strong.Render(p.changesToApprove())}, s.indented(st, p.changesNamed())...)
		}
		return append(lines, append(says, "", "")...)[:s.detailLines()]
	}
	id := st.Faint.Render(cells.Join(p.key(n), rules.Short(p.ID)+"."+digits(n)))
	lines = append(lines, " "+cells.Sides(st.Strong.Render(p.title(n)), id, s.page.Width-2))
	for _, line := range s.whyLines(n) {
		lines = append(lines, " "+st.Muted.Render(line))
	}
	return lines
}

// indented wraps words below the heading of what is said of the task under the cursor.
func (s *Screen) indented(st *screen.Styles, words string) (lines []string) {
	room := s.page.Width - 2
	for _, line := range cells.Fold(strings.Split(ansi.Wrap(words, room, ""), "\n"), max(s.detailLines()-detailHead, 1), room) {
		lines = append(lines, " "+st.Muted.Render(line))
	}
	return lines
}

// detailHead is the height of the rule and the title above why a task stands where it does.
const detailHead = 2

// whyLines say why a task stands where it does.
func (s *Screen) whyLines(n int) []string {
	room := s.page.Width - 2
	return cells.Fold(strings.Split(ansi.Wrap(s.state.plan.why(n), room, ""), "\n"), s.detailLines()-detailHead, room)
}
