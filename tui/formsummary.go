package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/wording"
)

// summarise opens the page with all answers, or closes it.
func (f *form) summarise() tea.Cmd {
	f.dialog, f.sheet = nil, nil
	if f.summary != nil {
		f.summary = nil
		return nil
	}
	f.state.leaveText()
	f.summary = newSummary(f.state, false)
	return nil
}

// doSummary does one action on the page.
func (f *form) doSummary(p keymap.Press) tea.Cmd {
	m := f.summary
	if m.move(p.Act) {
		return nil
	}
	switch p.Act {
	case keymap.Enter, keymap.Space:
		return f.pressSummary(m.here())
	case keymap.Submit:
		if !f.state.readOnly {
			return f.submit()
		}
	case keymap.Escape, keymap.Summary:
		f.summary = nil
	case keymap.Close:
		if f.state.readOnly {
			return f.later()
		}
	case keymap.Menu:
		f.dialog = f.menu()
	case keymap.Help:
		return showHelp(f)
	case keymap.Note:
		f.noteFromSummary(m.here())
	case keymap.NoteAll:
		return showNote(f)
	case keymap.Zoom:
		f.zoomSummary(m.here())
	case keymap.Copy:
		return f.copy(f.summaryText(m.here()).Raw())
	case keymap.PageUp, keymap.PageDown, keymap.ScrollUp, keymap.ScrollDown:
		m.top += map[keymap.Action]int{keymap.PageUp: -f.height / 2, keymap.PageDown: f.height / 2, keymap.ScrollUp: -1, keymap.ScrollDown: 1}[p.Act]
		m.free = true
	}
	return nil
}

// pressSummary does what the cursor is on, or what was clicked: a question is
// gone to.
func (f *form) pressSummary(stop summaryStop) tea.Cmd {
	switch stop.kind {
	case stopQuestion:
		f.summary = nil
		f.state.focusQuestion(stop.question, field.Straight)
		back := f.keys.Label(keymap.Summary)
		if f.writing() {
			back = f.keys.Label(keymap.Escape) + " " + summaryLetter
		}
		f.say(toneCalm, "%s goes back to all your answers.", back)
	case stopNote:
		return showNote(f)
	case stopSubmit:
		return f.submit()
	case stopReply:
		return showDiscuss(f)
	case stopBack:
		f.summary = nil
	}
	return nil
}

// noteFromSummary goes to the note of the question with the cursor.
func (f *form) noteFromSummary(stop summaryStop) {
	if f.state.readOnly || stop.kind != stopQuestion {
		return
	}
	f.pressSummary(stop)
	f.state.controls[stop.question].openNote()
}

// zoomSummary shows a question and its answer in full, on the whole screen.
func (f *form) zoomSummary(stop summaryStop) {
	title := "Your note"
	if stop.kind == stopQuestion {
		title = f.state.controls[stop.question].q.Label.Line()
	}
	if text := f.summaryText(stop); !text.Blank() {
		f.sheet = &sheet{title: title, text: text, plain: true}
	}
}

// summaryText is everything the person said where the cursor is.
func (f *form) summaryText(stop summaryStop) safe.Text {
	switch stop.kind {
	case stopNote:
		return f.state.note
	case stopQuestion:
		e := f.state.controls[stop.question]
		reply := f.state.answers().reply
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
	summaryColumns = 72 // width from which answers stand beside their questions
	summaryHead    = 4  // the cursor, and the mark of what is open
	summaryLabel   = 2  // rows of a label
	summaryAnswer  = 3  // of an answer
	summaryNote    = 2  // of a note
)

// drawSummary draws the page in the form's place.
func (f *form) drawSummary(c *canvas) {
	f.drawTitle(c)
	f.drawSummaryHead(c)
	footer := 2
	if c.roomy {
		footer = 3
	}
	more := f.drawSummaryList(c, max(1, c.rest()-footer))
	if c.roomy {
		c.add(f.rule(c.width, f.reminder(c.width, more), more))
		more = ""
	}
	f.drawSummaryButtons(c, more)
	c.add(" " + f.lastLine(c.width-2))
}

// drawSummaryHead draws what stands in the place of the tabs.
func (f *form) drawSummaryHead(c *canvas) {
	st := &f.look.Styles
	name := " Your answers "
	words, brief := f.state.answeredWords()
	mark, style := "", st.Muted
	switch {
	case f.state.complete():
		mark, style = st.Success.Render("✓ "), st.Success
	case len(f.state.answers().missing) > 0 && !f.state.readOnly:
		mark = st.Required.Render("● ")
	}
	counted := cells.Longest(c.width-len(name)-3, mark+style.Render(words), mark+style.Render(brief))
	c.add(cells.Sides(st.TabHere.Render(name), counted, c.width-1))
	if c.roomy {
		c.add(st.TabHere.UnsetTransform().Render(strings.Repeat("━", len(name))) + st.Rule.Render(strings.Repeat("─", c.width-len(name))))
	}
}

// drawSummaryList draws the questions in a window of so many rows around the cursor.
func (f *form) drawSummaryList(c *canvas, rows int) (more string) {
	m := f.summary
	lines, spans := f.layOutSummary(c.width - 1)
	last := max(0, len(lines)-rows)
	top := min(max(m.top, 0), last)
	if !m.free {
		show := m.at
		if m.here().kind.isButton() {
			show = m.firstOpen(f.state)
		}
		if show >= 0 && show < len(spans) {
			around := spans[show]
			top = max(min(top, around.Top), around.Bottom-rows+1)
			top = min(max(top, 0), last)
			if around.Top < rows && top <= 2 { // no use in hiding the first heading alone
				top = 0
			}
		}
	}
	m.top = top
	for i := range rows {
		if top+i < len(lines) {
			c.add(lines[top+i])
		} else {
			c.add("")
		}
	}
	at := len(c.lines) - rows
	for i, s := range spans {
		from, to := max(s.Top, top), min(s.Bottom, top+rows-1)
		if from <= to {
			stop := m.stops[i]
			f.hit(c, 0, at+from-top, c.width, to-from+1, func(int, int) tea.Cmd { return f.clickSummary(stop) })
		}
	}
	return cells.Position(top, rows, len(lines))
}

// clickSummary does what was clicked on the page.
func (f *form) clickSummary(stop summaryStop) tea.Cmd {
	f.summary.goTo(stop.kind, stop.question)
	return f.pressSummary(stop)
}

// layOutSummary lays the whole list out and says which rows each stop has.
func (f *form) layOutSummary(width int) (lines []string, spans []field.Span) {
	s, st := f.state, &f.look.Styles
	at := 0
	for _, tab := range s.tabs {
		if len(tab.Questions) == 0 {
			continue
		}
		if len(lines) > 0 || f.height >= roomyHeight {
			lines = append(lines, "")
		}
		if len(s.tabs) > 1 {
			lines = append(lines, " "+st.Title.Render(cells.Cut(tab.Title.Line(), width-2)))
		}
		for _, i := range tab.Questions {
			from := len(lines)
			lines = append(lines, f.summaryRow(i, width, f.summary.at == at)...)
			spans = append(spans, field.Span{Top: from, Bottom: len(lines) - 1})
			at++
		}
	}
	if at < len(f.summary.stops) && f.summary.stops[at].kind == stopNote {
		lines = append(lines, "")
		from := len(lines)
		lines = append(lines, f.summaryNoteRow(width, f.summary.at == at)...)
		spans = append(spans, field.Span{Top: from, Bottom: len(lines) - 1})
	}
	return lines, spans
}

// summaryRow is one question with what is answered, beside it or below.
func (f *form) summaryRow(question, width int, here bool) []string {
	e, st := f.state.controls[question], &f.look.Styles
	mark, answer := f.summaryAnswer(e)
	beside := width >= summaryColumns
	labelRoom, room := width-summaryHead, width-summaryHead-2
	if beside {
		labelRoom = (width - summaryHead) * 45 / 100
		room = width - summaryHead - labelRoom - 2
	}
	style, lead := st.Text, "  "
	if here {
		style, lead = st.Cursor, st.Cursor.Render("▸")+" "
	}
	var labels []string
	for i, text := range cells.Fold(f.docs.wrap(safe.New(e.q.Label.Line()), labelRoom), summaryLabel, labelRoom) {
		head := strings.Repeat(" ", summaryHead)
		if i == 0 {
			head = lead + mark + " "
		}
		labels = append(labels, head+style.Render(text))
	}
	answers := answer(room)
	if note := e.note.Text(); !safe.New(note).Blank() {
		answers = append(answers, f.summaryNoteLines(note, room)...)
	}
	if !beside {
		for _, line := range answers {
			labels = append(labels, strings.Repeat(" ", summaryHead+2)+line)
		}
		return labels
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
	return lines
}

// summaryAnswer is the mark of a question, and how to lay its answer out.
func (f *form) summaryAnswer(e *control) (mark string, lay func(room int) []string) {
	st, known := &f.look.Styles, f.state.answers()
	if v, ok := known.reply.Answers[e.q.ID]; ok && !slices.Contains(known.unanswered, e.q.ID) {
		return st.Success.Render("✓"), func(room int) []string {
			return cells.Styled(cells.Fold(f.docs.wrap(briefly(wording.Answer(e.q, v)), room), summaryAnswer, room), st.Accent)
		}
	}
	one := func(style func(...string) string, text string) func(int) []string {
		return func(room int) []string { return []string{style(cells.Cut(text, room))} }
	}
	switch {
	case f.state.readOnly:
		return st.Faint.Render("○"), one(st.Faint.Render, "(no answer)")
	case slices.Contains(known.missing, e.q.ID):
		return st.Required.Render("●"), one(st.Required.Render, "required, and still open")
	case e.q.Default != nil:
		return st.Faint.Render("○"), one(st.Faint.Render, "open; default: "+safe.New(wording.Answer(e.q, *e.q.Default)).Line())
	}
	return st.Faint.Render("○"), one(st.Faint.Render, "open")
}

// summaryBytes is as much of an answer as the page can ever show.
const summaryBytes = 2 << 10

// briefly is a text's beginning, if it is long.
func briefly(text string) safe.Text {
	if len(text) > summaryBytes {
		text = strings.ToValidUTF8(text[:summaryBytes], "") + " …"
	}
	return safe.New(strings.TrimSpace(text))
}

// summaryNoteLines is a note under what it is on.
func (f *form) summaryNoteLines(note string, room int) []string {
	wrapped := cells.Fold(f.docs.wrap(briefly(note), room-2), summaryNote, room-2)
	lines := make([]string, len(wrapped)) // what is wrapped is kept for the next drawing
	for i, line := range wrapped {
		lead := "✎ "
		if i > 0 {
			lead = "  "
		}
		lines[i] = f.look.Styles.Note.Render(lead + line)
	}
	return lines
}

// summaryNoteRow is the note on the whole form, or the way to one.
func (f *form) summaryNoteRow(width int, here bool) []string {
	st := &f.look.Styles
	style, lead := st.Faint, "  "
	if here {
		style, lead = st.Cursor, st.Cursor.Render("▸")+" "
	}
	if f.state.note.Blank() {
		return []string{lead + style.Render(cells.Cut("✎ a note on the whole form ("+f.keys.Label(keymap.NoteAll)+")", width-4))}
	}
	lines := []string{lead + style.Render("✎ Your note on the whole form")}
	for _, line := range cells.Fold(f.docs.wrap(briefly(f.state.note.Raw()), width-summaryHead-2), summaryAnswer, width-summaryHead-2) {
		lines = append(lines, strings.Repeat(" ", summaryHead)+st.Note.Render(line))
	}
	return lines
}

// drawSummaryButtons draws what can be done with the page. More says where in it
// the view is, where nothing above does.
func (f *form) drawSummaryButtons(c *canvas, more string) {
	m, st := f.summary, &f.look.Styles
	var buttons []rowButton
	for i := m.firstButton(); i < len(m.stops); i++ {
		stop, style := m.stops[i], st.Button
		switch {
		case i == m.at:
			style = st.ButtonHere
		case stop.kind == stopSubmit && len(f.state.answers().missing) == 0:
			style = st.ButtonMain
		}
		buttons = append(buttons, rowButton{summaryButton(stop.kind, c.width), style, func() tea.Cmd { return f.clickSummary(stop) }})
	}
	line, _ := f.drawButtonRow(c, 1, buttons)
	c.add(cells.Sides(line, st.Faint.Render(more), c.width-1))
}

func summaryButton(kind stopKind, width int) string {
	switch {
	case kind == stopSubmit:
		return "Submit"
	case kind == stopReply && width < narrow:
		return "Reply…"
	case kind == stopReply:
		return "Reply without finishing"
	case width < narrow:
		return "Back"
	}
	return "Back to the form"
}

// summaryHints are the keys of the moment on the page.
func (f *form) summaryHints() []field.Hint {
	here := f.summary.here()
	var hints []field.Hint
	switch here.kind {
	case stopQuestion:
		does := "answer it"
		if _, answered := f.state.answers().reply.Answers[f.state.controls[here.question].q.ID]; answered || f.state.readOnly {
			does = "go there"
		}
		hints = []field.Hint{{Act: keymap.Enter, Does: does}}
	case stopNote:
		hints = []field.Hint{{Act: keymap.Enter, Does: "write it"}}
	case stopSubmit:
		hints = []field.Hint{{Act: keymap.Enter, Does: f.submitWords()}, {Act: keymap.Up, Does: "look through"}}
	case stopReply:
		hints = []field.Hint{{Act: keymap.Enter, Does: "reply"}}
	case stopBack:
		hints = []field.Hint{{Act: keymap.Enter, Does: "back"}}
	}
	if !f.state.readOnly && here.kind != stopSubmit {
		hints = append(hints, field.Hint{Act: keymap.Submit, Does: f.submitWords()})
	}
	if here.kind == stopQuestion && !f.summaryText(here).Blank() {
		hints = append(hints, field.Hint{Act: keymap.Zoom, Does: "in full"})
	}
	hints = append(hints, field.Hint{Act: keymap.Escape, Does: "back"})
	if here.kind == stopQuestion && !f.state.readOnly {
		hints = append(hints, field.Hint{Act: keymap.Note, Does: "note"})
	}
	return append(hints, field.Hint{Act: keymap.Help, Does: "help"})
}

// submitWords says what sending does right now.
func (f *form) submitWords() string {
	known := f.state.answers()
	switch open := len(known.unanswered); {
	case len(known.missing) > 0:
		return "to what is required"
	case open > 0:
		return fmt.Sprintf("submit, %d open", open)
	}
	return "submit"
}

// goesAlong says what a reply without finishing takes with it.
func (f *form) goesAlong() string {
	s := f.state
	reply := s.answers().reply
	var named []string
	for _, e := range s.controls {
		if v, ok := reply.Answers[e.q.ID]; ok && e.q.Kind != questions.Review {
			named = append(named, e.q.Label.Line()+" "+cells.Cut(briefly(wording.Answer(e.q, v)).Line(), 24))
		}
	}
	if len(named) == 0 {
		return ""
	}
	const most = 3
	text := strings.Join(named[:min(most, len(named))], " · ")
	if more := len(named) - most; more > 0 {
		text += fmt.Sprintf(" · %d more", more)
	}
	return text
}
