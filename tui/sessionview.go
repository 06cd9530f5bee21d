package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/markdown"
)

// intentLines is how much of a session's intent its screen shows: most of the
// lines are the list's.
func (s *sessionScreen) intentLines() int {
	const least, most = 8, 3 // lines of the body without any, and lines of it at most
	return max(min((s.page.bodyLines()-least)/4, most), 0)
}

// View draws the session.
func (s *sessionScreen) View() frame {
	return frame{
		Title: "planb: " + sessionTitle(s.session),
		Content: s.page.draw(
			s.page.header(sessionTitle(s.session), agentOf(s.session.Client)),
			s.body(),
			s.page.footer(s.keys, []action{actEnter, actEscape, actHelp, actCopy, actTheme, actQuit}, s.status)),
	}
}

func (s *sessionScreen) body() []string {
	if s.page.tooSmall() {
		return nil
	}
	return append(s.about(), s.visibleRows()...)
}

// about is what stands above the list.
func (s *sessionScreen) about() []string {
	if s.page.look == nil || s.page.tooSmall() {
		return nil
	}
	st, now := s.page.look.styles, s.browser.now()
	room := s.page.width - 2
	var lines []string
	if s.session.Err != nil {
		const most = 3
		why := markdown.Plain(safe.New("! This session's own record cannot be read: "+sentence(s.session.Err)), room).Lines
		for _, line := range why[:min(len(why), most)] {
			lines = append(lines, " "+st.danger.Render(line))
		}
	}
	if !s.session.Intent.Blank() {
		intent := markdown.Plain(s.session.Intent, room).Lines
		most := s.intentLines()
		for i, line := range intent[:min(len(intent), most)] {
			if i == most-1 && len(intent) > most {
				line = fit(line, room-1) + "…"
			}
			lines = append(lines, " "+st.text.Render(line))
		}
	}
	if !s.session.Project.Blank() {
		lines = append(lines, " "+st.muted.Render(fit(s.session.Project.Line(), room)))
	}
	when := ""
	if !s.session.Created.IsZero() {
		when = "since " + moment(s.session.Created, now)
	}
	if s.session.Updated.After(s.session.Created) {
		when = joined(when, "changed "+ago(s.session.Updated, now))
	}
	return append(lines, " "+st.faint.Render(fit(joined(when, safe.New(s.session.ID).Line()), room)))
}

// layOut makes the heights of the rows: every ask takes one line and one more
// for each thing that was said with it or came too late, every plan one; headings count to the first row of
// their group.
func (s *sessionScreen) layOut() {
	heights := make([]int, 0, len(s.asks)+len(s.plans))
	for i := range s.asks {
		heights = append(heights, len(s.askRow(i)))
	}
	for i := range s.plans {
		heights = append(heights, len(s.planRow(i)))
	}
	s.list.setRows(heights, s.list.cursor)
	s.list.setLines(s.page.bodyLines() - len(s.about()) - len(s.tail()))
}

func (s *sessionScreen) visibleRows() []string {
	var lines []string
	at := 0
	for i, h := range s.list.heights {
		if at >= s.list.top+s.list.lines {
			break
		}
		if at+h > s.list.top {
			row := s.rowLines(i)
			lines = append(lines, row[min(max(s.list.top-at, 0), len(row)):]...)
		}
		at += h
	}
	return append(lines[:min(len(lines), s.list.lines)], s.tail()...)
}

func (s *sessionScreen) rowLines(i int) []string {
	if i < len(s.asks) {
		return s.askRow(i)
	}
	return s.planRow(i - len(s.asks))
}

// tail says what the list has no row for.
func (s *sessionScreen) tail() []string {
	if s.page.look == nil || s.page.tooSmall() || !s.loaded {
		return nil
	}
	st := s.page.look.styles
	var lines []string
	say := func(style func(...string) string, text string) {
		lines = append(lines, "", " "+style(fit(text, s.page.width-2)))
	}
	switch {
	case s.asksErr != "":
		say(st.danger.Render, "! What was asked cannot be read: "+s.asksErr)
	case len(s.asks) == 0:
		say(st.muted.Render, "Nothing was asked in this session.")
	}
	switch {
	case s.plansErr != "":
		say(st.danger.Render, "! The plan's versions cannot be read: "+s.plansErr)
	case len(s.plans) == 0:
		say(st.muted.Render, "No plan was saved in this session.")
	}
	return lines
}

func (s *sessionScreen) heading(text string) []string {
	if s.page.look == nil {
		return nil
	}
	return []string{"", " " + s.page.look.styles.muted.Render(text)}
}

// askRow draws one ask: title, state, when, and under it what was said.
func (s *sessionScreen) askRow(i int) []string {
	if s.page.look == nil || s.page.tooSmall() {
		return []string{""}
	}
	var lines []string
	if i == 0 {
		lines = s.heading("Asked")
	}
	ask, now := s.asks[i], s.browser.now()
	when := ask.Created
	if !ask.Outcome.At.IsZero() {
		when = ask.Outcome.At
	}
	mark, word, style := s.badge(ask)
	title := ask.Spec.Title.Line()
	if ask.Err != nil {
		title = "Unreadable form"
	}
	lines = append(lines, s.row(i, style(mark), title, style, word, moment(when, now)))
	if ask.Err != nil {
		return append(lines, s.reason(ask.Err))
	}
	if said := askSaid(ask); said != "" {
		lines = append(lines, "     "+s.page.look.styles.note.Render(fit(said, s.page.width-7)))
	}
	for _, late := range ask.Late {
		lines = append(lines, "     "+s.page.look.styles.muted.Render(fit(lateLine(late, ""), s.page.width-7)))
	}
	return lines
}

func (s *sessionScreen) planRow(i int) []string {
	if s.page.look == nil || s.page.tooSmall() {
		return []string{""}
	}
	var lines []string
	if i == 0 {
		lines = s.heading("Plan")
	}
	st, plan := s.page.look.styles, s.plans[i]
	title := fmt.Sprintf("v%d", plan.Number)
	switch {
	case !plan.Title.Blank():
		title += "  " + plan.Title.Line()
	case plan.Err == nil:
		title += "  " + untitled
	}
	if plan.Err != nil {
		row := s.row(len(s.asks)+i, st.danger.Render("!"), title, st.danger.Render, "damaged", "")
		return append(lines, row, s.reason(plan.Err))
	}
	word, style := kilobytes(plan.Bytes), st.muted.Render
	if i == 0 {
		word, style = "latest · "+word, st.success.Render
	}
	return append(lines, s.row(len(s.asks)+i, " ", title, style, word, moment(plan.Created, s.browser.now())))
}

// reason is the line under a row that says why it cannot be read.
func (s *sessionScreen) reason(err error) string {
	return "     " + s.page.look.styles.danger.Render(fit(sentence(err), s.page.width-7))
}

// row is one line of the list.
func (s *sessionScreen) row(i int, mark, title string, styleWord func(...string) string, word, when string) string {
	st := s.page.look.styles
	cursor, titleStyle := "  ", st.text
	if i == s.list.cursor {
		cursor, titleStyle = st.cursor.Render("▸ "), st.cursor
	}
	const margins = 1 + 2 + 2 + 1
	room := s.page.width - margins
	whenCells := ansi.StringWidth(when)
	if room < 60 { // no room for a date besides the title and the state
		when, whenCells = "", 0
	}
	word = fit(word, room/2)
	titleCells := room - ansi.StringWidth(word) - 2
	if whenCells > 0 {
		titleCells -= max(whenCells, 12) + 2
	}
	line := " " + cursor + mark + " " + titleStyle.Render(pad(title, titleCells)) + "  " + styleWord(word)
	if whenCells > 0 {
		line += "  " + st.faint.Render(padLeft(when, max(whenCells, 12)))
	}
	return line
}

// badge is the mark and the word for what became of an ask. The words alone
// say it; the colour only helps.
func (s *sessionScreen) badge(ask store.Ask) (mark, word string, style func(...string) string) {
	st := s.page.look.styles
	if ask.Err != nil {
		return "!", "damaged", st.danger.Render
	}
	switch ask.Outcome.State {
	case questions.Answered:
		word = "no answers"
		if n := len(ask.Outcome.Reply.Answers); n > 0 {
			word = count(n, "answer")
		}
		return "✓", word + undelivered(ask), st.success.Render
	case questions.Discuss:
		return "↩", "replied" + undelivered(ask), st.info.Render
	case questions.Declined:
		return "✗", "declined" + undelivered(ask), st.warning.Render
	case questions.Withdrawn:
		return "–", "withdrawn", st.faint.Render
	case questions.Expired:
		return "○", "late, still open", st.warning.Render
	}
	return "○", "open", st.required.Render
}

// undelivered marks an outcome the agent has yet to fetch.
func undelivered(ask store.Ask) string {
	if ask.Undelivered() {
		return ", not fetched yet"
	}
	return ""
}

// askSaid is what the person wrote with the outcome.
func askSaid(ask store.Ask) string {
	var said []string
	for _, text := range []safe.Text{ask.Outcome.Message, ask.Outcome.Reply.Note} {
		if !text.Blank() {
			said = append(said, text.Line())
		}
	}
	return strings.Join(said, " · ")
}
