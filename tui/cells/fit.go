package cells

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Fit returns a line of at most width cells for a terminal that knows no clusters. All columns
// of the layout stay in their place: where a cluster is wider, the gap, the rule or the margin
// behind it becomes shorter. If the line still does not fit, Fit cuts it with an ellipsis.
// caret is a column of the layout; Fit returns its column on the terminal.
func Fit(line string, width, caret int) (fitted string, caretNow int) {
	if !uneven(line) {
		return line, caret
	}
	f := fitter{caret: caret, caretNow: -1}
	for _, t := range split(line) {
		f.add(t)
	}
	f.cut(f.cells - width)
	if f.caretNow < 0 {
		f.caretNow = caret + f.cells - f.laid
	}
	var out strings.Builder
	for _, t := range f.line {
		out.WriteString(t.text)
	}
	return out.String(), min(f.caretNow, max(0, width-1))
}

// fitter is a line in the making.
type fitter struct {
	line     []token
	laid     int // cells of the layout so far
	cells    int // cells that were really taken
	filler   string
	caret    int
	caretNow int
}

// surplus returns how many cells the line is ahead of its layout.
func (f *fitter) surplus() int { return f.cells - f.laid }

func (f *fitter) add(t token) {
	if t.laid == 0 {
		f.line = append(f.line, t)
		return
	}
	if f.laid >= f.caret && f.caretNow < 0 {
		f.caretNow = f.cells
	}
	before := f.filler
	f.filler = ""
	if t.text == " " || t.text == "─" || t.text == "━" {
		f.filler = t.text
		if f.surplus() > 0 && before == t.text { // the first of a run stays
			f.laid += t.laid
			return
		}
	}
	if frames(t.text) {
		f.cut(f.surplus())
	}
	f.line = append(f.line, t)
	f.laid += t.laid
	f.cells += t.cells
}

// frames reports whether a cluster belongs to a frame, which has its column.
func frames(cluster string) bool {
	return strings.ContainsAny(cluster, "│┃┼├┤┬┴╎┆▌▐")
}

// cut removes cells from the end of the line and puts an ellipsis there.
func (f *fitter) cut(over int) {
	if over <= 0 {
		return
	}
	const ellipsis = "…"
	gone := 0
	at := len(f.line)
	for at > 0 && gone < over+ansi.StringWidth(ellipsis) {
		at--
		gone += f.line[at].cells
	}
	var styles []token // of the cut cells; later cells still need them
	for _, t := range f.line[at:] {
		if t.laid == 0 {
			styles = append(styles, t)
		}
	}
	pad := strings.Repeat(" ", max(0, gone-over-1))
	f.line = append(f.line[:at], token{text: ellipsis + pad, laid: 1, cells: 1 + len(pad)})
	f.line = append(f.line, styles...)
	f.cells += 1 + len(pad) - gone
}
