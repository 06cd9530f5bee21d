package mermaid

import (
	"fmt"
	"strings"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/graph"
)

// maxLength is the greatest number of layers that a long link can span.
const maxLength = 10

// edgeID reads the name of a link (name@-->). The name serves only for styles.
func (s *scanner) edgeID() string {
	start := s.at
	id := s.id()
	if id == "" || !s.accept("@") {
		s.at = start
		return ""
	}
	return id
}

// peekID returns the next name without reading it.
func (s *scanner) peekID() string {
	start := s.at
	id := s.id()
	s.at = start
	return id
}

// link reads a link with its label: -->, -- x -->, -->|x| and the like.
func (s *scanner) link() (graph.Edge, error) {
	e := graph.Edge{Stroke: canvas.Light, Length: 1}
	start := s.at
	switch {
	case s.accept("<"):
		e.Tail = canvas.ArrowSign
	case s.tailLetter('x'):
		e.Tail = canvas.CrossSign
	case s.tailLetter('o'):
		e.Tail = canvas.CircleSign
	}
	var err error
	switch rest := s.rest(); {
	case strings.HasPrefix(rest, "~~~"):
		e.Hidden, e.Length = true, s.run('~')-2
	case strings.HasPrefix(rest, "-."):
		err = s.dottedLink(&e)
	case strings.HasPrefix(rest, "--"):
		err = s.plainLink(&e, '-')
	case strings.HasPrefix(rest, "=="):
		e.Stroke = canvas.Heavy
		err = s.plainLink(&e, '=')
	default:
		s.at = start
		err = fmt.Errorf("a link such as --> was expected, not %s", s.found())
	}
	if err != nil {
		return e, err
	}
	e.Length = min(max(e.Length, 1), maxLength)
	s.skipBlanks()
	if s.accept("|") {
		text, _, err := s.until("|")
		if err != nil {
			return e, err
		}
		e.Label = readLabel(text)
	}
	return e, nil
}

// tailLetter reads a letter at the beginning of a link, if it is there.
func (s *scanner) tailLetter(letter byte) bool {
	rest := s.rest()
	if len(rest) < 3 || rest[0] != letter {
		return false
	}
	switch rest[1:3] {
	case "--", "==", "-.":
		s.at++
		return true
	}
	return false
}

// run reads a run of one character and returns its length.
func (s *scanner) run(c byte) int {
	start := s.at
	for !s.done() && s.text[s.at] == c {
		s.at++
	}
	return s.at - start
}

// headSign reads the sign at the end of a link, if there is one.
func (s *scanner) headSign() canvas.Sign {
	switch {
	case s.accept(">"):
		return canvas.ArrowSign
	case s.accept("x"):
		return canvas.CrossSign
	case s.accept("o"):
		return canvas.CircleSign
	}
	return canvas.NoSign
}

// plainLink reads links of hyphens or equals signs.
func (s *scanner) plainLink(e *graph.Edge, c byte) error {
	n := s.run(c)
	if e.Head = s.headSign(); e.Head != canvas.NoSign {
		e.Length = n - 1
		return nil
	}
	if n > 2 {
		e.Length = n - 2
		return nil
	}
	text, _, err := s.until(strings.Repeat(string(c), 2))
	if err != nil {
		return err
	}
	e.Label = readLabel(text)
	n = 2 + s.run(c)
	if e.Head = s.headSign(); e.Head != canvas.NoSign {
		e.Length = n - 1
		return nil
	}
	e.Length = n - 2
	return nil
}

// dottedLink reads links such as -.-> and -. x .->.
func (s *scanner) dottedLink(e *graph.Edge) error {
	e.Stroke = canvas.Dotted
	s.at++
	n := s.run('.')
	if !s.accept("-") {
		text, _, err := s.until(".-")
		if err != nil {
			return err
		}
		words := strings.TrimRight(text, ".")
		n = len(text) - len(words) + 1
		if strings.HasSuffix(words, " -") { // as in -. x -.->
			words = words[:len(words)-1]
		}
		e.Label = readLabel(words)
	}
	e.Length = n
	e.Head = s.headSign()
	return nil
}
