package markdown

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark/ast"
)

// The limits of formatting. Text beyond them is shown plainly. With these limits the
// slowest rendering takes about a second.
const (
	maxBytes        = 256 << 10 // of a document
	maxLine         = 64 << 10  // bytes of a line
	maxDepth        = 16        // nesting of quotes and lists
	maxInline       = 64        // nesting of emphasis, links and the like
	maxNestingMarks = 256       // of quotes and lists in one line, before parsing; a sketch may have some
	maxMarks        = 4000      // inline marks between two blank lines, as inlineMarks counts them
	maxTableCells   = 5000      // of one table; a larger one is shown as it was written
)

// tooMuch returns a notice if a source is too large or too deeply nested to parse;
// else it is empty.
func tooMuch(src []byte) string {
	if len(src) > maxBytes {
		return fmt.Sprintf("Shown as plain text: %d KB of Markdown, more than the %d KB that are formatted.", (len(src)+1023)>>10, maxBytes>>10)
	}
	marks := 0
	for line := range bytes.Lines(src) {
		if len(line) > maxLine {
			return fmt.Sprintf("Shown as plain text: a line of %d KB, longer than the %d KB that are formatted.", len(line)>>10, maxLine>>10)
		}
		if nestingMarks(line) > maxNestingMarks {
			return nestingNotice
		}
		if marks += inlineMarks(line); len(bytes.TrimSpace(line)) == 0 {
			marks = 0
		}
		if marks > maxMarks {
			return marksNotice
		}
	}
	return ""
}

const marksNotice = "Shown as plain text: a paragraph has too many marks to be formatted."

const nestingNotice = "Shown as plain text: it is nested too deeply to be formatted."

// nestingMarks counts the marks of quotes and lists before the text of a line. The
// parser needs quadratic time for them, and for inline marks.
func nestingMarks(line []byte) int {
	before := line[:len(line)-len(bytes.TrimLeft(line, "> \t-+*.)0123456789"))]
	n := bytes.Count(before, []byte(">"))
	if rule := bytes.TrimSpace(line); len(bytes.Trim(rule, "- \t")) == 0 || len(bytes.Trim(rule, "* \t")) == 0 {
		return n
	}
	for i := 1; i < len(before); i++ {
		if (before[i] == ' ' || before[i] == '\t') && bytes.IndexByte([]byte("-+*.)"), before[i-1]) >= 0 {
			n++
		}
	}
	return n
}

// inlineMarks counts what the parser needs quadratic time for: the runs of the same
// emphasis mark in a line, but each tilde, because at each of them it looks for an address
// of mail that begins there; where the address of a link begins; and four times each
// comment and the like, whose end it looks for in all lines that follow.
func inlineMarks(line []byte) int {
	n := 0
	var previous byte
	for _, c := range line {
		switch {
		case c == '~', (c == '*' || c == '_') && c != previous, c == '(' && previous == ']':
			n++
		case (c == '!' || c == '?') && previous == '<':
			n += 4
		}
		previous = c
	}
	return n
}

// tooDeep returns a notice if a parsed document is nested too deeply to lay out;
// else it is empty.
func tooDeep(tree ast.Node) string {
	// No recursion here: only this check tells whether recursion is safe.
	type step struct {
		node           ast.Node
		blocks, inline int
	}
	todo := []step{{node: tree}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case s.node.Type() == ast.TypeInline:
			s.inline++
		case s.node.Kind() == ast.KindBlockquote || s.node.Kind() == ast.KindListItem:
			s.blocks++
		}
		if s.blocks > maxDepth || s.inline > maxInline {
			return nestingNotice
		}
		for c := s.node.FirstChild(); c != nil; c = c.NextSibling() {
			todo = append(todo, step{c, s.blocks, s.inline})
		}
	}
	return ""
}
