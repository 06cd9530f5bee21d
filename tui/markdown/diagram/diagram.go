package diagram

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/label"
	"planb/tui/markdown/diagram/mermaid"
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
	Lines []canvas.Line
	// Legend lists the shortened labels in the order of the source. Each entry reads
	// "short: the label in full". It is plain text of any length. Links of
	// participants stand at its end.
	Legend []string
	// Width is the number of cells of the widest line.
	Width int
}

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
	d, err := mermaid.Read(source)
	if err != nil {
		return Drawing{}, unsupported(err)
	}
	c := canvas.New(o.ASCII)
	legend, err := d.Body.Paint(c, o.Width)
	if err != nil {
		return Drawing{}, unsupported(err)
	}
	lines, width, err := c.Lines()
	if err != nil {
		return Drawing{}, unsupported(err)
	}
	return Drawing{Lines: lines, Legend: legend, Width: width}.titled(d.Title), nil
}

// unsupported turns an error of reading or painting into an *UnsupportedError.
func unsupported(err error) error {
	if e, ok := errors.AsType[*mermaid.Error](err); ok {
		return &UnsupportedError{Line: e.Line, Why: e.Why}
	}
	return &UnsupportedError{Why: err.Error()}
}

// titled puts a title above a drawing, with an empty row between them.
func (d Drawing) titled(title label.Label) Drawing {
	if len(title) == 0 {
		return d
	}
	const narrow = 20
	var above []canvas.Line
	for _, text := range label.NewBreakable(title).Wrap(max(d.Width, narrow)) {
		width := ansi.StringWidth(text)
		line := canvas.Line{{Text: text, Role: canvas.GroupTitle}}
		if before := (d.Width - width) / 2; before > 0 {
			line = append(canvas.Line{{Text: strings.Repeat(" ", before), Role: canvas.Blank}}, line...)
		}
		above = append(above, line)
		d.Width = max(d.Width, width)
	}
	d.Lines = slices.Concat(above, []canvas.Line{nil}, d.Lines)
	return d
}
