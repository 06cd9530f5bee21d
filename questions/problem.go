package questions

import (
	"fmt"
	"strconv"
	"strings"

	"planb/questions/safe"
)

// Problem is one thing that is wrong with a form or a reply, worded for
// whoever has to put it right.
type Problem struct {
	Where   string // the place: questions[1].options[2].value; empty for the whole
	Got     string // what is there now: "", the number 3, nothing
	Allowed string // what may be there
	Example string // JSON that would do; empty if Allowed says it all
}

// String is the problem in one line.
func (p Problem) String() string {
	var line strings.Builder
	if p.Where != "" {
		line.WriteString(p.Where + ": ")
	}
	line.WriteString("got " + p.Got + "; allowed: " + p.Allowed)
	if p.Example != "" {
		line.WriteString("; example: " + p.Example)
	}
	return line.String()
}

// Problems is an error made of everything that is wrong, in reading order.
type Problems []Problem

// Error has one line for each problem, at most MaxProblems, and one that
// counts the rest.
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

// err is ps as an error, nil if there are none.
func (ps Problems) err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}

func (ps *Problems) add(where, got, allowed, example string) {
	*ps = append(*ps, Problem{where, got, allowed, example})
}

// quote shows a text in an error: quoted, without characters that a screen
// would obey, and cut if long.
func quote(s string) string {
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

// quoteAll lists texts in an error, the first few of them.
func quoteAll(all []string) string {
	const most = 12
	shown := make([]string, 0, most+1)
	for i, s := range all {
		if i == most {
			shown = append(shown, fmt.Sprintf("… (%d in all)", len(all)))
			break
		}
		shown = append(shown, quote(s))
	}
	return strings.Join(shown, ", ")
}
