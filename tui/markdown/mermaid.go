package markdown

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"planb/questions/safe"
	"planb/themes"
	"planb/tui/markdown/diagram"
	"planb/tui/markdown/diagram/canvas"
)

// isMermaid reports whether a fence holds a diagram in Mermaid's language.
func isMermaid(language string) bool { return strings.EqualFold(language, "mermaid") }

// diagram draws a fence of Mermaid. Below the drawing stand the full texts of
// shortened labels, and the lines of the source that no drawing shows. Each row
// shows the whole source. If the diagram cannot be drawn, diagram shows its source
// below a sentence with the reason.
func (l *layout) diagram(n *ast.FencedCodeBlock, width int) []row {
	drawing, err := l.painter.drawing(l.text(n), width)
	if err != nil {
		return l.diagramSource(n, whyNotDrawn(err), width)
	}
	pens := newDiagramPens(l.style.palette)
	lines := make([]string, len(drawing.Lines))
	for i, line := range drawing.Lines {
		var text strings.Builder
		for _, span := range line {
			text.WriteString(pens.of(span.Role).draw(safe.New(span.Text).Line()))
		}
		lines[i] = text.String()
	}
	span := l.span(n)
	rows := wholes(rowsOf(lines, span), 0)
	for _, entry := range slices.Concat(drawing.Legend, undrawnLines(l.text(n))) {
		rows = append(rows, rowsOf(l.written(entry, width, l.style.html), span)...)
	}
	return rows
}

// drawing returns a diagram drawn for a width. It remembers each result, even an error.
// So two documents that are compared show the same diagram in the same way.
func (p *painter) drawing(source string, width int) (diagram.Drawing, error) {
	key := drawnKey{source, width}
	result, ok := p.drawn[key]
	if !ok {
		result.Drawing, result.err = p.drawAnew(source, width)
		p.drawn[key] = result
	}
	return result.Drawing, result.err
}

type drawnKey struct {
	source string
	width  int
}

type drawn struct {
	diagram.Drawing
	err error
}

func (p *painter) drawAnew(source string, width int) (diagram.Drawing, error) {
	if p.drawTime > p.limit {
		return diagram.Drawing{}, errors.New("the diagrams before this one took too long to draw")
	}
	start := time.Now()
	defer func() { p.drawTime += time.Since(start) }()
	drawing, err := diagram.Draw(source, diagram.Options{Width: width, ASCII: p.ascii})
	if err == nil && len(drawing.Lines) == 0 {
		err = errors.New("the diagram is empty")
	}
	return drawing, err
}

// undrawnLines returns the lines of a diagram's source that no drawing shows but a
// reader of the source sees: comments, descriptions, and the targets of clicks.
func undrawnLines(source string) []string {
	var out []string
	described := false // inside a description of several lines
	for line := range strings.Lines(source) {
		line = strings.TrimSpace(line)
		word := line
		if i := strings.IndexAny(line, " \t:{"); i >= 0 {
			word = line[:i]
		}
		switch {
		case described:
			described = !strings.Contains(line, "}")
		case strings.EqualFold(word, "accDescr"):
			described = strings.Contains(line, "{") && !strings.Contains(line, "}")
		case strings.EqualFold(word, "accTitle"), word == "click":
		case strings.HasPrefix(line, "%%") && !strings.HasPrefix(line, "%%{"):
		default:
			at := strings.Index(line, " %%")
			if at < 0 {
				continue
			}
			line = line[at+1:]
		}
		out = append(out, line)
	}
	return out
}

// diagramSource shows the source of a diagram below a sentence.
func (l *layout) diagramSource(n *ast.FencedCodeBlock, sentence string, width int) []row {
	above := l.written(sentence, width, l.style.caption)
	return l.code(n, append(above, l.painter.sketch(l.text(n))...), "mermaid", width)
}

// comparable returns the lines in which two versions of a block are compared. For a
// diagram these are its source, because two drawings have few lines in common.
func (l *layout) comparable(n ast.Node, width int) []string {
	if fence, ok := n.(*ast.FencedCodeBlock); ok && isMermaid(string(fence.Language(l.src))) {
		return textsOf(l.diagramSource(fence, "Changes in the source of this diagram:", width))
	}
	return textsOf(l.block(n, width))
}

// whyNotDrawn returns a sentence that says why a diagram is not drawn.
func whyNotDrawn(err error) string {
	var why *diagram.UnsupportedError
	if errors.As(err, &why) && why.Line > 0 {
		return fmt.Sprintf("This diagram is not drawn (line %d: %s); here is the source:", why.Line, why.Why)
	}
	first, n := utf8.DecodeRuneInString(err.Error())
	return string(unicode.ToUpper(first)) + err.Error()[n:] + "; here is the source:"
}

// diagramPens holds the pens for the parts of a diagram. Colour alone carries no
// meaning: each part can also be told by its lines and its place.
type diagramPens struct {
	text, faint, border, edge, title, note, mark pen
}

func newDiagramPens(p themes.Palette) diagramPens {
	return diagramPens{
		text:   newPen(p.Text),
		faint:  newPen(p.Faint),
		border: newPen(p.Info),
		edge:   newPen(p.Accent),
		title:  newPen(p.Heading, bold),
		note:   newPen(p.Note),
		mark:   newPen(p.Accent, bold),
	}
}

func (d diagramPens) of(r canvas.Role) pen {
	switch r {
	case canvas.Border:
		return d.border
	case canvas.Edge:
		return d.edge
	case canvas.Group, canvas.Lifeline:
		return d.faint
	case canvas.GroupTitle:
		return d.title
	case canvas.Note:
		return d.note
	case canvas.Mark:
		return d.mark
	}
	return d.text // text in boxes, at lines and in notes
}
