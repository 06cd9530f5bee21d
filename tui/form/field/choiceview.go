package field

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/marks"
	"planb/tui/screen"
	"planb/tui/wording"
)

// foldedRows is the most rows of an option without the cursor if the list does not fit.
const foldedRows = 2

// Draw draws the filter if there is one, the options, and "Other…".
func (f *choice) Draw(p Pen) screen.Block {
	var b screen.Block
	switch {
	case f.filtering || !f.filter.Empty():
		f.drawFilter(p, &b)
	case f.Long():
		f.drawCount(p, &b)
	}
	if !f.filter.Empty() && f.found() == 0 {
		b.Add(p.Styles.Faint.Render("no option matches; " + p.Key(keymap.Escape) + " shows all"))
		b.HitLast(clickUnfilter, p.Width)
	}
	if f.readOnly && !f.any() {
		b.Add(p.Styles.Faint.Render("(no answer)"))
	}
	rows, total := make([]row, len(f.rows)), 0
	for i := range f.rows {
		rows[i] = f.drawRow(p, i)
		total += len(rows[i].lines)
	}
	if f.Long() || total > p.Height { // a list that can be filtered looks the same with and without a filter
		total -= putBeside(rows, p.Width)
	}
	fold := total > p.Height
	tops := make([]int, 0, len(rows)+1)
	for i, row := range rows {
		tops = append(tops, len(b.Lines))
		lines := row.lines
		if fold && i != f.at {
			lines = cells.Fold(lines, foldedRows, p.Width)
		}
		if i == f.at && !f.filtering {
			b.Focus, b.Lit = screen.Span{Top: len(b.Lines), Bottom: len(b.Lines) + len(lines) - 1}, row.label
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
	if !f.filtering && len(rows) > 0 {
		first := min(max(f.at-1, 0), max(len(rows)-leastOptions, 0))
		tops = append(tops, len(b.Lines))
		b.Near = screen.Span{Top: tops[first], Bottom: tops[min(first+leastOptions, len(rows))] - 1}
	}
	return b
}

// leastOptions is how many options are seen at once, as far as the rows suffice.
const leastOptions = 3

// LeastRows returns the rows that so many options need when one is unfolded and the others
// are folded.
func (f *choice) LeastRows(p Pen) int {
	tallest := 1
	for i := range f.rows {
		tallest = max(tallest, len(f.drawRow(p, i).lines))
	}
	return tallest + (min(leastOptions, len(f.rows))-1)*min(tallest, foldedRows)
}

// drawCount draws in the filter's place how many options there are and how many are picked.
func (f *choice) drawCount(p Pen, b *screen.Block) {
	text := wording.Count(len(f.q.Options), "option")
	if n := f.picks(); f.multi && n > 0 {
		text += ", " + strconv.Itoa(n) + " chosen"
	}
	b.Add(p.Styles.Faint.Render(cells.Cut(p.Key(keymap.Filter)+" filters "+text, p.Width)))
	b.HitLast(clickFilter, p.Width)
}

func (f *choice) drawFilter(p Pen, b *screen.Block) {
	label := "filter "
	found := " " + strconv.Itoa(f.found()) + " of " + strconv.Itoa(len(f.q.Options))
	room := max(4, p.Width-len(label)-len(found)-2)
	rows, x, _ := f.filter.Layout(room, 1)
	style := p.Styles.Input
	if f.filtering {
		style = p.Styles.InputHere
		b.Caret = &screen.Place{X: 2 + len(label) + x, Y: len(b.Lines)}
		b.Focus = screen.Span{Top: len(b.Lines), Bottom: len(b.Lines)}
	}
	b.Add(p.Styles.Faint.Render("/ "+label) + style.Render(cells.Pad(rows[0].Text, room)) + p.Styles.Faint.Render(found))
	b.Hits = append(b.Hits, screen.Hit{X: 2 + len(label), Y: len(b.Lines) - 1, Width: room, At: clickFilter})
	if n := f.hiddenPicks(); n > 0 && !f.readOnly {
		style, text := p.Styles.Accent, wording.Count(n, "chosen option")+" not shown"
		b.Add(style.Render(cells.Cut("  "+f.Glyph(true)+" "+text, p.Width)))
		b.HitLast(clickUnfilter, p.Width)
	}
}

// found counts the options that the filter lets through.
func (f *choice) found() int {
	n := len(f.rows)
	if n > 0 && f.rows[n-1] == OtherRow {
		n--
	}
	return n
}

const (
	markGap        = 2  // cells between a label and its mark
	leastLabel     = 12 // cells that a label needs beside its mark
	descriptionGap = 3  // cells between a label and a description beside it
)

// row is a row of the list, unfolded.
type row struct {
	lines []string
	label int // how many of the lines are the label; the others are the description
}

// putBeside puts each description of one line that fits there beside its option's label, so that
// more of a long list is in view. The descriptions stand in one column. It returns how many lines
// fewer the rows have.
func putBeside(rows []row, width int) int {
	fewer, column := 0, 0
	short := func(r row) bool { return r.label == 1 && len(r.lines) == 2 && cells.Width(r.lines[0]) <= width/2 }
	for _, r := range rows {
		if short(r) {
			column = max(column, cells.Width(r.lines[0])+descriptionGap)
		}
	}
	for i, r := range rows {
		if !short(r) {
			continue
		}
		if about := strings.TrimLeft(r.lines[1], " "); column+cells.Width(about) <= width {
			rows[i].lines = []string{cells.Fill(r.lines[0], column) + about}
			fewer++
		}
	}
	return fewer
}

// drawRow draws one row of the list. The label under the cursor has one style from end to
// end, because a moved cursor then sends fewer bytes.
func (f *choice) drawRow(p Pen, at int) row {
	room := max(4, p.Width-f.headCells())
	option := f.rows[at]
	label, mark := f.label(p, option)
	style := f.labelStyle(p, option).Bold(p.Here && at == f.at && !f.filtering)
	head, indent := f.head(at), strings.Repeat(" ", f.headCells())
	var r row
	texts := label(room)
	if marked := ansi.StringWidth(mark) + markGap; mark != "" && ansi.StringWidth(texts[len(texts)-1])+marked > room && room-marked >= leastLabel {
		texts = label(room - marked) // so that the mark stands beside words
	}
	for i, text := range texts {
		switch {
		case i > 0:
			r.lines = append(r.lines, indent+style.Render(text))
		case p.Here && at == f.at && !f.filtering:
			r.lines = append(r.lines, style.Render(head+text))
		case f.IsPicked(option):
			r.lines = append(r.lines, p.Styles.Accent.Render(head)+style.Render(text))
		default:
			r.lines = append(r.lines, p.Styles.Faint.Render(head)+style.Render(text))
		}
	}
	if mark != "" {
		r.lines = cells.AddMark(r.lines, mark, indent, p.Width)
	}
	r.label = len(r.lines)
	if option >= 0 {
		r.lines = append(r.lines, f.drawDescription(p, f.q.Options[option], indent, room)...)
	}
	return r
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

// headCells is the width of what stands before each label: an indent, the mark of the
// choice and the number. What is only read has no numbers, because they are keys.
func (f *choice) headCells() int {
	const indent, mark, number = 2, 2, 3
	if f.readOnly {
		return indent + mark
	}
	return indent + mark + number
}

// head returns what stands before a label.
func (f *choice) head(row int) string {
	number := ""
	if row < 9 && !f.readOnly {
		number = strconv.Itoa(row + 1)
	}
	return cells.Pad("  "+f.Glyph(f.IsPicked(f.rows[row]))+" "+number, f.headCells())
}

func (f *choice) Glyph(picked bool) string {
	switch {
	case f.multi && picked:
		return marks.Ticked
	case f.multi:
		return marks.Unticked
	case picked:
		return marks.Chosen
	}
	return marks.Unchosen
}

func (f *choice) IsPicked(option int) bool {
	if option == OtherRow {
		return f.otherPicked
	}
	return option >= 0 && f.picked[option] && (f.multi || !f.otherPicked)
}

// label returns a function that lays out a row's text, and the mark behind the text.
func (f *choice) label(p Pen, option int) (func(room int) []string, string) {
	if option == OtherRow {
		if f.other.Empty() {
			return func(int) []string { return []string{"Other…"} }, ""
		}
		return f.otherLines, ""
	}
	o := f.q.Options[option]
	mark := ""
	if f.proposed(option) && !f.readOnly {
		mark = p.Styles.Proposed.Render("proposed")
	}
	return func(room int) []string { return p.Wrap(o.Shown(), room) }, mark
}

// otherLabel stands before the person's own words.
const otherLabel = "Other: "

// otherLines lays the person's own words out as drawOther does while they are being written, but
// all of them.
func (f *choice) otherLines(room int) (lines []string) {
	room = otherRoom(room)
	rows, _, _ := f.other.Layout(room, f.other.RowCount(room))
	lead := otherLabel
	for _, row := range rows {
		lines = append(lines, lead+strings.TrimRight(row.Text, " "))
		lead = strings.Repeat(" ", len(otherLabel))
	}
	return lines
}

// otherRoom is the room of the person's own words in the room of a label.
func otherRoom(room int) int { return max(4, room-len(otherLabel)) }

func (f *choice) labelStyle(p Pen, option int) cells.Style {
	switch {
	case f.IsPicked(option):
		return p.Styles.Accent
	case f.readOnly:
		return p.Styles.Muted
	}
	return p.Styles.Text
}

// drawOther draws "Other…" while it is being written.
func (f *choice) drawOther(p Pen, b *screen.Block) {
	room := otherRoom(p.Width - f.headCells())
	rows, x, y := f.other.Layout(room, 3)
	indent := strings.Repeat(" ", f.headCells()+len(otherLabel))
	top := len(b.Lines)
	for i, row := range rows {
		lead := indent
		if i == 0 {
			lead = p.Styles.Accent.Render(f.head(f.at) + otherLabel)
		}
		b.Add(lead + p.Styles.InputHere.Render(cells.Pad(row.Text, room)))
		b.Hits = append(b.Hits, screen.Hit{X: f.headCells() + len(otherLabel), Y: len(b.Lines) - 1, Width: room, At: f.at})
	}
	b.Caret = &screen.Place{X: f.headCells() + len(otherLabel) + x, Y: top + y}
	b.FocusOn(top, true)
}
