package markdown

import "strings"

// evenTabs replaces each tab behind leading spaces in fenced code by four spaces. By
// its column, a tab behind the three spaces of "1. " would be one cell wide and the
// next tab four, and code in lists would lose its shape. Lines outside fences do
// not change, because there the columns decide what a line means.
func evenTabs(src string) string {
	if !strings.Contains(src, " \t") {
		return src
	}
	var b strings.Builder
	b.Grow(len(src) + len(src)/16)
	fence := ""
	for line := range strings.Lines(src) {
		text := strings.TrimLeft(line, " \t")
		mark := fenceMark(text)
		switch {
		case fence == "":
			fence = mark
		case strings.HasPrefix(mark, fence) && strings.TrimSpace(text) == mark:
			fence = ""
		default:
			indent := line[:len(line)-len(text)]
			if first := strings.TrimLeft(indent, " "); len(first) < len(indent) {
				line = indent[:len(indent)-len(first)] + strings.ReplaceAll(first, "\t", "    ") + text
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

// fenceMark returns the mark of the code fence that a line starts with; empty if
// there is none.
func fenceMark(text string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(text) - len(strings.TrimLeft(text, c)); n >= 3 {
			return text[:n]
		}
	}
	return ""
}
