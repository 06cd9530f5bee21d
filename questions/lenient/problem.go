package lenient

import (
	"fmt"
	"strconv"
	"strings"

	"planb/questions/safe"
)

// Problem is one mistake in what was written, worded for the agent or person who
// corrects it.
type Problem struct {
	Where   string // the place: questions[1].options[2].value; empty for the whole
	Got     string // what is there now: "", the number 3, nothing; the whole sentence if Allowed is empty
	Allowed string // what may be there
	Example string // JSON that would be right; empty if Allowed is clear enough
}

// String returns the problem in one line.
func (p Problem) String() string {
	var line strings.Builder
	if p.Where != "" {
		line.WriteString(p.Where + ": ")
	}
	if p.Allowed == "" {
		line.WriteString(p.Got)
		return line.String()
	}
	line.WriteString("got " + p.Got + "; allowed: " + p.Allowed)
	if p.Example != "" {
		line.WriteString("; example: " + p.Example)
	}
	return line.String()
}

// Problems is an error that holds all mistakes, in reading order.
type Problems []Problem

// Error returns one line for each problem, at most MaxProblems, and a last line
// with the number of the others.
func (ps Problems) Error() string {
	var text strings.Builder
	for i, p := range ps {
		if i == MaxProblems {
			fmt.Fprintf(&text, "\nand %d more", len(ps)-i)
			break
		}
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(p.String())
	}
	return text.String()
}

// Err returns ps as an error; nil if ps is empty.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

// Add adds a problem.
func (ps *Problems) Add(where, got, allowed, example string) {
	*ps = append(*ps, Problem{where, got, allowed, example})
}

// AddUnder adds the problems of a part of the whole, which is at that place.
func (ps *Problems) AddUnder(at string, part Problems) {
	for _, p := range part {
		p.Where = at + "." + p.Where
		*ps = append(*ps, p)
	}
}

// Say adds a problem that is one sentence.
func (ps *Problems) Say(where, sentence string) { ps.Add(where, sentence, "", "") }

// Quote quotes a text for an error. It cuts a long text and replaces characters
// that a terminal would obey.
func Quote(s string) string {
	const most = 60
	shown, rest := s, ""
	count := 0
	for n := range s {
		if count++; count > most {
			shown, rest = s[:n], fmt.Sprintf("… (%d bytes)", len(s))
			break
		}
	}
	return safe.New(strconv.Quote(shown)).Line() + rest
}

// QuoteAll lists the first few texts for an error.
func QuoteAll(all []string) string {
	const most = 12
	shown := make([]string, 0, most+1)
	for i, s := range all {
		if i == most {
			shown = append(shown, fmt.Sprintf("… (%d in all)", len(all)))
			break
		}
		shown = append(shown, Quote(s))
	}
	return strings.Join(shown, ", ")
}
