package edit

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// splice puts a text in place of the bytes from start to end.
type splice struct {
	start, end int
	text       string
}

// spliced makes splices that do not overlap.
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

// newline is how the text ends its lines.
func newline(text []byte) string {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineStart is where the line begins in which the offset lies.
func lineStart(text []byte, offset int) int { return bytes.LastIndexByte(text[:offset], '\n') + 1 }

// lineEnd is behind the line's end, and at the end of the text if there is none.
func lineEnd(text []byte, offset int) int {
	if i := bytes.IndexByte(text[offset:], '\n'); i >= 0 {
		return offset + i + 1
	}
	return len(text)
}

func lineOf(text []byte, offset int) int { return 1 + bytes.Count(text[:offset], []byte("\n")) }

// indentation is the white space before the offset, if there is nothing else on
// its line; ok tells that.
func indentation(text []byte, offset int) (indent string, ok bool) {
	indent = string(text[lineStart(text, offset):offset])
	return indent, strings.Trim(indent, " \t") == ""
}

// blank reports whether there is nothing but white space, as JSON and TOML have it.
func blank(text []byte) bool {
	return len(bytes.Trim(bytes.TrimPrefix(text, []byte(byteOrderMark)), " \t\r\n")) == 0
}

// byteOrderMark begins files that some Windows editors write.
const byteOrderMark = "\ufeff"
