package markdown

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unseen stands for a character that must not reach a terminal.
const unseen = "\uFFFD"

// run is text drawn with one set of attributes.
type run struct {
	sgr  string // parameters of the SGR sequence that sets them; "" for none
	text string
}

// finish is the last thing a line passes before it may be drawn. It trusts
// nothing that was done before: printable text and well-formed SGR sequences go
// through; every other control, format or separator character and every byte
// that is not UTF-8 becomes visible. Spaces at the end go, and so does every
// sequence that changes nothing: all of it would travel to the terminal.
func finish(line string) string {
	if isPlain(line) {
		return strings.TrimRight(line, " ")
	}
	return join(trimmed(runs(line)))
}

// isPlain reports whether a line is printable ASCII, as many are.
func isPlain(line string) bool {
	for i := range len(line) {
		if c := line[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// runs splits a line where its attributes change, and makes it safe.
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

// sgrLen returns the length of the SGR sequence s starts with, or 0.
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

// after returns the parameters in force after further ones.
func after(sgr, further string) string {
	switch {
	case further == "" || further == "0":
		return ""
	case sgr == "" || strings.HasPrefix(further, "0;"):
		return strings.TrimPrefix(further, "0;")
	}
	return sgr + ";" + further
}

// drawable reports whether a rune takes its place on the screen and does nothing
// else. The joiners are let through: emoji and several scripts need them, and
// where they are stray they were removed before.
func drawable(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	switch {
	case r == nonJoiner, r == joiner:
		return true
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return true // format characters by their category, but visible ones
	}
	return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Zl, unicode.Zp)
}

// trimmed removes the spaces at the end.
func trimmed(rs []run) []run {
	for len(rs) > 0 {
		last := &rs[len(rs)-1]
		last.text = strings.TrimRight(last.text, " ")
		if last.text != "" {
			break
		}
		rs = rs[:len(rs)-1]
	}
	return rs
}

// join writes runs with as few sequences as there are changes to see.
func join(rs []run) string {
	var b strings.Builder
	current := ""
	for _, r := range rs {
		if strings.Trim(r.text, " ") == "" && !colours(r.sgr) && !colours(current) {
			r.sgr = current // nobody can see the colour of a space
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

// colours reports whether attributes show on a space: a background, a line or
// reverse video, or anything that is not known not to.
func colours(sgr string) bool {
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
			i += 4 // the colour's own numbers
		case n == 38 && i+1 < len(params) && params[i+1] == "5":
			i += 2
		case n == 1, n == 2, n == 3, 30 <= n && n <= 37, n == 39, 90 <= n && n <= 97:
		default:
			return true
		}
	}
	return false
}
