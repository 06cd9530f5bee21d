package inbox

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/store"
	"planb/tui/cells"
	"planb/tui/marks"
	"planb/tui/screen"
	"planb/tui/wording"
)

// listRow is the text of a row.
type listRow struct {
	mark    string // one cell; empty for none
	tone    func(st *screen.Styles) cells.Style
	title   string
	agent   string
	project string
	state   string
	when    string
	problem string // instead of agent, project and state
}

// row draws a row, the first one of a section below its heading.
func (l *Screen) row(i int) []string {
	row := l.state.rows[i]
	var lines []string
	if row.heading > 0 {
		lines = make([]string, row.heading)
		lines[row.heading-1] = l.heading(row)
	}
	draw := l.tallRow
	if row.lines == 1 {
		draw = l.shortRow
	}
	here := i == l.state.list.Cursor
	drawn := draw(l.listRow(row), l.page.Look.Styles.ItemTitle(here))
	if here {
		drawn = l.page.Look.Styles.FocusedItem(drawn, l.split().ListWidth())
	}
	return append(lines, drawn...)
}

// heading names the section that begins with a row, and says how many rows it has.
func (l *Screen) heading(row item) string {
	st, name, more := &l.page.Look.Styles, "Sessions", ""
	style := st.Strong
	switch {
	case row.asleep:
		name = "Snoozed"
	case row.archived:
		name = "Archived"
	case row.need:
		name = needHeading(l.state.needs)
	case row.waiting:
		name, style = "Waiting for you", st.Required.Bold(true)
	}
	if !row.waiting && !row.need && l.state.next != "" {
		more = "+"
	}
	return "  " + style.Render(name) + st.Muted.Render(fmt.Sprintf("  %d%s", row.section, more))
}

func (l *Screen) listRow(row item) listRow {
	if row.waiting {
		return l.waitingRow(l.state.waiting[row.index])
	}
	if row.need {
		return l.needRow(l.state.needs[row.index])
	}
	return l.sessionRow(l.state.sessions[row.index])
}

// Tones of a row's mark.
func toneOpen(st *screen.Styles) cells.Style   { return st.Required }
func toneAsleep(st *screen.Styles) cells.Style { return st.Faint }
func toneBroken(st *screen.Styles) cells.Style { return st.Danger }

// Marks of a form that waits for the person.
const (
	markOpen   = marks.Required
	markAsleep = "◌"
	markBroken = "!"
)

// waitingRow is a form that waits: who asks what, and since when.
func (l *Screen) waitingRow(w Waiting) listRow {
	r := listRow{
		mark: markOpen, tone: toneOpen,
		title: w.Ask.Spec.Title.Line(), agent: wording.ClientName(w.Ask.Client), project: wording.ProjectName(w.Session),
		state: cells.Join(w.State(l.state.now)...), when: l.ago(w.Ask.Created),
	}
	switch {
	case w.Ask.Err != nil:
		r.mark, r.tone, r.title, r.problem = markBroken, toneBroken, "Unreadable form", wording.Sentence(w.Ask.Err)
	case w.Ask.Asleep(l.state.now):
		r.mark, r.tone = markAsleep, toneAsleep
	}
	return r
}

// ago is how long ago something was, as short as a list has it.
func (l *Screen) ago(at time.Time) string { return ago(at, l.deps.Now()) }

func ago(at, now time.Time) string { return strings.TrimSuffix(wording.Ago(at, now), " ago") }

// State says which plan version a form reviews, if it is a review, and whether an agent
// waits for it.
func (w Waiting) State(now time.Time) []string {
	what, waits := "", "no agent waits"
	if plan := w.Ask.Spec.Plan; plan != nil {
		what = fmt.Sprintf("review of v%d", plan.Number)
	}
	switch {
	case w.Ask.Asleep(now):
		waits = "snoozed until " + wording.Until(w.Ask.Snoozed, now)
	case w.Live:
		waits = "agent waits"
	case w.Ask.Outcome.State == questions.Expired:
		waits = "late, still welcome"
	}
	return []string{what, waits}
}

// sessionRow is the row of a session. It has the mark of a form that waits only where those
// forms have no rows of their own.
func (l *Screen) sessionRow(session store.Session) listRow {
	r := listRow{
		title: wording.SessionTitle(session), agent: wording.ClientName(session.Client), project: wording.ProjectName(session),
		state: l.sessionCounts(session), when: l.ago(session.Updated),
	}
	open := l.state.open[session.ID]
	switch {
	case session.Err != nil:
		r.mark, r.tone, r.problem = markBroken, toneBroken, wording.Sentence(session.Err)
	case l.state.listed || open.forms == 0:
	default:
		r.mark, r.tone = markOpen, toneOpen
	}
	return r
}

// sessionCounts say how many forms of a session wait, how many it has, and its plan version.
func (l *Screen) sessionCounts(session store.Session) string {
	open, waits := l.state.open[session.ID], ""
	if open.forms > 0 {
		waits = fmt.Sprintf("%d waiting", open.forms)
	}
	forms := wording.Plural(session.Asks, "form")
	if open.forms == session.Asks {
		forms = "" // all of them wait, and that is said already
	}
	return cells.Join(waits, forms, wording.PlanVersion(session.Plans))
}

// Sizes of a row in cells.
const (
	leadCells    = 4 // the cursor and the mark
	endCells     = 1
	columnGap    = 2
	leastProblem = 6  // beside a title; a narrower piece says nothing
	leastColumns = 48 // of a list with a column for the project
)

// columns are the widths of the last columns of the short rows.
type columns struct{ project, when int }

// columns fit the widest project and the widest time. A long project leaves most of the row to
// the title.
func (l *Screen) columns() columns {
	c, width := l.state.widest, l.split().ListWidth()
	c.project = min(c.project, width/4)
	if width < leastColumns {
		c.project = 0
	}
	return c
}

// lead is what stands before the title of a row: a blank for the focus, and the mark.
func (l *Screen) lead(r listRow) string {
	if r.mark == "" {
		return strings.Repeat(" ", leadCells)
	}
	return "  " + r.tone(&l.page.Look.Styles).Render(r.mark) + " "
}

// shortRow draws a row on one line: the title, and in columns of their own the project and the
// time. In the list of past sessions the counts stand between them where they fit and no preview
// beside has them. A problem takes the place of the project.
func (l *Screen) shortRow(r listRow, titled cells.Style) []string {
	st, c, gap := &l.page.Look.Styles, l.columns(), strings.Repeat(" ", columnGap)
	project := ""
	if c.project > 0 && r.problem == "" {
		project = st.Muted.Render(cells.Pad(r.project, c.project)) + gap
	}
	when := cells.PadLeft(r.when, c.when)
	room := l.split().ListWidth() - leadCells - endCells - ansi.StringWidth(project+when) - columnGap
	title := cells.Cut(r.title, room)
	line, left, state := titled.Render(title), room-ansi.StringWidth(title)-columnGap, ""
	switch {
	case r.problem != "" && left >= leastProblem:
		line += gap + st.Danger.Render(cells.Cut(r.problem, left))
	case r.problem == "" && !l.deps.Answers && !l.split().Beside():
		_, shorter, _ := strings.Cut(r.state, cells.Gap) // the mark says, too, that something waits
		state = st.Faint.Render(cells.Longest(max(left, 0), r.state, shorter, ""))
	}
	return []string{l.lead(r) + cells.Fill(cells.Sides(line, state, room), room) + gap + project + st.Faint.Render(when)}
}

// tallRow draws a row on two lines: the title and the time, and the rest below them.
func (l *Screen) tallRow(r listRow, titled cells.Style) []string {
	st := &l.page.Look.Styles
	room := l.split().ListWidth() - leadCells - endCells
	second := st.Muted.Render(cells.CutParts(cells.Join(r.agent, r.project, r.state), room))
	if r.problem != "" {
		second = st.Danger.Render(cells.Cut(r.problem, room))
	}
	title := cells.Pad(r.title, room-ansi.StringWidth(r.when)-columnGap)
	return []string{
		l.lead(r) + titled.Render(title) + strings.Repeat(" ", columnGap) + st.Faint.Render(r.when),
		strings.Repeat(" ", leadCells) + second,
	}
}
