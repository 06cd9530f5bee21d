package compare

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/plans"
	"planb/tui/cells"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// readRows is the rendered diff: the Markdown of both versions laid out as one text, with
// unchanged parts folded.
type readRows struct {
	moved, stretches []readUnit
	round            int  // counts the renderings; results of earlier ones are dropped
	width            int  // in cells, of this rendering
	again            bool // the old lines stay until all units are rendered anew

	folds   // by lines
	lines   []readLine
	rows    []readRow
	changes []change // by rows
}

// readLine is a line of the whole rendered diff.
type readLine struct {
	markdown.DiffLine
	begins bool   // it is the first line of a block
	moved  bool   // it belongs to a section that moved
	same   int    // of a head: how many lines of the section moved unchanged, in its Markdown
	head   string // not empty: it says where a section went or came from
	title  string // the heading, if the line belongs to one
	width  int    // in cells, of its block
}

// readRow is a visible line, or a fold.
type readRow struct {
	line     int // its index in lines
	from, to int // the folded lines; to is 0 if the row is no fold
}

// readRendered is a unit that was rendered.
type readRendered struct {
	screen *Screen
	round  int
	unit   *readUnit
	doc    markdown.DiffDoc
}

// restart renders everything anew, for another width or other colours. The old lines stay
// until that is done, so that the person can read on.
func (r *readRows) restart() {
	r.round++
	r.again = len(r.lines) > 0
	for _, units := range [][]readUnit{r.moved, r.stretches} {
		for i := range units {
			units[i].done, units[i].doc = false, markdown.DiffDoc{}
		}
	}
}

// next is the next unit to render, or nil. Sections that moved come first, because they
// stand inside the others.
func (r *readRows) next() *readUnit {
	for _, units := range [][]readUnit{r.moved, r.stretches} {
		for i := range units {
			if !units[i].done {
				return &units[i]
			}
		}
	}
	return nil
}

func (r *readRows) complete() bool { return r.next() == nil }

// layOut makes the lines of all rendered units. About gives the words for a section that
// moved.
func (r *readRows) layOut(about func(moveMark) string) {
	r.lines = r.lines[:0]
	for i := range r.stretches {
		unit := &r.stretches[i]
		if !unit.done {
			break
		}
		r.notice(unit)
		marks := unit.marks
		for _, block := range unit.doc.Blocks {
			rest := marks[:0:0]
			for _, m := range marks {
				if m.came && block.New > m.line || !m.came && block.Old > m.line {
					r.addMove(m, about(m))
				} else {
					rest = append(rest, m)
				}
			}
			marks = rest
			r.addBlock(block, false)
		}
		for _, m := range marks {
			r.addMove(m, about(m))
		}
		if i+1 < len(r.stretches) && len(r.lines) > 0 && r.lines[len(r.lines)-1].Text != "" {
			r.lines = append(r.lines, readLine{})
		}
	}
	r.fold()
}

// notice says why a unit is not rendered as Markdown.
func (r *readRows) notice(unit *readUnit) {
	if unit.doc.Notice != "" {
		r.lines = append(r.lines, readLine{head: unit.doc.Notice, begins: true})
	}
}

func (r *readRows) addBlock(block markdown.DiffBlock, moved bool) {
	for i, line := range block.Lines {
		r.lines = append(r.lines, readLine{DiffLine: line, begins: i == 0, moved: moved, title: block.Heading, width: block.Width})
	}
}

// addMove says that a section went away from here, or shows the section that came.
func (r *readRows) addMove(m moveMark, about string) {
	r.lines = append(r.lines, readLine{head: about, begins: true, moved: true, same: r.moved[m.move].same})
	if !m.came || !r.moved[m.move].done {
		r.lines = append(r.lines, readLine{moved: true})
		return
	}
	r.notice(&r.moved[m.move])
	for _, block := range r.moved[m.move].doc.Blocks {
		r.addBlock(block, true)
	}
	if r.lines[len(r.lines)-1].Text != "" {
		r.lines = append(r.lines, readLine{moved: true})
	}
}

func (r *readRows) count() int { return len(r.lines) }

func (r *readRows) class(at int) foldClass {
	switch line := r.lines[at]; {
	case line.head != "" || line.Change != markdown.Same:
		return changedRow
	case line.moved:
		return cameRow
	}
	return sameRow
}

func (r *readRows) heads(at int) bool { return r.lines[at].head != "" }

// fold makes the visible rows.
func (r *readRows) fold() {
	r.rows, r.changes = r.rows[:0], nil
	for _, run := range r.runs(r) {
		if run.class == changedRow && r.beginsChange(run.from) {
			r.changes = append(r.changes, change{from: len(r.rows)})
		}
		r.show(run.from, run.first)
		if run.folded() {
			r.rows = append(r.rows, readRow{line: run.first, from: run.first, to: run.last})
		}
		r.show(run.last, run.to)
		if run.class == changedRow {
			r.changes[len(r.changes)-1].to = len(r.rows)
		}
	}
}

// beginsChange reports whether a change begins at a run of changed lines. The head of a section
// that moved and the lines below it are one change. Lines below another head are a change of
// their own.
func (r *readRows) beginsChange(at int) bool {
	if at == 0 || r.heads(at) || r.class(at-1) != changedRow {
		return true
	}
	return r.heads(at-1) && !r.lines[at-1].moved
}

func (r *readRows) show(from, to int) {
	for i := from; i < to; i++ {
		r.rows = append(r.rows, readRow{line: i})
	}
}

// readContext is the most unchanged lines around a change. It is more than contextLines at
// each side, so that no short block is cut.
const readContext = 2*contextLines + 1

func (r *readRows) far(of run) (first, last int) {
	first, last = of.from, of.to
	if of.from > 0 && !r.apart(of.from, of.from-1) {
		first = min(of.from+contextLines, of.to)
		for first < of.to && first < of.from+readContext && !r.lines[first].begins {
			first++
		}
	}
	if of.to < len(r.lines) && !r.apart(of.from, of.to) {
		last = max(of.to-contextLines, first)
		for last > first && last > of.to-readContext && !r.lines[last].begins {
			last--
		}
	}
	return first, last
}

// apart reports whether the line beside a run does not keep the run's nearest lines
// unfolded. Beside a run in a moved section, neither the line that announces the move
// nor a line outside the section does.
func (r *readRows) apart(run, beside int) bool {
	return r.lines[run].moved && (r.lines[beside].head != "" || !r.lines[beside].moved)
}

// openFold opens one fold.
func (r *readRows) openFold(row int) {
	r.unfold(r.rows[row].from)
	r.fold()
}

// openAll unfolds everything, or folds it again.
func (r *readRows) openAll() {
	r.toggleAll()
	r.fold()
}

// foldText is the text of a fold. In place of a whole section that moved it counts the lines that
// the fold of the Markdown counts, because both stand for the same section.
func (r *readRows) foldText(row readRow) string {
	if r.lines[row.from].moved {
		n := row.to - row.from
		if head := r.lines[row.from-1]; head.same > 0 && (row.to == len(r.lines) || r.apart(row.from, row.to)) {
			n = head.same
		}
		return movedText(n)
	}
	text := fmt.Sprintf("%d lines unchanged", row.to-row.from)
	if row.to < len(r.lines) && r.lines[row.to].title == "" {
		for i := row.to - 1; i >= row.from; i-- {
			if title := r.lines[i].title; title != "" {
				return cells.Join(text, title)
			}
		}
	}
	return text
}

// readRoom is the width of rendered prose in cells.
func (d *Screen) readRoom() int { return max(min(d.panRoom()-1, screen.ReadCells), 1) }

// panRoom is the width in cells of what does not wrap.
func (d *Screen) panRoom() int { return max(d.page.Width-margin-2-1, 1) }

// renderRead returns the command that renders the next unit; nil if none is missing.
func (d *Screen) renderRead() tea.Cmd {
	if !d.reading || d.diff == nil || d.page.Look == nil || d.page.Width == 0 {
		return nil
	}
	r := &d.asRead
	if r.width != d.readRoom() {
		r.width, r.open = d.readRoom(), nil // folds are named by lines, which will be others
		r.restart()
	}
	unit := r.next()
	if unit == nil {
		return nil
	}
	renderer, round, width := d.page.Look.Markdown.Citing(d.cited), r.round, r.width
	before, after := unit.before, unit.after
	return func() tea.Msg {
		return readRendered{d, round, unit, renderer.Diff(before, after, width)}
	}
}

// addRendered takes a rendered unit.
func (d *Screen) addRendered(msg readRendered) tea.Cmd {
	if msg.screen != d || msg.round != d.asRead.round {
		return nil
	}
	msg.unit.doc, msg.unit.done = msg.doc, true
	first, complete := !d.asRead.again, d.asRead.complete()
	if complete || first {
		untouched := d.readView.top == 0
		d.asRead.again = false
		d.layOutRead()
		if complete && first && untouched {
			d.readView.resemble(&d.view)
		}
	}
	return d.renderRead()
}

// layOutRead makes the rows of the rendered diff.
func (d *Screen) layOutRead() {
	d.asRead.layOut(d.moveWords)
	d.pan(0)
	d.setReadRows()
}

func (d *Screen) setReadRows() {
	d.readView.height = d.page.BodyLines() - d.above()
	heights := make([]int, len(d.asRead.rows))
	for i := range heights {
		heights[i] = 1 + d.apartAsRead(i)
	}
	d.readView.setRows(heights, d.asRead.changes)
}

// apartAsRead is how many empty lines stand above a row that says that a section moved, or that
// begins a block below a fold, unless one stands there in the text.
func (d *Screen) apartAsRead(at int) int {
	row := d.asRead.rows[at]
	line := d.asRead.lines[row.line]
	if row.to > 0 || at == 0 {
		return 0
	}
	before := d.asRead.rows[at-1]
	if before.to > 0 {
		return d.apart(at, line.begins)
	}
	if line.head == "" || emptyAsRead(d.asRead.lines[before.line]) {
		return 0
	}
	return d.apart(at, line.moved)
}

func emptyAsRead(line readLine) bool { return strings.TrimSpace(ansi.Strip(line.Text)) == "" }

// moveWords says where a section went or came from. The rendered diff has no line numbers,
// so it names other sections.
func (d *Screen) moveWords(m moveMark) string {
	move := d.diff.Moves[m.move]
	title := move.Title.Line()
	to, from := "down", "above"
	if d.rows.up[m.move] {
		to, from = "up", "below"
	}
	if m.came {
		return fmt.Sprintf("“%s” moved here from %s, where it stood %s", title, from, placeOf(d.rows.oldOutline, move.Old))
	}
	return fmt.Sprintf("“%s” moved %s, %s", title, to, placeOf(d.rows.outline, move.New))
}

// placeOf names the section before a line.
func placeOf(outline []plans.Section, line int) string {
	behind := "at the start"
	for _, s := range outline {
		if s.Line >= line {
			break
		}
		behind = "after “" + s.Title.Line() + "”"
	}
	return behind
}

// readRow draws a row of the rendered diff; near says that Enter unfolds it.
func (d *Screen) readRow(at int, near bool) []string {
	st := &d.page.Look.Styles
	row := d.asRead.rows[at]
	line := d.asRead.lines[row.line]
	drawn := ""
	switch {
	case row.to > 0:
		drawn = d.foldRow(d.asRead.foldText(row), near)
	case line.head != "" && line.moved:
		drawn = d.moveRow(line.head)
	case line.head != "":
		drawn = st.Warning.Render(cells.Cut(line.head, d.room()))
	default:
		drawn = d.readLine(line)
	}
	return d.marked(append(make([]string, d.apartAsRead(at)), drawn), d.readView.current(at))
}

// readLine draws a rendered line behind its sign. As in a plan, all wide blocks pan together, each
// no further than its own end, and the rest of the text does not move.
func (d *Screen) readLine(line readLine) string {
	st := &d.page.Look.Styles
	text := cells.Panned(line.Text, min(d.left, line.width-d.panRoom()), d.panRoom(), 0)
	switch {
	case line.Change == markdown.Removed:
		return st.OnRemoved(st.Removed.Bold(true).Render("−")+" "+text, d.room())
	case line.Change == markdown.Added:
		return st.OnAdded(st.Added.Bold(true).Render("+")+" "+inkless(text), d.room())
	case line.Change == markdown.Mixed:
		return st.Accent.Bold(true).Render("~") + " " + text
	case line.moved && strings.TrimSpace(line.Text) != "":
		return st.Moved.Render("⇅") + " " + text
	}
	return "  " + text
}

// inkless takes the colours of text out of a drawn line: not all of them can be read on the
// ground of an added line. Text on a ground of its own keeps its colours.
func inkless(line string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(line, "\x1b[")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		params, after, _ := strings.Cut(rest, "m")
		if kept := withoutInk(params); kept != "" || params == "" {
			out.WriteString("\x1b[" + kept + "m")
		}
		line = after
	}
}

// withoutInk returns the parameters of a sequence that set no colour of text; all of them if
// they set a background.
func withoutInk(params string) string {
	list := strings.Split(params, ";")
	if slices.Contains(list, "48") {
		return params
	}
	var kept []string
	for i := 0; i < len(list); i++ {
		switch {
		case list[i] != "38":
			kept = append(kept, list[i])
		case i+1 < len(list) && list[i+1] == "2":
			i += 4
		default:
			i += 2
		}
	}
	return strings.Join(kept, ";")
}
