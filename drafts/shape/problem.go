package shape

import (
	"fmt"
	"strings"

	"planb/questions/safe"
)

// Problem is one mistake in an output, worded for the model or the person who
// corrects it.
type Problem struct {
	Path    string `json:"path"` // scenarios[1].settings.L4; empty for the whole
	Got     string `json:"got"`
	Allowed string `json:"allowed"`
	Example string `json:"example,omitempty"` // empty if Allowed is clear enough
}

// String returns the problem in one line.
func (p Problem) String() string {
	var line strings.Builder
	if p.Path != "" {
		line.WriteString(p.Path + ": ")
	}
	line.WriteString("got " + p.Got + "; allowed " + p.Allowed)
	if p.Example != "" {
		line.WriteString("; example " + p.Example)
	}
	return safe.New(line.String()).Line()
}

// maxProblems is how many problems an error lists.
const maxProblems = 20

// Problems is an error that holds all mistakes in reading order.
type Problems []Problem

// Error returns a line for each problem, at most MaxProblems, and a last line with
// the number of the others.
func (ps Problems) Error() string {
	lines := make([]string, 0, maxProblems+1)
	for i, p := range ps {
		if i == maxProblems {
			lines = append(lines, fmt.Sprintf("and %d more", len(ps)-i))
			break
		}
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

func (ps *Problems) Add(path, got, allowed, example string) {
	*ps = append(*ps, Problem{path, got, allowed, example})
}

// Err returns ps as an error; nil if ps is empty.
func (ps Problems) Err() error {
	if len(ps) == 0 {
		return nil
	}
	return ps
}
