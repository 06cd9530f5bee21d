package diagram

import (
	"fmt"
	"strings"
)

// maxLength is how many layers one link leads on at most, however long it is written.
const maxLength = 10

// edgeID reads the name of a link (name@-->), which only styles it.
func (s *scanner) edgeID() string {
	start := s.at
	id := s.id()
	if id == "" || !s.take("@") {
		s.at = start
		return ""
	}
	return id
}

// peekID is the name that comes.
func (s *scanner) peekID() string {
	start := s.at
	id := s.id()
	s.at = start
	return id
}

// link reads a link with its label: --> -- x --> -->|x| and their kin.
func (s *scanner) link() (edge, error) {
	e := edge{stroke: light, length: 1}
	start := s.at
	switch {
	case s.take("<"):
		e.tail = arrowMark
	case s.tailLetter('x'):
		e.tail = crossMark
	case s.tailLetter('o'):
		e.tail = circleMark
	}
	var err error
	switch rest := s.rest(); {
	case strings.HasPrefix(rest, "~~~"):
		e.hidden, e.length = true, s.run('~')-2
	case strings.HasPrefix(rest, "-."):
		err = s.dottedLink(&e)
	case strings.HasPrefix(rest, "--"):
		err = s.plainLink(&e, '-')
	case strings.HasPrefix(rest, "=="):
		e.stroke = heavy
		err = s.plainLink(&e, '=')
	default:
		s.at = start
		err = fmt.Errorf("a link such as --> was expected, not %s", s.found())
	}
	if err != nil {
		return e, err
	}
	e.length = min(max(e.length, 1), maxLength)
	s.skipBlanks()
	if s.take("|") {
		text, _, err := s.until("|")
		if err != nil {
			return e, err
		}
		e.label = readLabel(text)
	}
	return e, nil
}

// tailLetter takes a letter at the beginning of a link.
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

// run passes over a run of one character and counts it.
func (s *scanner) run(c byte) int {
	start := s.at
	for !s.done() && s.text[s.at] == c {
		s.at++
	}
	return s.at - start
}

// headMark takes what a link ends in.
func (s *scanner) headMark() mark {
	switch {
	case s.take(">"):
		return arrowMark
	case s.take("x"):
		return crossMark
	case s.take("o"):
		return circleMark
	}
	return noMark
}

// plainLink reads links of hyphens or equals signs.
func (s *scanner) plainLink(e *edge, c byte) error {
	n := s.run(c)
	if e.head = s.headMark(); e.head != noMark {
		e.length = n - 1
		return nil
	}
	if n > 2 {
		e.length = n - 2
		return nil
	}
	text, _, err := s.until(strings.Repeat(string(c), 2))
	if err != nil {
		return err
	}
	e.label = readLabel(text)
	n = 2 + s.run(c)
	if e.head = s.headMark(); e.head != noMark {
		e.length = n - 1
		return nil
	}
	e.length = n - 2
	return nil
}

// dottedLink reads links such as -.-> and -. x .->.
func (s *scanner) dottedLink(e *edge) error {
	e.stroke = dotted
	s.at++
	n := s.run('.')
	if !s.take("-") {
		text, _, err := s.until(".-", "..")
		if err != nil {
			return err
		}
		e.label = readLabel(text)
		s.at -= 2
		n = s.run('.')
		if !s.take("-") {
			return fmt.Errorf("a dotted link with a label is not closed by .- or .->")
		}
	}
	e.length = n
	e.head = s.headMark()
	return nil
}
