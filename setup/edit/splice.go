package edit

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// splice replaces the bytes from start to end by text.
type splice struct {
	start, end int
	text       string
}

// spliced applies splices, which must not overlap.
func spliced(text []byte, splices ...splice) []byte {
	slices.SortStableFunc(splices, func(a, b splice) int { return cmp.Compare(a.start, b.start) })
	var out bytes.Buffer
	from := 0
	for _, s := range splices {
		out.Write(text[from:s.start])
		out.WriteString(s.text)
		from = s.end
	}
	out.Write(text[from:])
	return out.Bytes()
}

func newline(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

func lineStart(text []byte, offset int) int { return bytes.LastIndexByte(text[:offset], '\n') + 1 }

// lineEnd returns the offset after the line's end, or the length of the text.
func lineEnd(text []byte, offset int) int {
	if i := bytes.IndexByte(text[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(text)
}

func lineOf(text []byte, offset int) int { return 1 + bytes.Count(text[:offset], []byte("\n")) }

// indentation returns the white space from the line's start to the offset; ok
// is false if there is anything else.
func indentation(text []byte, offset int) (indent string, ok bool) {
	indent = string(text[lineStart(text, offset):offset])
	return indent, strings.Trim(indent, " \t") == ""
}

// blank reports whether the text has only white space, by JSON's and TOML's
// rules.
func blank(text []byte) bool {
	return len(bytes.Trim(bytes.TrimPrefix(text, []byte(byteOrderMark)), " \t\r\n")) == 0
}

// byteOrderMark is at the start of files from some Windows editors.
const byteOrderMark = "\ufeff"
