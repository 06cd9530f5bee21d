package layout

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const (
	// minRoom is how many cells a text needs to stand beside its head.
	minRoom = 20
	// below is the column of a text without room beside its head.
	below = 4
	// outset is how much further right text to be copied is indented.
	outset = 2
)

// word is text that no line break may split.
type word struct {
	text  string
	alone bool // on a line of its own
}

// beside fills lines to the right of a head, or below it if there is no room.
func beside(head string, words []word, width int) string {
	indent := ansi.StringWidth(head)
	if width-indent >= minRoom || strings.TrimSpace(head) == "" {
		return fill(head, indent, words, width)
	}
	return strings.TrimRight(head, " ") + "\n" + fill("", below, words, width)
}

// fill puts words behind a head. Words that do not fit go into further lines, which
// begin in the column indent. The last line gets no line end.
func fill(head string, indent int, words []word, width int) string {
	var lines []string
	line, begun := head, false // begun: the line has a word, so the next needs a blank before it
	end := func() {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, strings.TrimRight(line, " "))
		}
		line, begun = "", false
	}
	for _, w := range words {
		joint := ""
		if begun {
			joint = " "
		}
		switch {
		case w.alone:
			end()
			line = lead(indent+outset, w, width) + w.text
			end()
		case ansi.StringWidth(line+joint+w.text) <= width && line != "":
			line += joint + w.text
			begun = true
		case w.text != "": // otherwise the word is a blank at which the line was broken
			end()
			line, begun = lead(indent, w, width)+w.text, true
		}
	}
	end()
	return strings.Join(lines, "\n")
}

// lead returns the indentation of a line that begins with the word; less than
// usual if the word would not fit otherwise.
func lead(indent int, w word, width int) string {
	for _, at := range []int{indent, below} {
		if at <= indent && at+ansi.StringWidth(w.text) <= width {
			return blanks(at)
		}
	}
	return ""
}

func blanks(n int) string { return strings.Repeat(" ", n) }

// split cuts a text into words. A dot between two things stays with the first;
// two blanks leave an empty word.
func split(text string) []word {
	var words []word
	for more := true; more; {
		end := wordEnd(text)
		next := text[:end]
		if more = end < len(text); more {
			text = text[end+1:]
		}
		if last := len(words) - 1; next == "·" && last >= 0 {
			words[last].text += " ·"
		} else {
			words = append(words, word{text: next})
		}
	}
	return words
}

// wordEnd returns the offset of the first blank outside backquotes.
func wordEnd(text string) int {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ' ':
			return i
		case '`':
			if closing := strings.IndexByte(text[i+1:], '`'); closing >= 0 {
				i += closing + 1
			}
		}
	}
	return len(text)
}
