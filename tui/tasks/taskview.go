package tasks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/marks"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Sizes of the page of a task in cells.
const (
	sideWidth  = 100 // of the window, from which on there is a second column
	sideCells  = 36  // of the second column at least
	sideGutter = 3   // the border, and a cell at each side
)

// taskColumns are the widths of the columns of the page.
type taskColumns struct{ main, side int }

// columns returns how wide the texts of the page are. In a narrow window there is one column.
func (t *Task) columns() taskColumns {
	if t.page.Width < sideWidth {
		return taskColumns{main: min(t.page.Width-2, screen.ReadCells)}
	}
	side := max(t.page.Width/3, sideCells)
	return taskColumns{main: min(t.page.Width-side-sideGutter-2, screen.ReadCells), side: side}
}

// sheet collects the lines of a column.
type sheet struct {
	st    *screen.Styles
	width int
	lines []string
	heads []int // the lines that are headings
}

// section begins a part with a heading.
func (s *sheet) section(name string) {
	if last := len(s.lines) - 1; last >= 0 && s.lines[last] != "" {
		s.lines = append(s.lines, "")
	}
	s.heads = append(s.heads, len(s.lines))
	rule := max(s.width-ansi.StringWidth(name)-1, 0)
	s.lines = append(s.lines, s.st.Strong.Render(name)+" "+s.st.Rule.Render(strings.Repeat("─", rule)))
}

// text adds a text behind a mark, its further lines indented.
func (s *sheet) text(style cells.Style, mark string, text safe.Text) {
	indent := ansi.StringWidth(mark)
	for _, line := range markdown.Plain(text, max(s.width-indent, 1)).Lines {
		s.lines = append(s.lines, mark+style.Render(line))
		mark = strings.Repeat(" ", indent)
	}
}

// say adds a sentence of planb's own.
func (s *sheet) say(style cells.Style, words string) { s.text(style, "", safe.New(words)) }

// layOut draws the lines of the page.
func (t *Task) layOut() {
	if t.page.Look == nil || t.page.Unsized() {
		return
	}
	st, c := &t.page.Look.Styles, t.columns()
	main := &sheet{st: st, width: c.main}
	t.drawWhy(main)
	t.drawQuestion(main)
	t.drawReport(main)
	t.drawDescription(main)
	if c.side == 0 {
		t.drawContracts(main)
		t.drawAround(main)
	}
	t.drawAttempts(main)
	if c.side == 0 {
		t.drawOrigin(main)
		t.lines, t.heads = indented(main.lines), main.heads
		t.scroll(0)
		return
	}
	side := &sheet{st: st, width: c.side, lines: []string{""}}
	t.drawContracts(side)
	t.drawAround(side)
	t.drawOrigin(side)
	t.heads = nil // of one column would be beside lines of the other
	t.lines = beside(st, main.lines, side.lines, t.page.Width-c.side-sideGutter, t.page.BodyLines())
	t.scroll(0)
}

func indented(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = " " + line
	}
	return out
}

// beside puts two columns beside each other, with a border over at least the height.
func beside(st *screen.Styles, main, side []string, at, height int) []string {
	border := st.Rule.Render("│")
	out := make([]string, max(len(main), len(side), height))
	for i := range out {
		var left, right string
		if i < len(main) {
			left = " " + main[i]
		}
		if i < len(side) {
			right = " " + side[i]
		}
		out[i] = cells.Fill(ansi.Truncate(left, at, "…"), at) + border + right
	}
	return out
}

// role is the colour of the column in which the task stands.
func (t *Task) role() cells.Style {
	return t.page.Look.Styles.Role(themes.RoleOfTask(t.plan.column(t.n).state()))
}

func (t *Task) drawDescription(s *sheet) {
	text := t.task().Description
	if text.Blank() {
		return
	}
	s.section("What to do")
	doc, ok := t.page.Look.Markdown.Cached(text, s.width)
	if !ok {
		doc = markdown.Plain(text, s.width)
	}
	for _, line := range doc.Lines {
		s.lines = append(s.lines, cells.Cut(line, s.width))
	}
}

// drawContracts says how the task is to be done, and when it is done.
func (t *Task) drawContracts(s *sheet) {
	task := t.task()
	e, v := task.Execution, task.Verification
	list := func(heading string, texts []safe.Text) {
		for i, text := range texts {
			lead := cells.Pad("", len(heading)+1)
			if i == 0 {
				lead = heading + " "
			}
			s.text(s.st.Text, s.st.Muted.Render(lead), text)
		}
	}
	if !e.IsDefault() {
		s.section("How")
		if e.Kind == rules.Human {
			s.say(s.st.Text, "Only you can do it. It is never offered to agents.")
		}
		list("files ", e.Files)
		list("read  ", e.Inputs)
		list("must  ", e.Constraints)
		if !e.Output.Blank() {
			list("output", []safe.Text{e.Output})
		}
	}
	s.section("Done when")
	switch v.Kind {
	case rules.Manual:
		s.say(s.st.Text, "you accept its report")
	case rules.Command:
		s.say(s.st.Text, "its agent reports these commands with exit code 0")
	case rules.Evidence:
		s.say(s.st.Text, "its agent reports evidence for each of these")
	default:
		s.say(s.st.Text, "its agent says what it did")
	}
	for _, command := range v.Commands {
		s.text(s.st.Text, s.st.Muted.Render("$ "), command)
	}
	for _, criterion := range v.Criteria {
		mark := "•"
		if t.plan.view.State(t.n) == rules.Done {
			mark = marks.Ticked
		}
		s.text(s.st.Text, s.st.Muted.Render(mark+" "), criterion)
	}
}

// drawAround lists the tasks before and behind this one.
func (t *Task) drawAround(s *sheet) {
	list := func(name string, numbers []int) {
		if len(numbers) == 0 {
			return
		}
		s.section(name)
		for _, n := range numbers {
			state := t.plan.view.State(n)
			s.text(s.st.Text, s.st.Role(themes.RoleOfTask(state)).Render(state.Standing().Mark)+" ", safe.New(t.plan.title(n)))
		}
	}
	list("Waits for", t.plan.before(t.n))
	list("Frees", t.plan.after(t.n))
}

// drawOrigin says where the task came from.
func (t *Task) drawOrigin(s *sheet) {
	o := t.origin
	if len(o.answers) > 0 {
		s.section("Your answers that led to it")
		for _, a := range o.answers {
			s.text(s.st.Muted, "", safe.New(a.question))
			s.text(s.st.Success, s.st.Success.Render("→ "), safe.New(a.said))
		}
	}
	if t.plan.Approval == nil && o.session.ID == "" {
		return
	}
	s.section("Where it came from")
	if o.session.ID != "" {
		s.say(s.st.Text, wording.SessionTitle(o.session))
	}
	if a := t.plan.Approval; a != nil {
		version := ""
		if plan := o.review.Spec.Plan; plan != nil {
			version = fmt.Sprintf("plan v%d", plan.Number)
		}
		by := "by you"
		if a.By != t.deps.By {
			by = "by " + safe.New(a.By).Line()
		}
		s.say(s.st.Muted, cells.Join(version, "approved "+wording.Moment(a.At, t.deps.Now())+" "+by))
		if agent := a.StartedBy(); agent != "" {
			s.say(s.st.Warning, "approved in a terminal that "+agent+" started")
		}
	}
}

// View draws the page.
func (t *Task) View() screen.Frame {
	frame := screen.Frame{Title: cells.Join("planb", cells.Cut(t.plan.title(t.n), 60))}
	still := min(t.still(), len(t.lines))
	body := append(slices.Clone(t.lines[:still]), t.lines[min(still+t.top, len(t.lines)):]...)
	body = body[:min(t.shown(), len(body))]
	frame.Content = t.page.Draw(t.header(), body, t.footer())
	return t.decide.over(t.page, frame)
}

// shown is how many rows of the body show lines: a heading below which nothing fits waits until
// the person scrolls to what it is for.
func (t *Task) shown() int {
	rows := t.page.BodyLines()
	for shown := rows; shown > t.still()+1 && t.top+shown < len(t.lines); shown-- {
		if last := t.top + shown - 1; slices.Contains(t.heads, last) {
			return shown - 1
		} else if strings.TrimSpace(t.lines[last]) != "" {
			break
		}
	}
	return rows
}

// still is how many lines of the body do not scroll: the empty one with which it begins, so that
// no text touches the header.
func (t *Task) still() int {
	if t.page.Height >= roomyHeight {
		return 1
	}
	return 0
}

// header names the task, and says how it stands in a few words.
func (t *Task) header() []string {
	st, p := &t.page.Look.Styles, t.plan
	id := st.Faint.Render(cells.Join(p.key(t.n), rules.Short(p.ID)+"."+digits(t.n)))
	room := t.page.Width - 2
	second := p.facts(st, t.n, room)
	left := st.Title.Render(p.title(t.n))
	return []string{
		" " + cells.Sides(left, id, room),
		" " + cells.Sides(second, st.Muted.Render(cells.Cut(p.Title.Line(), max(room-ansi.StringWidth(second)-2, 0))), room),
	}
}

// facts say in a few words how a task stands, and what it takes.
func (p *plan) facts(st *screen.Styles, n, room int) string {
	c := p.column(n)
	shown, state := c.state(), p.view.State(n).Standing()
	switch {
	case p.view.State(n).Final(): // which it can be before its plan is approved
		shown = p.view.State(n)
	case c == needsYou || c == toApprove:
		state = shown.Standing()
		state.Word = p.wants(n)
	}
	parts := []string{st.Role(themes.RoleOfTask(shown)).Render(state.Mark + " " + state.Word)}
	if p.onPath[n-1] {
		parts = append(parts, st.Accent.Render(markCritical)+st.Muted.Render(" critical path"))
	}
	parts = append(parts, st.Muted.Render(fmt.Sprintf("P%d", p.Marks.Priority(n))), st.Muted.Render(p.estimate(n)))
	if held := p.holdsUp(n); held != "" {
		parts = append(parts, st.Muted.Render(held))
	}
	return fittingParts(parts, st.Muted.Render(cells.Gap), room)
}

func (t *Task) footer() []string {
	acts := []keymap.Action{keymap.Escape, keymap.Enter}
	common := []keymap.Action{keymap.Help, keymap.Quit, keymap.Theme}
	words := map[keymap.Action]string{keymap.Enter: "links"} // the task is open already
	switch c := t.plan.column(t.n); {
	case t.plan.Status == rules.PlanProposed, t.plan.waits(t.n):
		acts = append([]keymap.Action{keymap.Approve}, acts...)
	case t.plan.view.State(t.n) == rules.NeedsReview: // the theme leaves its room to the second verdict
		acts, common = append([]keymap.Action{keymap.Space}, acts...), []keymap.Action{keymap.Help, keymap.Quit}
		if words[keymap.Space] = "accept, or send back"; t.plan.unanswered(t.n) {
			words[keymap.Space] = "answer"
		}
	case c == needsYou:
		acts = append([]keymap.Action{keymap.Space}, acts...)
	case c == working:
		acts = append(acts, keymap.Visit, keymap.Release)
	case c != finished:
		acts = append(acts, keymap.Priority, keymap.Edit)
	}
	lines := t.page.FooterSaying(t.keys, append(acts, common...), words, t.decide.status)
	if rows := t.page.BodyLines(); t.decide.status == "" && len(t.lines) > rows {
		lines[0] = t.page.RuleBelow(cells.Position(t.top, t.shown()-t.still(), len(t.lines)-t.still()))
	}
	return lines
}
