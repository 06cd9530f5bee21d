package cli

import (
	"planb/plans/page"
	"planb/tui/markdown/diagram"
	"planb/tui/markdown/diagram/canvas"
)

// pageDiagramWidth is how many cells of a diagram a card of the page shows on a wide
// screen. On a narrower screen the reader scrolls the diagram sideways. This is easier
// than to read a diagram in another direction.
const pageDiagramWidth = 112

// drawForPage draws a diagram as for a terminal, in the parts of an HTML page.
func drawForPage(source string) (page.Drawing, error) {
	drawing, err := diagram.Draw(source, diagram.Options{Width: pageDiagramWidth})
	if err != nil {
		return page.Drawing{}, err
	}
	out := page.Drawing{Legend: drawing.Legend}
	for _, line := range drawing.Lines {
		spans := make([]page.Span, len(line))
		for i, span := range line {
			spans[i] = page.Span{Text: span.Text, Part: partOnPage(span.Role)}
		}
		out.Lines = append(out.Lines, spans)
	}
	return out, nil
}

func partOnPage(r canvas.Role) page.Part {
	switch r {
	case canvas.Border:
		return page.Outline
	case canvas.Edge:
		return page.Edge
	case canvas.Group:
		return page.Frame
	case canvas.GroupTitle:
		return page.Title
	case canvas.Note:
		return page.Note
	case canvas.Mark:
		return page.Mark
	case canvas.Lifeline:
		return page.Lifeline
	}
	return "" // words and spaces
}
