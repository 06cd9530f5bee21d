package markdown

import (
	"regexp"
	"strings"

	"planb/questions/safe"
)

// A long text is rendered in sections: its first screen is there at once, and no step
// takes long. Code that cuts a text itself keeps to these sizes.
const (
	WholeBytes       = 32 << 10 // up to this size a text is one section
	SectionBytes     = 12 << 10 // a section ends at the first heading behind this
	LongSectionBytes = 48 << 10 // or behind this at any empty line
	linkDefBytes     = 8 << 10  // link definitions, which every section needs, up to this
)

// Section is a part of a text that is rendered by itself.
type Section struct {
	Text safe.Text
	Line int // its first line in the text, from 1
	// Broken says that the section was cut where sections do not end, perhaps inside code.
	// So it is shown as it was written.
	Broken bool
}

// Sizes says after how many bytes a section ends.
type Sizes struct {
	Heading int // at the first heading behind this
	Blank   int // or at any empty line behind this
	Most    int // or before the line that would make it longer than this, even in code; 0: no limit
}

// Sections cuts a text at headings, or a long part without one at an empty line, but never
// inside a code block. Each section ends with the link definitions of the whole text.
func Sections(text safe.Text) []Section {
	if len(text.Raw()) <= WholeBytes {
		return []Section{{Text: text, Line: 1}}
	}
	return Sizes{Heading: SectionBytes, Blank: LongSectionBytes}.Cut(text)
}

// Cut cuts a text into sections of these sizes. If there are several, each but the broken
// ones ends with the link definitions of the whole text.
func (s Sizes) Cut(text safe.Text) []Section {
	raw := text.Raw()
	var sections []Section
	var fence Fence
	next := Section{Line: 1}
	start, at, number := 0, 0, 1
	end := func(broken bool) {
		next.Text, next.Broken = safe.New(raw[start:at]), next.Broken || broken
		sections = append(sections, next)
		next, start = Section{Line: number, Broken: broken}, at
	}
	for line := range strings.Lines(raw) {
		inside, size := fence.Open(), at-start
		fence.Read(line)
		switch {
		case size == 0:
		case !inside && size > s.Heading && strings.HasPrefix(line, "#"),
			!inside && size > s.Blank && strings.TrimSpace(line) == "":
			end(false)
		case s.Most > 0 && size+len(line) > s.Most:
			end(true)
		}
		at += len(line)
		number++
	}
	end(s.Most > 0 && at-start > s.Most)
	if definitions := LinkDefinitions(text).Raw(); definitions != "" && len(sections) > 1 {
		for i := range sections {
			if !sections[i].Broken {
				sections[i].Text = safe.New(sections[i].Text.Raw() + "\n\n" + definitions)
			}
		}
	}
	return sections
}

// LinkDefinitions returns the lines of a text, outside code, that say where its links lead,
// up to linkDefBytes.
func LinkDefinitions(text safe.Text) safe.Text {
	var definitions strings.Builder
	var fence Fence
	definition := regexp.MustCompile(`^ {0,3}\[[^\]]+\]: \S`)
	for line := range strings.Lines(text.Raw()) {
		inside := fence.Open()
		fence.Read(line)
		if !inside && max(definitions.Len(), len(line)) < linkDefBytes && strings.Contains(line, "]:") && definition.MatchString(line) {
			definitions.WriteString(strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	return safe.New(definitions.String())
}

// Fence follows the fences of code blocks from line to line. Code that cuts a text uses
// it, so that it never cuts inside a code block. The zero value is before the first
// line.
type Fence struct {
	mark  byte
	count int
}

// Open reports whether the next line stands in a code block.
func (f *Fence) Open() bool { return f.count > 0 }

// Read takes the next line.
func (f *Fence) Read(line string) {
	line = strings.TrimSpace(line)
	if line == "" {
		return
	}
	mark := line[0]
	if mark != '`' && mark != '~' {
		return
	}
	rest := strings.TrimLeft(line, string(mark))
	count := len(line) - len(rest)
	switch {
	case count < 3:
	case !f.Open():
		f.mark, f.count = mark, count
	case mark == f.mark && count >= f.count && rest == "":
		f.count = 0
	}
}
