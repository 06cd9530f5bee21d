package drafts

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// evaluate calculates a formula of + − × ÷, parentheses, max(a, b), min(a, b), numbers
// and the keys of facts.
func evaluate(formula string, facts map[string]float64) (float64, error) {
	f := &formulaReader{rest: formula, facts: facts}
	n, err := f.sum(0)
	if err != nil {
		return 0, err
	}
	if f.skip(); f.rest != "" {
		return 0, fmt.Errorf("unexpected %q", first(f.rest))
	}
	return n, nil
}

type formulaReader struct {
	rest  string
	facts map[string]float64
}

func (f *formulaReader) skip() { f.rest = strings.TrimLeftFunc(f.rest, unicode.IsSpace) }

func first(s string) string {
	_, size := utf8.DecodeRuneInString(s)
	return s[:size]
}

// next removes one of the signs from the front and returns it.
func (f *formulaReader) next(signs ...string) string {
	f.skip()
	for _, sign := range signs {
		if rest, ok := strings.CutPrefix(f.rest, sign); ok {
			f.rest = rest
			return sign
		}
	}
	return ""
}

func (f *formulaReader) sum(depth int) (float64, error) {
	n, err := f.product(depth)
	for err == nil {
		var m float64
		switch f.next("+", "-", "−", "–") {
		case "":
			return n, nil
		case "+":
			m, err = f.product(depth)
			n += m
		default:
			m, err = f.product(depth)
			n -= m
		}
	}
	return 0, err
}

func (f *formulaReader) product(depth int) (float64, error) {
	n, err := f.factor(depth)
	for err == nil {
		var m float64
		switch f.next("×", "*", "·", "÷", "/", ":") {
		case "":
			return n, nil
		case "÷", "/", ":":
			if m, err = f.factor(depth); err == nil && m == 0 {
				err = errors.New("a division by 0")
			}
			n /= m
		default:
			m, err = f.factor(depth)
			n *= m
		}
	}
	return 0, err
}

func (f *formulaReader) factor(depth int) (float64, error) {
	const deepest = 20
	if depth > deepest {
		return 0, errors.New("too many parentheses")
	}
	if f.next("(") != "" {
		n, err := f.sum(depth + 1)
		if err == nil && f.next(")") == "" {
			err = errors.New("a parenthesis that is not closed")
		}
		return n, err
	}
	if f.next("-", "−") != "" {
		n, err := f.factor(depth + 1)
		return -n, err
	}
	end := strings.IndexFunc(f.rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.' })
	if end < 0 {
		end = len(f.rest)
	}
	word := f.rest[:end]
	f.rest = f.rest[end:]
	if (word == "max" || word == "min") && f.next("(") != "" {
		return f.larger(word == "min", depth+1)
	}
	if n, err := strconv.ParseFloat(word, 64); err == nil && word[0] >= '0' && word[0] <= '9' {
		return n, nil
	}
	n, ok := f.facts[word]
	switch {
	case ok:
		return n, nil
	case word == "":
		return 0, errors.New("a sign without a number after it")
	}
	return 0, fmt.Errorf("%q, which is no key of a fact with a number", word)
}

// larger reads the rest of max(a, b), or of min(a, b) if smaller is true, behind the
// parenthesis. It refuses more than two numbers, because max(12,000, 5) would have three.
func (f *formulaReader) larger(smaller bool, depth int) (float64, error) {
	n, err := f.sum(depth)
	if err != nil {
		return 0, err
	}
	if f.next(",", ";") == "" {
		return 0, errors.New("max or min without a comma between two numbers")
	}
	m, err := f.sum(depth)
	switch {
	case err != nil:
		return 0, err
	case f.next(")") == "":
		return 0, errors.New("max or min that is not closed after its second number")
	case smaller:
		return min(n, m), nil
	}
	return max(n, m), nil
}
