package inbox

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/store"
	"planb/tui/cells"
	"planb/tui/screen"
	"planb/tui/wording"
)

// wideRows is the width of the window from which on a row needs one line.
const wideRows = 110

// listRow is the text of a row.
type listRow struct {
	mark    string // one cell; empty for none
	tone    func(st *screen.Styles) lipgloss.Style
	title   string
	agent   string
	project string
	state   string
	when    string
	problem string // instead of agent, project and state
}

func (l *Screen) row(i int) []string {
	row := l.state.rows[i]
	var lines []string
	if row.heading > 0 {
		lines = make([]string, row.heading)
		heading := "Sessions"
		switch {
		case row.asleep:
			heading = "Snoozed"
		case row.archived:
			heading = "Archived"
		case row.waiting:
			heading = "Waiting for you"
		}
		lines[row.heading-1] = " " + l.page.Look.Styles.Muted.Render(heading)
	}
	return append(lines, l.drawRow(l.listRow(row), i == l.state.list.Cursor)...)
}

func (l *Screen) listRow(row item) listRow {
	if row.waiting {
		return l.waitingRow(l.state.waiting[row.index])
	}
	return l.sessionRow(l.state.sessions[row.index])
}

// Tones of a row's mark.
func toneLive(st *screen.Styles) lipgloss.Style   { return st.Success }
func toneOpen(st *screen.Styles) lipgloss.Style   { return st.Required }
func toneAsleep(st *screen.Styles) lipgloss.Style { return st.Faint }
func toneBroken(st *screen.Styles) lipgloss.Style { return st.Danger }

// waitingRow is a form that waits: who asks what, and since when.
func (l *Screen) waitingRow(w Waiting) listRow {
	r := listRow{
		mark: "○", tone: toneOpen,
		title: w.Ask.Spec.Title.Line(), agent: wording.ClientName(w.Ask.Client), project: wording.ProjectName(w.Session),
		state: cells.Join(w.State(l.state.now)...), when: wording.Ago(w.Ask.Created, l.deps.Now()),
	}
	switch {
	case w.Ask.Err != nil:
		r.mark, r.tone, r.title, r.problem = "!", toneBroken, "Unreadable form", wording.Sentence(w.Ask.Err)
	case w.Ask.Asleep(l.state.now):
		r.mark, r.tone = "◌", toneAsleep
	case w.Live:
		r.mark, r.tone = "●", toneLive
	}
	return r
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

// sessionRow is the row of a session. It says how many forms of the session wait.
func (l *Screen) sessionRow(session store.Session) listRow {
	r := listRow{
		title: wording.SessionTitle(session), agent: wording.ClientName(session.Client), project: wording.ProjectName(session),
		when: wording.Ago(session.Updated, l.deps.Now()),
	}
	if session.Err != nil {
		r.mark, r.tone, r.problem = "!", toneBroken, wording.Sentence(session.Err)
		return r
	}
	open := l.state.open[session.ID]
	waits := ""
	if open.forms > 0 {
		r.mark, r.tone, waits = "○", toneOpen, fmt.Sprintf("%d waiting", open.forms)
		if open.live {
			r.mark, r.tone = "●", toneLive
		}
	}
	forms := wording.Plural(session.Asks, "form")
	if open.forms == session.Asks {
		forms = "" // all of them wait, and that is said already
	}
	r.state = cells.Join(waits, forms, wording.PlanVersion(session.Plans))
	return r
}

// columns are the widths of the columns behind the title in a wide row; 0 for an empty
// column.
type columns struct{ agent, project, state, when int }

// Limits of the columns. Wider texts are cut. Where a title needs the room, a column shrinks
// to its least width.
const (
	agentMost, agentLeast     = 20, 11
	projectMost, projectLeast = 24, 12
	stateMost                 = 34
	columnGap                 = 2
	rowMargins                = 6 // left of the title, with cursor and mark, and at the end
)

// measure fits the columns to their texts. The titles get the rest of the width.
func (l *Screen) measure() {
	const enough = 500 // rows; the rows below hardly have wider texts
	c, title := columns{}, 0
	for _, row := range l.state.rows[:min(len(l.state.rows), enough)] {
		r := l.listRow(row)
		title = max(title, ansi.StringWidth(r.title))
		c.when = max(c.when, ansi.StringWidth(r.when))
		if r.problem == "" {
			c.agent = max(c.agent, ansi.StringWidth(r.agent))
			c.project = max(c.project, ansi.StringWidth(r.project))
			c.state = max(c.state, ansi.StringWidth(r.state))
		}
	}
	c.agent, c.project, c.state = min(c.agent, agentMost), min(c.project, projectMost), min(c.state, stateMost)
	missing := min(title, (l.page.Width-rowMargins)/2) - c.title(l.page.Width)
	for _, narrow := range []struct {
		column *int
		least  int
	}{{&c.project, projectLeast}, {&c.agent, agentLeast}} {
		if by := min(missing, *narrow.column-narrow.least); by > 0 {
			*narrow.column -= by
			missing -= by
		}
	}
	l.columns = c
}

// title is the width that the columns leave to the title in a row of that width.
func (c columns) title(width int) int {
	room := width - rowMargins
	for _, cells := range []int{c.agent, c.project, c.state, c.when} {
		if cells > 0 {
			room -= cells + columnGap
		}
	}
	return room
}

// drawRow draws a row: on one line in a wide window, else the title and the time on one
// line and the rest below them.
func (l *Screen) drawRow(r listRow, here bool) []string {
	st := &l.page.Look.Styles
	cursor, titleStyle := "  ", st.Text
	if here {
		cursor, titleStyle = st.Cursor.Render("▸ "), st.Cursor
	}
	mark := "  "
	if r.mark != "" {
		mark = r.tone(st).Render(r.mark) + " "
	}
	lead := " " + cursor + mark
	room := l.page.Width - rowMargins
	if l.state.narrow {
		indent := strings.Repeat(" ", ansi.StringWidth(lead))
		second := st.Muted.Render(cells.CutParts(cells.Join(r.agent, r.project, r.state), room))
		if r.problem != "" {
			second = st.Danger.Render(cells.Cut(r.problem, room))
		}
		return []string{
			lead + titleStyle.Render(cells.Pad(r.title, room-ansi.StringWidth(r.when)-columnGap)) + "  " + st.Faint.Render(r.when),
			indent + second,
		}
	}
	c := l.columns
	line := lead + titleStyle.Render(cells.Pad(r.title, c.title(l.page.Width)))
	add := func(cells int, text string) {
		if cells > 0 {
			line += "  " + text
		}
	}
	if r.problem != "" {
		width := room - c.title(l.page.Width) - columnGap
		if c.when > 0 {
			width -= c.when + columnGap
		}
		add(width, st.Danger.Render(cells.Pad(r.problem, width)))
	} else {
		add(c.agent, st.Muted.Render(cells.Pad(r.agent, c.agent)))
		add(c.project, st.Text.Render(cells.Pad(r.project, c.project)))
		add(c.state, st.Muted.Render(cells.Pad(r.state, c.state)))
	}
	add(c.when, st.Faint.Render(cells.PadLeft(r.when, c.when)))
	return []string{line}
}
