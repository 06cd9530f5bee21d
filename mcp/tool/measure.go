package tool

import (
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// itemSize is about what a client writes around one text of a result.
const itemSize = 30

// Size is the length of a result's texts as a client counts it, in the worst case: in
// bytes of JSON, with every character escaped that any client escapes.
func Size(texts ...string) int {
	size := 0
	for _, text := range texts {
		raw, err := json.Marshal(text)
		if err != nil { // texts always encode
			return math.MaxInt
		}
		size += len(raw) + itemSize
	}
	return size
}

// beginning returns at most so many characters of the text. It does not cut a visible
// character that consists of several.
func beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	end, count := 0, 0
	for cluster := range clusters(text) {
		if count += utf8.RuneCountInString(cluster); count > most {
			break
		}
		end += len(cluster)
	}
	if end == 0 { // one character with very many marks
		return FirstOf(text, most)
	}
	return text[:end]
}

// Fitting is the beginning of the text that takes at most so many bytes as JSON. It is
// empty only if the text is empty.
func Fitting(text string, most int) string {
	end, size := 0, itemSize+2
	for cluster := range clusters(text) {
		if size += Size(cluster) - itemSize - 2; size > most {
			break
		}
		end += len(cluster)
	}
	if end == 0 {
		return FirstOf(text, max(1, most/16))
	}
	return text[:end]
}

// clusters returns the characters of the text as a reader sees them.
func clusters(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for g := displaywidth.StringGraphemes(text); g.Next(); {
			if !yield(g.Value()) {
				return
			}
		}
	}
}

// FirstOf is the beginning of the text, of at most so many characters.
func FirstOf(text string, most int) string {
	for at := range text {
		if most == 0 {
			return text[:at]
		}
		most--
	}
	return text
}

// Characters counts what offsets count.
func Characters(text string) int { return utf8.RuneCountInString(text) }

// From is the text from that character on.
func From(text string, offset int) string { return text[len(FirstOf(text, offset)):] }

// Grouped writes a number with a comma between thousands.
func Grouped(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
