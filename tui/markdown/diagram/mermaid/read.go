package mermaid

import (
	"fmt"
	"strings"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/label"
)

// Diagram is what a source describes.
type Diagram struct {
	Title label.Label // empty if there is none
	Body  Body
}

// Body is a diagram without its title: a *graph.Graph or a *sequence.Diagram.
type Body interface {
	// Paint paints the body, within a width in cells if possible, and returns the
	// legend of the labels that it shortened. A width of 0 or less is no limit.
	Paint(c *canvas.Canvas, width int) (legend []string, err error)
}

// Error says why a source cannot be read.
type Error struct {
	Line int // of the source, from 1; 0 if the problem is the whole diagram
	Why  string
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Why)
	}
	return e.Why
}

// maxSource is the length of the longest source that is read, in bytes.
const maxSource = 64 << 10

// Read reads the source of a diagram. Every error is an *Error.
func Read(text string) (Diagram, error) {
	if len(text) > maxSource {
		return Diagram{}, &Error{Why: fmt.Sprintf("the diagram has %d bytes of source; at most %d are drawn", len(text), maxSource)}
	}
	src, err := readSource(strings.ToValidUTF8(text, "\uFFFD"))
	if err != nil {
		return Diagram{}, err
	}
	d := Diagram{Title: readText(src.title)}
	switch src.kind {
	case "graph", "flowchart", "flowchart-elk":
		d.Body, err = readFlow(src)
	case "stateDiagram", "stateDiagram-v2":
		d.Body, err = readStates(src)
	case "sequenceDiagram":
		var title label.Label
		if d.Body, title, err = readSequence(src); len(title) > 0 {
			d.Title = title
		}
	case "":
		err = &Error{Why: "the diagram is empty"}
	default:
		err = &Error{Why: fmt.Sprintf("diagrams of the kind %q are not drawn", src.kind)}
	}
	if err != nil {
		return Diagram{}, err
	}
	return d, nil
}
