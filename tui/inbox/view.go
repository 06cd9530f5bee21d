package inbox

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/preview"
	"planb/tui/screen"
	"planb/tui/wording"
)

// aboveList is how many lines the filter, a problem and an empty line take above the list.
func (l *Screen) aboveList() int {
	n := 0
	if l.filterShown() {
		n++
	}
	if l.wrongBelow() {
		n++
	}
	if l.state.problem != "" {
		n++
	}
	if l.roomy() {
		n++
	}
	return n
}

// wrongBelow reports whether what is wrong with the filter stands below it: beside a preview the list
// is too narrow for both on one line.
func (l *Screen) wrongBelow() bool {
	return l.state.filter.problem != "" && len(l.state.rows) > 0 && (preview.Split{Width: l.page.Width}).Beside()
}

// roomy reports whether the list begins below an empty line. A filter needs one sooner than the rule
// of the header does: its line would be read as part of the list.
func (l *Screen) roomy() bool {
	const filtered = 22 // lines of the window
	switch {
	case len(l.state.rows) == 0:
		return false
	case l.filterShown():
		return l.page.Height >= filtered
	}
	return l.page.Height >= screen.RoomyHeight && l.state.problem == ""
}

func (l *Screen) filterShown() bool { return l.state.filtering || l.state.filter.text != "" }

// name is what the help calls the list.
func (l *Screen) name() string {
	if l.deps.Answers {
		return "Inbox"
	}
	return "Sessions"
}

// View draws the list.
func (l *Screen) View() screen.Frame {
	title := "planb"
	if l.ringer.rings.Title {
		title = cells.Join(title, l.waitingCount())
	}
	header, footer := l.page.Header("planb", l.counts()), l.footer()
	if len(l.state.rows) > 0 {
		st, split := &l.page.Look.Styles, l.split()
		if l.state.problem == "" {
			header[1] = split.Joined(st, header[1], "┬")
		}
		footer[0] = split.Below(st, footer[0])
	}
	frame := screen.Frame{Title: title, Content: l.page.Draw(header, l.body(), footer)}
	if l.asked != nil {
		return l.asked.Over(l.page, frame, "")
	}
	return frame
}

// footer shows the keys that do something now.
func (l *Screen) footer() []string {
	row, ok := l.state.row()
	undo := keymap.None // else behind the first key, since no message about what was done names it
	if len(l.undos) > 0 {
		undo = keymap.Undo
	}
	var acts []keymap.Action
	switch {
	case l.state.filtering:
		return l.page.Footer(l.typing, []keymap.Action{keymap.Enter, keymap.Escape}, l.status)
	case !ok:
		acts = []keymap.Action{keymap.Help, undo, keymap.Theme, keymap.Quit}
	case row.need:
		acts = []keymap.Action{keymap.Enter, undo, keymap.Filter, keymap.Find, keymap.Help, keymap.Quit, keymap.Theme}
	case row.waiting:
		acts = []keymap.Action{keymap.Enter, undo, keymap.Snooze, keymap.Withdraw, keymap.Filter, keymap.Find, keymap.Help, keymap.Quit, keymap.Theme}
	default:
		acts = []keymap.Action{keymap.Enter, undo, keymap.Filter, keymap.Find, keymap.Help, keymap.Quit, keymap.Archive, keymap.Delete, keymap.Theme}
	}
	return l.page.Footer(l.keys, acts, l.status)
}

// counts gives the numbers that no heading in view gives: with a filter how many sessions
// and forms it leaves, else how many forms wait and how many sessions the list leaves out.
func (l *Screen) counts() string {
	if !l.state.loaded || len(l.state.sessions) == 0 {
		return ""
	}
	if l.state.filter.text != "" {
		more := ""
		if l.state.next != "" {
			more = "+"
		}
		forms, listed := "", l.state.listedSessions()
		if n := len(l.state.rows) - listed; n > 0 {
			forms = wording.Count(n, "other")
			if len(l.state.needs) == 0 {
				forms = wording.Count(n, "form")
			}
		}
		sessions := fmt.Sprintf("%d of %d%s", listed, len(l.state.sessions), more)
		if forms == "" || l.page.Width >= 60 { // else there is no room for the word
			sessions += " sessions"
		}
		return cells.Join(forms, sessions)
	}
	archived, deleted := "", ""
	if n := l.state.archivedCount(); n > 0 {
		archived = fmt.Sprintf("%d archived", n)
	}
	if n := len(l.state.going); n > 0 {
		deleted = fmt.Sprintf("%d deleted", n)
	}
	waiting := ""
	if !l.state.listed || l.state.list.Top > 0 { // no heading in view has it
		waiting = l.waitingCount()
	}
	return cells.Join(waiting, archived, deleted)
}

// waitingCount says how many forms, plans of tasks and drafts wait, without the snoozed ones; empty
// if none does.
func (l *Screen) waitingCount() string {
	n := l.state.awake() + len(l.state.needs)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d waiting", n)
}

func (l *Screen) body() []string {
	st := l.page.Look.Styles
	var lines []string
	if l.state.problem != "" {
		lines = append(lines, " "+st.Danger.Render(cells.Cut("! Not everything could be read: "+l.state.problem, l.page.Width-2)))
	}
	if len(l.state.rows) == 0 {
		if l.filterShown() {
			lines = append(lines, l.filterLine(l.page.Width))
		}
		return append(lines, l.empty()...)
	}
	above := l.split()
	above.Alone = true
	var left []string
	if l.filterShown() {
		left = append(left, l.filterLine(above.ListWidth()))
	}
	if wrong, room := l.state.filter, above.ListWidth()-3; l.wrongBelow() {
		left = append(left, "  "+st.Danger.Render(cells.Cut(cells.Longest(room, wrong.problem, wrong.brief), room)))
	}
	if l.roomy() {
		left = append(left, "")
	}
	above.Lines = len(left)
	lines = append(lines, above.Draw(&st, left, nil)...)
	return append(lines, l.split().Draw(&st, l.state.list.Visible(l.row), l.preview())...)
}

// filterLine shows the filter and what is wrong with it. While the filter is empty, it
// shows what can be typed.
func (l *Screen) filterLine(width int) string {
	const gap = 2
	st := l.page.Look.Styles
	line := "  " + l.typed.Draw(&st, "/ ", l.state.filtering, width-5)
	room := width - 1 - gap - ansi.StringWidth(line)
	switch {
	case l.state.filter.problem != "" && room > gap && !l.wrongBelow():
		line += strings.Repeat(" ", gap) + st.Danger.Render(cells.Cut(cells.Longest(room, l.state.filter.problem, l.state.filter.brief), room))
	case l.state.filter.text == "":
		line += strings.Repeat(" ", gap) + st.Faint.Render(cells.Cut("words, project: client: before: after: status:", room))
	}
	return line
}

// empty says why the list has no row.
func (l *Screen) empty() []string {
	say := func(text string) []string {
		return []string{"", "  " + l.page.Look.Styles.Muted.Render(cells.Cut(text, l.page.Width-4))}
	}
	switch {
	case !l.state.loaded:
		return nil
	case l.state.filter.text != "" && l.state.next != "":
		return say("Searching …")
	case l.state.filter.text != "":
		return say("Nothing fits this filter; " + keymap.Label(l.keys, keymap.Escape) + " shows everything again.")
	case l.state.problem != "":
		return nil
	case len(l.state.going) > 0:
		return say("Every session is deleted when you leave." + keymap.Tells(l.keys, " ", keymap.Undo, " brings the last one back."))
	case len(l.state.sessions) > 0:
		return say("Every session is in the archive. " + keymap.Tells(l.keys, "", keymap.Filter, " status:archived shows them."))
	}
	return l.welcome()
}
