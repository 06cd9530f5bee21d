package diagram

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Options say for what a diagram is drawn.
type Options struct {
	// Width is how many cells a line may have. A diagram that cannot be drawn in
	// as many is wider; see Drawing.Width. Zero and less stand for no limit.
	Width int
	// ASCII asks for lines and arrows of ASCII characters, for terminals that
	// have no others. Labels stay as they are written.
	ASCII bool
}

// Drawing is a diagram as text.
type Drawing struct {
	// Lines are the rows from top to bottom, without white space at their ends.
	Lines []Line
	// Legend tells what labels were shortened, in the order of the source: each
	// entry reads "short: the label in full". It is plain text of any length.
	Legend []string
	// Width is how many cells the widest line has.
	Width int
}

// Line is one row of a drawing, as spans from left to right.
type Line []Span

// String is the text of a line without its roles.
func (l Line) String() string {
	var b strings.Builder
	for _, span := range l {
		b.WriteString(span.Text)
	}
	return b.String()
}

// String is the text of a drawing without its legend and roles: its lines, each
// with a line break.
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

// Role is what a part of a drawing is, for who gives it a colour.
type Role uint8

// The roles.
const (
	Blank      Role = iota // the space between
	Text                   // words in a box
	Border                 // the outline of a box
	Edge                   // a line between boxes with its heads; a message
	EdgeText               // words at a line
	Group                  // the frame around several boxes; a loop or another fragment
	GroupTitle             // words in such a frame's border
	Note                   // the outline of a note, and what ties it to its place
	NoteText               // words in a note
	Mark                   // a sign without words: start, end, choice, fork; an activation
	Lifeline               // the line below a participant
)

// UnsupportedError says that a diagram is not drawn. Its source is then what
// there is to show.
type UnsupportedError struct {
	// Kind is what the diagram calls itself, such as "gantt"; empty where it does
	// not say.
	Kind string
	// Line is the line of the source, counted from 1, that is not understood; 0
	// where it is the diagram as a whole.
	Line int
	// Why says in words for a person what is not understood, without a full stop.
	Why string
}

func (e *UnsupportedError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Why)
	}
	return e.Why
}

// MaxSource is how long a source may be, in bytes.
const MaxSource = 64 << 10

// Draw draws the diagram that Mermaid would draw of source. Every error is an
// *UnsupportedError.
func Draw(source string, o Options) (Drawing, error) {
	if len(source) > MaxSource {
		return Drawing{}, &UnsupportedError{Why: fmt.Sprintf("the diagram has %d bytes of source; at most %d are drawn", len(source), MaxSource)}
	}
	src, err := readSource(strings.ToValidUTF8(source, "\uFFFD"))
	if err != nil {
		return Drawing{}, err
	}
	switch src.kind {
	case "graph", "flowchart", "flowchart-elk":
		return drawFlow(src, o)
	case "stateDiagram", "stateDiagram-v2":
		return drawState(src, o)
	case sequenceKind:
		return drawSequence(src, o)
	case "":
		return Drawing{}, &UnsupportedError{Why: "the diagram is empty"}
	}
	return Drawing{}, &UnsupportedError{Kind: src.kind, Why: fmt.Sprintf("diagrams of the kind %q are not drawn", src.kind)}
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
