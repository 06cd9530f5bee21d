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

// read adds the next line. A line that begins something else ends the paragraph.
func (p *paragraph) read(line string) {
	if line == "" || strings.ContainsAny(line[:1], ">|-+*<=#") {
		*p = paragraph{}
		return
	}
	p.lines++
	p.text = line
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

// markdownLines yields each line of a text without its surrounding white space,
// and whether the line is code or a fence.
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
