package markdown

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unseen replaces a character that must not reach a terminal.
const unseen = "\uFFFD"

// run is text drawn with one set of attributes.
type run struct {
	sgr  string // parameters of the SGR sequence that sets them; "" for none
	text string
}

// finish is the last filter before a line is drawn. It does not rely on any earlier
// cleaning. Printable text and well-formed SGR sequences pass. Every other control,
// format or separator character and every byte that is not UTF-8 becomes visible.
// To save bytes on the way to the terminal, finish drops trailing spaces and SGR
// sequences without effect.
func finish(line string) string {
	if isPlain(line) {
		return strings.TrimRight(line, " ")
	}
	return join(trimmed(runs(line)))
}

// isPlain reports whether a line is printable ASCII. Many lines are, and need no
// further work.
func isPlain(line string) bool {
	for i := range len(line) {
		if c := line[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// runs makes a line safe and splits it where its attributes change.
func runs(line string) []run {
	var out []run
	var text strings.Builder
	sgr := ""
	end := func() {
		if text.Len() > 0 {
			out = append(out, run{sgr, text.String()})
			text.Reset()
		}
	}
	for i := 0; i < len(line); {
		if n := sgrLen(line[i:]); n > 0 {
			end()
			sgr = after(sgr, line[i+2:i+n-1])
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(line[i:])
		if (r == utf8.RuneError && n == 1) || !drawable(r) {
			text.WriteString(unseen)
		} else {
			text.WriteString(line[i : i+n])
		}
		i += n
	}
	end()
	return out
}

// sgrLen returns the length of the SGR sequence at the beginning of s; 0 if there is
// none.
func sgrLen(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c < '0' || c > ';': // digits, ':' and ';'
			return 0
		}
	}
	return 0
}

// after returns the SGR parameters that hold when further ones follow sgr.
func after(sgr, further string) string {
	switch {
	case further == "" || further == "0":
		return ""
	case sgr == "" || strings.HasPrefix(further, "0;"):
		return strings.TrimPrefix(further, "0;")
	}
	return sgr + ";" + further
}

// drawable reports whether a rune only draws and does nothing else. The joiners
// pass, because emoji and several scripts need them; safe.Text has removed stray
// ones.
func drawable(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	switch {
	case r == nonJoiner, r == joiner:
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return true // Unicode calls them format characters, but they are visible
	}
	return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Zl, unicode.Zp)
}

// trimmed removes trailing spaces, except those on a background.
func trimmed(rs []run) []run {
	for len(rs) > 0 && !strings.Contains(rs[len(rs)-1].sgr, background) {
		last := &rs[len(rs)-1]
		last.text = strings.TrimRight(last.text, " ")
		if last.text != "" {
			break
		}
		rs = rs[:len(rs)-1]
	}
	return rs
}

// background begins the SGR parameters that set a background colour.
const background = "48;"

// join writes runs with one SGR sequence for each visible change.
func join(rs []run) string {
	var b strings.Builder
	current := ""
	for _, r := range rs {
		if strings.Trim(r.text, " ") == "" && !showsOnSpace(r.sgr) && !showsOnSpace(current) {
			r.sgr = current // a space looks the same in every text colour
		}
		if r.sgr != current {
			if current != "" {
				b.WriteString("\x1b[m")
			}
			if r.sgr != "" {
				b.WriteString("\x1b[" + r.sgr + "m")
			}
			current = r.sgr
		}
		b.WriteString(r.text)
	}
	if current != "" {
		b.WriteString("\x1b[m")
	}
	return b.String()
}

// showsOnSpace reports whether attributes may be visible on a space, such as a
// background, an underline or reverse video. It is false only for attributes that
// certainly are not.
func showsOnSpace(sgr string) bool {
	if sgr == "" {
		return false
	}
	params := strings.Split(sgr, ";")
	for i := 0; i < len(params); i++ {
		n, err := strconv.Atoi(params[i])
		switch {
		case err != nil:
			return true
		case n == 38 && i+1 < len(params) && params[i+1] == "2":
			i += 4 // skip the numbers of the colour
		case n == 38 && i+1 < len(params) && params[i+1] == "5":
			i += 2
		case n == 1, n == 2, n == 3, 30 <= n && n <= 37, n == 39, 90 <= n && n <= 97:
		default:
			return true
		}
	}
	return false
}
