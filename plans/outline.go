package plans

import (
	"iter"
	"strings"

	"planb/questions/safe"
)

// Section is a heading of a plan together with the lines below it.
type Section struct {
	Level int       // of the heading, 1 to 6
	Title safe.Text // the heading without its marks
	Line  int       // the heading's line in the text, from 1
	End   int       // the first line behind the section: the next heading of the same or a higher level, or the text's end
}

// Outline returns a plan's sections in the order of their headings. A section
// comes before the sections inside it. A heading is a line of one to six # and a
// text, or a paragraph of one line with a line of = or - below. Fenced and
// indented code has no headings.
func Outline(text safe.Text) []Section {
	var list []Section
	number := 0
	var before paragraph
	for line, code := range Lines(text.Raw()) {
		number++
		level, title := heading(line)
		switch {
		case code:
			before = paragraph{}
			continue
		case title != "":
			list = append(list, Section{level, safe.New(title), number, 0})
			before = paragraph{}
			continue
		case before.lines == 1 && underlined(line) > 0:
			list = append(list, Section{underlined(line), safe.New(before.text), number - 1, 0})
			before = paragraph{}
			continue
		}
		before.read(line)
	}
	closeSections(list, number+1)
	return list
}

// closeSections sets the End of each section. end is the line behind the last line
// of the text.
func closeSections(list []Section, end int) {
	var open []int // indices of the sections around the current one, outermost first
	for i := range list {
		for n := len(open); n > 0 && list[open[n-1]].Level >= list[i].Level; n-- {
			list[open[n-1]].End = list[i].Line
			open = open[:n-1]
		}
		open = append(open, i)
	}
	for _, i := range open {
		list[i].End = end
	}
}

// paragraph is the paragraph that is being read.
type paragraph struct {
	lines int
	text  string
}

// read adds the next line. An empty line or a rule ends the paragraph. The text below a line that
// begins a list, a quote or a table belongs to that, and has no line below it that underlines it.
func (p *paragraph) read(line string) {
	switch {
	case line == "", strings.Trim(line, "-* _") == "":
		*p = paragraph{}
	case strings.ContainsAny(line[:1], ">|-+*<=#"), numbered(line):
		p.lines = 2
	default:
		p.lines++
		p.text = line
	}
}

// numbered reports whether a line begins an item of a numbered list.
func numbered(line string) bool {
	rest := strings.TrimLeft(line, "0123456789")
	return len(rest) < len(line) && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") "))
}

// underlined returns the level of heading that a line makes of the paragraph above
// it; 0 if it makes none.
func underlined(line string) int {
	switch {
	case line == "":
	case strings.Trim(line, "=") == "":
		return 1
	case strings.Trim(line, "-") == "":
		return 2
	}
	return 0
}

// Lines yields each line of a Markdown text without its surrounding white space,
// and whether the line is code or a fence. Outline finds headings in the same way.
func Lines(text string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		var b block
		for line := range strings.Lines(text) {
			trimmed, code := b.line(line)
			if !yield(trimmed, code) {
				return
			}
		}
	}
}

// Block is a fenced code block of a Markdown text.
type Block struct {
	Fence string // that would close it
	Info  string // what follows the first fence on its line
	From  int    // the line of its first fence, from 1
	To    int    // the line of its last fence; 0 if the block is left open
}

// Blocks returns the fenced blocks of a text as Lines finds them.
func Blocks(text string) []Block {
	var list []Block
	var b block
	number := 0
	for line := range strings.Lines(text) {
		number++
		before := b.fence
		trimmed, _ := b.line(line)
		switch {
		case before == "" && b.fence != "":
			list = append(list, Block{Fence: b.fence, Info: strings.TrimSpace(trimmed[len(b.fence):]), From: number})
		case before != "" && b.fence == "":
			list[len(list)-1].To = number
		}
	}
	return list
}

// block tracks, from line to line, the code block that is open. Unlike Fence it
// takes lines that are indented by four or more for code, never for a fence.
type block struct{ fence string }

// line returns the next line without its surrounding white space, and whether it is
// code or a fence.
func (b *block) line(line string) (trimmed string, code bool) {
	line = strings.TrimRight(line, " \t\r\n")
	trimmed = strings.TrimLeft(line, " ")
	indented := len(line)-len(trimmed) > 3
	code = b.fence != "" || indented
	mark := fenceMark(trimmed)
	switch {
	case mark == "" || indented:
	case b.fence == "":
		b.fence, code = mark, true
	case strings.HasPrefix(mark, b.fence) && mark == trimmed:
		b.fence = ""
	}
	return trimmed, code
}
