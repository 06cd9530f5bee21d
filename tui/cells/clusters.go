package cells

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"planb/questions/safe"
)

// CharStart returns where the character begins that contains the byte at an offset.
func CharStart(text string, at int) int {
	for at > 0 && at < len(text) && text[at]&0xC0 == 0x80 {
		at--
	}
	return at
}

// FirstCluster returns the length in bytes of the first user-perceived character of s.
func FirstCluster(s string) int {
	if len(s) > 1 && s[0] < utf8.RuneSelf && s[1] < utf8.RuneSelf {
		return 1
	}
	g := displaywidth.StringGraphemes(s)
	if g.Next() {
		return len(g.Value())
	}
	return 0
}

// LastCluster returns where the last user-perceived character of s begins. It reads only the
// last bytes of s.
func LastCluster(s string) int {
	if n := len(s); n > 1 && s[n-1] < utf8.RuneSelf && s[n-2] < utf8.RuneSelf {
		return n - 1
	}
	const far = 256
	from := max(0, len(s)-far)
	for from > 0 && s[from] >= utf8.RuneSelf { // a fresh start is an ASCII byte
		from--
	}
	last := from
	for g, at := displaywidth.StringGraphemes(s[from:]), from; g.Next(); at += len(g.Value()) {
		last = at
	}
	return last
}

// Clean makes a piece of a line safe to draw, one user-perceived character at a time,
// so that a caret can stand between them. A tab becomes four spaces.
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	var out strings.Builder
	g := displaywidth.StringGraphemes(s)
	for g.Next() {
		if c := g.Value(); c == "\t" {
			out.WriteString("    ")
		} else {
			out.WriteString(safe.New(c).Line())
		}
	}
	return out.String()
}

func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
