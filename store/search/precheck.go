package search

import (
	"bytes"
	"slices"
	"strings"
)

// precheck tells quickly that a text does not have an ASCII word. Nearly no text has the
// word, so the check looks for the word's rarest letter and compares only there.
type precheck struct {
	word         string // in lower case
	rare         int    // index in word of its rarest letter
	lower, upper byte   // that letter
}

// rarest lists the letters, the least frequent first.
const rarest = "zqxjkvbpgywmfucldrhsnioate"

// newPrecheck returns the check for a folded word; ok is false if the word is not ASCII.
func newPrecheck(word string) (c precheck, ok bool) {
	c.word = word
	best := len(rarest)
	for i := range len(word) {
		if word[i] >= 0x80 {
			return precheck{}, false
		}
		if rank := strings.IndexByte(rarest, word[i]); rank >= 0 && rank < best {
			best, c.rare = rank, i
		}
	}
	c.lower, c.upper = word[c.rare], upperASCII(word[c.rare])
	return c, true
}

func upperASCII(c byte) byte {
	if 'a' <= c && c <= 'z' {
		c -= 'a' - 'A'
	}
	return c
}

// letters reports whether the word consists of letters only. Such a word looks the same in
// JSON, which never escapes letters and writes no number with them.
func (c precheck) letters() bool { return strings.Trim(c.word, rarest) == "" }

func (c precheck) inText(text string) bool { return in(c, text, strings.IndexByte) }
func (c precheck) inBytes(b []byte) bool   { return in(c, b, bytes.IndexByte) }

func in[T string | []byte](c precheck, text T, index func(T, byte) int) bool {
	after := func(at int, letter byte) int {
		if i := index(text[at:], letter); i >= 0 {
			return at + i
		}
		return len(text)
	}
	lower, upper := after(0, c.lower), len(text)
	if c.upper != c.lower {
		upper = after(0, c.upper)
	}
	for {
		at := min(lower, upper)
		if at == len(text) {
			return false
		}
		if start := at - c.rare; start >= 0 && start+len(c.word) <= len(text) && matches(c, text, start) {
			return true
		}
		if at == lower {
			lower = after(at+1, c.lower)
		} else {
			upper = after(at+1, c.upper)
		}
	}
}

// matches reports whether text has the word at start.
func matches[T string | []byte](c precheck, text T, start int) bool {
	for i, letter := range []byte(c.word) {
		if text[start+i] != letter && text[start+i] != upperASCII(letter) {
			return false
		}
	}
	return true
}

// prechecks returns the checks for all ASCII words of the query.
func (q Query) prechecks() (list []precheck) {
	for _, p := range q.words {
		for _, word := range p {
			if c, ok := newPrecheck(string(word)); ok {
				list = append(list, c)
			}
		}
	}
	return list
}

// verdicts are words that a screen says of a verdict. Its JSON has none of them: it says
// "approve", "request-changes" or "reject".
const verdicts = "approved requested rejected"

// mayMatch returns a check of an ask's JSON that reports false if the ask cannot match. It
// returns nil if the query has no word that can be checked in JSON.
func (q Query) mayMatch() func(json ...[]byte) bool {
	var list []precheck
	for _, c := range q.prechecks() {
		if c.letters() && !strings.Contains(verdicts, c.word) {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return func(json ...[]byte) bool {
		for _, c := range list {
			if !slices.ContainsFunc(json, c.inBytes) {
				return false
			}
		}
		return true
	}
}
