package cells

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Fit returns a laid-out line of at most width cells as a terminal that knows no
// clusters has to be given it, so that what stands in a column stays there: where
// clusters are wider, the gap, the rule or the margin behind them gives way. What
// does not fit even then is cut, with an ellipsis. Caret is a column of the layout;
// Fit returns where it is now.
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

// surplus is how far the line is ahead of its layout.
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

// cut takes cells away from the end of what there is, and says so.
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
	var styles []token // of what was cut; they hold for what follows
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
