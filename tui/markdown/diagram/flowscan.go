package diagram

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// scanner walks through the text of statements. A statement ends with its line or
// with a semicolon.
type scanner struct {
	text    string
	at      int
	starts  []int // where the lines start in text
	numbers []int // their numbers in the source
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

// line is the number of the line that is read.
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

// take goes on behind a prefix if it is there.
func (s *scanner) take(prefix string) bool {
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

// peekWord is the word that comes, if white space or the end of a statement
// follows it.
func (s *scanner) peekWord() string {
	word, _ := firstWord(s.rest())
	if end := s.at + len(word); end < len(s.text) && !strings.ContainsRune(" \t\n;:{", rune(s.text[end])) {
		return ""
	}
	return word
}

// wordEndsStatement reports whether nothing follows the word that comes.
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

// restOfStatement ends at a semicolon outside of quotes, too.
func (s *scanner) restOfStatement() string {
	start, quoted := s.at, false
	for ; !s.done() && s.text[s.at] != '\n' && (quoted || s.text[s.at] != ';'); s.at++ {
		if s.text[s.at] == '"' {
			quoted = !quoted
		}
	}
	return s.text[start:s.at]
}

// skipAccessible passes over a title or description for screen readers, which
// ends with its line or, in braces, with the closing one.
func (s *scanner) skipAccessible() {
	if line, _, _ := strings.Cut(s.rest(), "\n"); !strings.Contains(line, ":") && strings.Contains(line, "{") {
		if end := strings.IndexByte(s.rest(), '}'); end >= 0 {
			s.at += end + 1
			return
		}
	}
	s.restOfLine()
}

// id reads the name of a node. A hyphen or a dot belongs to it between other
// characters, where no link begins.
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

// found names what stands where something else was expected.
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

// until reads up to the first of some closing words outside of quotes, and says
// which one it was. Brackets in between that are closed themselves, as in [a[0]],
// are words, although Mermaid wants them quoted.
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

// closing is where the first of some closing words begins, or -1, and which one it
// is: outside of quotes, and of brackets in the same line if it is nested.
func (s *scanner) closing(closers []string, nested bool) (at int, closer string) {
	quoted := false
	var open []byte // the brackets that would close those that are open
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
