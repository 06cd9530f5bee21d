package tui

import "fmt"

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
	title := "planb"
	if l.ringer.rings.Title {
		title = joined(title, l.waitingCount())
	}
	return frame{
		Title:   title,
		Content: l.page.draw(l.page.header("planb", l.counts()), l.body(), l.footer()),
	}
}

// footer is the keys of the moment.
func (l *sessionsScreen) footer() []string {
	if l.prompt != nil {
		return l.promptFooter()
	}
	row, ok := l.state.row()
	switch {
	case l.state.filtering:
		return l.page.footer(l.typing, []action{actEnter, actEscape}, l.status)
	case !ok:
		return l.page.footer(l.keys, []action{actHelp, actTheme, actQuit}, l.status)
	case row.waiting:
		return l.page.footer(l.keys, []action{actEnter, actSnooze, actWithdraw, actFilter, actFind, actHelp, actQuit, actTheme}, l.status)
	}
	return l.page.footer(l.keys, []action{actEnter, actFilter, actFind, actHelp, actQuit, actTheme}, l.status)
}

func (l *sessionsScreen) counts() string {
	if !l.state.loaded || len(l.state.sessions) == 0 {
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
	return joined(l.waitingCount(), sessions)
}

// waitingCount says how many forms wait, without the snoozed ones; empty for none.
func (l *sessionsScreen) waitingCount() string {
	n := l.state.awake()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d waiting", n)
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
	lines = append(lines, l.visibleRows()...)
	for range l.page.bodyLines() - len(lines) - l.belowList() {
		lines = append(lines, "")
	}
	return append(lines, l.below()...)
}

// empty says why there is no row.
func (l *sessionsScreen) empty() []string {
	say := func(text string) []string {
		return []string{"", "  " + l.page.look.styles.muted.Render(fit(text, l.page.width-4))}
	}
	switch {
	case !l.state.loaded:
		return nil
	case l.state.filter != "" && l.state.next != "":
		return say("Searching …")
	case l.state.filter != "":
		return say("Nothing fits this filter. Esc shows everything again.")
	case l.state.problem != "":
		return nil
	}
	return l.welcome()
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
