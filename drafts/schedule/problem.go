package schedule

import "strings"

// Problem is a mistake in a plan.
type Problem struct {
	ID      string // the phase, task, subtask or milestone
	Field   string // the field of it that is wrong: "after"
	Got     string
	Allowed string
}

// String returns the problem in one line.
func (p Problem) String() string {
	return p.ID + " " + p.Field + ": got " + p.Got + "; allowed " + p.Allowed
}

// Problems is an error that holds all mistakes in the order of the plan.
type Problems []Problem

// Error returns a line for each problem.
func (ps Problems) Error() string {
	lines := make([]string, 0, len(ps))
	for _, p := range ps {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

func (ps *Problems) add(id, field, got, allowed string) {
	*ps = append(*ps, Problem{id, field, got, allowed})
}
