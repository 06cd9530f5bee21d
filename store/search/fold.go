package search

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// fold returns the text in lower case and of the same length. A letter whose
// lower case has another number of bytes stays as it is, and so do bytes that
// are not UTF-8. So an offset in the folded text is the same in the text.
func fold(buffer []byte, text string) []byte {
	buffer = slices.Grow(buffer[:0], len(text))[:len(text)]
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			buffer[i] = c
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if lower := unicode.ToLower(r); r != utf8.RuneError && utf8.RuneLen(lower) == size {
			utf8.EncodeRune(buffer[i:], lower)
		} else {
			copy(buffer[i:], text[i:i+size])
		}
		i += size
	}
	return buffer
}
