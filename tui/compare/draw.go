package compare

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/plans/diff"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Layout of a diff.
const (
	margin          = 1
	sideBySideCells = 120     // the width from which on the versions stand side by side
	numbersCells    = 60      // the width from which on lines have numbers
	maxLineShown    = 8 << 10 // bytes of a line that are drawn
	beforeWord      = 200     // bytes that are drawn before the first change of a longer line
)

// sideBySide reports whether two versions stand beside each other.
func (d *Screen) sideBySide() bool { return d.page.Width >= sideBySideCells }

// columns are the widths of the parts of a line.
type columns struct {
	number int // cells of a line number; 0 for none
	text   int
}

// columns are the widths in one of the halves, or in the whole line where both versions
// stand in one column.
func (d *Screen) columns() columns {
	digits := 0
	if d.page.Width >= numbersCells && d.diff != nil {
		digits = len(fmt.Sprint(max(len(d.diff.Lines), 1)))
	}
	const sign = 2
	room := d.page.Width - 2*margin
	if d.sideBySide() {
		const rule = 3
		room = (room - rule) / 2
		return columns{digits, max(room-digits-1-sign, 1)}
	}
	if digits > 0 {
		room -= 2*digits + 2
	}
	return columns{digits, max(room-sign, 1)}
}

// layOut gives every row its height.
func (d *Screen) layOut() {
	d.view.height = d.page.BodyLines()
	if d.diff == nil || d.page.Width == 0 {
		return
	}
	d.rows.setUnified(!d.sideBySide())
	room := d.columns().text
	heights := make([]int, len(d.rows.rows))
	for i, row := range d.rows.rows {
		heights[i] = 1
		if row.kind != lineRow {
			continue
		}
		if row.left >= 0 {
			heights[i] = cells.LineCount(d.plainLine(row.left), room)
		}
		if row.right >= 0 && row.right != row.left {
			heights[i] = max(heights[i], cells.LineCount(d.plainLine(row.right), room))
		}
	}
	d.view.setRows(heights, d.rows.stops)
	d.setReadRows()
}

// View draws the visible part of the diff.
func (d *Screen) View() screen.Frame {
	return screen.Frame{Title: "planb: " + wording.SessionTitle(d.session), Content: d.page.Draw(
		d.page.Header(d.page.Before(d.name(), d.compared(), d.counts()), d.counts()),
		d.body(),
		d.page.Footer(d.bindings, d.hints(), d.status))}
}

// compared says what is compared.
func (d *Screen) compared() string {
	if d.named != "" {
		return d.named
	}
	return fmt.Sprintf("v%d → v%d", d.older, d.newer)
}

// name is the title of the newer version, where there is room for it.
func (d *Screen) name() string {
	if title := d.version(d.newer).Title; d.page.Width >= numbersCells && !title.Blank() {
		return title.Line()
	}
	return ""
}

// counts says how many lines changed, and which change is shown.
func (d *Screen) counts() string {
	if d.diff == nil {
		return ""
	}
	lines := fmt.Sprintf("+%d −%d", d.stat.Added-d.stat.Moved, d.stat.Removed-d.stat.Moved)
	moved, change := "", ""
	if n := len(d.diff.Moves); n > 0 && d.page.Width >= numbersCells {
		moved = fmt.Sprintf("%d moved", n)
	}
	if view := d.showing(); len(view.stops) > 0 {
		change = fmt.Sprintf("%d/%d", view.at+1, len(view.stops))
		if d.page.Width >= numbersCells {
			change = fmt.Sprintf("change %d of %d", view.at+1, len(view.stops))
		}
	}
	return cells.Join(lines, moved, change)
}

// hints are the keys that do something now.
func (d *Screen) hints() []keymap.Action {
	var acts []keymap.Action
	if len(d.showing().stops) > 1 {
		acts = append(acts, keymap.NextChange, keymap.PrevChange)
	}
	if _, ok := d.firstFold(); ok {
		acts = append(acts, keymap.Enter)
	}
	acts = append(acts, keymap.Escape)
	switch {
	case d.reading:
		acts = append(acts, keymap.Markdown)
	case len(d.view.stops) > 0:
		acts = append(acts, keymap.AsRead)
	}
	if d.reading && d.widest() > d.panRoom() {
		acts = append(acts, keymap.PanRight)
	}
	if len(d.versions) > 2 {
		acts = append(acts, keymap.Compare)
	}
	return append(acts, keymap.Help, keymap.Unfold, keymap.Copy, keymap.Theme, keymap.Quit)
}

// firstFold is the first row on the screen that can be opened.
func (d *Screen) firstFold() (at int, ok bool) {
	if d.diff == nil {
		return 0, false
	}
	d.showing().visible(func(row, _, _ int) bool {
		at, ok = row, d.isFold(row)
		return !ok
	})
	return at, ok
}

// isFold reports whether a row can be unfolded.
func (d *Screen) isFold(row int) bool {
	if d.reading {
		return d.asRead.rows[row].to > 0
	}
	return d.rows.rows[row].kind == foldedRow
}

func (d *Screen) body() []string {
	st := &d.page.Look.Styles
	room := d.page.Width - 2*screen.ReadMargin
	switch {
	case d.problem != "":
		return append([]string{""}, d.said(st.Danger.Render, "! "+d.problem, room)...)
	case d.diff == nil:
		return nil
	case len(d.view.stops) == 0:
		return append([]string{""}, d.said(st.Muted.Render, d.same(), room)...)
	case d.reading && d.asRead.complete() && len(d.asRead.stops) == 0:
		return append([]string{""}, d.said(st.Muted.Render, "Both versions read the same: what changed is only in their Markdown.", room)...)
	}
	first, folds := d.firstFold()
	view := d.showing()
	lines := make([]string, 0, view.height)
	view.visible(func(row, from, to int) bool {
		var drawn []string
		if d.reading {
			drawn = []string{d.readRow(row, folds && row == first)}
		} else {
			drawn = d.row(row, folds && row == first)
		}
		for i := from; i < to; i++ {
			line := ""
			if i < len(drawn) {
				line = drawn[i]
			}
			lines = append(lines, line)
		}
		return true
	})
	return lines
}

// same says that the texts are the same, and whether the titles are.
func (d *Screen) same() string {
	older, newer := d.version(d.older), d.version(d.newer)
	text := fmt.Sprintf("The text of v%d and v%d is the same.", d.older, d.newer)
	if older.Title != newer.Title {
		text += fmt.Sprintf(" The title changed from “%s” to “%s”.", older.Title.Line(), newer.Title.Line())
	}
	return text
}

func (d *Screen) said(style func(...string) string, text string, room int) []string {
	var lines []string
	for _, line := range markdown.Plain(safe.New(text), room).Lines {
		lines = append(lines, strings.Repeat(" ", screen.ReadMargin)+style(line))
	}
	return lines
}

// row draws a row; first says that Enter unfolds it.
func (d *Screen) row(at int, first bool) []string {
	row := d.rows.rows[at]
	st := &d.page.Look.Styles
	mark := " "
	if at == d.view.stops[d.view.at] {
		mark = st.Cursor.Render("▸")
	}
	room := d.page.Width - 2*margin
	switch row.kind {
	case foldedRow:
		return []string{d.foldRow(mark, d.rows.foldText(row), row.moved, first)}
	case wentAwayRow, cameHereRow:
		return []string{mark + st.Moved.Bold(true).Render(cells.Cut("⇅ "+d.rows.moveText(row), room))}
	}
	if d.sideBySide() {
		return d.beside(mark, row)
	}
	return d.below(mark, row)
}

// foldRow draws the row in place of folded lines.
func (d *Screen) foldRow(mark, text string, moved, first bool) string {
	st := &d.page.Look.Styles
	style, enter := st.Faint, ""
	if moved {
		style = st.Moved
	}
	if first {
		enter = "  " + keymap.Label(d.bindings, keymap.Enter) + " opens"
	}
	room := d.page.Width - 2*margin - 2 - ansi.StringWidth(enter)
	return mark + style.Render("⋯ "+cells.Cut(text, room)) + st.Muted.Render(enter)
}

// below draws one line with its numbers in both texts.
func (d *Screen) below(mark string, row sourceRow) []string {
	c, at := d.columns(), row.left
	if at < 0 {
		at = row.right
	}
	line := d.diff.Lines[at]
	numbers := ""
	if c.number > 0 {
		numbers = lineNumber(line.Old, c.number) + " " + lineNumber(line.New, c.number) + " "
	}
	return d.drawn(mark, numbers, at, c)
}

// beside draws a line of the old text and a line of the new text side by side.
func (d *Screen) beside(mark string, row sourceRow) []string {
	c := d.columns()
	half := c.number + 1 + 2 + c.text
	side := func(mark string, at int, number func(diff.Line) int) []string {
		if at < 0 {
			return []string{mark}
		}
		return d.drawn(mark, lineNumber(number(d.diff.Lines[at]), c.number)+" ", at, c)
	}
	left := side(mark, row.left, func(l diff.Line) int { return l.Old })
	right := side("", row.right, func(l diff.Line) int { return l.New })
	rule := d.page.Look.Styles.Rule.Render(" │ ")
	lines := make([]string, max(len(left), len(right)))
	for i := range lines {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		fill := strings.Repeat(" ", max(margin+half-ansi.StringWidth(l), 0))
		lines[i] = l + fill + rule + r
	}
	return lines
}

func lineNumber(n, cells int) string {
	if n == 0 {
		return strings.Repeat(" ", cells)
	}
	return fmt.Sprintf("%*d", cells, n)
}

// drawn draws a line, wrapped, behind its mark, its numbers and its sign.
func (d *Screen) drawn(mark, numbers string, at int, c columns) []string {
	st := &d.page.Look.Styles
	line := d.diff.Lines[at]
	sign, base, word := d.lineStyle(at)
	var text strings.Builder
	for _, p := range d.pieces(at) {
		switch {
		case p.note:
			text.WriteString(st.Faint.Render(p.text))
		case p.word:
			text.WriteString(word.Render(p.text))
		default:
			text.WriteString(base.Render(p.text))
		}
	}
	if numbers != "" {
		numbers = st.Faint.Render(numbers)
	}
	head := mark + numbers + base.Bold(line.Op != diff.Same).Render(sign) + " "
	rest := strings.Repeat(" ", ansi.StringWidth(head))
	var lines []string
	for i, part := range strings.Split(lipgloss.Wrap(text.String(), c.text, ""), "\n") {
		if i == 0 {
			lines = append(lines, head+part)
			continue
		}
		lines = append(lines, rest+part)
	}
	return lines
}

// lineStyle is the sign of a line, and the styles of the line and of its changed words.
func (d *Screen) lineStyle(at int) (sign string, base, word lipgloss.Style) {
	st := &d.page.Look.Styles
	switch line := d.diff.Lines[at]; {
	case d.rows.movedLine(at):
		return "⇅", st.Moved, st.Moved
	case line.Op == diff.Removed:
		return "−", st.Removed, st.RemovedWord
	case line.Op == diff.Added:
		return "+", st.Added, st.AddedWord
	}
	return " ", st.Text, st.Text
}

// piece is a part of a line with one style.
type piece struct {
	text string // cleaned
	word bool   // it changed
	note bool   // a remark, which is not part of the line
}

// pieces are the parts of a line. Of a line over maxLineShown only a part is drawn, with a
// remark.
func (d *Screen) pieces(at int) []piece {
	line := d.diff.Lines[at]
	body, from, to := line.Body(), 0, len(line.Body())
	if to > maxLineShown {
		if len(line.Words) > 0 {
			from = cells.CharStart(body, max(line.Words[0].From-beforeWord, 0))
		}
		to = cells.CharStart(body, min(from+maxLineShown, to))
	}
	var pieces []piece
	add := func(from, to int, word bool) {
		if from < to {
			pieces = append(pieces, piece{text: safe.New(body[from:to]).Block(), word: word})
		}
	}
	if from > 0 {
		pieces = append(pieces, piece{text: "… ", note: true})
	}
	done := from
	for _, span := range line.Words {
		start, end := max(min(span.From, to), done), max(min(span.To, to), done)
		add(done, start, false)
		add(start, end, true)
		done = end
	}
	add(done, to, false)
	if note := d.lineNote(line, len(body)-to); note != "" {
		pieces = append(pieces, piece{text: " " + note, note: true})
	}
	return pieces
}

// lineNote says how much of a line is not drawn, and how the line ends if that may be the
// change.
func (d *Screen) lineNote(line diff.Line, hidden int) string {
	cut, end := "", ""
	if hidden > 0 {
		cut = "… " + wording.Bytes(hidden) + " more"
	}
	if line.Op != diff.Same && line.Move == 0 {
		switch {
		case line.End() == "":
			end = "(no line end)"
		case d.diff.MixedEnds && line.End() == "\n":
			end = "(LF)"
		case d.diff.MixedEnds:
			end = "(CR LF)"
		}
	}
	return strings.TrimSpace(cut + " " + end)
}

// plainLine is what is drawn of a line, without colours.
func (d *Screen) plainLine(at int) string {
	pieces := d.pieces(at)
	if len(pieces) == 1 {
		return pieces[0].text
	}
	var text strings.Builder
	for _, p := range pieces {
		text.WriteString(p.text)
	}
	return text.String()
}
