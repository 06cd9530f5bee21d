package diff

import (
	"unicode"
	"unicode/utf8"
)

// Span is a part of a text: the bytes from From up to To. It never begins or ends
// inside a character. A mark or joiner stays with its base character.
type Span struct{ From, To int }

// leastAlike is how similar two texts must be, from 0 to 1, for marking words.
// Below it most of both texts would be marked, which does not help a reader.
const leastAlike = 0.5

// maxWordBytes is the length of the longest text whose words are compared.
const maxWordBytes = 64 << 10

// Words compares two texts word by word and returns the parts that only before has
// and those that only after has. ok is false if the texts are too different or too
// long for marks that help a reader.
func Words(before, after string) (removed, added []Span, ok bool) {
	var w wordbook
	return w.compare(w.read(before), w.read(after))
}

// Split cuts a text into the parts that Words compares: words, white space, and
// signs.
func Split(text string) []string {
	var list []string
	for at := 0; at < len(text); {
		n, _ := word(text[at:])
		list = append(list, text[at:at+n])
		at += n
	}
	return list
}

// wordbook gives each word a number. Equal words get the same number.
type wordbook struct {
	ids    map[string]rune
	counts []int // scratch space, by number; all 0 between uses
}

// wording is a text cut into words.
type wording struct {
	ids    []rune
	spans  []Span
	weight []int // of each word: its bytes; 0 for white space and single-byte signs
	sum    int   // of the weights
	long   bool  // the text was too long to read
}

func (w *wordbook) read(text string) wording {
	if len(text) > maxWordBytes {
		return wording{long: true}
	}
	if w.ids == nil {
		w.ids = map[string]rune{}
	}
	var out wording
	for at := 0; at < len(text); {
		n, kind := word(text[at:])
		token := text[at : at+n]
		id, known := w.ids[token]
		if !known {
			id = rune(len(w.ids))
			w.ids[token] = id
			w.counts = append(w.counts, 0)
		}
		weight := 0
		if kind == letters || kind == sign && n > 1 {
			weight = n
		}
		out.ids = append(out.ids, id)
		out.spans = append(out.spans, Span{at, at + n})
		out.weight = append(out.weight, weight)
		out.sum += weight
		at += n
	}
	return out
}

// alike returns how much two texts have in common, from 0 to 1. The order of words
// does not matter.
func (w *wordbook) alike(a, b wording) float64 {
	if a.long || b.long || a.sum+b.sum == 0 {
		return 0
	}
	for _, id := range a.ids {
		w.counts[id]++
	}
	both := 0
	for i, id := range b.ids {
		if w.counts[id] > 0 {
			w.counts[id]--
			both += b.weight[i]
		}
	}
	for _, id := range a.ids {
		w.counts[id] = 0
	}
	return 2 * float64(both) / float64(a.sum+b.sum)
}

// compare does the work of Words.
func (w *wordbook) compare(a, b wording) (removed, added []Span, ok bool) {
	if w.alike(a, b) < leastAlike {
		return nil, nil, false
	}
	gaps := closeGaps(between(a.ids, b.ids), a, b)
	same := a.sum + b.sum
	for _, g := range gaps {
		for _, weight := range a.weight[g.a0:g.a1] {
			same -= weight
		}
		for _, weight := range b.weight[g.b0:g.b1] {
			same -= weight
		}
	}
	if float64(same) < leastAlike*float64(a.sum+b.sum) {
		return nil, nil, false // most words are common but in another order
	}
	for _, g := range gaps {
		if g.a0 < g.a1 {
			removed = append(removed, Span{a.spans[g.a0].From, a.spans[g.a1-1].To})
		}
		if g.b0 < g.b1 {
			added = append(added, Span{b.spans[g.b0].From, b.spans[g.b1-1].To})
		}
	}
	return removed, added, true
}

// closeGaps joins two gaps if only one space or sign lies between them and both
// replace something. One mark is easier to read than many small ones.
func closeGaps(gaps []gap, a, b wording) []gap {
	var out []gap
	for _, g := range gaps {
		if n := len(out); n > 0 {
			last := &out[n-1]
			words := 0
			for _, weight := range a.weight[last.a1:g.a0] {
				words += weight
			}
			replaces := func(g gap) bool { return g.a0 < g.a1 && g.b0 < g.b1 }
			if words == 0 && g.a0-last.a1 == 1 && replaces(*last) && replaces(g) {
				last.a1, last.b1 = g.a1, g.b1
				continue
			}
		}
		out = append(out, g)
	}
	return out
}

// wordKind says what a word consists of.
type wordKind int

const (
	letters wordKind = iota
	space
	sign
)

// word returns the length and kind of the first word of a text: letters and digits,
// white space, or one sign. In a script without spaces between words, each
// character is a word.
func word(text string) (length int, kind wordKind) {
	r, n := utf8.DecodeRuneInString(text)
	kind = kindOf(r)
	joins := kind == space || kind == letters && !isUnspaced(r)
	for n < len(text) {
		next, size := utf8.DecodeRuneInString(text[n:])
		joiner := r == '\u200d'
		if !isAttached(next) && !joiner && (!joins || kindOf(next) != kind || isUnspaced(next)) {
			break
		}
		r = next
		n += size
	}
	return n, kind
}

func kindOf(r rune) wordKind {
	switch {
	case unicode.IsSpace(r):
		return space
	case unicode.IsLetter(r), unicode.IsDigit(r), r == '_', unicode.Is(unicode.Regional_Indicator, r): // two of the last make a flag
		return letters
	}
	return sign
}

// isAttached reports whether a character is part of the one before it: a mark, a
// joiner, a skin tone, a tag of a flag, or the vowel am of Thai or Lao.
func isAttached(r rune) bool {
	return unicode.In(r, unicode.M) || r == '\u200d' || r == '\u200c' || r >= 0x1F3FB && r <= 0x1F3FF ||
		r >= 0xE0020 && r <= 0xE007F || r == '\u0E33' || r == '\u0EB3'
}

// isUnspaced reports whether a character belongs to a script without spaces
// between words.
func isUnspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
