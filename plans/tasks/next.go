package tasks

import (
	"cmp"
	"slices"
	"strings"
)

// Candidate is a task that an agent may have.
type Candidate struct {
	Plan     string // the plan's id
	Number   int
	Priority int // effective; see View.Priority
	Minutes  int // of the longest path; see View.PathMinutes
}

// Compare orders candidates of all plans, the best first: the lower priority
// number, the longer path, the smaller number, the older plan. So all processes
// see them in the same order.
func (c Candidate) Compare(other Candidate) int {
	return cmp.Or(
		cmp.Compare(c.Priority, other.Priority),
		cmp.Compare(other.Minutes, c.Minutes),
		cmp.Compare(c.Number, other.Number),
		strings.Compare(c.Plan, other.Plan), // ids of version 7 ascend with time
	)
}

func (v *View) candidate(n int) Candidate {
	return Candidate{Number: n, Priority: v.Priority(n), Minutes: v.PathMinutes(n)}
}

// Next returns the tasks that agents may have, the best first, at most limit. The
// caller fills in Plan.
func (v *View) Next(limit int) []Candidate {
	best := make([]Candidate, 0, limit+1)
	if v.Status != PlanActive || v.Paused || limit == 0 {
		return best
	}
	for i := range v.tasks {
		if !v.tasks[i].open || v.tasks[i].waits > 0 {
			continue // before anything that costs more
		}
		c := v.candidate(i + 1)
		if len(best) == limit && c.Compare(best[limit-1]) > 0 || !v.Offered(i+1) {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, c, Candidate.Compare)
		best = slices.Insert(best, at, c)
		best = best[:min(len(best), limit)]
	}
	return best
}

// sorted sorts tasks, the best first.
func (v *View) sorted(numbers []int) []int {
	slices.SortFunc(numbers, func(a, b int) int { return v.candidate(a).Compare(v.candidate(b)) })
	return numbers
}

// Readied returns the tasks that are ready, the best first: those that agents can claim, and those
// that only a person can do.
func (v *View) Readied() (claimable, human []int) {
	var ready []int
	for n := 1; n <= v.Graph.Len(); n++ {
		if v.tasks[n-1].open && v.tasks[n-1].waits == 0 && v.State(n) == Ready {
			ready = append(ready, n)
		}
	}
	return v.Divided(v.sorted(ready))
}

// Divided divides tasks into those that agents can claim, and those that only a person can do.
func (v *View) Divided(numbers []int) (claimable, human []int) {
	for _, n := range numbers {
		if v.Graph.Human(n) {
			human = append(human, n)
		} else {
			claimable = append(claimable, n)
		}
	}
	return claimable, human
}
