package tui

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
)

// scaleField is a question answered with a number between two ends.
type scaleField struct {
	q        questions.Question
	readOnly bool
	value    float64 // what is shown; an answer only when set
	set      bool
	typed    string // digits typed so far
	wrong    string // why what was typed is no point of the scale
	cells    int    // length of the track last drawn
}

func newScaleField(q questions.Question, readOnly bool) *scaleField {
	f := &scaleField{q: q, readOnly: readOnly}
	f.rest()
	return f
}

// rest shows what is shown while nobody has answered: the default or the lower end.
func (f *scaleField) rest() {
	f.value, f.set, f.typed, f.wrong = f.q.Min, false, "", ""
	if f.q.Default != nil {
		if n, ok := f.q.Default.Number(); ok {
			f.value = n
		}
	}
}

func (f *scaleField) load(d questions.Field) {
	f.rest()
	if d.Number != nil {
		f.value, f.set = *d.Number, true
	}
}

func (f *scaleField) save() questions.Field {
	if !f.set {
		return questions.Field{}
	}
	n := f.value
	return questions.Field{Number: &n}
}

func (f *scaleField) takeDefault() bool {
	if f.q.Default == nil {
		return false
	}
	f.rest()
	f.set = true
	return true
}

func (f *scaleField) enter(way)         { f.typed = "" }
func (f *scaleField) text() *editor     { return nil }
func (f *scaleField) illustration() int { return noOption }

func (f *scaleField) sideways() bool { return !f.readOnly }

func (f *scaleField) close() bool {
	open := f.typed != "" || f.wrong != ""
	f.typed, f.wrong = "", ""
	return open
}

func (f *scaleField) copyText() string {
	if !f.set {
		return ""
	}
	return questions.FormatNumber(f.value)
}

func (f *scaleField) act(p press) effect {
	if f.readOnly {
		return ignored
	}
	if p.act != actDigit && p.act != actBackspace {
		f.typed, f.wrong = "", ""
	}
	switch p.act {
	case actLeft:
		return f.put(f.q.Next(f.value, -1))
	case actRight:
		return f.put(f.q.Next(f.value, 1))
	case actEnter:
		if f.set {
			return advance
		}
		return f.put(f.value)
	case actSpace:
		return f.put(f.value)
	case actDigit:
		return f.typeDigit(f.typed + p.text)
	case actBackspace:
		if len(f.typed) > 1 {
			return f.typeDigit(f.typed[:len(f.typed)-1])
		}
		f.rest()
		return changed
	}
	return ignored
}

func (f *scaleField) put(n float64) effect {
	f.value, f.set = n, true
	return changed
}

// typeDigit takes what was typed as the value as soon as it is a point of the
// scale. A digit that makes it too long starts a new number.
func (f *scaleField) typeDigit(typed string) effect {
	const longest = 15
	if len(typed) > longest {
		return moved
	}
	f.typed, f.wrong = typed, ""
	n, err := strconv.ParseFloat(typed, 64)
	if err == nil && f.q.Contains(n) {
		return f.put(n)
	}
	if err == nil && len(typed) > 1 && (n > f.q.Max || n < f.q.Min) {
		return f.typeDigit(typed[len(typed)-1:])
	}
	if err == nil { // "-" and "1." may still become a number
		f.wrong = typed + " is not on the scale: " + f.describe()
	}
	return moved
}

// describe says what the scale's points are.
func (f *scaleField) describe() string {
	text := questions.FormatNumber(f.q.Min) + " to " + questions.FormatNumber(f.q.Max)
	if f.q.Step != 1 {
		text += " in steps of " + questions.FormatNumber(f.q.Step)
	}
	return text
}

// Places of a scale that can be clicked: its points by index, or its track.
const scaleTrack = -1

func (f *scaleField) click(at, x, _ int) effect {
	if f.readOnly {
		return moved
	}
	if at != scaleTrack {
		return f.put(f.q.Point(int64(at)))
	}
	return f.put(f.q.Nearest(f.q.Min + (f.q.Max-f.q.Min)*float64(x)/float64(max(1, f.cells-1))))
}

func (f *scaleField) hints() []hint {
	switch {
	case f.readOnly:
		return nil
	case !f.set:
		return []hint{{actEnter, "set " + questions.FormatNumber(f.value)}, {actRight, "change"}}
	}
	return []hint{{actRight, "change"}, {actEnter, goesOn}, {actBackspace, "clear"}}
}

// trackCells is the length of a scale's track.
const trackCells = 31

// mostPoints is how many points are drawn one by one; more become a track.
const mostPoints = 11

func (f *scaleField) draw(p pen) block {
	var b block
	if f.readOnly && !f.set {
		b.add(p.styles.faint.Render("(no answer)"))
		return b
	}
	if !f.drawPoints(p, &b) {
		f.drawTrack(p, &b)
	}
	if f.wrong != "" && p.here {
		b.add(p.styles.warning.Render(ansi.Truncate("▲ "+f.wrong, p.width, "…")))
	}
	return b
}

// drawPoints draws every point with its number, if there are few enough.
func (f *scaleField) drawPoints(p pen, b *block) bool {
	n := f.q.Points()
	if n > mostPoints {
		return false
	}
	var line strings.Builder
	cells := 0
	var hits []hit
	for i := range n {
		point := f.q.Point(i)
		cell := scaleGlyph(point == f.value, f.set) + " " + questions.FormatNumber(point)
		width := ansi.StringWidth(cell)
		if i > 0 {
			line.WriteString("   ")
			cells += 3
		}
		hits = append(hits, hit{x: cells, width: width, at: int(i)})
		line.WriteString(f.pointStyle(p, point).Render(cell))
		cells += width
	}
	tail, tailCells := f.tail(p)
	if cells > p.width {
		return false
	}
	if cells+tailCells <= p.width {
		line.WriteString(tail)
	}
	b.hits = hits
	b.add(line.String())
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

// tail says what the scale's state is, where a glyph may not be enough.
func (f *scaleField) tail(p pen) (string, int) {
	if f.set {
		return "", 0
	}
	text := "not set"
	style := p.styles.faint
	if f.q.Default != nil {
		text, style = "default "+questions.FormatNumber(f.value)+", not set", p.styles.proposed
	}
	return "   " + style.Render(text), ansi.StringWidth(text) + 3
}

func (f *scaleField) drawTrack(p pen, b *block) {
	low, high := questions.FormatNumber(f.q.Min)+" ", " "+questions.FormatNumber(f.q.Max)
	cells := min(trackCells, max(3, p.width-len(low)-len(high)))
	f.cells = cells
	knob := int((f.value - f.q.Min) / (f.q.Max - f.q.Min) * float64(cells-1))
	knob = min(max(knob, 0), cells-1)
	track := p.styles.rule.Render(strings.Repeat("─", knob)) +
		f.pointStyle(p, f.value).Render(scaleKnob(f.set)) +
		p.styles.rule.Render(strings.Repeat("─", cells-1-knob))
	line := p.styles.faint.Render(low) + track + p.styles.faint.Render(high)
	value := f.pointStyle(p, f.value).Render(questions.FormatNumber(f.value))
	tail, _ := f.tail(p)
	if f.q.Default != nil && !f.set { // the number stands there already
		tail = "  " + p.styles.proposed.Render("default, not set")
	}
	b.hits = append(b.hits, hit{x: len(low), width: cells, at: scaleTrack})
	if ansi.StringWidth(line)+3+ansi.StringWidth(value)+ansi.StringWidth(tail) <= p.width {
		b.add(line + "   " + value + tail)
		return
	}
	b.add(line)
	b.add(value + tail)
	b.focus.bottom = 1
}

func scaleKnob(set bool) string {
	if set {
		return "●"
	}
	return "○"
}

func (f *scaleField) pointStyle(p pen, point float64) lipgloss.Style {
	switch {
	case point != f.value:
		return p.styles.muted
	case p.here:
		return p.styles.cursor
	case f.set:
		return p.styles.accent
	}
	return p.styles.text
}
