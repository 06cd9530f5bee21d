// Package layout breaks planb's messages into lines that fit the terminal, by
// the same rules for every command:
//
//   - A line is broken only between words. A word that is wider than the
//     terminal is a path or an id; it begins a line and stays whole.
//   - Further lines of a text begin in the column where the text began.
//   - Text in backquotes is one word.
//   - A line that begins with four blanks is code and stays as it is.
//   - A command with two blanks on either side is there to be copied, and gets a
//     line of its own: "answer it with  planb tui ask 1a2b3c4d".
//
// It knows only text and widths. Callers clean text from outside with package
// safe first. Escape sequences for colours count as no cells. Begin to read at
// Message.
package layout

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Endless is the width of a file or a pipe, where every line stays as it is.
const Endless = math.MaxInt

// Message breaks a message of planb, behind a head that may be empty. Further
// lines of the text begin where the first does.
func Message(head, text string, width int) string {
	return eachLine(head, text, width, func(line string) []word {
		return messageWords(line, func(word string) string { return word }, func(copied string) string { return copied })
	})
}

// Styled is Message in styles. It styles each word with plain, and text that the person
// is meant to copy with copied, without its backquotes.
func Styled(head, text string, width int, plain, copied func(string) string) string {
	inline := func(word string) string {
		before, rest, quoted := strings.Cut(word, "`")
		command, after, closed := strings.Cut(rest, "`")
		if !quoted || !closed {
			return plain(word)
		}
		return plain(before) + copied(command) + plain(after)
	}
	return eachLine(head, text, width, func(line string) []word { return messageWords(line, inline, copied) })
}

// messageWords parts a line of a message into words. inline formats a word within a line,
// and alone a command that gets a line of its own.
func messageWords(line string, inline, alone func(string) string) []word {
	var words []word
	for i, part := range strings.Split(line, "  ") {
		if i%2 == 1 {
			words = append(words, word{alone(part), true})
			continue
		}
		for _, w := range split(part) {
			words = append(words, word{text: inline(w.text)})
		}
	}
	return words
}

// Text breaks a text from outside, in which two blanks mean nothing.
func Text(text string, width int) string { return eachLine("", text, width, split) }

// Row formats a line of a table. Its text stands beside the head, in further
// lines too, or below a head that leaves no room. Row ends the last line.
func Row(head, text string, width int) string {
	if width == Endless {
		return head + text + "\n"
	}
	return beside(head, split(text), width) + "\n"
}

// Item formats one thing to be copied, behind its head, or on a line of its own
// if both do not fit. It ends the last line.
func Item(head, whole string, width int) string {
	if ansi.StringWidth(head)+ansi.StringWidth(whole) <= width {
		return head + whole + "\n"
	}
	return fill(head, outset, []word{{strings.TrimLeft(whole, " "), true}}, width) + "\n"
}

// eachLine breaks a text line by line, each with its own indentation.
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
