package field

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/tui/cells"
	"planb/tui/marks"
	"planb/tui/screen"
)

// mostTrack is the most cells of a scale's track.
const mostTrack = 41

// mostPoints is how many points are drawn one by one, as radio buttons. A scale of more
// points is drawn as a track.
const mostPoints = 11

// scaleGap is the cells between a scale and what stands beside it.
const scaleGap = 3

func (f *scale) Draw(p Pen) screen.Block {
	var b screen.Block
	if f.readOnly && !f.set {
		b.Add(p.Styles.Faint.Render("(no answer)"))
		return b
	}
	if !f.drawPoints(p, &b) {
		f.drawTrack(p, &b)
	}
	b.Lit, b.Coloured = len(b.Lines), true
	if f.wrong != "" {
		for _, line := range cells.Lines("▲ "+f.wrong, p.Width) {
			b.Add(p.Styles.Warning.Render(line))
		}
	}
	b.Focus.Bottom = len(b.Lines) - 1
	return b
}

// HasRadios reports whether a question is a scale of so few points that each is a radio
// button.
func HasRadios(q questions.Question) bool { return q.Range != nil && q.Points() <= mostPoints }

// drawPoints draws every point with its number, if there are few enough and they fit.
func (f *scale) drawPoints(p Pen, b *screen.Block) bool {
	if !HasRadios(f.q) {
		return false
	}
	var line strings.Builder
	width := 0
	var hits []screen.Hit
	for i := range f.q.Points() {
		point := f.q.Point(i)
		cell := scaleGlyph(point == f.value && (f.set || p.Here), f.set) + " " + questions.FormatNumber(point)
		if i > 0 {
			line.WriteString(strings.Repeat(" ", scaleGap))
			width += scaleGap
		}
		cells := ansi.StringWidth(cell)
		hits = append(hits, screen.Hit{X: width, Width: cells, At: int(i)})
		line.WriteString(f.pointStyle(p, point).Render(cell))
		width += cells
	}
	if width > p.Width {
		return false
	}
	b.Hits = hits
	b.Add(line.String())
	at := width + scaleGap
	switch {
	case f.typing():
		f.drawTyped(p, b, at)
		f.beside(p, b, 0, at+len(f.typed)+scaleGap, p.Styles.Faint.Render(f.describe()))
	case f.set:
		f.beside(p, b, 0, at, f.caption(p))
	default:
		f.beside(p, b, 0, at, cells.Join(p.Styles.Faint.Render(notSet), f.caption(p)))
	}
	return true
}

func scaleGlyph(here, set bool) string {
	switch {
	case here && set:
		return marks.Chosen
	case here:
		return unsetKnob
	}
	return marks.Unchosen
}

// drawTrack draws a scale of many points: a track, filled up to the value; below it numbers;
// the value beside it, always in the same cells, and below the value what the agent
// proposes.
func (f *scale) drawTrack(p Pen, b *screen.Block) {
	f.cells = f.trackCells(p.Width - scaleGap - f.valueCells())
	at := f.cells + scaleGap
	b.Add(f.track(p))
	b.HitLast(scaleTrack, f.cells)
	ticks := f.ticks(f.cells)
	labels := []rune(strings.Repeat(" ", f.cells))
	for i, tick := range ticks {
		number, x := questions.FormatNumber(tick), f.labelAt(i, ticks, f.cells)
		copy(labels[x:], []rune(number))
		b.Hits = append(b.Hits, screen.Hit{X: x, Y: 1, Width: len(number), At: scaleTick - i})
	}
	b.Add(p.Styles.Faint.Render(strings.TrimRight(string(labels), " ")))
	switch {
	case f.typing():
		f.drawTyped(p, b, at)
		f.beside(p, b, 1, at, p.Styles.Faint.Render(f.describe()))
		return
	case f.set:
		f.beside(p, b, 0, at, p.Styles.Accent.Bold(true).Render(questions.FormatNumber(f.value)))
	default:
		f.beside(p, b, 0, at, p.Styles.Faint.Render(notSet))
	}
	f.beside(p, b, 1, at, f.caption(p))
}

// notSet stands in the place of the value of a scale without an answer.
const notSet = "not set"

// unsetKnob is the knob of a scale without an answer, where the next key sets it.
const unsetKnob = "◌"

// track draws the line of the track, with a mark at the default, and the knob at the value. Without
// an answer there is a knob only under the cursor.
func (f *scale) track(p Pen) string {
	knob, rest := f.cellOf(f.value, f.cells), p.Styles.Muted
	marked := map[int]string{}
	if n, ok := f.proposed(); ok {
		marked[f.cellOf(n, f.cells)] = p.Styles.Proposed.Render("◇")
	}
	switch {
	case f.set:
		marked[knob] = p.Styles.Accent.Render("●")
		if !p.Here { // on the focus ground a rule is hardly seen
			rest = p.Styles.Rule
		}
	case p.Here: // the next key sets it
		marked[knob] = p.Styles.Cursor.Render(unsetKnob)
	}
	var line strings.Builder
	from := 0
	for at := range f.cells + 1 {
		mark, ok := marked[at]
		if !ok && at < f.cells {
			continue
		}
		if f.set && at <= knob {
			line.WriteString(p.Styles.Accent.Render(strings.Repeat("━", at-from)))
		} else {
			line.WriteString(rest.Render(strings.Repeat("─", at-from)))
		}
		line.WriteString(mark)
		from = at + 1
	}
	return line.String()
}

// typedLead stands before a number that is being typed, as before any text.
const typedLead = "› "

// drawTyped draws what is being typed behind the scale, from cell x on.
func (f *scale) drawTyped(p Pen, b *screen.Block, x int) {
	b.Lines[0] = cells.Fill(b.Lines[0], x-ansi.StringWidth(typedLead)) + p.Styles.Accent.Render(typedLead) + p.Styles.InputHere.Render(f.typed+" ")
	if p.Here {
		b.Caret = &screen.Place{X: x + len(f.typed), Y: 0}
	}
}

// beside puts a text behind line y of a scale, from cell x on, or below the scale if there
// is no room.
func (f *scale) beside(p Pen, b *screen.Block, y, x int, text string) {
	switch {
	case text == "":
	case x+ansi.StringWidth(text) <= p.Width:
		b.Lines[y] = cells.Fill(b.Lines[y], x) + text
	default:
		b.Add(text)
	}
}

// caption says what the agent proposes.
func (f *scale) caption(p Pen) string {
	if n, ok := f.proposed(); ok && !f.readOnly {
		return p.Styles.Proposed.Render("proposed " + questions.FormatNumber(n))
	}
	return ""
}

// valueCells is the cells that a value needs beside the track.
func (f *scale) valueCells() int {
	widest := len(notSet)
	for _, n := range []float64{f.q.Min, f.q.Max, f.q.Min + f.q.Step} {
		widest = max(widest, len(questions.FormatNumber(n)))
	}
	return widest
}

// trackCells returns the length of the track in at most width cells. If there is room for
// all points, each is as far from the next.
func (f *scale) trackCells(width int) int {
	cells := max(3, min(mostTrack, width))
	if steps := f.q.Points() - 1; steps > 0 && steps < int64(cells) {
		cells = int(steps)*((cells-1)/int(steps)) + 1
	}
	return cells
}

// cellOf returns the cell of the track for a point.
func (f *scale) cellOf(n float64, cells int) int {
	at := int((n-f.q.Min)/(f.q.Max-f.q.Min)*float64(cells-1) + 0.5)
	return min(max(at, 0), cells-1)
}

// ticks returns the points whose numbers stand below the track: both ends, and as many at
// even distances between them as there is room for.
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

// fit reports whether the numbers of ticks stand apart.
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

// labelAt returns the first cell of a tick's number, which stands in the middle below the
// tick, but within the track.
func (f *scale) labelAt(i int, ticks []float64, cells int) int {
	width := len(questions.FormatNumber(ticks[i]))
	at := f.cellOf(ticks[i], cells) - (width-1)/2
	return max(0, min(at, cells-width))
}

func (f *scale) pointStyle(p Pen, point float64) cells.Style {
	switch {
	case point != f.value:
		return p.Styles.Muted
	case f.set:
		return p.Styles.Accent
	}
	return p.Styles.Text
}
