package markdown

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
)

// Span is lines of a source, the first and the last, counted from 1. The zero
// Span is none: a line that was put in between.
type Span struct{ From, To int }

// IsZero reports whether the span has no line.
func (s Span) IsZero() bool { return s.From == 0 }

// down is the span so many lines further down; none stays none.
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

// line is the number of the source's line that has a byte.
func (l *layout) line(at int) int {
	number, exact := slices.BinarySearch(l.starts, at)
	if exact {
		number++
	}
	return number
}

// span is all lines of a block.
func (l *layout) span(n ast.Node) Span {
	segments := n.Lines()
	if segments.Len() == 0 {
		return Span{}
	}
	return Span{l.line(segments.At(0).Start), l.line(segments.At(segments.Len() - 1).Start)}
}

// nth is the line of a block's nth segment. A closing line of HTML, which is no
// segment, is the one below the last.
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

// code gives drawn lines of code the lines they show. Captions above them belong
// to the first.
func (l *layout) code(n ast.Node, drawn []string) []row {
	lines := strings.Count(strings.TrimRight(l.text(n), "\n"), "\n") + 1
	captions := max(len(drawn)-lines, 0)
	rows := make([]row, len(drawn))
	for i, text := range drawn {
		rows[i] = row{text: text, Span: l.nth(n, max(i-captions, 0))}
	}
	wholes(rows[captions:], 0)
	return rows
}

// breaks reports whether a paragraph has lines that its source has not.
func (l *layout) breaks(n ast.Node) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if tag, ok := c.(*ast.RawHTML); ok && isBreak(written(l.src, tag)) || l.breaks(c) {
			return true
		}
	}
	return false
}

// byLine gives the wrapped lines of a paragraph the lines they show. Where
// something in it goes over a line's end, or breaks a line, all show all.
func (l *layout) byLine(n ast.Node, drawn string, wrapped []string, width int) []row {
	parts := strings.Split(drawn, "\n")
	if len(parts) == 1 || len(parts) != n.Lines().Len() || l.breaks(n) {
		return rowsOf(wrapped, l.span(n))
	}
	var rows []row
	for i, part := range parts {
		high := 1
		if len(wrapped) != len(parts) {
			high = len(wrap(ansi.Strip(part), width))
		}
		if len(rows)+high > len(wrapped) {
			return rowsOf(wrapped, l.span(n))
		}
		rows = append(rows, rowsOf(wrapped[len(rows):len(rows)+high], l.nth(n, i))...)
	}
	if len(rows) != len(wrapped) {
		return rowsOf(wrapped, l.span(n))
	}
	return rows
}
