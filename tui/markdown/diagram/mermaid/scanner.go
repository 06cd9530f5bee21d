package mermaid

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// scanner reads the text of statements. A statement ends with its line or with a
// semicolon.
type scanner struct {
	text    string
	at      int   // offset in text
	starts  []int // the offset of each line in text
	numbers []int // the number of each line in the source
}

func newScanner(lines []sourceLine) scanner {
	var s scanner
	var b strings.Builder
	for _, line := range lines {
		s.starts = append(s.starts, b.Len())
		s.numbers = append(s.numbers, line.number)
		b.WriteString(withoutComment(line.text))
		b.WriteByte('\n')
	}
	s.text = b.String()
	return s
}

// line returns the source line that is being read.
func (s *scanner) line() int {
	number := 0
	for i, start := range s.starts {
		if start > s.at {
			break
		}
		number = s.numbers[i]
	}
	return number
}

func (s *scanner) done() bool   { return s.at >= len(s.text) }
func (s *scanner) rest() string { return s.text[s.at:] }

// accept reads a prefix if it is there, and reports whether it was.
func (s *scanner) accept(prefix string) bool {
	if !strings.HasPrefix(s.rest(), prefix) {
		return false
	}
	s.at += len(prefix)
	return true
}

func (s *scanner) skip(set string) {
	for !s.done() && strings.IndexByte(set, s.text[s.at]) >= 0 {
		s.at++
	}
}

func (s *scanner) skipBlanks()     { s.skip(" \t") }
func (s *scanner) skipAllBlanks()  { s.skip(" \t\n") }
func (s *scanner) skipSeparators() { s.skip(" \t\n;") }

func (s *scanner) atSeparator() bool {
	return s.done() || s.text[s.at] == '\n' || s.text[s.at] == ';'
}

// peekWord returns the next word without reading it. It is empty unless white space,
// a colon, a brace or the end of the statement follows the word.
func (s *scanner) peekWord() string {
	word, _ := firstWord(s.rest())
	if end := s.at + len(word); end < len(s.text) && !strings.ContainsRune(" \t\n;:{", rune(s.text[end])) {
		return ""
	}
	return word
}

// wordEndsStatement reports whether the statement ends behind the next word.
func (s *scanner) wordEndsStatement() bool {
	_, rest := firstWord(s.rest())
	word, _ := firstWord(s.rest())
	after := strings.TrimLeft(s.text[s.at+len(word):], " \t")
	return rest == "" || after == "" || after[0] == '\n' || after[0] == ';'
}

func (s *scanner) restOfLine() string {
	line, _, _ := strings.Cut(s.rest(), "\n")
	s.at += len(line)
	return line
}

// restOfStatement reads up to the end of the line or a semicolon outside quotes.
func (s *scanner) restOfStatement() string {
	start, quoted := s.at, false
	for ; !s.done() && s.text[s.at] != '\n' && (quoted || s.text[s.at] != ';'); s.at++ {
		if s.text[s.at] == '"' {
			quoted = !quoted
		}
	}
	return s.text[start:s.at]
}

// skipStyle skips a statement that only styles, and the properties that stand behind a
// semicolon, although Mermaid parts them with commas.
func (s *scanner) skipStyle() {
	for {
		s.restOfStatement()
		next := strings.TrimLeft(s.rest(), "; \t")
		property, rest := firstWord(next)
		if property == "" || !strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, ":::") {
			return
		}
		s.at = len(s.text) - len(next)
	}
}

// joined reports whether the word of n bytes ahead is the name of a box, because a link
// or another box follows it.
func (s scanner) joined(n int) bool {
	next := strings.TrimLeft(s.text[s.at+n:], " \t")
	for _, link := range []string{"&", "--", "==", "-.", "~~~", "<--", "<==", "<-.", "x--", "x==", "x-.", "o--", "o==", "o-."} {
		if strings.HasPrefix(next, link) {
			return true
		}
	}
	return false
}

// skipAccessible skips a title or description for screen readers. It ends with its
// line or, if it stands in braces, with the closing brace.
func (s *scanner) skipAccessible() {
	if line, _, _ := strings.Cut(s.rest(), "\n"); !strings.Contains(line, ":") && strings.Contains(line, "{") {
		if end := strings.IndexByte(s.rest(), '}'); end >= 0 {
			s.at += end + 1
			return
		}
	}
	s.restOfLine()
}

// id reads the name of a node. A hyphen or a dot belongs to the name only between
// two other characters of it; elsewhere it begins a link.
func (s *scanner) id() string {
	start := s.at
	for !s.done() {
		r, size := utf8.DecodeRuneInString(s.rest())
		if !idRune(r) {
			next, _ := utf8.DecodeRuneInString(s.text[s.at+size:])
			if (r != '-' && r != '.') || s.at == start || !idRune(next) {
				break
			}
		}
		s.at += size
	}
	return s.text[start:s.at]
}

func idRune(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r >= utf8.RuneSelf && r != utf8.RuneError:
		return true
	}
	return strings.ContainsRune("_$!?*+'#%/", r)
}

// found describes, for an error, the text at the current place.
func (s *scanner) found() string {
	if s.atSeparator() {
		return "the end of the statement"
	}
	line, _, _ := strings.Cut(s.rest(), "\n")
	if runes := []rune(line); len(runes) > 20 {
		line = string(runes[:20]) + "…"
	}
	return fmt.Sprintf("%q", printable(line))
}

// until reads up to the first of several closing words outside quotes, and returns
// which one it was. Balanced brackets before it are a part of the text, as in
// [a[0]], although Mermaid requires quotes there.
func (s *scanner) until(closers ...string) (text, closer string, err error) {
	end, closer := s.closing(closers, true)
	if end < 0 {
		end, closer = s.closing(closers, false)
	}
	switch {
	case end < 0:
		return "", "", fmt.Errorf("%s is not closed by %s", s.found(), strings.Join(closers, " or "))
	case end-s.at > maxLabel:
		return "", "", fmt.Errorf("a label has %d bytes; at most %d are drawn", end-s.at, maxLabel)
	}
	text = s.text[s.at:end]
	s.at = end + len(closer)
	return text, closer, nil
}

// closing finds the first of several closing words outside quotes, and returns its
// offset and the word; the offset is -1 if there is none. If nested is true, the
// word must also be outside other brackets of its line.
func (s *scanner) closing(closers []string, nested bool) (at int, closer string) {
	quoted := false
	var open []byte // the closing bracket of each open one
	for i := s.at; i < len(s.text); i++ {
		c := s.text[i]
		if c == '"' {
			quoted = !quoted
		}
		if quoted {
			continue
		}
		if len(open) == 0 {
			for _, word := range closers {
				if strings.HasPrefix(s.text[i:], word) {
					return i, word
				}
			}
		}
		if !nested {
			continue
		}
		if n := len(open); n > 0 && c == open[n-1] {
			open = open[:n-1]
		} else if b := strings.IndexByte("([{", c); b >= 0 {
			open = append(open, ")]}"[b])
		} else if c == '\n' && n > 0 {
			return -1, ""
		}
	}
	return -1, ""
}
