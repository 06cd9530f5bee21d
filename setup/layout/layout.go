// Package layout sets what planb tells a person into lines that fit their
// terminal, by the same rules for every command:
//
//   - Lines are broken between words alone. A word that is wider than the
//     terminal is a path or an id; it begins a line and stays whole.
//   - What goes on in a further line keeps the column it began in.
//   - What stands in backquotes is one word.
//   - A line that begins with four blanks is code and stays as it is.
//   - A command with two blanks on either side is to be copied, and gets a line
//     of its own: "answer it with  planb tui ask 1a2b3c4d".
//
// It knows text and widths alone. Text of others comes here as package safe
// shows it; escape sequences for colours count as no cells.
package layout

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Endless is the width of what has no edge, a file or a pipe: every line stays
// as it is.
const Endless = math.MaxInt

// Message sets what planb says itself, behind a head that may be empty. Further
// lines of the text begin where the first does.
func Message(head, text string, width int) string {
	return eachLine(head, text, width, func(line string) []word {
		var words []word
		for i, part := range strings.Split(line, "  ") {
			if i%2 == 0 {
				words = append(words, split(part)...)
			} else {
				words = append(words, word{part, true})
			}
		}
		return words
	})
}

// Text sets a text by somebody else, in which two blanks mean nothing.
func Text(text string, width int) string { return eachLine("", text, width, split) }

// Row is a line of a table: its text stands beside the head, also where it goes
// on in further lines, or below a head that leaves no room. It ends its last line.
func Row(head, text string, width int) string {
	if width == Endless {
		return head + text + "\n"
	}
	return beside(head, split(text), width) + "\n"
}

// Item is one thing to be copied behind its head, or on a line of its own where
// both do not fit. It ends its last line.
func Item(head, whole string, width int) string {
	if ansi.StringWidth(head)+ansi.StringWidth(whole) <= width {
		return head + whole + "\n"
	}
	return fill(head, outset, []word{{strings.TrimLeft(whole, " "), true}}, width) + "\n"
}

// eachLine sets a text line by line, each with its own indentation.
func eachLine(head, text string, width int, words func(line string) []word) string {
	if width == Endless || text == "" {
		return head + text
	}
	const code = "    "
	var out strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimRight(line, "\n")
		bare := strings.TrimLeft(body, " ")
		if bare == "" || strings.HasPrefix(body, code) {
			out.WriteString(strings.TrimRight(head, " ") + body)
		} else {
			out.WriteString(beside(head+body[:len(body)-len(bare)], words(bare), width))
		}
		out.WriteString(line[len(body):])
		head = blanks(ansi.StringWidth(head))
	}
	return out.String()
}
