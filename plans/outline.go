package plans

import (
	"iter"
	"strings"

	"planb/questions/safe"
)

// Section is a heading of a plan with what is below it.
type Section struct {
	Level int       // of the heading, 1 to 6
	Title safe.Text // the heading without its marks
	Line  int       // the heading's line in the text, from 1
	End   int       // the first line that is no longer below it: the next heading of the same level or above, or the text's end
}

// Outline returns a plan's sections in the order of their headings, each with
// the smaller ones inside it behind it. A heading is a line of one to six # and
// a text, or a paragraph of one line with a line of = or - below. Lines of fenced
// and indented code are none.
func Outline(text safe.Text) []Section {
	var list []Section
	number := 0
	var before paragraph
	for line, code := range markdownLines(text.Raw()) {
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

// closeSections says where each section ends in a text of which end is the line
// behind the last.
func closeSections(list []Section, end int) {
	var open []int // sections around the current one, larger and larger levels
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

// paragraph is what was read of a paragraph so far.
type paragraph struct {
	lines int
	text  string
}

// read takes the next line. Those that begin something else end it.
func (p *paragraph) read(line string) {
	if line == "" || strings.ContainsAny(line[:1], ">|-+*<=#") {
		*p = paragraph{}
		return
	}
	p.lines++
	p.text = line
}

// underlined returns the level a line gives to the paragraph above it; 0 if it
// gives none.
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

// markdownLines yields the lines of a text without the white space around them,
// and whether each is code or the fence of code.
func markdownLines(text string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		fence := ""
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, " \t\r\n")
			trimmed := strings.TrimLeft(line, " ")
			indented := len(line)-len(trimmed) > 3
			code := fence != "" || indented
			if mark := fenceMark(trimmed); mark != "" && !indented {
				switch {
				case fence == "":
					fence, code = mark, true
				case strings.HasPrefix(mark, fence) && mark == trimmed:
					fence = ""
				}
			}
			if !yield(trimmed, code) {
				return
			}
		}
	}
}
