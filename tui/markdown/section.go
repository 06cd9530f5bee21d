package markdown

import (
	"regexp"
	"strings"

	"planb/questions/safe"
)

// A long text is rendered in sections, so that its first screen is there at once and no
// single step takes long. Code that cuts a text itself keeps to these sizes.
const (
	WholeBytes       = 32 << 10 // up to this size a text is one section
	SectionBytes     = 12 << 10 // a section ends at the first heading behind this
	LongSectionBytes = 48 << 10 // or behind this at any empty line
	LinkDefBytes     = 8 << 10  // link definitions, which every section needs, up to this
)

// Section is a part of a text that is rendered by itself.
type Section struct {
	Text safe.Text
	Line int // its first line in the text, from 1
}

// Sections cuts a text at headings, or a long part without one at an empty line, but never
// inside a code block. Each section ends with the link definitions of the whole text.
func Sections(text safe.Text) []Section {
	raw := text.Raw()
	if len(raw) <= WholeBytes {
		return []Section{{text, 1}}
	}
	var pieces []string
	var fence Fence
	start, at := 0, 0
	for line := range strings.Lines(raw) {
		size := at - start
		inside := fence.Open()
		fence.Read(line)
		switch {
		case inside || size == 0:
		case size > SectionBytes && strings.HasPrefix(line, "#"),
			size > LongSectionBytes && strings.TrimSpace(line) == "":
			pieces = append(pieces, raw[start:at])
			start = at
		}
		at += len(line)
	}
	pieces = append(pieces, raw[start:])
	definitions := LinkDefinitions(text).Raw()
	sections := make([]Section, len(pieces))
	line := 1
	for i, piece := range pieces {
		sections[i].Line = line
		line += strings.Count(piece, "\n")
		if definitions != "" {
			piece += "\n\n" + definitions
		}
		sections[i].Text = safe.New(piece)
	}
	return sections
}

// LinkDefinitions are the lines of a text, outside code, that say where its links lead. It
// stops at LinkDefBytes.
func LinkDefinitions(text safe.Text) safe.Text {
	var definitions strings.Builder
	var fence Fence
	definition := regexp.MustCompile(`^ {0,3}\[[^\]]+\]: \S`)
	for line := range strings.Lines(text.Raw()) {
		inside := fence.Open()
		fence.Read(line)
		if !inside && definitions.Len() < LinkDefBytes && strings.Contains(line, "]:") && definition.MatchString(line) {
			definitions.WriteString(strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	return safe.New(definitions.String())
}

// Fence follows the fences of code blocks from line to line, so that a text is cut in
// none of them. The zero value is before the first line.
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
