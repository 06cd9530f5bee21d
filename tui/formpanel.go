package tui

import (
	"slices"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/markdown"
)

// panelPlan is where the illustration goes, and how much room it shares with the
// questions.
type panelPlan struct {
	below    bool
	x, width int // beside: its first column
	rows     int // its rows, below with the rule over it
	of       int // cells, or rows, of the questions and the panel together
}

// illustrated reports whether any option of the form has an illustration.
func (f *form) illustrated() bool {
	for tab := range f.state.tabs {
		if f.tabIllustrated(tab) {
			return true
		}
	}
	return false
}

func (f *form) tabIllustrated(tab int) bool {
	for _, i := range f.state.tabs[tab].Questions {
		for _, o := range f.state.spec.Questions[i].Options {
			if !o.Markdown.IsZero() {
				return true
			}
		}
	}
	return false
}

// planPanel says where the illustrations of the tab go: beside the options
// where the frame is wide, else below them, else nowhere but on the zoom.
func (f *form) planPanel(c *canvas, rows int) (panelPlan, bool) {
	if !f.tabIllustrated(f.state.tab) {
		return panelPlan{}, false
	}
	if c.width >= sideWidth {
		width := f.split.beside(c.width)
		return panelPlan{x: c.width - width, width: width - 2, rows: rows, of: c.width}, true
	}
	if _, _, _, ok := f.panelText(); !ok || rows < panelLeastBody {
		return panelPlan{}, false
	}
	return panelPlan{below: true, width: c.width - 2, rows: f.split.below(rows), of: rows}, true
}

// panelText is the illustration to show: that of the option with the cursor,
// else of the question's chosen one, else of its first.
func (f *form) panelText() (ref docRef, title string, text safe.Text, ok bool) {
	e := f.state.current()
	if e == nil {
		return docRef{}, "", safe.Text{}, false
	}
	option := e.field.Illustration()
	if option == field.NoOption {
		return docRef{}, "", safe.Text{}, false
	}
	o := e.q.Options[option]
	ref = docRef{part: docIllustration, question: f.state.index(e.q.ID), option: option}
	return ref, o.Shown().Line(), o.Markdown, true
}

// panelView is what the panel shows right now.
type panelView struct {
	lines []string
	title string
	more  string // where in it the view is
}

// panelLines are the lines of the panel from where it is scrolled to. Beside a
// question without illustrations the panel keeps what it showed, dimmed: taking
// it away would lay the whole tab out anew with each step of the focus.
func (f *form) panelLines(width, rows int) panelView {
	ref, title, text, own := f.panelText()
	if !own {
		ref, title, text = f.panelKept()
	}
	v := panelView{title: title}
	if own && !f.atCursor(ref) {
		v.title = "shown: " + title
	}
	if f.scroll.shown != ref {
		f.scroll.shown, f.scroll.panel, f.scroll.panelPan.Left = ref, 0, 0
	}
	doc, ok := f.docs.illustration(ref, text, width)
	top, view := &f.scroll.panel, &f.scroll.panelPan
	if !ok {
		if doc, ok = f.docs.standIn(ref, width); !ok {
			v.lines = []string{f.look.Styles.Faint.Render("…")}
			return v
		}
		was, panned := *top, *view // it may reach less far
		top, view = &was, &panned
	}
	w := f.window(doc, width, rows, top, view)
	v.lines = w.lines
	if !own {
		f.scroll.panelPan.Last = 0
		v.lines = dimmed(v.lines, f.look.Styles.Faint)
		return v
	}
	f.scroll.panelRows, f.scroll.panelLast = rows, w.last
	v.more = w.position(width - leastTitle)
	return v
}

// leastTitle is the cells that the title of a panel keeps beside the words on
// where in it the view is.
const leastTitle = 16

// panelKept is what the panel goes on showing beside a question that has no
// illustrations: what it showed last on this tab, else the nearest there is.
// Its title says of which question that is.
func (f *form) panelKept() (ref docRef, title string, text safe.Text) {
	in, at := f.state.tabs[f.state.tab].Questions, f.state.at[f.state.tab]
	shown := f.scroll.shown
	if shown.part != docIllustration || !slices.Contains(in, shown.question) {
		shown = docRef{part: docIllustration, option: field.NoOption}
		for n, i := range in {
			if option := f.state.controls[i].field.Illustration(); option != field.NoOption && (shown.option == field.NoOption || n < at) {
				shown.question, shown.option = i, option
			}
		}
	}
	if option := f.state.controls[shown.question].field.Illustration(); option != field.NoOption {
		shown.option = option // what was chosen by its number was not shown before
	}
	q := f.state.spec.Questions[shown.question]
	o := q.Options[shown.option]
	return shown, o.Shown().Line() + " · " + q.Label.Line(), o.Markdown
}

// dimmed takes the colours out of lines.
func dimmed(lines []string, style lipgloss.Style) []string {
	dim := make([]string, len(lines))
	for i, line := range lines {
		dim[i] = style.Render(ansi.Strip(line))
	}
	return dim
}

// atCursor reports whether an illustration is that of the option with the cursor.
func (f *form) atCursor(ref docRef) bool {
	e := f.state.focused()
	if e == nil || e.onNote || f.state.index(e.q.ID) != ref.question {
		return false
	}
	c, ok := e.field.(field.Illustrated)
	return ok && c.Cursor() == ref.option
}

// drawPanelBeside draws the panel right of rows that are drawn already.
func (f *form) drawPanelBeside(c *canvas, p panelPlan, top int) {
	st := &f.look.Styles
	const head = 2
	v := f.panelLines(p.width-2, p.rows-head)
	bar := st.Rule.Render("│")
	for i := range p.rows {
		var text string
		switch {
		case i == 0:
			text = cells.Sides(st.Faint.Render(v.title), st.Faint.Render(v.more), p.width-2)
		case i >= head && i-head < len(v.lines):
			text = v.lines[i-head]
		}
		row := top + i
		c.lines[row] = cells.Fill(ansi.Truncate(c.lines[row], p.x-1, "…"), p.x) + bar + " " + text
	}
	f.scroll.panelAt, f.scroll.panelTo = field.Place{X: c.left + p.x, Y: top}, field.Place{X: c.left + c.width, Y: top + p.rows}
	f.hit(c, p.x, top, 1, p.rows, f.takeBorder)
}

// drawPanelBelow draws the panel under the questions.
func (f *form) drawPanelBelow(c *canvas, p panelPlan) {
	top := len(c.lines)
	v := f.panelLines(p.width, p.rows-1)
	c.add(f.rule(c.width, v.title, v.more))
	for i := range p.rows - 1 {
		text := ""
		if i < len(v.lines) {
			text = " " + v.lines[i]
		}
		c.add(text)
	}
	f.scroll.panelAt, f.scroll.panelTo = field.Place{X: c.left, Y: top}, field.Place{X: c.left + c.width, Y: top + p.rows}
	f.hit(c, 0, top, c.width, 1, f.takeBorder)
}

// drawIntro draws the introduction from where it is scrolled to.
func (f *form) drawIntro(c *canvas, rows int) (more string) {
	width := min(c.width, readWidth) - 2
	text := f.state.spec.Intro
	ref := docRef{part: docIntro}
	doc, ok := f.docs.get(ref, text, width)
	if !ok {
		doc = markdown.Doc{Lines: f.docs.source(ref, text, width)}
	}
	above := 0
	if c.roomy {
		above = 1
	}
	w := f.windowBelow(doc, above, width, rows, &f.scroll.intro, &f.scroll.introPan)
	f.scroll.introRows, f.scroll.introLast = rows, w.last
	for i := range rows {
		line := ""
		if i < len(w.lines) {
			line = " " + w.lines[i]
		}
		c.add(line)
	}
	return w.position(width)
}

// scrollIntro moves the introduction by a row; false where it ends.
func (f *form) scrollIntro(act keymap.Action) bool {
	to := f.scroll.intro + 1
	if act == keymap.Up {
		to = f.scroll.intro - 1
	}
	if to < 0 || to > f.scroll.introLast {
		return false
	}
	f.scroll.intro = to
	return true
}

// scrolls moves the illustration or the introduction, whichever is visible.
// A page inside a long text is the text's own.
func (f *form) scrolls(act keymap.Action) bool {
	if e := f.state.text(); e != nil && !e.SingleLine() && (act == keymap.PageUp || act == keymap.PageDown) {
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
	case f.state.current() == nil:
		f.scroll.intro += page(f.scroll.introRows)
	case f.scroll.panelRows > 0:
		f.scroll.panel += page(f.scroll.panelRows)
	default:
		f.scroll.body += page(f.height / 2)
		f.scroll.free = true
	}
	return true
}

// pans pans what is too wide: the introduction, the illustration, or else the
// description of the question with the focus.
func (f *form) pans(by int) {
	for _, p := range []*markdown.Pan{&f.scroll.introPan, &f.scroll.panelPan, &f.scroll.textPan} {
		if p.By(by) {
			return
		}
	}
}

// tooWide reports whether something can be panned.
func (f *form) tooWide() bool {
	return f.scroll.introPan.Last+f.scroll.panelPan.Last+f.scroll.textPan.Last > 0
}
