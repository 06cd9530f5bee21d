package tui

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"planb/questions"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/wording"
)

// foldedRows is how many rows an option without the cursor gets when not all
// of them fit.
const foldedRows = 2

// draw draws the filter if there is one, the options, and "Other…".
func (f *choiceField) draw(p pen) block {
	var b block
	switch {
	case f.filtering || !f.filter.Empty():
		f.drawFilter(p, &b)
	case f.long():
		f.drawCount(p, &b)
	}
	if !f.filter.Empty() && f.found() == 0 {
		b.add(p.styles.Faint.Render("no option matches; " + p.key(keymap.Escape) + " shows all"))
		b.hitLast(clickUnfilter, p.width)
	}
	if f.readOnly && !f.any() {
		b.add(p.styles.Faint.Render("(no answer)"))
	}
	rows, total := make([][]string, len(f.rows)), 0
	for i := range f.rows {
		rows[i] = f.drawRow(p, i)
		total += len(rows[i])
	}
	fold := total > p.height
	for i, lines := range rows {
		if fold && i != f.at {
			lines = cells.Fold(lines, foldedRows, p.width)
		}
		if i == f.at && !f.filtering {
			b.focus = span{len(b.lines), len(b.lines) + len(lines) - 1}
		}
		if i == f.at && f.writing {
			f.drawOther(p, &b)
			continue
		}
		for _, line := range lines {
			b.add(line)
			b.hitLast(i, p.width)
		}
	}
	return b
}

// drawCount draws, in the filter's place, how long the list is and how much of
// it is chosen.
func (f *choiceField) drawCount(p pen, b *block) {
	text := wording.Count(len(f.q.Options), "option")
	if n := f.picks(); f.multi && n > 0 {
		text += ", " + strconv.Itoa(n) + " chosen"
	}
	b.add(p.styles.Faint.Render(cells.Cut(p.key(keymap.Filter)+" filters "+text, p.width)))
	b.hitLast(clickFilter, p.width)
}

func (f *choiceField) drawFilter(p pen, b *block) {
	label := "filter "
	found := " " + strconv.Itoa(f.found()) + " of " + strconv.Itoa(len(f.q.Options))
	room := max(4, p.width-len(label)-len(found)-2)
	rows, x, _ := f.filter.Layout(room, 1)
	style := p.styles.Input
	if f.filtering {
		style = p.styles.InputHere
		b.caret = &place{2 + len(label) + x, len(b.lines)}
		b.focus = span{len(b.lines), len(b.lines)}
	}
	b.add(p.styles.Faint.Render("/ "+label) + style.Render(cells.Pad(rows[0].Text, room)) + p.styles.Faint.Render(found))
	b.hits = append(b.hits, hit{x: 2 + len(label), y: len(b.lines) - 1, width: room, at: clickFilter})
	if n := f.hiddenPicks(); n > 0 && !f.readOnly {
		style, text := p.styles.Accent, wording.Count(n, "chosen option")+" not shown"
		b.add(style.Render(cells.Cut("  "+f.glyph(true)+" "+text, p.width)))
		b.hitLast(clickUnfilter, p.width)
	}
}

// found counts the options the filter lets through.
func (f *choiceField) found() int {
	n := len(f.rows)
	if n > 0 && f.rows[n-1] == otherRow {
		n--
	}
	return n
}

// drawRow draws one row of the list, unfolded.
func (f *choiceField) drawRow(p pen, row int) []string {
	here := p.here && row == f.at && !f.filtering
	head := f.head(p, row, here)
	room := max(4, p.width-f.headCells())
	option := f.rows[row]
	label, mark := f.label(p, option)
	style := f.labelStyle(p, option, here)
	indent := strings.Repeat(" ", f.headCells())
	var lines []string
	for i, text := range label(room) {
		lead := head
		if i > 0 {
			lead = indent
		}
		lines = append(lines, lead+style.Render(text))
	}
	if mark != "" {
		lines = cells.AddMark(lines, mark, indent, p.width)
	}
	if option >= 0 {
		lines = append(lines, f.drawDescription(p, f.q.Options[option], indent, room)...)
	}
	return lines
}

func (f *choiceField) drawDescription(p pen, o questions.Option, indent string, room int) []string {
	if o.Description.IsZero() {
		return nil
	}
	var lines []string
	for _, text := range p.wrap(o.Description, room) {
		lines = append(lines, indent+p.styles.Muted.Render(text))
	}
	return lines
}

// headCells is the width of what stands before each label.
func (f *choiceField) headCells() int { return 2 + 2 + 3 }

// head is the cursor, the mark of the choice and the number.
func (f *choiceField) head(p pen, row int, here bool) string {
	const cursor = "  "
	number := "   "
	if row < 9 && !f.readOnly {
		number = strconv.Itoa(row+1) + "  "
	}
	option := f.rows[row]
	glyph := f.glyph(f.isPicked(option)) + " "
	switch { // each in as few styles as can be: a moved cursor sends fewer bytes
	case here:
		return p.styles.Cursor.Render("▸ " + glyph + number)
	case f.isPicked(option):
		return cursor + p.styles.Accent.Render(glyph) + p.styles.Faint.Render(number)
	}
	return cursor + p.styles.Faint.Render(glyph+number)
}

func (f *choiceField) glyph(picked bool) string {
	switch {
	case f.multi && picked:
		return "☑"
	case f.multi:
		return "☐"
	case picked:
		return "◉"
	}
	return "○"
}

func (f *choiceField) isPicked(option int) bool {
	if option == otherRow {
		return f.otherPicked
	}
	return option >= 0 && f.picked[option]
}

// label returns how to lay out a row's text, and the mark behind it.
func (f *choiceField) label(p pen, option int) (func(room int) []string, string) {
	if option == otherRow {
		text := "Other…"
		if !f.other.Empty() {
			text = "Other: " + cells.Clean(f.other.Text())
		}
		return func(room int) []string { return cells.Lines(text, room) }, ""
	}
	o := f.q.Options[option]
	var marks []string
	if f.proposed(option) && !f.readOnly {
		marks = append(marks, p.styles.Proposed.Render("default"))
	}
	if !o.Markdown.IsZero() && !p.illustrates {
		marks = append(marks, p.styles.Faint.Render("▤"))
	}
	return func(room int) []string { return p.wrap(o.Shown(), room) }, strings.Join(marks, " ")
}

func (f *choiceField) labelStyle(p pen, option int, here bool) lipgloss.Style {
	switch {
	case here:
		return p.styles.Cursor
	case f.isPicked(option):
		return p.styles.Accent
	case f.readOnly:
		return p.styles.Muted
	}
	return p.styles.Text
}

// drawOther draws "Other…" while it is being written.
func (f *choiceField) drawOther(p pen, b *block) {
	const label = "Other: "
	room := max(4, p.width-f.headCells()-len(label))
	rows, x, y := f.other.Layout(room, 3)
	indent := strings.Repeat(" ", f.headCells()+len(label))
	top := len(b.lines)
	for i, row := range rows {
		lead := indent
		if i == 0 {
			lead = f.head(p, f.at, true) + p.styles.Cursor.Render(label)
		}
		b.add(lead + p.styles.InputHere.Render(cells.Pad(row.Text, room)))
		b.hits = append(b.hits, hit{x: f.headCells() + len(label), y: len(b.lines) - 1, width: room, at: f.at})
	}
	b.caret = &place{f.headCells() + len(label) + x, top + y}
	b.focus = span{top, len(b.lines) - 1}
}
