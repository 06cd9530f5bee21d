package safe

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxMarks is how many combining marks one base character keeps. Real writing
// needs four or five. A hostile text stacks thousands to paint over the lines
// around it.
const MaxMarks = 8

const (
	tabStop   = 4        // columns, as in CommonMark
	hidden    = "\uFFFD" // stands for a run of characters that are not shown
	lineBreak = "↵"      // a line break in a Line
)

// lines says how many lines a text is shown in.
type lines bool

const (
	oneLine   lines = false
	manyLines lines = true
)

// Printable reports whether s can serve as an identifier that people compare by
// eye: it is valid UTF-8, cleaning does not change it, and its only white space
// is the plain space. bad is the first character that breaks this.
func Printable(s string) (bad rune, ok bool) {
	var c context
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		s = s[size:]
		invalid := r == utf8.RuneError && size == 1
		if invalid || isControl(r) || r != ' ' && unicode.IsSpace(r) || !c.keep(r, s) {
			return r, false
		}
	}
	return 0, true
}

// clean returns the screen form of s, in one pass.
func clean(s string, f lines) string {
	plain := plainPrefix(s, f)
	if plain == len(s) {
		return s
	}
	// Go back by one character: the last plain one may be the base of a mark.
	plain = max(0, plain-1)
	w := writer{lines: f, column: plain - (strings.LastIndexByte(s[:plain], '\n') + 1)}
	w.out.Grow(len(s) + len(s)/16)
	w.out.WriteString(s[:plain])
	for rest := s[plain:]; rest != ""; {
		if n := visibleASCII(rest); n > 0 {
			w.ascii(rest[:n])
			rest = rest[n:]
			continue
		}
		r, size := utf8.DecodeRuneInString(rest)
		raw := rest[:size]
		rest = rest[size:]
		if r == '\r' && strings.HasPrefix(rest, "\n") {
			continue // CR LF is one line break
		}
		w.put(r, raw, rest)
	}
	return w.out.String()
}

// plainPrefix returns how many leading bytes need no cleaning: visible ASCII, and
// line breaks if the text keeps them.
func plainPrefix(s string, f lines) int {
	for i := range len(s) {
		if b := s[i]; (b < ' ' || b >= del) && (b != '\n' || f == oneLine) {
			return i
		}
	}
	return len(s)
}

// visibleASCII returns how many bytes of visible ASCII s begins with.
func visibleASCII(s string) int {
	for i := range len(s) {
		if b := s[i]; b < ' ' || b >= del {
			return i
		}
	}
	return len(s)
}

// writer collects a screen form.
type writer struct {
	out    strings.Builder
	lines  lines
	column int // characters since the line began, for tabs
	inRun  bool
	context
}

// put writes the screen form of r. raw holds its bytes, and rest is the text
// after it.
func (w *writer) put(r rune, raw, rest string) {
	switch {
	case r == '\n' && w.lines == manyLines:
		w.emit("\n", 0)
		w.column = 0
		w.context = context{}
	case r == '\n':
		w.emit(lineBreak, 1)
		w.context = context{}
	case r == '\t' && w.lines == manyLines:
		n := tabStop - w.column%tabStop
		w.emit("    "[:n], n)
		w.context = context{prev: ' '}
	case r == '\t':
		w.emit(" ", 1)
		w.context = context{prev: ' '}
	case isControl(r):
		w.emit(picture(r), 1)
		w.context = context{prev: ' '}
	case r == utf8.RuneError && len(raw) == 1:
		w.hide()
	case w.keep(r, rest):
		columns := 1
		if w.joined() {
			columns = 0
		}
		w.emit(raw, columns)
	default:
		w.hide()
	}
}

// ascii writes a run of visible ASCII.
func (w *writer) ascii(run string) {
	w.emit(run, len(run))
	last := rune(run[len(run)-1])
	w.context = context{prev: last, base: last}
}

func (w *writer) emit(s string, columns int) {
	w.out.WriteString(s)
	w.column += columns
	w.inRun = false
}

// hide writes one glyph for a run of characters that are not shown.
func (w *writer) hide() {
	if w.inRun {
		return
	}
	w.emit(hidden, 1)
	w.inRun = true
	w.shown()
}
