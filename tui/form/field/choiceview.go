package field

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

// Draw draws the filter if there is one, the options, and "Other…".
func (f *choice) Draw(p Pen) Block {
	var b Block
	switch {
	case f.filtering || !f.filter.Empty():
		f.drawFilter(p, &b)
	case f.long():
		f.drawCount(p, &b)
	}
	if !f.filter.Empty() && f.found() == 0 {
		b.Add(p.Styles.Faint.Render("no option matches; " + p.Key(keymap.Escape) + " shows all"))
		b.HitLast(clickUnfilter, p.Width)
	}
	if f.readOnly && !f.any() {
		b.Add(p.Styles.Faint.Render("(no answer)"))
	}
	rows, total := make([][]string, len(f.rows)), 0
	for i := range f.rows {
		rows[i] = f.drawRow(p, i)
		total += len(rows[i])
	}
	fold := total > p.Height
	for i, lines := range rows {
		if fold && i != f.at {
			lines = cells.Fold(lines, foldedRows, p.Width)
		}
		if i == f.at && !f.filtering {
			b.Focus = Span{len(b.Lines), len(b.Lines) + len(lines) - 1}
		}
		if i == f.at && f.writing {
			f.drawOther(p, &b)
			continue
		}
		for _, line := range lines {
			b.Add(line)
			b.HitLast(i, p.Width)
		}
	}
	return b
}

// drawCount draws, in the filter's place, how long the list is and how much of
// it is chosen.
func (f *choice) drawCount(p Pen, b *Block) {
	text := wording.Count(len(f.q.Options), "option")
	if n := f.picks(); f.multi && n > 0 {
		text += ", " + strconv.Itoa(n) + " chosen"
	}
	b.Add(p.Styles.Faint.Render(cells.Cut(p.Key(keymap.Filter)+" filters "+text, p.Width)))
	b.HitLast(clickFilter, p.Width)
}

func (f *choice) drawFilter(p Pen, b *Block) {
	label := "filter "
	found := " " + strconv.Itoa(f.found()) + " of " + strconv.Itoa(len(f.q.Options))
	room := max(4, p.Width-len(label)-len(found)-2)
	rows, x, _ := f.filter.Layout(room, 1)
	style := p.Styles.Input
	if f.filtering {
		style = p.Styles.InputHere
		b.Caret = &Place{2 + len(label) + x, len(b.Lines)}
		b.Focus = Span{len(b.Lines), len(b.Lines)}
	}
	b.Add(p.Styles.Faint.Render("/ "+label) + style.Render(cells.Pad(rows[0].Text, room)) + p.Styles.Faint.Render(found))
	b.Hits = append(b.Hits, Hit{X: 2 + len(label), Y: len(b.Lines) - 1, Width: room, At: clickFilter})
	if n := f.hiddenPicks(); n > 0 && !f.readOnly {
		style, text := p.Styles.Accent, wording.Count(n, "chosen option")+" not shown"
		b.Add(style.Render(cells.Cut("  "+f.Glyph(true)+" "+text, p.Width)))
		b.HitLast(clickUnfilter, p.Width)
	}
}

// found counts the options the filter lets through.
func (f *choice) found() int {
	n := len(f.rows)
	if n > 0 && f.rows[n-1] == OtherRow {
		n--
	}
	return n
}

// drawRow draws one row of the list, unfolded.
func (f *choice) drawRow(p Pen, row int) []string {
	here := p.Here && row == f.at && !f.filtering
	head := f.head(p, row, here)
	room := max(4, p.Width-f.headCells())
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
		lines = cells.AddMark(lines, mark, indent, p.Width)
	}
	if option >= 0 {
		lines = append(lines, f.drawDescription(p, f.q.Options[option], indent, room)...)
	}
	return lines
}

func (f *choice) drawDescription(p Pen, o questions.Option, indent string, room int) []string {
	if o.Description.IsZero() {
		return nil
	}
	var lines []string
	for _, text := range p.Wrap(o.Description, room) {
		lines = append(lines, indent+p.Styles.Muted.Render(text))
	}
	return lines
}

// headCells is the width of what stands before each label.
func (f *choice) headCells() int { return 2 + 2 + 3 }

// head is the cursor, the mark of the choice and the number.
func (f *choice) head(p Pen, row int, here bool) string {
	const cursor = "  "
	number := "   "
	if row < 9 && !f.readOnly {
		number = strconv.Itoa(row+1) + "  "
	}
	option := f.rows[row]
	glyph := f.Glyph(f.IsPicked(option)) + " "
	switch { // each in as few styles as can be: a moved cursor sends fewer bytes
	case here:
		return p.Styles.Cursor.Render("▸ " + glyph + number)
	case f.IsPicked(option):
		return cursor + p.Styles.Accent.Render(glyph) + p.Styles.Faint.Render(number)
	}
	return cursor + p.Styles.Faint.Render(glyph+number)
}

func (f *choice) Glyph(picked bool) string {
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

func (f *choice) IsPicked(option int) bool {
	if option == OtherRow {
		return f.otherPicked
	}
	return option >= 0 && f.picked[option]
}

// label returns how to lay out a row's text, and the mark behind it.
func (f *choice) label(p Pen, option int) (func(room int) []string, string) {
	if option == OtherRow {
		text := "Other…"
		if !f.other.Empty() {
			text = "Other: " + cells.Clean(f.other.Text())
		}
		return func(room int) []string { return cells.Lines(text, room) }, ""
	}
	o := f.q.Options[option]
	var marks []string
	if f.proposed(option) && !f.readOnly {
		marks = append(marks, p.Styles.Proposed.Render("default"))
	}
	if !o.Markdown.IsZero() && !p.Illustrates {
		marks = append(marks, p.Styles.Faint.Render("▤"))
	}
	return func(room int) []string { return p.Wrap(o.Shown(), room) }, strings.Join(marks, " ")
}

func (f *choice) labelStyle(p Pen, option int, here bool) lipgloss.Style {
	switch {
	case here:
		return p.Styles.Cursor
	case f.IsPicked(option):
		return p.Styles.Accent
	case f.readOnly:
		return p.Styles.Muted
	}
	return p.Styles.Text
}

// drawOther draws "Other…" while it is being written.
func (f *choice) drawOther(p Pen, b *Block) {
	const label = "Other: "
	room := max(4, p.Width-f.headCells()-len(label))
	rows, x, y := f.other.Layout(room, 3)
	indent := strings.Repeat(" ", f.headCells()+len(label))
	top := len(b.Lines)
	for i, row := range rows {
		lead := indent
		if i == 0 {
			lead = f.head(p, f.at, true) + p.Styles.Cursor.Render(label)
		}
		b.Add(lead + p.Styles.InputHere.Render(cells.Pad(row.Text, room)))
		b.Hits = append(b.Hits, Hit{X: f.headCells() + len(label), Y: len(b.Lines) - 1, Width: room, At: f.at})
	}
	b.Caret = &Place{f.headCells() + len(label) + x, top + y}
	b.Focus = Span{top, len(b.Lines) - 1}
}
