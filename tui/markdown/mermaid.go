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
)

// isMermaid reports whether a fence holds a diagram in Mermaid's language.
func isMermaid(language string) bool { return strings.EqualFold(language, "mermaid") }

// diagram draws a fence of Mermaid. Below stands what its short labels stand for, and
// what is said in its source and seen in no drawing. All rows show all the source.
// What is not drawn is shown as its source, below a line that says why.
func (l *layout) diagram(n *ast.FencedCodeBlock, width int) []row {
	drawing, err := l.painter.drawing(l.text(n), width)
	if err != nil {
		return l.undrawn(n, notDrawn(err), width)
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
	for _, entry := range slices.Concat(drawing.Legend, unsaid(l.text(n))) {
		rows = append(rows, rowsOf(l.written(entry, width, l.style.html), span)...)
	}
	return rows
}

// drawFor bounds the time that the diagrams of one document take.
const drawFor = time.Second

// drawing is a diagram drawn for a width. One that was drawn before, or was not, is
// not tried again: of two documents that are compared, both show it alike.
func (p *painter) drawing(source string, width int) (diagram.Drawing, error) {
	key := drawnKey{source, width}
	was, known := p.drawn[key]
	if !known {
		was.Drawing, was.err = p.drawAnew(source, width)
		p.drawn[key] = was
	}
	return was.Drawing, was.err
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
	if p.drew > drawFor {
		return diagram.Drawing{}, errors.New("the diagrams before this one took too long to draw")
	}
	start := time.Now()
	defer func() { p.drew += time.Since(start) }()
	drawing, err := diagram.Draw(source, diagram.Options{Width: width, ASCII: p.ascii})
	if err == nil && len(drawing.Lines) == 0 {
		err = errors.New("the diagram is empty")
	}
	return drawing, err
}

// unsaid are the lines of a diagram's source that say something to its reader and
// are in no drawing: comments, descriptions, and where a click leads.
func unsaid(source string) []string {
	var out []string
	described := false // in more than one line
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

// undrawn shows the source of a diagram, below a sentence.
func (l *layout) undrawn(n *ast.FencedCodeBlock, sentence string, width int) []row {
	above := l.written(sentence, width, l.style.caption)
	return l.code(n, append(above, l.painter.sketch(l.text(n))...))
}

// comparable is a block as it is compared with what it was before. Two drawings
// have little in common line by line, so a diagram's source is compared.
func (l *layout) comparable(n ast.Node, width int) []string {
	if fence, is := n.(*ast.FencedCodeBlock); is && isMermaid(string(fence.Language(l.src))) {
		return textsOf(l.undrawn(fence, "What changed in a diagram, in its source:", width))
	}
	return textsOf(l.block(n, width))
}

// notDrawn says why a diagram is not drawn.
func notDrawn(err error) string {
	var why *diagram.UnsupportedError
	if errors.As(err, &why) && why.Line > 0 {
		return fmt.Sprintf("This diagram is not drawn (line %d: %s); here is the source:", why.Line, why.Why)
	}
	first, n := utf8.DecodeRuneInString(err.Error())
	return string(unicode.ToUpper(first)) + err.Error()[n:] + "; here is the source:"
}

// diagramPens are the pens for the parts of a diagram. None means anything by its
// colour alone: what a part is, its lines and its place say.
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

func (d diagramPens) of(r diagram.Role) pen {
	switch r {
	case diagram.Border:
		return d.border
	case diagram.Edge:
		return d.edge
	case diagram.Group, diagram.Lifeline:
		return d.faint
	case diagram.GroupTitle:
		return d.title
	case diagram.Note:
		return d.note
	case diagram.Mark:
		return d.mark
	}
	return d.text // of boxes, at lines and in notes
}
