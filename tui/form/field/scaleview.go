package field

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/tui/cells"
)

// trackCells is the most cells of a scale's track.
const trackCells = 41

// mostPoints is how many points are drawn one by one; more become a track.
const mostPoints = 11

func (f *scale) Draw(p Pen) Block {
	var b Block
	if f.readOnly && !f.set {
		b.Add(p.Styles.Faint.Render("(no answer)"))
		return b
	}
	if !f.drawPoints(p, &b) {
		f.drawTrack(p, &b)
	}
	if f.wrong != "" {
		b.Add(p.Styles.Warning.Render(ansi.Truncate("▲ "+f.wrong, p.Width, "…")))
	}
	return b
}

// drawPoints draws every point with its number, if there are few enough.
func (f *scale) drawPoints(p Pen, b *Block) bool {
	n := f.q.Points()
	if n > mostPoints {
		return false
	}
	var line strings.Builder
	cells := 0
	var hits []Hit
	for i := range n {
		point := f.q.Point(i)
		cell := scaleGlyph(point == f.value, f.set) + " " + questions.FormatNumber(point)
		width := ansi.StringWidth(cell)
		if i > 0 {
			line.WriteString("   ")
			cells += 3
		}
		hits = append(hits, Hit{X: cells, Width: width, At: int(i)})
		line.WriteString(f.pointStyle(p, point).Render(cell))
		cells += width
	}
	if cells > p.Width {
		return false
	}
	b.Hits = hits
	b.Add(line.String())
	if tail := f.tail(p); tail.text != "" {
		tail.beside(p, b, cells)
	}
	return true
}

func scaleGlyph(here, set bool) string {
	switch {
	case here && set:
		return "◉"
	case here:
		return "◌"
	}
	return "○"
}

// scaleTail is what stands beside a scale, where a glyph may not be enough.
type scaleTail struct {
	text  string // styled
	caret int    // cells to the caret in it; -1 none
}

// beside puts it behind the first of the lines, or under all of them where there
// is no room.
func (t scaleTail) beside(p Pen, b *Block, width int) {
	const gap = 3
	x, y := width+gap, 0
	if x+ansi.StringWidth(t.text) <= p.Width {
		b.Lines[0] = cells.Fill(b.Lines[0], x) + t.text
	} else {
		b.Add(t.text)
		x, y = 0, len(b.Lines)-1
	}
	if t.caret >= 0 && p.Here {
		b.Caret = &Place{x + t.caret, y}
	}
	b.Focus.Bottom = len(b.Lines) - 1
}

// tail says what is being typed, or that nothing is set.
func (f *scale) tail(p Pen) scaleTail {
	n, proposed := f.proposed()
	switch {
	case f.pending():
		return scaleTail{p.Styles.InputHere.Render(f.typed+" ") + p.Styles.Faint.Render("  "+f.describe()), len(f.typed)}
	case f.set && proposed && n != f.value && p.Here:
		return scaleTail{p.Styles.Faint.Render("default " + questions.FormatNumber(n)), -1}
	case f.set:
		return scaleTail{"", -1}
	case proposed:
		return scaleTail{p.Styles.Proposed.Render("default " + questions.FormatNumber(n) + ", not set"), -1}
	}
	return scaleTail{p.Styles.Faint.Render("not set"), -1}
}

// drawTrack draws a scale of many points: a track with ticks, their numbers
// under them, and the value beside it.
func (f *scale) drawTrack(p Pen, b *Block) {
	f.cells = f.trackCells(p.Width)
	ticks := f.ticks(f.cells)
	track := []rune(strings.Repeat("─", f.cells))
	labels := []rune(strings.Repeat(" ", f.cells))
	for i, tick := range ticks {
		at := f.cellOf(tick, f.cells)
		track[at] = '┼'
		copy(labels[f.labelAt(i, ticks, f.cells):], []rune(questions.FormatNumber(tick)))
	}
	track[0], track[f.cells-1] = '├', '┤'
	knob := f.cellOf(f.value, f.cells)
	marks := map[int]string{knob: f.pointStyle(p, f.value).Render(scaleKnob(f.set))}
	if n, ok := f.proposed(); ok && f.cellOf(n, f.cells) != knob {
		marks[f.cellOf(n, f.cells)] = p.Styles.Proposed.Render("◇")
	}
	var line strings.Builder
	from := 0
	for at := range f.cells {
		if mark, ok := marks[at]; ok {
			line.WriteString(p.Styles.Rule.Render(string(track[from:at])) + mark)
			from = at + 1
		}
	}
	line.WriteString(p.Styles.Rule.Render(string(track[from:])))
	b.Add(line.String())
	b.HitLast(scaleTrack, f.cells)
	b.Add(p.Styles.Faint.Render(strings.TrimRight(string(labels), " ")))
	for i, tick := range ticks {
		width := len(questions.FormatNumber(tick))
		b.Hits = append(b.Hits, Hit{X: f.labelAt(i, ticks, f.cells), Y: len(b.Lines) - 1, Width: width, At: scaleTick - i})
	}
	tail := f.tail(p)
	if !f.pending() {
		value := f.pointStyle(p, f.value).Render(questions.FormatNumber(f.value))
		if n, ok := f.proposed(); ok && !f.set && n == f.value { // the number stands there already
			tail.text = p.Styles.Proposed.Render("default, not set")
		}
		if tail.text != "" {
			value += "  " + tail.text
		}
		tail = scaleTail{value, -1}
	}
	tail.beside(p, b, f.cells)
}

// trackCells is how long the track is in so many cells: as long as it may be,
// with every point as far from the next one where there is room for all.
func (f *scale) trackCells(width int) int {
	cells := max(3, min(trackCells, width))
	if steps := f.q.Points() - 1; steps > 0 && steps < int64(cells) {
		cells = int(steps)*((cells-1)/int(steps)) + 1
	}
	return cells
}

// cellOf is the cell of the track for a point.
func (f *scale) cellOf(n float64, cells int) int {
	at := int((n-f.q.Min)/(f.q.Max-f.q.Min)*float64(cells-1) + 0.5)
	return min(max(at, 0), cells-1)
}

// ticks are the points whose numbers stand under the track: the ends, and as
// many between them, as far from each other, as there is room for.
func (f *scale) ticks(cells int) []float64 {
	steps := f.q.Points() - 1
	for _, even := range []bool{true, false} {
		for _, parts := range []int64{10, 8, 6, 5, 4, 3, 2} {
			if steps < parts || even && steps%parts != 0 {
				continue
			}
			var ticks []float64
			for i := range parts + 1 {
				ticks = append(ticks, f.q.Point(steps*i/parts))
			}
			if f.fit(ticks, cells) {
				return ticks
			}
		}
	}
	return []float64{f.q.Min, f.q.Max}
}

// fit reports whether the numbers of some ticks stand apart.
func (f *scale) fit(ticks []float64, cells int) bool {
	const apart = 2
	free := 0
	for i, tick := range ticks {
		at := f.labelAt(i, ticks, cells)
		if at < free {
			return false
		}
		free = at + len(questions.FormatNumber(tick)) + apart
	}
	return true
}

// labelAt is the first cell of a tick's number: in the middle under it, but
// within the track.
func (f *scale) labelAt(i int, ticks []float64, cells int) int {
	width := len(questions.FormatNumber(ticks[i]))
	at := f.cellOf(ticks[i], cells) - (width-1)/2
	return max(0, min(at, cells-width))
}

func scaleKnob(set bool) string {
	if set {
		return "●"
	}
	return "○"
}

func (f *scale) pointStyle(p Pen, point float64) lipgloss.Style {
	switch {
	case point != f.value:
		return p.Styles.Muted
	case p.Here:
		return p.Styles.Cursor
	case f.set:
		return p.Styles.Accent
	}
	return p.Styles.Text
}
