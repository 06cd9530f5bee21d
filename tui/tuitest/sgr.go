package tuitest

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// OnlySGR checks that a frame has no control but SGR and line feeds, nothing
// that turns or hides text, and keeps to its size.
func OnlySGR(t testing.TB, at, content string, width, height int) {
	t.Helper()
	if !utf8.ValidString(content) {
		t.Errorf("%s: no UTF-8", at)
	}
	lines := strings.Split(content, "\n")
	if len(lines) > height {
		t.Errorf("%s: %d lines, want at most %d", at, len(lines), height)
	}
	for _, line := range lines {
		rest := line
		for rest != "" {
			i := strings.IndexByte(rest, 0x1b)
			if i < 0 {
				break
			}
			end := strings.IndexFunc(rest[i+1:], func(c rune) bool { return c >= '@' && c != '[' })
			if end < 0 || rest[i+1] != '[' || rest[i+1+end] != 'm' || strings.Trim(rest[i+2:i+1+end], "0123456789;:") != "" {
				t.Fatalf("%s: not an SGR: %q in %q", at, rest[i:min(len(rest), i+12)], line)
			}
			rest = rest[i+2+end:]
		}
		for _, c := range line {
			switch {
			case c == 0x1b: // begins an SGR
			case c < ' ', c >= 0x7f && c < 0xa0, c >= 0x202a && c <= 0x202e, c >= 0x2066 && c <= 0x2069, c >= 0xe0000 && c < 0xe0080,
				c == 0x200b, c == 0x2060, c == 0xfeff, c == 0x200e, c == 0x200f, c == 0x2028, c == 0x2029:
				t.Fatalf("%s: U+%04X is drawn in %q", at, c, ansi.Strip(line))
			}
		}
		if w := ansi.StringWidth(line); w > width {
			t.Fatalf("%s: %d cells in a line, want at most %d: %q", at, w, width, ansi.Strip(line))
		}
	}
}
