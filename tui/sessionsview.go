package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions"
)

// wideRows is the width from which a row fits on one line.
const wideRows = 110

// aboveList is how many lines of the body the filter and a problem take.
func (l *sessionsScreen) aboveList() int {
	n := 0
	if l.state.filtering || l.state.filter != "" {
		n++
	}
	if l.state.problem != "" {
		n++
	}
	return n
}

// View draws the list.
func (l *sessionsScreen) View() frame {
	acts := []action{actEnter, actFilter, actHelp, actTheme, actQuit}
	keys := l.keys
	if l.state.filtering {
		acts, keys = []action{actEnter, actEscape}, l.typing
	}
	return frame{
		Title: "planb",
		Content: l.page.draw(
			l.page.header("planb", l.counts()),
			l.body(),
			l.page.footer(keys, acts, l.status)),
	}
}

func (l *sessionsScreen) counts() string {
	if !l.state.loaded {
		return ""
	}
	more := ""
	if l.state.next != "" {
		more = "+"
	}
	sessions := fmt.Sprintf("%d%s sessions", len(l.state.sessions), more)
	if len(l.state.sessions) == 1 {
		sessions = "1 session"
	}
	if n := len(l.state.waiting); n > 0 {
		return fmt.Sprintf("%d waiting · %s", n, sessions)
	}
	return sessions
}

func (l *sessionsScreen) body() []string {
	st := l.page.look.styles
	var lines []string
	if l.state.problem != "" {
		lines = append(lines, " "+st.danger.Render(fit("! Not everything could be read: "+l.state.problem, l.page.width-2)))
	}
	if l.state.filtering || l.state.filter != "" {
		text := fit(l.state.filter, l.page.width-4)
		if l.state.filtering {
			text += "▏"
		}
		lines = append(lines, " "+st.accent.Render("/ ")+st.text.Render(text))
	}
	if len(l.state.rows) == 0 {
		return append(lines, l.empty()...)
	}
	return append(lines, l.visibleRows()...)
}

// empty says why there is no row.
func (l *sessionsScreen) empty() []string {
	var text []string
	switch {
	case !l.state.loaded:
		return nil
	case l.state.filter != "" && l.state.next != "":
		text = []string{"Searching …"}
	case l.state.filter != "":
		text = []string{"Nothing fits this filter. Esc shows everything again."}
	case l.state.problem != "":
		return nil
	default:
		text = []string{
			"Nothing here yet.",
			"",
			"When an agent asks you something through planb, it appears here,",
			"and stays with your answers and the plans that came of it.",
			"To see how that looks, run  planb demo",
		}
	}
	lines := []string{""}
	for _, line := range text {
		lines = append(lines, "  "+l.page.look.styles.muted.Render(fit(line, l.page.width-4)))
	}
	return lines
}

// visibleRows draws just the rows that are in view.
func (l *sessionsScreen) visibleRows() []string {
	list := &l.state.list
	var lines []string
	at := 0
	for i, h := range list.heights {
		if at >= list.top+list.lines {
			break
		}
		if at+h > list.top {
			lines = append(lines, l.row(i)[max(list.top-at, 0):]...)
		}
		at += h
	}
	return lines[:min(len(lines), list.lines)]
}

func (l *sessionsScreen) row(i int) []string {
	row := l.state.rows[i]
	var lines []string
	if row.heading > 0 {
		lines = make([]string, row.heading)
		heading := "Sessions"
		if row.waiting {
			heading = "Waiting for you"
		}
		lines[row.heading-1] = " " + l.page.look.styles.muted.Render(heading)
	}
	here := i == l.state.list.cursor
	if row.waiting {
		return append(lines, l.waitingRow(l.state.waiting[row.index], here)...)
	}
	session := l.state.sessions[row.index]
	counts := joined(plural(session.Asks, "form"), planCount(session.Plans))
	return append(lines, l.columns(here, "  ", sessionTitle(session),
		projectName(session), agentOf(session.Client), counts, ago(session.Updated, l.browser.now()))...)
}

func (l *sessionsScreen) waitingRow(w waitingAsk, here bool) []string {
	state := "no agent waits"
	mark := "○ "
	switch {
	case w.live:
		state, mark = "agent waits", "● "
	case w.ask.Outcome.State == questions.Expired:
		state = "late, still welcome"
	}
	return l.columns(here, mark, w.ask.Spec.Title.Line(),
		projectName(w.session), agentOf(w.ask.Client), state, ago(w.ask.Created, l.browser.now()))
}

// Widths of the columns of a wide row.
const (
	projectCells = 16
	agentCells   = 13
	countsCells  = 19
	agoCells     = 11
)

// columns draws a row: on one line when it is wide, else the title and the
// time on one and the rest under it.
func (l *sessionsScreen) columns(here bool, mark, title, project, agent, counts, when string) []string {
	st := l.page.look.styles
	cursor, titleStyle := "  ", st.text
	if here {
		cursor, titleStyle = st.cursor.Render("▸ "), st.cursor
	}
	if mark == "● " {
		mark = st.success.Render(mark)
	} else {
		mark = st.faint.Render(mark)
	}
	room := l.page.width - 2 - ansi.StringWidth(cursor+mark)
	if !l.state.narrow {
		titleCells := room - projectCells - agentCells - countsCells - agoCells - 8
		return []string{" " + cursor + mark + titleStyle.Render(pad(title, titleCells)) + "  " +
			st.text.Render(pad(project, projectCells)) + "  " +
			st.muted.Render(pad(agent, agentCells)) + "  " +
			st.muted.Render(pad(counts, countsCells)) + "  " +
			st.faint.Render(padLeft(when, agoCells))}
	}
	titleCells := room - ansi.StringWidth(when) - 2
	indent := strings.Repeat(" ", 1+ansi.StringWidth(cursor+mark))
	return []string{
		" " + cursor + mark + titleStyle.Render(pad(title, titleCells)) + "  " + st.faint.Render(when),
		indent + st.muted.Render(fit(joined(project, agent, counts), room)),
	}
}

func padLeft(text string, cells int) string {
	text = fit(text, cells)
	return strings.Repeat(" ", max(cells-ansi.StringWidth(text), 0)) + text
}

// plural is a number with its noun; empty for none.
func plural(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return count(n, noun)
}

func planCount(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("plan v%d", n)
}
