package review

import (
	"slices"
	"strings"

	"planb/plans"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/marks"
	"planb/tui/screen"
	"planb/tui/wording"
)

// folds are the sections of a review that are shown by their headings alone until the
// person opens them: the tasks of a plan of tasks. Nil: nothing folds.
type folds struct {
	list    []folding // in the order of the text
	details []detail  // of all of them, in the order of the text
	column  int       // cells of the names of details, with what is beside them
	title   int       // the line of a heading that says no more than the header; 0 for none
}

// folding is a section that folds.
type folding struct {
	from, to int // its lines; from is the heading
	open     bool
	key      string // what other tasks call it: "api"
	facts    string // what stands in short lines below the heading, and whose it is: "for you · after: schema · 1h · P0"
}

// newFolds returns the folds of a review of tasks; nil for any other.
func newFolds(ask store.Ask, outline []plans.Section, lines []string) *folds {
	if ask.Spec.Plan == nil || !store.IsTasksPlan(plans.Name(ask.Spec.Plan.Name)) {
		return nil
	}
	f := &folds{}
	if len(outline) > 0 && outline[0].Level == 1 && outline[0].Title.Line() == ask.Spec.Title.Line() {
		f.title = outline[0].Line
	}
	for i, section := range outline {
		_, key, found := cutKey(section.Title.Raw())
		if section.Level != 2 || !found {
			continue
		}
		to := len(lines)
		if next := slices.IndexFunc(outline[i+1:], func(s plans.Section) bool { return s.Level <= 2 }); next >= 0 {
			to = outline[i+1+next].Line - 1
		}
		facts, contract := detailsOf(lines, section.Line, to)
		var said []string
		if slices.ContainsFunc(contract, detail.forYou) {
			said = append(said, "for you")
		}
		for _, fact := range facts {
			said = append(said, fact.brief())
		}
		f.list = append(f.list, folding{from: section.Line, to: to, key: safe.New(key).Line(), facts: cells.Join(said...)})
		f.details = append(append(f.details, facts...), contract...)
	}
	f.column = nameColumn(f.details)
	return f
}

// cutKey parts the heading of a task from its key: "Write the API {#api}".
func cutKey(heading string) (title, key string, found bool) {
	rest, found := strings.CutSuffix(strings.TrimRight(heading, " "), "}")
	at := strings.LastIndex(rest, "{#")
	if !found || at < 0 {
		return heading, "", false
	}
	return strings.TrimRight(rest[:at], " "), rest[at+len("{#"):], true
}

// asShown returns the plan without the keys in its headings, because the screen shows them
// beside the headings, and with the number of its tasks in place of the title, because the
// header names the plan already.
func (f *folds) asShown(text safe.Text, lines []string) safe.Text {
	if f == nil {
		return text
	}
	lines = slices.Clone(lines)
	for _, s := range f.list {
		lines[s.from-1], _, _ = cutKey(lines[s.from-1])
	}
	if f.title > 0 {
		lines[f.title-1] = "# " + wording.Count(len(f.list), "task")
	}
	return safe.New(strings.Join(lines, "\n"))
}

// at returns the section that a line is in; nil for none.
func (f *folds) at(line int) *folding {
	if f == nil {
		return nil
	}
	i, found := slices.BinarySearchFunc(f.list, line, func(s folding, line int) int { return s.from - line })
	if !found {
		i--
	}
	if i < 0 || line > f.list[i].to {
		return nil
	}
	return &f.list[i]
}

// headed returns the section that has its heading on a line; nil for none.
func (f *folds) headed(line int) *folding {
	if s := f.at(line); s != nil && s.from == line {
		return s
	}
	return nil
}

// hides reports whether a line is below the heading of a section that is folded.
func (f *folds) hides(line int) bool {
	s := f.folded(line)
	return s != nil && line > s.from
}

// folded returns the section that a row of the plan is in, if that is folded; else nil.
func (f *folds) folded(line int) *folding {
	if s := f.at(line); s != nil && !s.open {
		return s
	}
	return nil
}

// shown returns the rows of a piece that begins with a line, without those that are folded.
// Headings that stand folded below each other have no empty rows between them.
func (f *folds) shown(rows []reviewRow, from int) []reviewRow {
	if f == nil {
		return rows
	}
	var list, gap []reviewRow
	above := f.folded(from-1) != nil // the last row with text is of a folded section
	for _, row := range rows {
		if row.empty() {
			gap = append(gap, row)
			continue
		}
		s := f.folded(row.from)
		if s != nil && (row.from > s.from || !row.first) {
			if row.from == s.from && len(list) > 0 && !cells.IsRule(row.text) {
				list[len(list)-1].goesOn = true
			}
			continue
		}
		switch {
		case !above:
			list = append(list, gap...)
		case s == nil:
			list = append(list, gap[:min(len(gap), 1)]...)
		}
		list, gap, above = append(list, row), nil, s != nil
	}
	if !above {
		list = append(list, gap...)
	}
	return list
}

// seen leaves out the lines that are hidden.
func (f *folds) seen(lines []int) []int {
	if f == nil {
		return lines
	}
	return slices.DeleteFunc(slices.Clone(lines), f.hides)
}

// fold opens or folds the section under the cursor. It reports false if the cursor is on
// no heading of one.
func (b *Body) fold() bool {
	s := b.folds.headed(b.State.Cursor.Line)
	if s == nil || b.State.Cursor.Comment != "" || b.anchor > 0 {
		return false
	}
	s.open = !s.open
	b.drawnAnew++
	b.keepInView(b.locate(b.State.Cursor))
	return true
}

// unfoldTo opens the section that hides a line.
func (b *Body) unfoldTo(line int) {
	if b.folds.hides(line) {
		b.folds.at(line).open = true
		b.drawnAnew++
	}
}

// unfoldCommented opens the sections that have comments below their headings.
func (b *Body) unfoldCommented() {
	for _, c := range b.comments() {
		b.unfoldTo(c.To)
	}
}

// foldHint is what Enter does on a heading that folds; false elsewhere.
func (b *Body) foldHint() (hint screen.Hint, ok bool) {
	s := b.folds.headed(b.State.Cursor.Line)
	if s == nil || b.State.Cursor.Comment != "" {
		return screen.Hint{}, false
	}
	return screen.Hint{Act: keymap.Enter, Does: map[bool]string{false: "open", true: "fold"}[s.open]}, true
}

// foldMark marks the heading of a section that folds; empty for other rows.
func (b *Body) foldMark(row reviewRow) string {
	s := b.folds.headed(row.from)
	if s == nil || !row.first {
		return ""
	}
	return map[bool]string{false: marks.Folded, true: marks.Unfolded}[s.open]
}

// factsOf returns the text beside the heading of a task: its key and, if the task is
// folded, the facts below it.
func (b *Body) factsOf(row reviewRow) string {
	s := b.folds.headed(row.from)
	switch {
	case s == nil || !row.first:
		return ""
	case b.asWritten: // with the key in the heading
		return map[bool]string{false: s.facts}[s.open]
	case s.open:
		return s.key
	}
	return cells.Join(s.key, s.facts)
}
