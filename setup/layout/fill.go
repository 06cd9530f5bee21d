package layout

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const (
	// leastRoom is how many cells a text needs to stand beside its head.
	leastRoom = 20
	// below is the column of what has no room where it belongs.
	below = 4
	// outset is how much further right than the text stands what is to be copied.
	outset = 2
)

// word is what no line is broken in.
type word struct {
	text  string
	alone bool // on a line of its own
}

// beside fills lines to the right of a head, or below it.
func beside(head string, words []word, width int) string {
	indent := ansi.StringWidth(head)
	if width-indent >= leastRoom || strings.TrimSpace(head) == "" {
		return fill(head, indent, words, width)
	}
	return strings.TrimRight(head, " ") + "\n" + fill("", below, words, width)
}

// fill puts words behind a head, and what does not fit there into further lines,
// which begin in the column indent. It ends no line but those that it breaks.
func fill(head string, indent int, words []word, width int) string {
	var lines []string
	line, begun := head, false // with a word, to which the next is joined by a blank
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
		case w.text != "": // else a blank that the line is broken at
			end()
			line, begun = lead(indent, w, width)+w.text, true
		}
	}
	end()
	return strings.Join(lines, "\n")
}

// lead is the indentation of a line that begins with the word: less than other
// lines have, if it would not fit there.
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

// wordEnd is where the first blank is that stands in no backquotes.
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
