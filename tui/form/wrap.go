package form

import (
	"cmp"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// docRoom is the room for a text: its width, its rows, how many empty rows stand above the
// text, and whether the text stands in the middle of the width.
type docRoom struct {
	width, rows, above int
	centred            bool
}

// leastApart is the least cells between the left edges of prose and of a wider block. Edges that
// are nearer look like a mistake, so the prose begins at that of the block.
const leastApart = 16

// margin returns the cells at the left of row i of a text.
func (r docRoom) margin(doc markdown.Doc, i int) int {
	if !r.centred {
		return 0
	}
	margin := func(width int) int { return max(r.width-width, 0) / 2 }
	prose := margin(min(doc.Width, ReadWidth))
	here, shared := prose, prose
	for _, b := range doc.Wide {
		at := margin(b.Width)
		if prose-at < leastApart {
			shared = min(shared, at)
		}
		if i >= b.From && i < b.To {
			here = min(here, at)
		}
	}
	if prose-here < leastApart {
		return shared
	}
	return here
}

// docView is the part of a text that is in view.
type docView struct {
	lines []string
	last  int // the greatest first row
	rows  string
	cols  string
}

// position says, in at most room cells, which rows and which columns of a text are in
// view. It is empty if the whole text is in view.
func (v docView) position(room int) string {
	return cells.Longest(room, cells.Join(v.rows, v.cols), cmp.Or(v.rows, v.cols))
}

// view returns the part of a text that is in view at a reach. It moves a reach that is
// past the end back.
func (w wraps) view(doc markdown.Doc, room docRoom, at *reach, st *screen.Styles) docView {
	head := make([]string, room.above, room.above+2)
	if doc.Notice != "" {
		for _, line := range w.wrap(safe.New(doc.Notice), room.width) {
			head = append(head, st.Warning.Render(line))
		}
		head = append(head, "")
	}
	total := len(head) + len(doc.Lines)
	v := docView{last: max(0, total-room.rows)}
	at.top = min(max(at.top, 0), v.last)
	at.pan.Fit(doc, room.width)
	end := min(at.top+room.rows, total)
	v.lines = append(v.lines, head[min(at.top, len(head)):min(end, len(head))]...)
	from := max(at.top-len(head), 0)
	for i, line := range at.pan.Lines(doc, from, max(end-len(head), 0)) {
		v.lines = append(v.lines, strings.Repeat(" ", room.margin(doc, from+i))+line)
	}
	if at.top > 0 && len(v.lines) > 0 {
		v.lines[0] = cells.TopRow(v.lines[0])
	}
	v.rows, v.cols = cells.Position(at.top, room.rows, total), at.pan.Position()
	return v
}

// wraps caches the lines of plain texts.
type wraps map[wrapKey][]string

type wrapKey struct {
	text  safe.Text
	width int
}

// mostWrapped bounds the texts in wraps.
const mostWrapped = 4096

// wrap breaks plain text into lines. The caller must not change them: the cache shares
// them.
func (w wraps) wrap(text safe.Text, width int) []string {
	key := wrapKey{text, max(1, width)}
	if lines, ok := w[key]; ok {
		return lines
	}
	if len(w) > mostWrapped {
		clear(w)
	}
	lines := cells.Wrap(key.width, func(width int) []string {
		return strings.Split(ansi.Wrap(strings.TrimRight(text.Block(), "\n "), width, ""), "\n")
	})
	w[key] = lines
	return lines
}
