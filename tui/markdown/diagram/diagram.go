package diagram

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Options say how to draw a diagram.
type Options struct {
	// Width is how many cells a line may have; 0 or less means no limit. A diagram
	// that does not fit is wider; see Drawing.Width.
	Width int
	// ASCII asks for lines and arrows of ASCII characters, for terminals without
	// Unicode. Labels keep their characters.
	ASCII bool
}

// Drawing is a diagram as text.
type Drawing struct {
	// Lines holds the rows from top to bottom, without trailing white space.
	Lines []Line
	// Legend lists the shortened labels in the order of the source. Each entry reads
	// "short: the label in full". It is plain text of any length. Links of
	// participants stand at its end.
	Legend []string
	// Width is the number of cells of the widest line.
	Width int
}

// Line is one row of a drawing, as spans from left to right.
type Line []Span

// String returns the text of a line.
func (l Line) String() string {
	var b strings.Builder
	for _, span := range l {
		b.WriteString(span.Text)
	}
	return b.String()
}

// String returns the text of a drawing without its legend. Each line ends with a
// line break.
func (d Drawing) String() string {
	var b strings.Builder
	for _, line := range d.Lines {
		b.WriteString(line.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// Span is text of one role. It has no line break and no control character.
type Span struct {
	Text string
	Role Role
}

// Role says what a part of a drawing is, so that the caller can colour it.
type Role uint8

// The roles.
const (
	Blank      Role = iota // empty space
	Text                   // words in a box
	Border                 // the outline of a box
	Edge                   // a line between boxes with its heads; a message
	EdgeText               // words at a line
	Group                  // the frame around several boxes; a loop or another fragment
	GroupTitle             // words in the border of such a frame
	Note                   // the outline of a note, and the line to its box
	NoteText               // words in a note
	Mark                   // a sign without words: start, end, choice, fork; an activation
	Lifeline               // the line below a participant
)

// UnsupportedError says why a diagram is not drawn. The caller can show the source
// instead.
type UnsupportedError struct {
	// Line is the line of the source with the problem, counted from 1; 0 if the
	// problem is the whole diagram.
	Line int
	// Why names the problem in words for a person, without a full stop.
	Why string
}

func (e *UnsupportedError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Why)
	}
	return e.Why
}

// Draw draws a Mermaid diagram from its source. Every error is an *UnsupportedError.
func Draw(source string, o Options) (Drawing, error) {
	d, err := read(source)
	if err != nil {
		return Drawing{}, unsupported(err)
	}
	c := newCanvas(o.ASCII)
	legend, err := d.body.paint(c, o.Width)
	if err != nil {
		return Drawing{}, unsupported(err)
	}
	lines, width, err := c.finish()
	if err != nil {
		return Drawing{}, unsupported(err)
	}
	return Drawing{Lines: lines, Legend: legend, Width: width}.titled(d.title), nil
}

// unsupported turns an error of a reader or a drawer into an *UnsupportedError.
func unsupported(err error) error {
	if e, ok := errors.AsType[*readError](err); ok {
		return &UnsupportedError{Line: e.line, Why: e.why}
	}
	return &UnsupportedError{Why: err.Error()}
}

// titled puts a title above a drawing, with an empty row between them.
func (d Drawing) titled(title label) Drawing {
	if len(title) == 0 {
		return d
	}
	const narrow = 20
	var above []Line
	for _, text := range newBreakable(title).wrap(max(d.Width, narrow)) {
		width := ansi.StringWidth(text)
		line := Line{{Text: text, Role: GroupTitle}}
		if before := (d.Width - width) / 2; before > 0 {
			line = append(Line{{Text: strings.Repeat(" ", before), Role: Blank}}, line...)
		}
		above = append(above, line)
		d.Width = max(d.Width, width)
	}
	d.Lines = slices.Concat(above, []Line{nil}, d.Lines)
	return d
}
