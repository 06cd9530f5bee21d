package markdown

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"planb/plans/diff"
)

// codeIndent is the indentation of highlighted code if it fits; see painter.fenced.
const codeIndent = "  "

// code compares two blocks of code, or of HTML, line by line.
func (d *differ) code(old, new ast.Node, width int) []DiffLine {
	// Each version's longest line decides whether that version is indented. If only
	// one is, remove its indentation, so that the lines can be compared.
	olds, news := d.old.comparable(old, width), d.new.comparable(new, width)
	if a, b := allIndented(olds), allIndented(news); a != b && new.Kind() == ast.KindFencedCodeBlock {
		olds, news = outdent(olds, a), outdent(news, b)
	}
	return d.byLines(olds, news)
}

// tables compares two tables row by row. Both get the same columns, so that a row that is the
// same in both is drawn alike.
func (d *differ) tables(old, new *east.Table, width int) []DiffLine {
	columns := len(new.Alignments)
	if columns == len(old.Alignments) && columns*max(old.ChildCount(), new.ChildCount()) <= maxTableCells {
		olds, news := d.old.cells(old, columns), d.new.cells(new, columns)
		if widths, fit := columnWidths(slices.Concat(olds, news), width); fit {
			return d.byLines(textsOf(d.old.grid(old, olds, widths)), textsOf(d.new.grid(new, news, widths)))
		}
	}
	return d.byLines(textsOf(d.old.block(old, width)), textsOf(d.new.block(new, width)))
}

// byLines compares what is drawn of two blocks line by line: of a table, its rows.
func (d *differ) byLines(olds, news []string) []DiffLine {
	plain := func(lines []string) []string {
		out := make([]string, len(lines))
		for i, line := range lines {
			out[i] = ansi.Strip(line)
		}
		return out
	}
	oldTexts, newTexts := plain(olds), plain(news)
	var removed, added []DiffLine
	var lines []DiffLine
	flush := func() {
		lines = append(append(lines, removed...), added...)
		removed, added = nil, nil
	}
	compare(oldTexts, newTexts, comparison{
		oldText: func(i int) string { return oldTexts[i] },
		newText: func(j int) string { return newTexts[j] },
		same:    func(_, j int) { flush(); lines = append(lines, DiffLine{news[j], Same}) },
		removed: func(i int) { removed = append(removed, d.removed(olds[i:i+1])...) },
		added:   func(j int) { added = append(added, DiffLine{news[j], Added}) },
		changed: func(i, j int) {
			out, in, _ := diff.Words(oldTexts[i], newTexts[j])
			was := d.removed(olds[i : i+1])[0].Text
			removed = append(removed, DiffLine{d.marks.markSpans(was, words(oldTexts[i], out), d.marks.removed), Removed})
			added = append(added, DiffLine{d.marks.markSpans(news[j], in, d.marks.added), Added})
		},
	})
	flush()
	return lines
}

// allIndented reports whether every line that is not empty has the indentation of
// code.
func allIndented(lines []string) bool {
	for _, line := range lines {
		if line != "" && !strings.HasPrefix(line, codeIndent) {
			return false
		}
	}
	return true
}

// outdent removes the indentation of code if the lines are indented.
func outdent(lines []string, indented bool) []string {
	if !indented {
		return lines
	}
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = strings.TrimPrefix(line, codeIndent)
	}
	return out
}
