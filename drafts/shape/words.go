package shape

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// CountWords counts the words of a text as UAX 29 divides it. Scripts without
// spaces between words are divided there by character: of Chinese and Japanese two
// characters count as one word, of Thai, Lao, Khmer and Burmese four. A day, 2027-06-18, is
// one word: models count it so.
func CountWords(text string) int {
	const quarters = 4
	count := 0
	for segments := words.FromString(daysAsWords(text)); segments.Next(); {
		count += quartersOf(segments.Value())
	}
	return (count + quarters - 1) / quarters
}

// daysAsWords puts a word in place of each day, as plans write it.
func daysAsWords(text string) string {
	const bytes = len("2027-06-18")
	var out strings.Builder
	done := 0
	for at := 0; at+bytes <= len(text); at++ {
		if end := at + bytes; isDay(text[at:end]) && (at == 0 || !isWordByte(text[at-1])) && (end == len(text) || !isWordByte(text[end])) {
			out.WriteString(text[done:at] + "day")
			done, at = end, end-1
		}
	}
	if done == 0 {
		return text
	}
	return out.String() + text[done:]
}

// isDay reports whether ten bytes are digits and hyphens as in 2027-06-18.
func isDay(text string) bool {
	for i := range len(text) {
		if isHyphen := i == 4 || i == 7; isHyphen && text[i] != '-' || !isHyphen && (text[i] < '0' || text[i] > '9') {
			return false
		}
	}
	return true
}

func isWordByte(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

func quartersOf(segment string) int {
	for _, r := range segment {
		switch {
		case unicode.In(r, unicode.Katakana): // one segment is a run of them
			return 2 * len([]rune(segment))
		case unicode.In(r, unicode.Han, unicode.Hiragana):
			return 2
		case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			return 1
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			return 4
		}
	}
	return 0
}

// Counted says how many of something there are.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// tooLong reports whether a text is longer than its limit, and says by what. A
// fifth more words pass, and a third in a short text: models count badly, and a
// second try costs more than a few words. The limit of characters stops texts that
// have no words.
func tooLong(text string, limit int) (got, allowed string, long bool) {
	more := max(limit/5, min(limit/3, 4))
	if n := CountWords(text); n > limit+more {
		return fmt.Sprintf("%d words", n), fmt.Sprintf("at most %d", limit), true
	}
	most := limit*maxLetters + 40
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Sprintf("%d characters", n), fmt.Sprintf("at most %d words and %d characters", limit, most), true
	}
	return "", "", false
}

// maxLetters is how many characters a word may have on average.
const maxLetters = 16
