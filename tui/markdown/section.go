package markdown

import "strings"

// A long text is rendered in sections, so that its first screen is there at once and no
// single step takes long. What cuts a text itself keeps to these sizes.
const (
	WholeBytes       = 32 << 10 // up to this size a text is one section
	SectionBytes     = 12 << 10 // a section ends at the first heading behind this
	LongSectionBytes = 48 << 10 // or behind this at any empty line
	LinkDefBytes     = 8 << 10  // link definitions, which every section needs, up to this
)

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
