package page

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"
)

// The limits of laid-out text. Beyond them the parser would take quadratic
// time, or the page would become too large to read.
const (
	maxBytes   = 512 << 10 // of one text
	maxLine    = 64 << 10  // bytes of a line
	maxOpeners = 128       // marks of quotes and lists at the start of a line
	maxMarks   = 4000      // emphasis and link marks between two blank lines, as runs counts them
	maxDepth   = 60        // levels of nested nodes
	maxIndent  = 80        // of a list item, in spaces
	maxCells   = 30_000    // of a table, with the cells that the parser adds to short rows
)

const nestingNotice = "Shown as plain text: it is nested too deeply to be formatted."

// tooMuch returns a notice if a source is too large or too deeply nested to be
// parsed, else "".
func tooMuch(source []byte) string {
	if len(source) > maxBytes {
		return fmt.Sprintf("Shown as plain text: %d KB of Markdown, more than the %d KB that are formatted.", (len(source)+1023)>>10, maxBytes>>10)
	}
	marks, columns, cells := 0, 0, 0
	for line := range bytes.Lines(source) {
		if len(line) > maxLine {
			return fmt.Sprintf("Shown as plain text: a line of %d KB, longer than the %d KB that are formatted.", len(line)>>10, maxLine>>10)
		}
		before := line[:len(line)-len(bytes.TrimLeft(line, "> \t-+*.)0123456789"))]
		if bytes.Count(before, []byte(">"))+len(bytes.Fields(before)) > maxOpeners {
			return nestingNotice
		}
		if len(before)-len(bytes.TrimLeft(before, " \t")) > maxIndent && bytes.ContainsAny(before, "-+*.)") {
			return nestingNotice
		}
		marks += runs(line)
		cells += columns
		columns = max(columns, delimiters(line))
		if len(bytes.TrimSpace(line)) == 0 {
			marks, columns, cells = 0, 0, 0
		}
		if cells > maxCells {
			return "Shown as plain text: a table is too large to be formatted."
		}
		if marks > maxMarks {
			return "Shown as plain text: a paragraph has too many marks to be formatted."
		}
	}
	return ""
}

// runs counts the marks in a line. Equal emphasis marks side by side count as
// one, but for tildes: at each of them the parser looks for an address of mail
// that begins there.
func runs(line []byte) (n int) {
	var previous byte
	for _, c := range line {
		switch c {
		case '[', ']', '<', '~':
			n++
		case '*', '_', '`':
			if c != previous {
				n++
			}
		}
		previous = c
	}
	return n
}

// delimiters returns how many columns a line has if it is the line between the
// head and the rows of a table; else 0.
func delimiters(line []byte) int {
	line = bytes.TrimSpace(bytes.TrimLeft(line, "> \t*+.)0123456789"))
	if bytes.IndexByte(line, '-') < 0 || len(bytes.Trim(line, "|:- \t")) > 0 {
		return 0
	}
	return bytes.Count(line, []byte("|")) + 1
}

// tooDeep reports whether a tree is nested too deeply to be rendered. It does not
// recurse, because only its result tells whether recursion is safe.
func tooDeep(tree ast.Node) bool {
	depth := 0
	for n := tree; ; {
		switch {
		case n.FirstChild() != nil:
			n, depth = n.FirstChild(), depth+1
			if depth > maxDepth {
				return true
			}
			continue
		case n == tree:
			return false
		}
		for n.NextSibling() == nil {
			if n, depth = n.Parent(), depth-1; n == tree {
				return false
			}
		}
		n = n.NextSibling()
	}
}
