package search

import (
	"bytes"
	"strings"
)

// needle is a word of ASCII in lower case, for a quick check that a text does
// not have the word. Nearly no text has it, so the search only stops at the
// word's rarest letter and compares there.
type needle struct {
	word         string
	rare         int // index in word of its rarest letter
	lower, upper byte
}

// rarest lists the letters, the least frequent first.
const rarest = "zqxjkvbpgywmfucldrhsnioate"

// newNeedle makes a needle of a folded word. It returns false if the word is
// not pure ASCII.
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

// letters reports whether the word consists of letters only. JSON never escapes
// letters, and no spelling of a number depends on them.
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

// matches reports whether text has the word at start.
func matches[T string | []byte](n needle, text T, start int) bool {
	for i := range len(n.word) {
		if c := text[start+i]; c != n.word[i] && c != upperASCII(n.word[i]) {
			return false
		}
	}
	return true
}

// needles returns needles for all ASCII words of the query.
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

// verdicts are the words that a verdict has on a screen and not in its JSON,
// which says "approve", "request-changes" or "reject".
const verdicts = "approved requested rejected"

// mayMatch returns a quick check of an ask's JSON: false means that the ask cannot
// match. It returns nil if the query has no word to check like that.
func (q Query) mayMatch() func(json ...[]byte) bool {
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
