package page

import (
	"errors"
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Draw draws a diagram from its source in Mermaid's language, as lines of text.
// Its error is a sentence for the reader: why the diagram is not drawn.
type Draw func(source string) (Drawing, error)

// Drawing is a diagram as text.
type Drawing struct {
	Lines  [][]Span
	Legend []string // what short labels in the drawing stand for
}

type Span struct {
	Text string
	Part Part
}

// Part is the role of a span, which gives it its colour: a class of page.css.
type Part string

// The parts that have colours of their own. Any other part has the colour of
// text.
const (
	Outline  Part = "d-outline"  // of a box
	Edge     Part = "d-edge"     // a line between boxes, a message
	Frame    Part = "d-frame"    // around several boxes
	Title    Part = "d-title"    // of a frame
	Note     Part = "d-note"     // the outline of a note
	Mark     Part = "d-mark"     // a sign without words
	Lifeline Part = "d-lifeline" // the line below a participant
)

// The limits of a page's diagrams. A short source may give a large drawing.
const (
	maxDrawn    = 1 << 20 // bytes of their sources
	maxDrawings = 8 << 20 // bytes of their drawings
)

// Drawer draws the diagrams of a page, within the page's limits.
type Drawer struct {
	draw Draw
	left int // bytes of sources that may still be drawn
	room int // bytes of drawings that may still be added
}

func NewDrawer(draw Draw) *Drawer { return &Drawer{draw, maxDrawn, maxDrawings} }

// draws reports whether code fences of a language are drawn.
func (d *Drawer) draws(language string) bool {
	return d.draw != nil && strings.EqualFold(language, "mermaid")
}

// render returns the HTML of the drawing.
func (d *Drawer) render(source []byte) (string, error) {
	full := errors.New("the page has too many diagrams to draw this one")
	if d.left -= len(source); d.left < 0 || d.room < 0 {
		return "", full
	}
	drawing, err := d.draw(string(source))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, line := range drawing.Lines {
		for _, span := range line {
			out.WriteString(span.html())
		}
		out.WriteByte('\n')
	}
	out.WriteString("</pre>")
	for _, entry := range drawing.Legend {
		out.WriteString(`<p class="legend">` + template.HTMLEscapeString(entry) + "</p>")
	}
	if d.room -= out.Len(); d.room < 0 {
		return "", full
	}
	return out.String(), nil
}

// diagram returns a drawing with its source folded below it. If the source cannot
// be drawn, diagram returns the source and the reason.
func (d *Drawer) diagram(source []byte) string {
	drawing, err := d.render(source)
	if err != nil {
		said := err.Error()
		first, size := utf8.DecodeRuneInString(said)
		said = string(unicode.ToUpper(first)) + said[size:] + "; here is the source:"
		return `<p class="undrawn">` + template.HTMLEscapeString(said) + "</p>\n" + codeBlock(`<span class="lang">mermaid</span>`, source)
	}
	var out strings.Builder
	out.WriteString(`<div class="diagram"><pre tabindex="0" role="img" aria-label="A diagram, drawn as text. Its source is below.">`)
	out.WriteString(drawing)
	out.WriteString(`<details class="fold small"><summary>Source of the diagram</summary>` + codeBlock("", source) + "</details></div>\n")
	return out.String()
}

func (s Span) html() string {
	text := template.HTMLEscapeString(s.Text)
	switch s.Part {
	case Outline, Edge, Frame, Title, Note, Mark, Lifeline:
		return `<span class="` + string(s.Part) + `">` + text + "</span>"
	}
	return text
}
