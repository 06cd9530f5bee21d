package tui

import (
	"cmp"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/markdown"
)

// docWindow is the part of a text that is in view.
type docWindow struct {
	lines []string
	last  int // the last first row
	rows  string
	cols  string
}

// position says where in a text the view is, in at most so many cells: rows
// before columns. It is empty if all of it is in view.
func (w docWindow) position(room int) string {
	return cells.Longest(room, cells.Join(w.rows, w.cols), cmp.Or(w.rows, w.cols))
}

// window is what is in view of a text in so many rows of so many cells: from top
// on, panned as p says. Both are put right if they go too far.
func (f *form) window(doc markdown.Doc, width, rows int, top *int, p *markdown.Pan) docWindow {
	return f.windowBelow(doc, 0, width, rows, top, p)
}

// windowBelow is window with so many empty rows above the text.
func (f *form) windowBelow(doc markdown.Doc, above, width, rows int, top *int, p *markdown.Pan) docWindow {
	head := make([]string, above, above+2)
	if doc.Notice != "" {
		for _, line := range f.docs.wrap(safe.New(doc.Notice), width) {
			head = append(head, f.look.Styles.Warning.Render(line))
		}
		head = append(head, "")
	}
	total := len(head) + len(doc.Lines)
	w := docWindow{last: max(0, total-rows)}
	*top = min(max(*top, 0), w.last)
	p.Fit(doc, width)
	end := min(*top+rows, total)
	w.lines = append(w.lines, head[min(*top, len(head)):min(end, len(head))]...)
	w.lines = append(w.lines, p.Lines(doc, max(*top-len(head), 0), max(end-len(head), 0))...)
	w.rows, w.cols = cells.Position(*top, rows, total), p.Position()
	return w
}
