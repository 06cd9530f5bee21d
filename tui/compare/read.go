package compare

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/plans"
	"planb/tui/cells"
	"planb/tui/markdown"
	"planb/tui/screen"
	"planb/tui/wording"
)

// readRows is a diff as it is read: the Markdown of both versions laid out as
// one, with what did not change folded away.
type readRows struct {
	moved, stretches []readUnit
	round            int  // which laying out is under way; what comes of others is dropped
	width            int  // for which it was laid out
	again            bool // what is shown stays as it was until all is laid out anew

	open map[int]bool // the folds that were opened, by their first line
	all  bool

	lines []readLine
	rows  []readRow
	stops []int // where the changes begin, in rows
}

// readLine is a line of the whole diff, without folds.
type readLine struct {
	markdown.DiffLine
	begins bool   // a block, a heading for example
	moved  bool   // it belongs to a section that moved
	head   string // it says of a section where it went, or came from
	title  string // of the heading that the line belongs to
}

// readRow is a line that is shown, or stands for lines that are not.
type readRow struct {
	line     int // index in lines
	from, to int // lines that are folded; to is 0 for none
}

// readRendered is a unit that was laid out.
type readRendered struct {
	screen *Screen
	round  int
	unit   *readUnit
	doc    markdown.DiffDoc
}

// restart lays everything out anew, for another width or other colours. What is
// shown stays until that is done, so that who reads there reads on.
func (r *readRows) restart() {
	r.round++
	r.again = len(r.lines) > 0
	for _, units := range [][]readUnit{r.moved, r.stretches} {
		for i := range units {
			units[i].done, units[i].doc = false, markdown.DiffDoc{}
		}
	}
}

// next is the unit to be laid out next; nil if all are. Sections that moved come
// first, for they stand inside the others.
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

// layOut makes the lines of all units that are there.
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

// notice says why a unit is not shown as the Markdown it is.
func (r *readRows) notice(unit *readUnit) {
	if unit.doc.Notice != "" {
		r.lines = append(r.lines, readLine{head: unit.doc.Notice, begins: true})
	}
}

func (r *readRows) addBlock(block markdown.DiffBlock, moved bool) {
	for i, line := range block.Lines {
		r.lines = append(r.lines, readLine{DiffLine: line, begins: i == 0, moved: moved, title: block.Heading})
	}
}

// addMove says that a section went from here, or shows the one that came.
func (r *readRows) addMove(m moveMark, about string) {
	r.lines = append(r.lines, readLine{head: about, begins: true, moved: true})
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

// class tells lines apart that are folded for different reasons, or not at all.
func (l readLine) class() foldClass {
	switch {
	case l.head != "" || l.Change != markdown.Same:
		return changedRow
	case l.moved:
		return cameRow
	}
	return sameRow
}

// fold makes the rows that are shown of all lines.
func (r *readRows) fold() {
	r.rows, r.stops = r.rows[:0], nil
	for i := 0; i < len(r.lines); {
		class, end := r.lines[i].class(), i+1
		for end < len(r.lines) && r.lines[end].class() == class && (class != changedRow || r.lines[end].head == "") {
			end++
		}
		if class == changedRow {
			if i == 0 || r.lines[i].head != "" || r.lines[i-1].class() != changedRow || r.lines[i-1].head != "" && !r.lines[i-1].moved {
				r.stops = append(r.stops, len(r.rows))
			}
			r.show(i, end)
		} else {
			r.foldRun(i, end)
		}
		i = end
	}
}

func (r *readRows) show(from, to int) {
	for i := from; i < to; i++ {
		r.rows = append(r.rows, readRow{line: i})
	}
}

// How many lines that did not change are shown at most around those that did, so
// that no short block is cut.
const readContext = 2*contextLines + 1

// foldRun shows a run of lines in which nothing changed, but for those that are
// not near any change.
func (r *readRows) foldRun(from, to int) {
	first, last := from, to
	if from > 0 && !r.apart(from, from-1) {
		first = min(from+contextLines, to)
		for first < to && first < from+readContext && !r.lines[first].begins {
			first++
		}
	}
	if to < len(r.lines) && !r.apart(from, to) {
		last = max(to-contextLines, first)
		for last > first && last > to-readContext && !r.lines[last].begins {
			last--
		}
	}
	if r.all || r.open[first] || last-first < leastFolded {
		r.show(from, to)
		return
	}
	r.show(from, first)
	r.rows = append(r.rows, readRow{line: first, from: first, to: last})
	r.show(last, to)
}

// apart reports whether the line beside a run is no reason to show lines around
// it: for a run of a section that moved, what says so.
func (r *readRows) apart(run, beside int) bool {
	return r.lines[run].moved && (r.lines[beside].head != "" || !r.lines[beside].moved)
}

// openFold opens one fold.
func (r *readRows) openFold(row int) {
	if r.open == nil {
		r.open = map[int]bool{}
	}
	r.open[r.rows[row].from] = true
	r.fold()
}

// openAll opens all folds, or folds everything again.
func (r *readRows) openAll() {
	r.all, r.open = !r.all, nil
	r.fold()
}

// foldText is what stands in place of folded lines.
func (r *readRows) foldText(row readRow) string {
	n := row.to - row.from
	if r.lines[row.from].moved {
		return wording.Count(n, "line") + ", moved unchanged"
	}
	text := wording.Count(n, "unchanged line")
	if row.to < len(r.lines) && r.lines[row.to].title == "" {
		for i := row.to - 1; i >= row.from; i-- {
			if title := r.lines[i].title; title != "" {
				return text + " · in “" + title + "”"
			}
		}
	}
	return text
}

// readRoom is how many cells a line of prose has as it is read.
func (d *Screen) readRoom() int { return max(min(d.panRoom()-1, screen.ReadCells), 1) }

// panRoom is how many cells there are for what does not wrap.
func (d *Screen) panRoom() int { return max(d.page.Width-margin-2-1, 1) }

// renderRead lays out what is still missing of the diff as it is read, unit by unit.
func (d *Screen) renderRead() tea.Cmd {
	if !d.reading || d.diff == nil || d.page.Look == nil || d.page.Width == 0 {
		return nil
	}
	r := &d.asRead
	if r.width != d.readRoom() {
		r.width = d.readRoom()
		r.restart()
	}
	unit := r.next()
	if unit == nil {
		return nil
	}
	renderer, round, width := d.page.Look.Markdown, r.round, r.width
	before, after := unit.before, unit.after
	return func() tea.Msg {
		return readRendered{d, round, unit, renderer.Diff(before, after, width)}
	}
}

// tookRead takes a unit that was laid out.
func (d *Screen) tookRead(msg readRendered) tea.Cmd {
	if msg.screen != d || msg.round != d.asRead.round {
		return nil
	}
	msg.unit.doc, msg.unit.done = msg.doc, true
	first, complete := !d.asRead.again, d.asRead.complete()
	if complete || first {
		untouched := d.readView.top == 0
		if d.asRead.again {
			d.asRead.open, d.asRead.again = nil, false // lines are counted anew
		}
		d.layOutRead()
		if complete && first && untouched {
			d.readView.resemble(&d.view)
		}
	}
	return d.renderRead()
}

// layOutRead gives every row as it is read its line.
func (d *Screen) layOutRead() {
	d.asRead.layOut(d.moveWords)
	d.setReadRows()
}

func (d *Screen) setReadRows() {
	d.readView.height = d.page.BodyLines()
	heights := make([]int, len(d.asRead.rows))
	for i := range heights {
		heights[i] = 1
	}
	d.readView.setRows(heights, d.asRead.stops)
}

// moveWords says where a section went, or came from, for who sees no line numbers.
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

// placeOf says where a line stands: behind which section.
func placeOf(outline []plans.Section, line int) string {
	behind := "at the start"
	for _, s := range outline {
		if s.Line >= line {
			break
		}
		behind = "behind “" + s.Title.Line() + "”"
	}
	return behind
}

// readRow draws a row of the diff as it is read; first says that Enter opens it.
func (d *Screen) readRow(at int, first bool) string {
	st := &d.page.Look.Styles
	row := d.asRead.rows[at]
	line := d.asRead.lines[row.line]
	mark := " "
	if len(d.readView.stops) > 0 && at == d.readView.stops[d.readView.at] {
		mark = st.Cursor.Render("▸")
	}
	switch {
	case row.to > 0:
		return d.foldRow(mark, d.asRead.foldText(row), line.moved, first)
	case line.head != "" && line.moved:
		return mark + st.Moved.Bold(true).Render(cells.Cut("⇅ "+line.head, d.page.Width-2*margin))
	case line.head != "":
		return mark + st.Warning.Render(cells.Cut(line.head, d.page.Width-2*margin))
	}
	sign := " "
	switch {
	case line.Change == markdown.Removed:
		sign = st.Removed.Bold(true).Render("−")
	case line.Change == markdown.Added:
		sign = st.Added.Bold(true).Render("+")
	case line.Change == markdown.Mixed:
		sign = st.Accent.Bold(true).Render("~")
	case line.moved && strings.TrimSpace(line.Text) != "":
		sign = st.Moved.Render("⇅")
	}
	return mark + sign + " " + cells.Panned(line.Text, d.left, d.panRoom(), 0)
}
