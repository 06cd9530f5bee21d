package lenient

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"planb/questions/safe"
)

// Slug makes an id of at most the given bytes from a text: letters with their marks and digits in lower
// case, a dash between words, cut at the end of a word. It is empty if the text
// has no letters or digits, or if the id would not be printable.
func Slug(text string, most int) string {
	var id strings.Builder
	between := func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) }
	for word := range strings.FieldsFuncSeq(text, between) {
		word = strings.ToLower(word)
		switch {
		case id.Len() == 0:
			id.WriteString(Cut(word, most))
		case id.Len()+1+len(word) <= most:
			id.WriteString("-" + word)
		default:
			return printableOrNone(id.String())
		}
	}
	return printableOrNone(id.String())
}

func printableOrNone(id string) string {
	if _, ok := safe.Printable(id); !ok {
		return ""
	}
	return id
}

// Cut shortens s to at most limit bytes of whole characters.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
