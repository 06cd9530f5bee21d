package form

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/form/rendering"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// panelPlan is the place of the panel with the illustration: beside the questions or
// below them.
type panelPlan struct {
	below    bool
	x, width int // its first column (only beside), and its cells
	rows     int // its rows; below the questions, its rule counts too
	most     int // the rows that it can have, if it is below the questions
	of       int // cells (beside) or rows (below) of questions and panel together
}

// panel is the panel with the illustration of an option.
type panel struct {
	Split  Split
	plan   panelPlan     // of the last drawing; zero if the panel was not drawn
	shown  rendering.Ref // the illustration in it
	at, to screen.Place  // its first cell in the last drawing, and the cell after its last
	reach
}

// over reports whether a cell is in the panel.
func (p *panel) over(x, y int) bool {
	return p.rows > 0 && x >= p.at.X && x < p.to.X && y >= p.at.Y && y < p.to.Y
}

// illustrated reports whether any option of the form has an illustration.
func (q *questionnaire) illustrated() bool {
	for tab := range q.state.tabs {
		if q.tabIllustrated(tab) {
			return true
		}
	}
	return false
}

func (q *questionnaire) tabIllustrated(tab int) bool {
	for _, i := range q.state.tabs[tab].Questions {
		for _, o := range q.state.spec.Questions[i].Options {
			if !o.Markdown.IsZero() {
				return true
			}
		}
	}
	return false
}

// planPanel chooses the place of the tab's illustrations: beside the options in a wide
// frame, below them in a high one. It returns false if there is room for neither; then
// only the zoom shows them.
func (q *questionnaire) planPanel(c *Canvas, rows int) (panelPlan, bool) {
	if !q.tabIllustrated(q.state.tab) {
		return panelPlan{}, false
	}
	if c.Width >= sideWidth {
		width := q.panel.Split.beside(c.Width)
		return panelPlan{x: c.Width - width, width: width - 2, rows: rows, of: c.Width}, true
	}
	if rows < panelLeastBody || !q.illustratesCurrent() {
		return panelPlan{}, false
	}
	high, need := q.panel.Split.below(rows), 1+q.illustrationRows()
	if q.panel.Split.Below == 0 {
		high = min(high, need)
	}
	room := rows - q.leastQuestionRows(c, rows)
	high = min(high, room) // the panel gives way to the options
	if high < min(panelLeast, need) {
		return panelPlan{}, false
	}
	return panelPlan{below: true, width: c.Width - 2, rows: high, most: room, of: rows}, true
}

// settled returns the plan of a panel below the questions once the questions are laid out. The
// panel gets the rows that the questions leave free: as many as its illustrations need, or up to
// the share that the person chose. free is negative if the questions lack rows. Then the panel
// gives its empty rows to the questions, if all questions are in view with them, and all its rows
// if it has no illustration to show. It gives none of a share that the person chose.
func (q *questionnaire) settled(p panelPlan, free int) panelPlan {
	p.most = max(p.most, p.rows+free)
	chosen := q.panel.Split.Below > 0
	switch {
	case free >= 0:
		want := 1 + q.illustrationRows()
		if chosen {
			want = q.panel.Split.below(p.of)
		}
		p.rows += max(min(free, want-p.rows), 0)
	case chosen:
	case !q.shows():
		return panelPlan{}
	case p.rows+free > q.shownRows(p.width):
		p.rows += free
	}
	return p
}

// shownRows estimates the rows of what the panel shows now.
func (q *questionnaire) shownRows(width int) int {
	_, title, text, ok := q.panelText()
	if !ok {
		_, words := q.standIn()
		return len(q.host.Wrap(safe.New(words), width))
	}
	return max(1, sourceRows(title, text))
}

// illustrationRows estimates the rows of the longest illustration of the current question. It
// counts in the source, because a panel as high as what is rendered by now would jump with each
// move of the cursor.
func (q *questionnaire) illustrationRows() int {
	rows := leastIllustration
	for _, o := range q.state.current().q.Options {
		if rows = max(rows, sourceRows(o.Shown().Line(), o.Markdown)); rows >= panelMost {
			return rows
		}
	}
	return rows
}

// sourceRows estimates by its source the rows of an illustration below the option's title.
func sourceRows(shown string, illustration safe.Text) int {
	text := illustration.Raw()
	if strings.Contains(text, "```mermaid") {
		return panelMost // a drawing is higher than its source
	}
	n, headed := 0, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		title, heading := strings.CutPrefix(line, "#")
		switch {
		case strings.HasPrefix(line, "```"), headed && line == "":
		case heading && strings.TrimLeft(title, "# ") == shown: // the panel's title says it
		case heading:
			n += 2 // with the line below it
		default:
			n++
		}
		headed = heading
	}
	return n
}

// illustratesCurrent reports whether an option of the current question has an illustration.
func (q *questionnaire) illustratesCurrent() bool {
	e := q.state.current()
	if e == nil {
		return false
	}
	c, ok := e.field.(field.Illustrated)
	return ok && c.FirstIllustration() != field.NoOption
}

// leastQuestionRows returns the rows that the current question needs for its head and three
// options.
func (q *questionnaire) leastQuestionRows(c *Canvas, rows int) int {
	e := q.state.current()
	p := q.pen(c.Width, rows)
	head := q.drawHead(q.state.index(e.q.ID), p)
	return len(head.Lines) + e.field.(field.Illustrated).LeastRows(p) + 1 // an empty row
}

// panelText returns the illustration to show: that of the option under the cursor, else
// of the chosen option, else of the question's first option that has one.
func (q *questionnaire) panelText() (ref rendering.Ref, title string, text safe.Text, ok bool) {
	e := q.state.current()
	if e == nil {
		return rendering.Ref{}, "", safe.Text{}, false
	}
	option := e.field.Illustration()
	if option == field.NoOption {
		return rendering.Ref{}, "", safe.Text{}, false
	}
	o := e.q.Options[option]
	ref = rendering.Ref{Part: rendering.Illustration, Question: q.state.index(e.q.ID), Option: option}
	return ref, o.Shown().Line(), o.Markdown, true
}

// shows reports whether the panel has an illustration to show.
func (q *questionnaire) shows() bool {
	_, _, _, ok := q.panelText()
	return ok
}

// panelView is the visible part of the panel's illustration.
type panelView struct {
	lines []string
	title string
	more  string // the position of the view in the illustration
}

// panelLines returns the visible lines of the panel.
func (q *questionnaire) panelLines(width, rows int) panelView {
	ref, title, text, ok := q.panelText()
	if !ok {
		title, words := q.standIn()
		return panelView{title: title, lines: cells.Styled(q.host.Wrap(safe.New(words), width), q.host.Styles().Faint)}
	}
	v := panelView{title: title}
	if !q.atCursor(ref) {
		v.title = q.shownFor(ref) + title
	}
	if q.panel.shown != ref {
		q.panel.shown, q.panel.top, q.panel.pan.Left = ref, 0, 0
	}
	doc, ok := q.docs.Illustration(ref, text, width)
	at := q.panel.until(ok)
	if !ok {
		if doc, ok = q.docs.StandIn(ref, width); !ok {
			v.lines = []string{q.host.Styles().Faint.Render("…")}
			return v
		}
	}
	w := q.host.view(doc.Below(q.state.controls[ref.Question].q.Options[ref.Option].Shown().Line()), docRoom{width: width, rows: rows}, at)
	q.panel.rows, q.panel.last = rows, w.last
	v.lines, v.more = w.lines, w.position(width-leastTitle)
	return v
}

// shownFor says before an illustration's title why it is shown away from the cursor.
func (q *questionnaire) shownFor(ref rendering.Ref) string {
	if c := q.state.controls[ref.Question].field.(field.Illustrated); c.IsPicked(ref.Option) {
		return "chosen: "
	}
	return "for example: "
}

// inOwnWords stands in the panel while the person answers with none of the options.
const inOwnWords = "Your own words are the answer: the agent gets them exactly as you write them."

// noIllustration stands in the panel if what the person has chosen has no illustration.
const noIllustration = "There is no illustration of this option."

// standIn returns what the panel says in the place of an illustration.
func (q *questionnaire) standIn() (title, words string) {
	e := q.state.current()
	if option := e.field.(field.Illustrated).Cursor(); option >= 0 {
		return e.q.Options[option].Shown().Line(), noIllustration
	}
	return "Other…", inOwnWords
}

// leastTitle is the least cells of a panel's title beside the position of the view.
const leastTitle = 16

// atCursor reports whether an illustration belongs to the option under the cursor.
func (q *questionnaire) atCursor(ref rendering.Ref) bool {
	e := q.state.focused()
	if e == nil || e.onNote || q.state.index(e.q.ID) != ref.Question {
		return false
	}
	c, ok := e.field.(field.Illustrated)
	return ok && c.Cursor() == ref.Option
}

// drawPanelBeside draws the panel at the right of rows that are drawn already. They begin
// at line top of the canvas. The panel's title stands on the row of the first question, and
// an empty row below it.
func (q *questionnaire) drawPanelBeside(c *Canvas, p panelPlan, top int) {
	st := q.host.Styles()
	titled := 0
	if c.roomy && q.scroll.body == 0 {
		titled = 1
	}
	head := titled + 2
	v := q.panelLines(p.width-2, p.rows-head)
	bar := st.Rule.Render("│")
	for i := range p.rows {
		var text string
		switch {
		case i == titled:
			text = cells.Sides(st.Muted.Render(v.title), st.Faint.Render(v.more), p.width-2)
		case i >= head && i-head < len(v.lines):
			text = v.lines[i-head]
		}
		row := top + i
		c.Lines[row] = cells.Fill(ansi.Truncate(c.Lines[row], p.x-1, "…"), p.x) + bar + " " + text
	}
	c.join(top-1, p.x, "┬", "┯")
	c.border = p.x
	q.panel.at, q.panel.to = screen.Place{X: c.left + p.x, Y: top}, screen.Place{X: c.left + c.Width, Y: top + p.rows}
}

// drawPanelBelow draws the panel under the questions, and returns its position. Each position
// stands on the rule below what it counts. The one of the questions, above, says so, because
// the panel's title stands on the same rule.
func (q *questionnaire) drawPanelBelow(c *Canvas, p panelPlan, above string) (more string) {
	top := len(c.Lines)
	v := q.panelLines(p.width, p.rows-1)
	faint := q.host.Styles().Faint
	if above != "" {
		above = "above: " + above
	}
	c.Add(c.rule(faint.Render(v.title), faint.Render(above)))
	for i := range p.rows - 1 {
		text := ""
		if i < len(v.lines) {
			text = " " + v.lines[i]
		}
		c.Add(text)
	}
	q.panel.at, q.panel.to = screen.Place{X: c.left, Y: top}, screen.Place{X: c.left + c.Width, Y: top + p.rows}
	return v.more
}

// drawIntro draws the visible part of the introduction, and returns its position.
func (q *questionnaire) drawIntro(c *Canvas, rows int) (more string) {
	width := min(c.Width, ReadWidth) - 2
	text := q.state.spec.Intro
	ref := rendering.Ref{Part: rendering.Intro}
	doc, ok := q.docs.Get(ref, text, width)
	if !ok {
		doc = markdown.Doc{Lines: q.docs.Source(ref, text, width)}
	}
	above := 0
	if c.roomy {
		above = 1
	}
	doc = doc.Below(q.state.spec.Title.Line()).Below(q.state.spec.IntroTitle.Line())
	w := q.host.view(doc, docRoom{width: width, rows: rows, above: above}, &q.scroll.intro)
	q.scroll.intro.rows, q.scroll.intro.last = rows, w.last
	for i := range rows {
		line := ""
		if i < len(w.lines) {
			line = " " + w.lines[i]
		}
		c.Add(line)
	}
	return w.position(width)
}

// scrollIntro scrolls the introduction by a row. It returns false at either end.
func (q *questionnaire) scrollIntro(act keymap.Action) bool {
	to := q.scroll.intro.top + 1
	if act == keymap.Up {
		to = q.scroll.intro.top - 1
	}
	if to < 0 || to > q.scroll.intro.last {
		return false
	}
	q.scroll.intro.top = to
	return true
}

// scrolls scrolls the introduction, the illustration or else the questions. It returns
// false for PgUp and PgDn inside a text of several lines, which scroll that text.
func (q *questionnaire) scrolls(act keymap.Action) bool {
	if e := q.state.text(); e != nil && !e.SingleLine() && (act == keymap.PageUp || act == keymap.PageDown) {
		return false
	}
	by := map[keymap.Action]int{keymap.ScrollUp: -1, keymap.ScrollDown: 1}[act]
	page := func(rows int) int {
		switch act {
		case keymap.PageUp:
			return -max(1, rows-1)
		case keymap.PageDown:
			return max(1, rows-1)
		}
		return by
	}
	switch {
	case q.state.current() == nil:
		q.scroll.intro.top += page(q.scroll.intro.rows)
	case q.panel.rows > 0:
		q.panel.top += page(q.panel.rows)
	default:
		_, height := q.host.Size()
		q.scroll.body += page(height / 2)
		q.scroll.free = true
	}
	return true
}

// pans pans the first of these that is too wide: the introduction, the illustration, the
// description of the question with the focus.
func (q *questionnaire) pans(by int) {
	for _, p := range []*markdown.Pan{&q.scroll.intro.pan, &q.panel.pan, &q.scroll.description} {
		if p.By(by) {
			return
		}
	}
}

// tooWide reports whether something can be panned.
func (q *questionnaire) tooWide() bool {
	return q.scroll.intro.pan.Last+q.panel.pan.Last+q.scroll.description.Last > 0
}
