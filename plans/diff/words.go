package diff

import (
	"unicode"
	"unicode/utf8"
)

// Span is a part of a text: the bytes from From up to To. It never ends inside
// a character, and a mark or joiner stays with the character it belongs to.
type Span struct{ From, To int }

// How similar two texts must be for their words to be compared: below this most
// of both would be marked, which helps nobody.
const leastAlike = 0.5

// maxWordBytes is how long a text may be for its words to be compared.
const maxWordBytes = 64 << 10

// Words compares two texts word by word and returns what each has that the
// other has not. ok is false if they are too different, or too long, for that to
// help anybody who reads.
func Words(before, after string) (removed, added []Span, ok bool) {
	var w wordbook
	return w.compare(w.read(before), w.read(after))
}

// Split cuts a text into what Words compares: words, white space, and signs.
func Split(text string) []string {
	var list []string
	for at := 0; at < len(text); {
		n, _ := word(text[at:])
		list = append(list, text[at:at+n])
		at += n
	}
	return list
}

// wordbook numbers words, the same ones alike.
type wordbook struct {
	ids    map[string]rune
	counts []int // scratch, by number; all 0 between uses
}

// wording is a text as words.
type wording struct {
	ids    []rune
	spans  []Span
	weight []int // of each word: its bytes, 0 if it is white space or a sign
	sum    int   // of the weights
	long   bool  // it was not read
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

// alike says how much two texts have in common, from 0 to 1, in whatever order.
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
		return nil, nil, false // the same words in another order
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

// closeGaps joins gaps between which there is nothing but white space and signs
// if both sides have a change there: one mark reads better than many crumbs.
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

// wordKind is what a word consists of.
type wordKind int

const (
	letters wordKind = iota
	space
	sign
)

// word returns the length of the word a text begins with: letters and digits,
// white space, or one sign. Writing without spaces between words is taken
// character by character.
func word(text string) (length int, kind wordKind) {
	r, n := utf8.DecodeRuneInString(text)
	kind = kindOf(r)
	joins := kind == space || kind == letters && !alone(r)
	for n < len(text) {
		next, size := utf8.DecodeRuneInString(text[n:])
		joiner := r == '\u200d'
		if !belongs(next) && !joiner && (!joins || kindOf(next) != kind || alone(next)) {
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
	case unicode.IsLetter(r), unicode.IsDigit(r), r == '_':
		return letters
	}
	return sign
}

// belongs reports a character that is part of the one before it.
func belongs(r rune) bool {
	return unicode.In(r, unicode.M) || r == '\u200d' || r == '\u200c' || r >= 0x1F3FB && r <= 0x1F3FF
}

// alone reports a character of a script that puts no spaces between words.
func alone(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
