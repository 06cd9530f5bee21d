package diagram

import (
	"fmt"
	"strings"
)

// diagram is what a source describes.
type diagram struct {
	title label
	body  body
}

// body is a diagram without its title.
type body interface {
	// paint paints the body, within a width in cells if possible, and returns the
	// legend of the labels that it shortened. A width of 0 or less is no limit.
	paint(c *canvas, width int) (legend []string, err error)
}

// readError says why a source cannot be read.
type readError struct {
	line int // of the source, from 1; 0 if the problem is the whole diagram
	why  string
}

func (e *readError) Error() string {
	if e.line > 0 {
		return fmt.Sprintf("line %d: %s", e.line, e.why)
	}
	return e.why
}

// maxSource is the length of the longest source that is read, in bytes.
const maxSource = 64 << 10

// read reads the source of a diagram. Every error is a *readError.
func read(text string) (diagram, error) {
	if len(text) > maxSource {
		return diagram{}, &readError{why: fmt.Sprintf("the diagram has %d bytes of source; at most %d are drawn", len(text), maxSource)}
	}
	src, err := readSource(strings.ToValidUTF8(text, "\uFFFD"))
	if err != nil {
		return diagram{}, err
	}
	d := diagram{title: readText(src.title)}
	switch src.kind {
	case "graph", "flowchart", "flowchart-elk":
		d.body, err = readFlow(src)
	case "stateDiagram", "stateDiagram-v2":
		d.body, err = readStates(src)
	case "sequenceDiagram":
		var title label
		if d.body, title, err = readSequence(src); len(title) > 0 {
			d.title = title
		}
	case "":
		err = &readError{why: "the diagram is empty"}
	default:
		err = &readError{why: fmt.Sprintf("diagrams of the kind %q are not drawn", src.kind)}
	}
	return d, err
}
