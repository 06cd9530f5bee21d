package tasks

import (
	"fmt"
	"maps"
	"slices"

	"planb/questions/lenient"
)

// check checks what a plan needs, apart from cycles.
func (p Plan) check() error {
	var problems lenient.Problems
	if len(p.Tasks) == 0 || len(p.Tasks) > MaxTasks {
		problems.Add("tasks", fmt.Sprintf("a plan of %d tasks", len(p.Tasks)), fmt.Sprintf("1 to %d, dropped ones included", MaxTasks), "")
		return Invalid(problems)
	}
	known := make(map[string]bool, len(p.Tasks))
	seeds := make([]Seed, 0, len(p.Tasks))
	for i, t := range p.Tasks {
		if t.Number != i+1 {
			return fmt.Errorf("task %d of a plan stands at place %d", t.Number, i+1)
		}
		if !t.Dropped {
			known[t.Key] = true
			seeds = append(seeds, t.Seed)
		}
	}
	p.checkTexts(&problems)
	checkKeys(&problems, seeds, func(i int) string { return fmt.Sprintf("tasks[%d]", i) })
	checkEdges(&problems, seeds, known, func(i int) string { return fmt.Sprintf("tasks[%d]", i) })
	if len(problems) > 0 {
		return Invalid(problems)
	}
	return nil
}

// checkKeys reports each nodeKey that a task before has already.
func checkKeys(problems *lenient.Problems, seeds []Seed, at func(int) string) {
	first := make(map[string]int, len(seeds))
	for i, s := range seeds {
		before, found := first[s.Key]
		switch {
		case s.Key == "":
		case found:
			problems.Add(lenient.Join(at(i), "nodeKey"), lenient.Quote(s.Key)+", as in "+at(before), "a nodeKey of its own", "")
		default:
			first[s.Key] = i
		}
	}
}

// checkEdges reports each edge to a nodeKey that is not known, with the nearest
// one, and each task with too many edges or with two edges to the same task.
func checkEdges(problems *lenient.Problems, seeds []Seed, known map[string]bool, at func(int) string) {
	for i, s := range seeds {
		if count := len(s.DependsOn) + len(s.AlsoAfter) + len(s.Soft); count > MaxDependsOn {
			problems.Add(lenient.Join(at(i), "dependsOn"), fmt.Sprintf("%d tasks", count), fmt.Sprintf("at most %d", MaxDependsOn), "")
		}
		seen := map[string]bool{}
		for _, list := range s.Edges.lists() {
			for j, key := range list.keys {
				place := func() string { return fmt.Sprintf("%s[%d]", lenient.Join(at(i), list.name), j) }
				switch {
				case seen[key]:
					problems.Say(place(), lenient.Quote(key)+" is named twice")
				case !known[key]:
					sayUnknown(problems, place(), key, known, s.Key)
				}
				seen[key] = true
			}
		}
	}
}

// namedList is a list of a seed under its name in JSON.
type namedList struct {
	name string
	keys []string
}

// lists returns the lists of edges by name; the index of each is its EdgeKind.
func (e Edges) lists() [3]namedList {
	return [...]namedList{
		Required: {"dependsOn", e.DependsOn},
		Added:    {"alsoAfter", e.AlsoAfter},
		Soft:     {"soft", e.Soft},
	}
}

// sayUnknown says that no task has a nodeKey, and which one is probably meant: not own, that of
// the task which names it. Once there are more problems than an error shows, it stops looking
// for that.
func sayUnknown(problems *lenient.Problems, at, key string, known map[string]bool, own string) {
	text := lenient.Quote(key) + " is no nodeKey here"
	if len(*problems) < lenient.MaxProblems {
		keys := slices.DeleteFunc(slices.Sorted(maps.Keys(known)), func(other string) bool { return other == own })
		if near, ok := lenient.Nearest(key, keys); ok {
			text += "; did you mean " + lenient.Quote(near) + "?"
		} else if len(keys) > 0 {
			text += "; there are " + lenient.QuoteAll(keys)
		}
	}
	problems.Say(at, text)
}
