package markdown

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
)

// Span holds the first and the last of some lines of a source, counted from 1. The
// zero Span has no lines: it belongs to a line that the layout inserted.
type Span struct{ From, To int }

// IsZero reports whether the span has no lines.
func (s Span) IsZero() bool { return s.From == 0 }

// down returns the span moved down by some lines. The zero Span stays zero.
func (s Span) down(by int) Span {
	if s.IsZero() {
		return s
	}
	return Span{s.From + by, s.To + by}
}

// lineStarts returns where each line of a source begins.
func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, c := range src {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// line returns the number of the source line that contains the byte at offset at.
func (l *layout) line(at int) int {
	number, exact := slices.BinarySearch(l.starts, at)
	if exact {
		number++
	}
	return number
}

// span returns all lines of a block.
func (l *layout) span(n ast.Node) Span {
	segments := n.Lines()
	if segments.Len() == 0 {
		return Span{}
	}
	return Span{l.line(segments.At(0).Start), l.line(segments.At(segments.Len() - 1).Start)}
}

// nth returns the line of a block's segment i. The closing line of an HTML block is
// not a segment; it is the line below the last one.
func (l *layout) nth(n ast.Node, i int) Span {
	segments := n.Lines()
	switch {
	case i < segments.Len():
		at := l.line(segments.At(i).Start)
		return Span{at, at}
	case segments.Len() > 0:
		return l.nth(n, segments.Len()-1).down(i - segments.Len() + 1)
	}
	return Span{}
}

// code makes rows of drawn lines of code. Each row knows which source line it shows,
// and lies on the surface if there is one. Captions above the code show its first line.
func (l *layout) code(n ast.Node, drawn []string, language string, width int) []row {
	lines := strings.Count(strings.TrimRight(l.text(n), "\n"), "\n") + 1
	captions := max(len(drawn)-lines, 0)
	rows := make([]row, len(drawn))
	for i, text := range drawn {
		rows[i] = row{text: text, Span: l.nth(n, max(i-captions, 0))}
	}
	wholes(rows[captions:], 0)
	return append(rows[:captions:captions], l.onSurface(rows[captions:], language, width)...)
}

// breaks reports whether a paragraph has a line break that its source writes as <br>,
// not as the end of a line.
func (l *layout) breaks(n ast.Node) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if tag, ok := c.(*ast.RawHTML); ok && isBreak(written(l.src, tag)) || l.breaks(c) {
			return true
		}
	}
	return false
}

// byLine turns the wrapped lines of a paragraph into rows with the source lines that
// they show. If drawn lines and source lines do not match one to one, each row
// shows the whole paragraph.
func (l *layout) byLine(n ast.Node, drawn string, wrapped []string, width int) []row {
	parts := strings.Split(drawn, "\n")
	if len(parts) == 1 || len(parts) != n.Lines().Len() || l.breaks(n) {
		return rowsOf(wrapped, l.span(n))
	}
	var rows []row
	for i, part := range parts {
		height := 1
		if len(wrapped) != len(parts) {
			height = len(wrap(ansi.Strip(part), width))
		}
		if len(rows)+height > len(wrapped) {
			return rowsOf(wrapped, l.span(n))
		}
		rows = append(rows, rowsOf(wrapped[len(rows):len(rows)+height], l.nth(n, i))...)
	}
	if len(rows) != len(wrapped) {
		return rowsOf(wrapped, l.span(n))
	}
	return rows
}
