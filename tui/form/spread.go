package form

import (
	"strings"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/markdown"
)

// spread renders a text for a page of the whole screen. Prose gets lines of a length that
// reads well. Diagrams get the whole width, so that a wide one need not change its
// direction. render returns the text at a width, and false while it is being rendered.
func spread(text safe.Text, width int, render func(width int) (markdown.Doc, bool)) (doc markdown.Doc, done bool) {
	doc, done = render(min(width, ReadWidth))
	if !done || width <= ReadWidth {
		return doc, done
	}
	diagrams := diagramsIn(text)
	if len(diagrams) == 0 {
		return doc, true
	}
	wide, done := render(width)
	if !done {
		return doc, false
	}
	var out markdown.Doc
	at := 0
	for _, source := range diagrams {
		from, to := rowsOf(doc, source)
		wideFrom, wideTo := rowsOf(wide, source)
		if from < at || to == from || wideTo == wideFrom {
			continue
		}
		appendRows(&out, doc, at, from)
		appendRows(&out, wide, wideFrom, wideTo)
		at = to
	}
	appendRows(&out, doc, at, len(doc.Lines))
	out.Notice = doc.Notice
	return out, true
}

// diagramsIn returns the lines of a text between the fences of its Mermaid diagrams.
func diagramsIn(text safe.Text) (spans []markdown.Span) {
	begun, number := 0, 0
	for line := range strings.SplitSeq(text.Block(), "\n") {
		number++
		switch line = strings.TrimSpace(line); {
		case begun == 0 && strings.HasPrefix(line, "```mermaid"):
			begun = number
		case begun > 0 && strings.HasPrefix(line, "```"):
			spans = append(spans, markdown.Span{From: begun, To: number})
			begun = 0
		}
	}
	return spans
}

// rowsOf returns the rows of a rendered text that show lines of the source.
func rowsOf(doc markdown.Doc, source markdown.Span) (from, to int) {
	for i, shows := range doc.Source {
		if shows.IsZero() || shows.From < source.From || shows.To > source.To {
			continue
		}
		if to == 0 {
			from = i
		}
		to = i + 1
	}
	return from, to
}

// appendRows appends the rows doc.Lines[from:to] and their wide blocks. Rows that are wider
// than a line that reads well become such a block, too.
func appendRows(out *markdown.Doc, doc markdown.Doc, from, to int) {
	by, widest, known := len(out.Lines)-from, 0, false
	for _, b := range doc.Wide {
		if b.From >= from && b.To <= to {
			b.From, b.To = b.From+by, b.To+by
			out.Wide, known = append(out.Wide, b), true
		}
	}
	for _, line := range doc.Lines[from:to] {
		widest = max(widest, cells.Width(line))
	}
	if !known && widest > ReadWidth {
		out.Wide = append(out.Wide, markdown.Block{From: from + by, To: to + by, Width: widest})
	}
	out.Lines, out.Source = append(out.Lines, doc.Lines[from:to]...), append(out.Source, doc.Source[from:to]...)
	out.Width = max(out.Width, widest)
}
