package drafts

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	rules "planb/drafts"
	"planb/store/runs"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/preview"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Sizes in cells and lines.
const (
	listCells   = 50 // of the steps, if their sections stand beside them
	graphCells  = 58 // of the same with the lines of the graph
	ruledHeight = 20 // the height of a window from which on a rule stands below the header
	titleCells  = 60 // of a draft's title in the title of the window
)

// split divides the page between the steps and the section under the cursor.
func (s *Screen) split() preview.Split {
	most := listCells
	if s.view == asGraph {
		most = graphCells
	}
	split := preview.Split{
		Width: s.page.Width, Height: s.page.Height, Lines: s.page.BodyLines() - s.aboveRows() - s.askedLines(),
		Alone: s.asked.below(), Most: most, Position: s.stepsInView(), Rows: s.rowLines(), Needs: s.needs,
	}
	if s.view == asGraph { // it is looked at for the lines, not for the sections
		split.Fills, split.Rows = split.Rows, 0
	}
	return split
}

// mostLines is how many lines the graph has at most.
func (s *Screen) mostLines() int {
	split := s.split()
	split.Fills = split.Lines
	return split.ListLines()
}

// rowLines is how many lines all steps have in the view.
func (s *Screen) rowLines() int {
	switch {
	case s.draft == nil:
		return 0
	case s.view == asGraph:
		return len(s.graph.rows)
	}
	return len(s.draft.steps)
}

// ruled reports whether a rule stands below the header.
func (s *Screen) ruled() bool { return s.page.Height >= ruledHeight }

// aboveRows is how many lines stand between the header and the rows.
func (s *Screen) aboveRows() int {
	n := 0
	if s.problem() != "" {
		n++
	}
	if s.ruled() {
		n++
	}
	if s.view == asSchedule {
		n += chartHead
	}
	return n
}

// askedLines is the height of what is asked below the body.
func (s *Screen) askedLines() int {
	if !s.asked.below() || s.page.Look == nil {
		return 0
	}
	return len(s.tryLines(s.page))
}

// layOut gives the rows of the view their heights.
func (s *Screen) layOut() {
	if s.page.Unsized() || s.draft == nil {
		return
	}
	if s.view == asSchedule && s.draft.placed == nil {
		s.view = asList
	}
	if s.view == asSchedule {
		s.chart.show(s.placed(), s.split().Lines-s.detailLines())
	} else {
		var heights []int
		if s.view == asGraph {
			heights = s.graph.layOut(s.draft, s.mostLines())
		} else {
			heights = slices.Repeat([]int{1}, len(s.draft.steps))
		}
		s.needs = s.unwrittenNeeds()
		s.steps.SetLines(s.split().ListLines())
		s.steps.SetRows(heights, s.steps.Cursor)
	}
	s.readStep()
}

// View draws the draft.
func (s *Screen) View() screen.Frame {
	name := "planb"
	if s.draft != nil {
		name = cells.Join(name, cells.Cut(title(s.draft.Summary), titleCells))
	}
	return s.over(s.page, screen.Frame{Title: name, Content: s.page.Draw(s.header(), s.body(), s.footer())})
}

// header says which draft this is, how far it is, and what happens now.
func (s *Screen) header() []string {
	p, st := s.draft, &s.page.Look.Styles
	if p == nil {
		return s.page.Header("Drafts", "")
	}
	left, of := st.Title.Render(title(p.Summary)), ""
	if name := project(p.Summary); name != "" {
		of = st.Muted.Render(cells.Gap + name)
	}
	const between = 2 // cells, beside one at each end
	room := s.page.Width - 2 - between - ansi.StringWidth(left)
	bar, count, named := st.Progress(p.Done, p.Of), " "+stepCount(p.Done, p.Of), " steps"
	most := ansi.StringWidth(bar+stepCount(p.Of, p.Of)) + 1 // so that nothing goes when the last step is written
	right := bar + st.Muted.Render(count+named)
	switch { // a long title first takes the room of the project, then that of a word, then that of the bar
	case most+len(named)+ansi.StringWidth(of) <= room:
		left += of
	case most+len(named) <= room:
	case most <= room:
		right = bar + st.Muted.Render(count)
	default:
		right = st.Muted.Render(count[1:] + named)
	}
	return []string{
		" " + cells.Sides(left, right, s.page.Width-2),
		" " + cells.Sides(s.standing(), s.views(), s.page.Width-2),
	}
}

// standing says what happens to the draft now.
func (s *Screen) standing() string {
	p, st := s.draft, &s.page.Look.Styles
	condition := p.condition()
	room := s.page.Width - 4 - ansi.StringWidth(s.views())
	happens, missed := cells.Longest(room-2, p.happenings()...), ""
	if placed := s.placed(); placed != nil && !s.tellsFacts() {
		missed = missedBy(placed, " missed") // "written" alone would say that all is well
	}
	if missed != "" {
		left := room - 2 - ansi.StringWidth(cells.Gap+missed)
		if few := cells.Longest(left, append(p.happenings(), p.briefly())...); ansi.StringWidth(few) <= left {
			happens = few
		} else {
			missed = ""
		}
	}
	line := st.Role(themes.RoleOfDraft(condition)).Render(condition.Mark() + " " + cells.Cut(happens, room-2))
	if missed != "" {
		line += st.Muted.Render(cells.Gap) + st.Warning.Render(missed)
	}
	about := []string{detailWords(p.Detail), "from " + p.Start, "begun " + wording.Ago(p.Created, p.now)}
	if s.tellsFacts() {
		about = about[2:]
	}
	more := ""
	for _, part := range about {
		if ansi.StringWidth(line+more+cells.Gap+part) > room {
			break
		}
		more += cells.Gap + part
	}
	return line + st.Muted.Render(more)
}

// views names the views of the draft.
func (s *Screen) views() string {
	st := &s.page.Look.Styles
	var names []string
	for v, name := range []string{"Steps", "Graph", "Schedule"} {
		switch {
		case view(v) == s.view:
			names = append(names, st.TabHere.Render(name))
		case view(v) != asSchedule || s.draft.placed != nil:
			names = append(names, st.Tab.Render(name))
		}
	}
	return strings.Join(names, "  ")
}

// footer shows the keys that do something now.
func (s *Screen) footer() []string {
	if s.asked.below() {
		return s.asked.Footer(s.page)
	}
	lines := s.page.Footer(s.keys, s.useful(), s.status)
	switch {
	case s.view != asSchedule:
		lines[0] = s.split().Below(&s.page.Look.Styles, lines[0])
	case s.detailLines() == 0 && s.status == "":
		lines[0] = s.page.RuleBelow(s.position())
	}
	return lines
}

// useful are the keys that do something now, the most useful ones first.
func (s *Screen) useful() []keymap.Action {
	if s.draft == nil {
		return []keymap.Action{keymap.Escape, keymap.Help, keymap.Quit}
	}
	step, ok := s.step()
	if s.view == asSchedule {
		return []keymap.Action{keymap.Next, keymap.Flags, keymap.OpenReport, keymap.Escape, keymap.Help, keymap.Quit}
	}
	acts := s.draft.useful(step, ok)
	return append(acts, keymap.Next, keymap.Help, keymap.Quit, keymap.Theme)
}

// useful are the keys that do something about a step.
func (p *draft) useful(step rules.Step, known bool) (acts []keymap.Action) {
	condition := p.condition()
	if condition == rules.DraftFailed || condition == rules.DraftStopped {
		acts = append(acts, keymap.Resume)
	}
	if !known {
		return acts
	}
	switch st := p.state(step); {
	case st == rules.StepForYou:
		return append([]keymap.Action{keymap.AnswerGate}, acts...)
	case p.Draft.Output(step.ID) == nil:
		acts = append(acts, keymap.Enter)
	case condition == rules.DraftWritten:
		acts = append(acts, keymap.Enter, keymap.OpenReport)
	case step.Author == rules.Model:
		acts = append(acts, keymap.Enter, keymap.ReviewSection, keymap.Regenerate, keymap.Edit)
	case step.Author == rules.Person:
		acts = append(acts, keymap.Enter, keymap.AnswerGate)
	default:
		acts = append(acts, keymap.Enter)
	}
	if !p.State.Ended() && len(acts) < 3 {
		acts = append(acts, keymap.Stop)
	}
	return acts
}

func (s *Screen) body() (lines []string) {
	st := &s.page.Look.Styles
	if problem := s.problem(); problem != "" {
		lines = append(lines, " "+st.Danger.Render(cells.Cut("! "+problem, s.page.Width-2)))
	}
	if s.draft == nil {
		return lines
	}
	split := s.split()
	if s.ruled() {
		rule := s.page.Rule()
		if s.view != asSchedule {
			rule = split.Joined(st, rule, "┬")
		}
		lines = append(lines, rule)
	}
	if s.view == asSchedule {
		lines = append(lines, s.drawChart(split.Lines)...)
	} else {
		row := s.listRow
		if s.view == asGraph {
			row = s.graphRows
		}
		left := s.steps.Visible(row)
		if s.tellsFacts() {
			left = append(left, s.factLines(split.ListWidth())...)
		}
		lines = append(lines, split.Draw(st, left, s.preview())...)
	}
	if !s.asked.below() {
		return lines
	}
	for len(lines) < s.page.BodyLines()-s.askedLines() {
		lines = append(lines, "")
	}
	asked := s.tryLines(s.page)
	asked[0] = s.page.RuleBelow(s.position())
	return append(lines, asked...)
}

// position says which rows of the view are in view.
func (s *Screen) position() string {
	if s.view == asSchedule {
		return s.chart.list.Position()
	}
	return s.stepsInView()
}

// stepsInView says which steps are in view, and of how many: "4–8 of 12". It counts as the header
// does. A step of which an answer is out of view has the letter of the answer at the edge: "4–12a
// of 12" is not yet the end.
func (s *Screen) stepsInView() string {
	from, to := s.steps.InView()
	if to == 0 {
		return ""
	}
	whole := func(number string) string { return strings.TrimRightFunc(number, unicode.IsLetter) }
	var above, here, below []string
	for row, step := range s.draft.steps {
		switch number := s.draft.numbers[step.ID]; {
		case number == "": // it is another draft's, and not counted
		case row < from:
			above = append(above, number)
		case row < to:
			here = append(here, number)
		default:
			below = append(below, number)
		}
	}
	if len(here) == 0 {
		return s.steps.Position()
	}
	edge := func(number string, hidden []string) string {
		if slices.ContainsFunc(hidden, func(other string) bool { return whole(other) == whole(number) }) {
			return number
		}
		return whole(number)
	}
	all := slices.Concat(here, below)
	return fmt.Sprintf("%s–%s of %s", edge(here[0], above), edge(here[len(here)-1], below), whole(all[len(all)-1]))
}

// mark is the mark of a step.
func (s *Screen) mark(step rules.Step) string {
	state := s.draft.state(step)
	return s.page.Look.Styles.Role(themes.RoleOfStep(state)).Render(state.Mark())
}

// rowMark is the mark of a step in a list where steps are counted: there a tick is a whole step,
// and an answer that does not make one whole has a dot.
func (s *Screen) rowMark(step rules.Step) string {
	if state := s.draft.state(step); state.Mark() == rules.StepWritten.Mark() && !s.draft.closes(step) {
		return s.page.Look.Styles.Role(themes.RoleOfStep(state)).Render(signAnswer)
	}
	return s.mark(step)
}

// signAnswer marks a written answer of a step that has others.
const signAnswer = "·"

// listRow draws a step in the list.
func (s *Screen) listRow(i int) []string {
	step := s.draft.steps[i]
	return []string{s.stepRow(" "+s.rowMark(step), step, i == s.steps.Cursor)}
}

// stepRow draws a step behind its mark: its number, its title, and at the right how it stands.
func (s *Screen) stepRow(lead string, step rules.Step, focused bool) string {
	p, st := s.draft, &s.page.Look.Styles
	width := s.split().ListWidth()
	state := p.state(step)
	name, hint := st.Text, st.Faint
	switch state {
	case rules.StepLater:
		name = st.Faint
	case rules.StepForYou, rules.StepFailed, rules.StepInWork, rules.StepAgain:
		hint = st.Role(themes.RoleOfStep(state))
	}
	if focused {
		name = st.Strong
	}
	line := lead + " " + st.Faint.Render(p.numberCell(step)) + " " + name.Render(step.Name)
	said := ""
	if s.view != asGraph || state != rules.StepLater { // the lines say what it waits for
		said = hintWithin(s.rowHints(step), width-1-ansi.StringWidth(line)-2)
	}
	line = cells.Sides(line, hint.Render(said), width-1)
	if focused {
		line = st.Focused(line, width)
	}
	return line
}

// rowHints are the hints of a step in such a list: of a row with a dot they say that it is a part
// of a step.
func (s *Screen) rowHints(step rules.Step) []string {
	hints := s.draft.hints(step)
	if s.draft.state(step).Mark() != rules.StepWritten.Mark() || s.draft.closes(step) {
		return hints
	}
	return append([]string{cells.Join(s.draft.part(step), hints[0])}, hints...)
}

// hintWithin is the longest of the hints that fits, else the beginning of the shortest. A
// name is never cut for it.
func hintWithin(hints []string, room int) string {
	const least = 6 // cells; fewer say nothing
	if hint := cells.Longest(room, hints...); room >= least || ansi.StringWidth(hint) <= room {
		return cells.Cut(hint, room)
	}
	return ""
}

// facts are what else is known of the draft, each with its name.
func (s *Screen) facts() (rows [][2]string) {
	p := s.draft
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, [2]string{name, value})
		}
	}
	add("Detail", string(p.Detail))
	add("Begins", p.Start)
	if p.placed != nil {
		add("Ends", p.placed.Start.AddDays(p.placed.End.Likely-1).String())
		add(factMissed, missedBy(p.placed, ""))
	}
	if p.State == runs.Completed {
		add("Checks", checkWords(p.findings))
	}
	add("Id", short(p.ID))
	return rows
}

// factMissed names the fact that is a warning.
const factMissed = "Missed"

// factsHead is how many lines stand between the steps and the facts.
const factsHead = 2

// tellsFacts reports whether the facts stand below the steps: beside a section, if there is room.
func (s *Screen) tellsFacts() bool {
	split := s.split()
	return s.view != asSchedule && split.Beside() && split.ListLines()-s.rowLines() >= factsHead+len(s.facts())
}

// factLines draw the facts below the steps.
func (s *Screen) factLines(width int) []string {
	const column = 9 // cells of the names
	st := &s.page.Look.Styles
	lines := []string{"", " " + st.Rule.Render(strings.Repeat("─", width-2))}
	for _, row := range s.facts() {
		value := st.Muted
		if row[0] == factMissed {
			value = st.Warning
		}
		lines = append(lines, " "+st.Faint.Render(cells.Pad(row[0], column))+value.Render(cells.Cut(row[1], width-column-2)))
	}
	return lines
}

func checkWords(findings int) string {
	if findings == 0 {
		return "no faults found"
	}
	return wording.Count(findings, "finding")
}

// detailLines is the height of what is said below the chart, with its rule if it has one.
func (s *Screen) detailLines() int {
	switch {
	case s.asked.below() && s.page.Height >= legendHeight:
		return 1
	case s.asked.below():
		return 0
	case s.page.Height >= legendHeight:
		return 4
	case s.page.Height >= smallHeight:
		return 3
	}
	return 0
}

// Heights of a window from which on a row is told in full below the chart, and from which on the
// signs of the chart are explained, too.
const smallHeight, legendHeight = 18, 22
