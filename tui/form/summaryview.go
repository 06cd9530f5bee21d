package form

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// summarise opens the page with all answers, or closes it.
func (q *questionnaire) summarise() tea.Cmd {
	q.host.CloseDialog()
	q.host.unfold(nil)
	if q.summary != nil {
		q.summary = nil
		return nil
	}
	q.state.leaveText()
	q.summary = newSummary(q.state, !q.host.note().Blank(), false)
	return nil
}

// doSummary does one action on the page with all answers.
func (q *questionnaire) doSummary(p keymap.Press) tea.Cmd {
	m := q.summary
	if m.move(p.Act) {
		return nil
	}
	switch p.Act {
	case keymap.Enter, keymap.Space:
		return q.pressSummary(m.here())
	case keymap.Submit:
		if !q.state.readOnly {
			return q.host.submit()
		}
	case keymap.Escape, keymap.Summary:
		q.summary = nil
	case keymap.Close:
		if q.state.readOnly {
			return q.host.Later()
		}
	case keymap.Menu:
		return q.host.ShowMenu()
	case keymap.Help:
		return q.host.ShowHelp()
	case keymap.Note:
		q.noteFromSummary(m.here())
	case keymap.NoteAll:
		return q.host.showNote()
	case keymap.Zoom:
		q.zoomSummary(m.here())
	case keymap.Copy:
		return q.host.Copy(q.summaryText(m.here()).Raw())
	case keymap.PageUp, keymap.PageDown, keymap.ScrollUp, keymap.ScrollDown:
		_, height := q.host.Size()
		m.top += map[keymap.Action]int{keymap.PageUp: -height / 2, keymap.PageDown: height / 2, keymap.ScrollUp: -1, keymap.ScrollDown: 1}[p.Act]
		m.free = true
	}
	return nil
}

// pressSummary presses what is under the cursor or was clicked. On a question it goes to
// that question in the form.
func (q *questionnaire) pressSummary(stop summaryStop) tea.Cmd {
	switch stop.kind {
	case stopQuestion:
		q.summary = nil
		q.state.focusQuestion(stop.question, field.Straight)
		back := q.host.Keys().Label(keymap.Summary)
		if q.Text() != nil {
			back = q.host.Keys().Label(keymap.Escape) + " " + summaryLetter
		}
		q.host.Say(screen.ToneCalm, "%s goes back to all your answers.", back)
	case stopNote:
		return q.host.showNote()
	case stopSubmit:
		return q.host.submit()
	case stopReply:
		return q.host.Discuss()
	case stopBack:
		q.summary = nil
	}
	return nil
}

// noteFromSummary goes to the note of the question under the cursor.
func (q *questionnaire) noteFromSummary(stop summaryStop) {
	if q.state.readOnly || stop.kind != stopQuestion {
		return
	}
	q.pressSummary(stop)
	q.state.controls[stop.question].openNote()
}

// zoomSummary shows a question and its answer in full, on the whole screen.
func (q *questionnaire) zoomSummary(stop summaryStop) {
	title := "Your note"
	if stop.kind == stopQuestion {
		title = q.state.controls[stop.question].q.Label.Line()
	}
	if text := q.summaryText(stop); !text.Blank() {
		q.host.unfold(&textPage{q.host, title, text})
	}
}

// summaryText is the whole text at a stop: the answer with its note, or the note on the
// form.
func (q *questionnaire) summaryText(stop summaryStop) safe.Text {
	switch stop.kind {
	case stopNote:
		return q.host.note()
	case stopQuestion:
		e := q.state.controls[stop.question]
		reply := q.state.answers().reply
		var parts []string
		if v, ok := reply.Answers[e.q.ID]; ok {
			parts = append(parts, wording.Answer(e.q, v))
		}
		if note := reply.Notes[e.q.ID]; !note.Blank() {
			parts = append(parts, "✎ "+note.Raw())
		}
		return safe.New(strings.Join(parts, "\n\n"))
	}
	return safe.Text{}
}

// Cells and rows of the page.
const (
	summaryColumns = 72 // from this width on, answers stand beside their questions
	summaryHead    = 4  // cells of the cursor and of the mark of an open question
	summaryLabel   = 3  // most rows of a label
	summaryAnswer  = 3  // most rows of an answer
	summaryNote    = 2  // most rows of a note
)

// drawSummaryHead draws the page's title where the form has its tabs.
func (q *questionnaire) drawSummaryHead(c *Canvas) {
	st := q.host.Styles()
	name := " Your answers "
	words, brief := q.state.answeredWords()
	mark, style := "", st.Muted
	switch {
	case q.state.complete():
		mark, style = st.Success.Render("✓ "), st.Success
	case len(q.state.answers().missing) > 0 && !q.state.readOnly:
		mark = st.Required.Render("● ")
	}
	counted := cells.Longest(c.Width-len(name)-3, mark+style.Render(words), mark+style.Render(brief))
	c.Add(cells.Sides(st.TabHere.Render(name), counted, c.Width-1))
	if c.roomy {
		c.Add(st.TabHere.Underline(false).Render(strings.Repeat("━", len(name))) + st.Rule.Render(strings.Repeat("─", c.Width-len(name))))
	}
}

// drawSummaryList draws the rows of the list around the cursor, as many as given. It
// returns the position of the view.
func (q *questionnaire) drawSummaryList(c *Canvas, rows int) (more string) {
	m := q.summary
	lines, spans := q.layOutSummary(c.Width - 1)
	last := max(0, len(lines)-rows)
	top := min(max(m.top, 0), last)
	if !m.free {
		show := m.at
		if m.here().kind.isButton() {
			show = m.firstOpen(q.state)
		}
		if show >= 0 && show < len(spans) {
			around := spans[show]
			top = min(max(top, around.Bottom-rows+1), around.Top)
			top = min(max(top, 0), last)
			if around.Top < rows && top <= 2 { // show the first heading, too, if only that is hidden
				top = 0
			}
		}
		top = wholeSummary(lines, spans, top, rows)
	}
	m.top = top
	for i := range rows {
		if top+i < len(lines) {
			c.Add(lines[top+i])
		} else {
			c.Add("")
		}
	}
	at := len(c.Lines) - rows
	for i, s := range spans {
		from, to := max(s.Top, top), min(s.Bottom, top+rows-1)
		if from <= to {
			stop := m.stops[i]
			q.hit(c, 0, at+from-top, c.Width, to-from+1, func(int, int) tea.Cmd { return q.clickSummary(stop) })
		}
	}
	return cells.Position(top, rows, len(lines))
}

// wholeSummary returns the first row at or below top with which the page can begin without
// cutting a question. It returns top if the page would then end in too many empty rows.
func wholeSummary(lines []string, spans []screen.Span, top, rows int) int {
	head := top
	for _, s := range spans {
		if s.Top < top && top <= s.Bottom {
			head = s.Bottom + 1
		}
	}
	if head > top && head < len(lines) && lines[head] == "" {
		head++
	}
	if empty := head + rows - len(lines); empty > rows/3 {
		return top
	}
	return head
}

// clickSummary moves the cursor to a stop and presses it.
func (q *questionnaire) clickSummary(stop summaryStop) tea.Cmd {
	q.summary.goTo(stop.kind, stop.question)
	return q.pressSummary(stop)
}

// layOutSummary lays out the whole list. spans has the rows of each stop.
func (q *questionnaire) layOutSummary(width int) (lines []string, spans []screen.Span) {
	s, st := q.state, q.host.Styles()
	at := 0
	for _, tab := range s.tabs {
		if len(tab.Questions) == 0 {
			continue
		}
		if _, height := q.host.Size(); len(lines) > 0 || height >= roomyHeight {
			lines = append(lines, "")
		}
		if len(s.tabs) > 1 {
			lines = append(lines, " "+st.Title.Render(cells.Cut(tab.Title.Line(), width-2)))
		}
		for _, i := range tab.Questions {
			from := len(lines)
			lines = append(lines, q.summaryRow(i, width, q.summary.at == at)...)
			spans = append(spans, screen.Span{Top: from, Bottom: len(lines) - 1})
			at++
		}
	}
	if at < len(q.summary.stops) && q.summary.stops[at].kind == stopNote {
		lines = append(lines, "")
		from := len(lines)
		lines = append(lines, q.summaryNoteRow(width, q.summary.at == at)...)
		spans = append(spans, screen.Span{Top: from, Bottom: len(lines) - 1})
	}
	return lines, spans
}

// summaryRow draws a question with its answer beside it or below.
func (q *questionnaire) summaryRow(question, width int, here bool) []string {
	e, st := q.state.controls[question], q.host.Styles()
	mark, answer := q.summaryAnswer(e)
	beside := width >= summaryColumns
	labelRoom, room := width-summaryHead, width-summaryHead-2
	if beside {
		labelRoom = q.summaryLabels((width - summaryHead) * 45 / 100)
		room = width - summaryHead - labelRoom - 2
	}
	var labels []string
	for i, text := range cells.Fold(q.host.Wrap(safe.New(e.q.Label.Line()), labelRoom), summaryLabel, labelRoom) {
		head := strings.Repeat(" ", summaryHead)
		if i == 0 {
			head = "  " + mark + " "
		}
		labels = append(labels, head+st.ItemTitle(here).Render(text))
	}
	answers := answer(room)
	if note := e.note.Text(); !safe.New(note).Blank() {
		answers = append(answers, q.summaryNoteLines(note, room)...)
	}
	if !beside {
		for _, line := range answers {
			labels = append(labels, strings.Repeat(" ", summaryHead+2)+line)
		}
		return q.lit(labels, width, here)
	}
	lines := make([]string, 0, max(len(labels), len(answers)))
	for i := range max(len(labels), len(answers)) {
		label, line := "", ""
		if i < len(labels) {
			label = labels[i]
		}
		if i < len(answers) {
			line = cells.Fill(label, summaryHead+labelRoom+2) + answers[i]
		} else {
			line = label
		}
		lines = append(lines, line)
	}
	return q.lit(lines, width, here)
}

// summaryLabels is the width of the column of questions: that of the longest question, but at
// most so much.
func (q *questionnaire) summaryLabels(most int) int {
	widest := 0
	for _, e := range q.state.controls {
		widest = max(widest, ansi.StringWidth(e.q.Label.Line()))
	}
	return min(widest, most)
}

// lit draws the rows of a stop on the focus ground if it has the cursor. The ground reaches the
// edge of the page, from which the text keeps a cell away.
func (q *questionnaire) lit(lines []string, width int, here bool) []string {
	if here {
		return q.host.Styles().FocusedItem(lines, width+1)
	}
	return lines
}

// summaryAnswer returns the mark of a question, and a function that lays out its answer.
func (q *questionnaire) summaryAnswer(e *control) (mark string, lay func(room int) []string) {
	st, known := q.host.Styles(), q.state.answers()
	if v, ok := known.reply.Answers[e.q.ID]; ok && !slices.Contains(known.unanswered, e.q.ID) {
		return st.Success.Render("✓"), func(room int) []string {
			return cells.Styled(cells.Fold(q.host.Wrap(briefly(wording.AnswerBy(summaryDot, e.q, v)), room), summaryAnswer, room), st.Accent)
		}
	}
	one := func(style func(...string) string, text string) func(int) []string {
		return func(room int) []string { return []string{style(cells.Cut(text, room))} }
	}
	switch {
	case q.state.readOnly:
		return st.Faint.Render("○"), one(st.Faint.Render, "(no answer)")
	case slices.Contains(known.missing, e.q.ID):
		return st.Required.Render("●"), one(st.Required.Render, "open")
	case e.q.Default != nil:
		return st.Faint.Render("○"), one(st.Faint.Render, "open; proposed: "+safe.New(wording.AnswerBy(summaryDot, e.q, *e.q.Default)).Line())
	}
	return st.Faint.Render("○"), one(st.Faint.Render, "open")
}

// summaryDot parts the chosen options: a comma may be part of one.
const summaryDot = " · "

// summaryBytes is more than the page can ever show of an answer.
const summaryBytes = 2 << 10

// briefly cuts a text after summaryBytes.
func briefly(text string) safe.Text {
	if len(text) > summaryBytes {
		text = strings.ToValidUTF8(text[:summaryBytes], "") + " …"
	}
	return safe.New(strings.TrimSpace(text))
}

// summaryNoteLines draws a note, to be put below the answer or the heading it is on.
func (q *questionnaire) summaryNoteLines(note string, room int) []string {
	wrapped := cells.Fold(q.host.Wrap(briefly(note), room-2), summaryNote, room-2)
	lines := make([]string, len(wrapped)) // wrapped is shared with the next drawing
	for i, line := range wrapped {
		lead := "✎ "
		if i > 0 {
			lead = "  "
		}
		lines[i] = q.host.Styles().Note.Render(lead + line)
	}
	return lines
}

// summaryNoteRow draws the note on the whole form, or an invitation to write one.
func (q *questionnaire) summaryNoteRow(width int, here bool) []string {
	st := q.host.Styles()
	if q.host.note().Blank() {
		text := cells.Cut("  ✎ a note on the whole form ("+q.host.Keys().Label(keymap.NoteAll)+")", width-2)
		return q.lit([]string{st.Faint.Render(text)}, width, here)
	}
	lines := []string{"  " + st.Faint.Render("✎ Your note on the whole form")}
	for _, line := range cells.Fold(q.host.Wrap(briefly(q.host.note().Raw()), width-summaryHead-2), summaryAnswer, width-summaryHead-2) {
		lines = append(lines, strings.Repeat(" ", summaryHead)+st.Note.Render(line))
	}
	return q.lit(lines, width, here)
}

// drawSummaryButtons draws the page's buttons, and beside them the position of the view
// if more is not empty.
func (q *questionnaire) drawSummaryButtons(c *Canvas, more string) {
	m, st := q.summary, q.host.Styles()
	var buttons []Button
	for i := m.firstButton(); i < len(m.stops); i++ {
		stop := m.stops[i]
		buttons = append(buttons, Button{
			Label:   summaryButton(stop.kind, c.Width),
			Main:    i == m.firstButton(),
			Focused: i == m.at,
			Does:    func() tea.Cmd { return q.clickSummary(stop) },
		})
	}
	line, _ := c.Buttons(1, buttons)
	c.Add(cells.Sides(line, st.Faint.Render(more), c.Width-1))
}

func summaryButton(kind stopKind, width int) string {
	switch {
	case kind == stopSubmit:
		return "Submit"
	case kind == stopReply && width < Narrow:
		return "Reply…"
	case kind == stopReply:
		return "Reply without finishing"
	case width < Narrow:
		return "Back"
	}
	return "Back to the form"
}

// summaryHints returns the keys that do something on the page now.
func (q *questionnaire) summaryHints() []screen.Hint {
	here := q.summary.here()
	var hints []screen.Hint
	switch here.kind {
	case stopQuestion:
		does := "answer it"
		if _, answered := q.state.answers().reply.Answers[q.state.controls[here.question].q.ID]; answered || q.state.readOnly {
			does = "go there"
		}
		hints = []screen.Hint{{Act: keymap.Enter, Does: does}}
	case stopNote:
		hints = []screen.Hint{{Act: keymap.Enter, Does: "write it"}}
	case stopSubmit:
		hints = []screen.Hint{{Act: keymap.Enter, Does: q.submitWords()}, {Act: keymap.Up, Does: "look through"}}
	case stopReply:
		hints = []screen.Hint{{Act: keymap.Enter, Does: "reply"}}
	case stopBack:
		hints = []screen.Hint{{Act: keymap.Enter, Does: "back"}}
	}
	if !q.state.readOnly && here.kind != stopSubmit {
		hints = append(hints, screen.Hint{Act: keymap.Submit, Does: q.submitWords()})
	}
	if here.kind == stopQuestion && !q.summaryText(here).Blank() {
		hints = append(hints, screen.Hint{Act: keymap.Zoom, Does: "zoom"})
	}
	hints = append(hints, screen.Hint{Act: keymap.Escape, Does: "back"})
	if here.kind == stopQuestion && !q.state.readOnly {
		hints = append(hints, screen.Hint{Act: keymap.Note, Does: "note"})
	}
	return append(hints, screen.Hint{Act: keymap.Help, Does: "help"})
}

// submitWords says what the Submit key does now.
func (q *questionnaire) submitWords() string {
	known := q.state.answers()
	switch open := len(known.unanswered); {
	case len(known.missing) > 0:
		return "to what is required"
	case open > 0:
		return fmt.Sprintf("submit, %d open", open)
	}
	return "submit"
}
