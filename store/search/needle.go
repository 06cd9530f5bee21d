package search

import (
	"bytes"
	"strings"
)

// needle is a word of ASCII in lower case. It says quickly that a text does not
// have it, which is so for nearly all texts: only at the letter of it that is the
// rarest anything is compared.
type needle struct {
	word         string
	rare         int // where in the word that letter is
	lower, upper byte
}

// rarest lists the letters from those that texts have least of.
const rarest = "zqxjkvbpgywmfucldrhsnioate"

// newNeedle makes a needle of a folded word, if it is of ASCII alone.
func newNeedle(word string) (needle, bool) {
	n := needle{word: word}
	best := len(rarest)
	for i := range len(word) {
		c := word[i]
		if c >= 0x80 {
			return needle{}, false
		}
		if rank := strings.IndexByte(rarest, c); rank >= 0 && rank < best {
			best, n.rare = rank, i
		}
	}
	n.lower, n.upper = word[n.rare], upperASCII(word[n.rare])
	return n, true
}

func upperASCII(c byte) byte {
	if 'a' <= c && c <= 'z' {
		c -= 'a' - 'A'
	}
	return c
}

// letters reports whether the word is of letters alone. Those stand in JSON as
// they are, and in no number that is written another way.
func (n needle) letters() bool { return strings.Trim(n.word, rarest) == "" }

func (n needle) inText(text string) bool { return in(n, text, strings.IndexByte) }
func (n needle) inBytes(b []byte) bool   { return in(n, b, bytes.IndexByte) }

func in[T string | []byte](n needle, text T, index func(T, byte) int) bool {
	after := func(at int, c byte) int {
		if i := index(text[at:], c); i >= 0 {
			return at + i
		}
		return len(text)
	}
	lower, upper := after(0, n.lower), len(text)
	if n.upper != n.lower {
		upper = after(0, n.upper)
	}
	for {
		at := min(lower, upper)
		if at == len(text) {
			return false
		}
		if start := at - n.rare; start >= 0 && start+len(n.word) <= len(text) && matches(n, text, start) {
			return true
		}
		if at == lower {
			lower = after(at+1, n.lower)
		} else {
			upper = after(at+1, n.upper)
		}
	}
}

// matches reports whether the word is what the text has from there on.
func matches[T string | []byte](n needle, text T, start int) bool {
	for i := range len(n.word) {
		if c := text[start+i]; c != n.word[i] && c != upperASCII(n.word[i]) {
			return false
		}
	}
	return true
}

// needles are of all words that must occur somewhere in what is looked for, those
// of which there can be some.
func (q Query) needles() (list []needle) {
	for _, p := range q.words {
		for _, word := range p {
			if n, ok := newNeedle(string(word)); ok {
				list = append(list, n)
			}
		}
	}
	return list
}

// verdicts are what a verdict's words have and its JSON, which says "approve",
// "request-changes" or "reject", has not.
const verdicts = "approved requested rejected"

// mayBe tells by an ask's JSON whether it can be what is looked for. It is nil
// where that tells nothing.
func (q Query) mayBe() func(json ...[]byte) bool {
	var list []needle
	for _, n := range q.needles() {
		if n.letters() && !strings.Contains(verdicts, n.word) {
			list = append(list, n)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return func(json ...[]byte) bool {
		for _, n := range list {
			found := false
			for _, b := range json {
				if found = n.inBytes(b); found {
					break
				}
			}
			if !found {
				return false
			}
		}
		return true
	}
}
