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
	fewer   string // state without what the mark says, too
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
		r.mark, r.tone, r.title, r.problem = markBroken, toneBroken, "Unreadable form", shortProblem(w.Ask.Err)
	case w.Ask.Asleep(l.state.now):
		r.mark, r.tone = markAsleep, toneAsleep
	}
	return r
}

// ago is how long ago something was, as short as a list has it.
func (l *Screen) ago(at time.Time) string { return ago(at, l.deps.Now()) }

func ago(at, now time.Time) string { return strings.TrimSuffix(wording.Ago(at, now), " ago") }

// Withdrawal says who learns that the question is withdrawn, and when.
func (w Waiting) Withdrawal() string {
	who := wording.ClientName(w.Ask.Client)
	switch {
	case w.Live && who == "":
		return "The agent is told that the question was withdrawn."
	case w.Live:
		return who + " is told that the question was withdrawn."
	case who == "":
		who = "The agent"
	}
	return "No agent waits. " + who + " is told when it asks for this answer."
}

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
		state: l.sessionCounts(session), fewer: sessionCounts(session, 0), when: l.ago(session.Updated),
	}
	open := l.state.open[session.ID]
	switch {
	case session.Err != nil:
		r.mark, r.tone, r.problem = markBroken, toneBroken, shortProblem(session.Err)
	case l.state.listed || open.forms == 0:
	default:
		r.mark, r.tone = markOpen, toneOpen
	}
	return r
}

// shortProblem says in a row why a record cannot be read. The preview says what to do.
func shortProblem(err error) string {
	if _, _, damaged := wording.Damage(err); damaged {
		return wording.Damaged
	}
	return wording.Sentence(err)
}

// sessionCounts say how many forms of a session wait, how many it has, and its plan version.
func (l *Screen) sessionCounts(session store.Session) string {
	return sessionCounts(session, l.state.open[session.ID].forms)
}

// sessionCounts is that for a number of forms that wait. Zero leaves out what the mark of a row
// says, too: that something waits.
func sessionCounts(session store.Session, open int) string {
	waits, forms := "", wording.Plural(session.Asks, "form")
	if open > 0 {
		waits = fmt.Sprintf("%d waiting", open)
	}
	if open == session.Asks && open > 0 {
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
	leastTitle   = 30 // beside a column for the counts
	leastNames   = 6  // before a state; fewer cells name nobody
)

// columns are the widths of the last columns of the short rows: the counts of a session with
// and without how many forms wait, its project, and the time.
type columns struct{ counts, fewer, project, when int }

// columns fit the widest text of each. A long project leaves most of the row to the title. All
// rows have the counts, or fewer of them, or none: a row alone without its forms would say that
// it has none.
func (l *Screen) columns() columns {
	c, width := l.state.widest, l.split().ListWidth()
	c.project = min(c.project, width/4)
	if width < leastColumns {
		c.project = 0
	}
	room := width - leadCells - endCells - c.when - columnGap - leastTitle - columnGap
	if c.project > 0 {
		room -= c.project + columnGap
	}
	beside := l.deps.Answers || l.split().Beside() // it says the counts
	if c.counts > room || beside {
		c.counts = 0
	}
	if c.fewer > room || c.counts > 0 || beside {
		c.fewer = 0
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

// shortRow draws a row on one line: the title, and in columns of their own the counts, the project
// and the time. A problem takes the place of the counts and the project.
func (l *Screen) shortRow(r listRow, titled cells.Style) []string {
	st, gap := &l.page.Look.Styles, strings.Repeat(" ", columnGap)
	last := l.lastColumns(r)
	room := l.shortRoom(last)
	title := cells.Cut(r.title, room)
	line := titled.Render(title)
	if left := room - ansi.StringWidth(title) - columnGap; r.problem != "" && left >= leastProblem {
		line += gap + st.Danger.Render(cells.Cut(r.problem, left))
	}
	return []string{l.lead(r) + cells.Fill(line, room) + gap + last}
}

// shortRoom is the room of a title on one line with the last columns.
func (l *Screen) shortRoom(last string) int {
	return l.split().ListWidth() - leadCells - endCells - ansi.StringWidth(last) - columnGap
}

// cutsTitle reports whether a row on one line has no room for the whole title.
func (l *Screen) cutsTitle(r listRow) bool {
	return ansi.StringWidth(r.title) > l.shortRoom(l.lastColumns(r))
}

// lastColumns are those behind the title of a row on one line.
func (l *Screen) lastColumns(r listRow) string {
	st, c, gap := &l.page.Look.Styles, l.columns(), strings.Repeat(" ", columnGap)
	last := st.Faint.Render(cells.PadLeft(r.when, c.when))
	if c.project > 0 && r.problem == "" {
		last = st.Muted.Render(cells.Pad(r.project, c.project)) + gap + last
	}
	switch {
	case r.problem != "":
	case c.counts > 0:
		last = st.Faint.Render(cells.PadLeft(r.state, c.counts)) + gap + last
	case c.fewer > 0:
		last = st.Faint.Render(cells.PadLeft(r.fewer, c.fewer)) + gap + last
	}
	return last
}

// tallRow draws a row on two lines: the title and the time, and the rest below them. The state
// is what a row must not lose beside others that have it, so the names are cut before it.
func (l *Screen) tallRow(r listRow, titled cells.Style) []string {
	st := &l.page.Look.Styles
	room := l.split().ListWidth() - leadCells - endCells
	names, left := cells.Join(r.agent, r.project), room
	if r.state != "" {
		left -= ansi.StringWidth(cells.Gap + r.state)
	}
	if names = cells.CutParts(names, max(left, 0)); left < leastNames {
		names = ""
	}
	second := st.Muted.Render(cells.CutParts(cells.Join(names, r.state), room))
	if r.problem != "" {
		second = st.Danger.Render(cells.Cut(r.problem, room))
	}
	title := cells.Pad(r.title, room-ansi.StringWidth(r.when)-columnGap)
	return []string{
		l.lead(r) + titled.Render(title) + strings.Repeat(" ", columnGap) + st.Faint.Render(r.when),
		strings.Repeat(" ", leadCells) + second,
	}
}
