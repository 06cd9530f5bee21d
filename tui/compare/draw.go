package compare

import (
	"fmt"
	"strings"

	"planb/plans/diff"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/marks"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Layout of a diff.
const (
	margin          = 1
	sideBySideCells = 120     // the width from which on the versions stand side by side
	unwrappedLines  = 6       // the versions stand side by side only if so many lines fit into a half for each that does not
	numbersCells    = 60      // the width from which on lines have numbers
	maxLineShown    = 8 << 10 // bytes of a line that are drawn
	beforeWord      = 200     // bytes that are drawn before the first change of a longer line
)

// fitsBeside reports whether two versions can stand beside each other: most of their lines fit
// into a half. Prose that wraps in a half is easier to read in one column.
func (d *Screen) fitsBeside() bool {
	if d.page.Width < sideBySideCells {
		return false
	}
	room, fit, wrapped := d.columnsBeside().text, 0, 0
	for i, line := range d.diff.Lines {
		switch {
		case strings.TrimSpace(line.Text) == "":
		case cells.LineCount(d.plainLine(i), room) > 1:
			wrapped++
		default:
			fit++
		}
	}
	return wrapped*unwrappedLines <= fit
}

// columns are the widths of the parts of a line.
type columns struct {
	number int // cells of a line number; 0 for none
	row    int // cells of a half, or of the whole row
	text   int
}

// columns are the widths in one of the halves, or in the whole line where both versions
// stand in one column.
func (d *Screen) columns() columns {
	if !d.rows.unified {
		return d.columnsBeside()
	}
	digits, room := d.digits(), d.room()
	numbers := 0
	if digits > 0 {
		numbers = 2*digits + 2
	}
	return columns{digits, room, max(room-numbers-signCells, 1)}
}

// columnsBeside are the widths in one of the halves.
func (d *Screen) columnsBeside() columns {
	const rule = 3
	digits, room := d.digits(), (d.room()-rule)/2
	return columns{digits, room, max(room-digits-1-signCells, 1)}
}

// digits are the cells of a line number; 0 where lines have none.
func (d *Screen) digits() int {
	if d.page.Width < numbersCells || d.diff == nil {
		return 0
	}
	return len(fmt.Sprint(max(len(d.diff.Lines), 1)))
}

// layOut gives every row its height.
func (d *Screen) layOut() {
	d.view.height = d.page.BodyLines() - d.above()
	if d.diff == nil || d.page.Width == 0 {
		return
	}
	d.rows.setUnified(!d.fitsBeside())
	room := d.columns().text
	heights := make([]int, len(d.rows.rows))
	for i, row := range d.rows.rows {
		heights[i] = 1
		if row.kind != lineRow {
			heights[i] += d.apart(i, row.kind != foldedRow)
			continue
		}
		if row.left >= 0 {
			heights[i] = cells.LineCount(d.plainLine(row.left), room)
		}
		if row.right >= 0 && row.right != row.left {
			heights[i] = max(heights[i], cells.LineCount(d.plainLine(row.right), room))
		}
	}
	d.view.setRows(heights, d.rows.changes)
	d.setReadRows()
}

// roomy reports whether the window is high enough for empty lines between the parts.
func (d *Screen) roomy() bool { return d.page.Height >= screen.RoomyHeight }

// above is how many empty lines stand between the header and the diff.
func (d *Screen) above() int {
	if d.roomy() {
		return 1
	}
	return 0
}

// apartHeight is the height of a window from which on a section that moved and what follows a fold
// in the read view have an empty line above them.
const apartHeight = 24

// apart is how many empty lines stand above a row that may begin another part.
func (d *Screen) apart(row int, begins bool) int {
	if begins && row > 0 && d.page.Height >= apartHeight {
		return 1
	}
	return 0
}

// View draws the visible part of the diff.
func (d *Screen) View() screen.Frame {
	footer := d.page.FooterSaying(d.bindings, d.hints(), d.hintWords(), d.status)
	if d.status == "" {
		footer[0] = d.page.RuleBelow(d.position())
	}
	return screen.Frame{Title: "planb: " + wording.SessionTitle(d.session), Content: d.page.Draw(
		d.page.HeaderWith(d.page.Before(d.name(), d.compared(), d.counts()), d.about, d.counts()),
		d.body(),
		footer)}
}

// position says which lines are in view; empty if all of them are.
func (d *Screen) position() string {
	view := d.showing()
	position := cells.Position(view.top, view.height, view.lines())
	if position == "" || len(view.changes) == 0 {
		return ""
	}
	return "lines " + position
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
	if d.named != "" {
		return d.title
	}
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
	lines := fmt.Sprintf("+%d −%d", d.stat.New(), d.stat.Gone())
	moved, change := "", ""
	if n := len(d.diff.Moves); n > 0 && d.page.Width >= numbersCells {
		moved = fmt.Sprintf("%d moved", n)
	}
	if view := d.showing(); len(view.changes) > 0 {
		change = fmt.Sprintf("%d/%d", view.at+1, len(view.changes))
		if d.page.Width >= numbersCells {
			change = fmt.Sprintf("change %d of %d", view.at+1, len(view.changes))
		}
	}
	return cells.Join(lines, moved, change)
}

// hints are the keys that do something now.
func (d *Screen) hints() []keymap.Action {
	var acts []keymap.Action
	if len(d.showing().changes) > 1 {
		acts = append(acts, keymap.NextChange, keymap.PrevChange)
	}
	if _, ok := d.nearFold(); ok {
		acts = append(acts, keymap.Enter)
	}
	acts = append(acts, keymap.Escape)
	switch {
	case d.diff == nil:
	case d.reading:
		acts = append(acts, keymap.Markdown)
	case len(d.view.changes) > 0:
		acts = append(acts, keymap.AsRead)
	}
	if d.reading && d.widest() > d.panRoom() {
		acts = append(acts, keymap.PanRight)
	}
	if len(d.versions) > 2 {
		acts = append(acts, keymap.Compare)
	}
	acts = append(acts, keymap.Help)
	if d.instead() == "" {
		acts = append(acts, keymap.Unfold)
	}
	if len(d.view.changes) > 0 {
		acts = append(acts, keymap.Copy)
	}
	return append(acts, keymap.Theme, keymap.Quit)
}

// hintWords are the words of keys that do the contrary now.
func (d *Screen) hintWords() map[keymap.Action]string {
	if d.reading && d.asRead.all || !d.reading && d.rows.all {
		return map[keymap.Action]string{keymap.Unfold: "fold"}
	}
	return nil
}

// nearFold is the row that Enter opens: the first on the screen that can be opened and is in the
// current change or below it, else the first on the screen.
func (d *Screen) nearFold() (at int, ok bool) {
	if d.diff == nil || d.instead() != "" {
		return 0, false
	}
	view := d.showing()
	from := view.first()
	view.visible(func(row, _, _ int) bool {
		if d.isFold(row) && (!ok || row >= from) {
			at, ok = row, true
		}
		return !ok || at < from
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

// instead is what is said in place of changes; empty if changes are shown, or nothing is known yet.
func (d *Screen) instead() string {
	switch {
	case d.problem != "":
		return "! " + d.problem
	case d.diff == nil:
	case len(d.view.changes) == 0:
		return d.same()
	case d.reading && d.asRead.complete() && len(d.asRead.changes) == 0:
		return "Both versions read the same: what changed is only in their Markdown."
	}
	return ""
}

func (d *Screen) body() []string {
	if text := d.instead(); text != "" {
		style := d.page.Look.Styles.Muted
		if d.problem != "" {
			style = d.page.Look.Styles.Danger
		}
		return append([]string{""}, d.said(style.Render, text, d.page.Width-2*screen.ReadMargin)...)
	}
	if d.diff == nil {
		return nil
	}
	near, folds := d.nearFold()
	view := d.showing()
	lines := make([]string, 0, view.height)
	view.visible(func(row, from, to int) bool {
		var drawn []string
		if d.reading {
			drawn = d.readRow(row, folds && row == near)
		} else {
			drawn = d.row(row, folds && row == near)
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
	if d.reading && view.top > 0 && len(lines) > 0 {
		lines[0] = cells.TopRow(lines[0])
	}
	return append(make([]string, d.above()), lines...)
}

// same says that the texts are the same, and how the title changed if it did.
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

// row draws a row; near says that Enter unfolds it.
func (d *Screen) row(at int, near bool) []string {
	row := d.rows.rows[at]
	var lines []string
	switch {
	case row.kind == foldedRow:
		lines = []string{d.foldRow(d.rows.foldText(row), near)}
	case row.kind != lineRow:
		lines = append(make([]string, d.apart(at, true)), d.moveRow(d.rows.moveText(row)))
	case !d.rows.unified:
		lines = d.beside(row)
	default:
		lines = d.below(row)
	}
	return d.marked(lines, d.view.current(at))
}

// marked puts the mark of the current change before the rows of it, and none before the empty
// lines above them.
func (d *Screen) marked(lines []string, here bool) []string {
	for i, line := range lines {
		mark := " "
		if here && line != "" {
			mark = d.page.Look.Styles.Accent.Render(marks.Focus)
		}
		lines[i] = mark + line
	}
	return lines
}

// room is the width of a row.
func (d *Screen) room() int { return max(d.page.Width-2*margin, 1) }

// foldRow draws the band in place of folded lines.
func (d *Screen) foldRow(text string, near bool) string {
	enter := ""
	if near {
		enter = keymap.Label(d.bindings, keymap.Enter) + " opens"
	}
	return d.page.Look.Styles.Band(cells.Join("⋯ "+text, enter), d.room())
}

// moveRow draws the row that says where a section went or came from.
func (d *Screen) moveRow(text string) string {
	return d.page.Look.Styles.Moved.Bold(true).Render(cells.Cut("⇅ "+text, d.room()))
}

// below draws one line with its numbers in both texts.
func (d *Screen) below(row sourceRow) []string {
	c, at := d.columns(), row.left
	if at < 0 {
		at = row.right
	}
	line := d.diff.Lines[at]
	numbers := ""
	if c.number > 0 {
		numbers = lineNumber(line.Old, c.number) + " " + lineNumber(line.New, c.number) + " "
	}
	return d.ink(at).draw(numbers, d.pieces(at), c.row)
}

// beside draws a line of the old text and a line of the new text side by side.
func (d *Screen) beside(row sourceRow) []string {
	c, st := d.columns(), &d.page.Look.Styles
	side := func(at int, number func(diff.Line) int) []string {
		if at < 0 {
			return nil
		}
		return d.ink(at).draw(lineNumber(number(d.diff.Lines[at]), c.number)+" ", d.pieces(at), c.row)
	}
	left := side(row.left, func(l diff.Line) int { return l.Old })
	right := side(row.right, func(l diff.Line) int { return l.New })
	rule, absent := st.Rule.Render(" │ "), st.OnSurface([]string{""}, c.row)[0]
	lines := make([]string, max(len(left), len(right)))
	half := func(side []string, i int) string {
		if i < len(side) {
			return cells.Fill(side[i], c.row)
		}
		return absent
	}
	for i := range lines {
		lines[i] = half(left, i) + rule + half(right, i)
	}
	return lines
}

func lineNumber(n, cells int) string {
	if n == 0 {
		return strings.Repeat(" ", cells)
	}
	return fmt.Sprintf("%*d", cells, n)
}

// ink is how a line looks.
func (d *Screen) ink(at int) lineInk {
	if d.rows.movedLine(at) {
		st := &d.page.Look.Styles
		return lineInk{st, "⇅", st.Moved, st.Moved, st.Moved, nil}
	}
	return inkOf(&d.page.Look.Styles, d.diff.Lines[at].Op)
}

func (d *Screen) pieces(at int) []piece { return piecesOf(d.diff.Lines[at], d.diff.MixedEnds) }

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
