package cli

import (
	"planb/plans/page"
	"planb/tui/markdown/diagram"
)

// pageDiagramWidth is the width of a diagram on a page, in cells.
const pageDiagramWidth = 84

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

func partOnPage(r diagram.Role) page.Part {
	switch r {
	case diagram.Border:
		return page.Outline
	case diagram.Edge:
		return page.Edge
	case diagram.Group:
		return page.Frame
	case diagram.GroupTitle:
		return page.Title
	case diagram.Note:
		return page.Note
	case diagram.Mark:
		return page.Mark
	case diagram.Lifeline:
		return page.Lifeline
	}
	return "" // words and spaces
}
