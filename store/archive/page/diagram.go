package page

import (
	"errors"
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Draw draws a diagram from its source in Mermaid's language, as lines of text. An
// error says in a sentence for the reader why it is not drawn.
type Draw func(source string) (Drawing, error)

// Drawing is a diagram as text.
type Drawing struct {
	Lines  [][]Span
	Legend []string // what short labels in it stand for
}

// Span is a part of a line.
type Span struct {
	Text string
	Part Part
}

// Part is what a part of a drawing is, so that it has its colour: a class of the
// page's style.
type Part string

// The parts that have colours of their own. Any other has that of text.
const (
	Outline  Part = "d-outline"  // of a box
	Edge     Part = "d-edge"     // a line between boxes, a message
	Frame    Part = "d-frame"    // around several boxes
	Title    Part = "d-title"    // of such a frame
	Note     Part = "d-note"     // the outline of a note
	Mark     Part = "d-mark"     // a sign without words
	Lifeline Part = "d-lifeline" // the line below a participant
)

// The limits of the diagrams of a page. A short source may make a large drawing.
const (
	maxDrawn    = 1 << 20 // bytes of sources
	maxDrawings = 8 << 20 // bytes of what is drawn of them
)

// drawer draws the diagrams of a page, as long as there are not too many.
type drawer struct {
	draw Draw
	left *int // bytes of sources
	room *int // bytes of drawings
}

func newDrawer(draw Draw) drawer {
	left, room := maxDrawn, maxDrawings
	return drawer{draw, &left, &room}
}

// draws reports whether fences of a language are drawn.
func (d drawer) draws(language string) bool {
	return d.draw != nil && strings.EqualFold(language, "mermaid")
}

// drawn is a diagram as it is drawn.
func (d drawer) drawn(source []byte) (string, error) {
	full := errors.New("the page has more diagrams than are drawn")
	if *d.left -= len(source); *d.left < 0 || *d.room < 0 {
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
	if *d.room -= out.Len(); *d.room < 0 {
		return "", full
	}
	return out.String(), nil
}

// diagram is a diagram as it is drawn, with its source to be unfolded; or its source,
// and why it is not drawn.
func (d drawer) diagram(source []byte) string {
	drawing, err := d.drawn(source)
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
