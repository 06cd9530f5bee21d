package cells

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Highlighted draws the places where a styled line has a text, which is in lower case, in
// another style.
func Highlighted(line, query string, style Style) string {
	text := ansi.Strip(line)
	lower := strings.ToLower(text)
	if len(lower) != len(text) { // lower case changed the length of a letter, so places differ
		return line
	}
	drawn, done := "", 0 // done counts cells
	for from := 0; ; {
		i := strings.Index(lower[from:], query)
		if i < 0 || query == "" {
			break
		}
		start, end := ansi.StringWidth(text[:from+i]), ansi.StringWidth(text[:from+i+len(query)])
		drawn += ansi.Cut(line, done, start) + style.Render(ansi.Cut(text, start, end))
		from, done = from+i+len(query), end
	}
	return drawn + ansi.TruncateLeft(line, done, "")
}
