package drafts

import (
	"fmt"
	"slices"

	"planb/drafts/shape"
)

// Four steps are written in several answers: the scenarios, before which the whole plan is
// sketched once; the tasks in a part for each phase of the work breakdown, which several agents
// write side by side; the plan, which is read again and put right; and the consistency check
// in up to three rounds, one after the other. Each answer is
// a step of its own, "tasks.2" or "lint.2", with the number of the step that it belongs to.

// maxRounds is how often the consistency check is made at most.
const maxRounds = 3

// divided replaces the steps that are written in several answers by those answers. The tasks
// have no parts before the work breakdown is written, because it gives their number.
func (d Draft) divided(steps []Step) []Step {
	needed := d.Detail == Full && slices.ContainsFunc(steps, func(s Step) bool { return s.ID == "tasks" || slices.Contains(s.Needs, "tasks") })
	var parts, all []Step
	if needed {
		parts = d.taskParts()
	}
	for _, s := range steps {
		if at := slices.Index(s.Needs, "tasks"); at >= 0 && len(parts) > 0 {
			s.Needs = slices.Replace(slices.Clone(s.Needs), at, at+1, idsOf(parts)...)
		}
		if d.Unsketched {
			s.Needs = slices.DeleteFunc(slices.Clone(s.Needs), func(id string) bool { return id == sketchID })
		}
		switch {
		case s.ID == "tasks" && len(parts) > 0:
			all = append(all, parts...)
		case s.ID == "scenarios" && !d.Unsketched:
			all = append(all, sketchStep(), s)
		case s.ID == "summary":
			all = append(all, s, d.Detail.withNeeds(rereadStep()))
		case s.ID == "lint":
			all = append(all, d.lintRounds(s)...)
		default:
			all = append(all, s)
		}
	}
	return all
}

func idsOf(steps []Step) (ids []string) {
	for _, s := range steps {
		ids = append(ids, s.ID)
	}
	return ids
}

func partID(step string, part int) string { return fmt.Sprintf("%s.%d", step, part) }

// taskParts are the parts of step 17, one for each phase; none before the work breakdown is
// written.
func (d Draft) taskParts() (parts []Step) {
	for i, phase := range d.Records["wbs"].Output.Records("phases") {
		s := tasksStep()
		s.Part, s.ID = i+1, partID(s.ID, i+1)
		which := fmt.Sprintf(", phase %d", i+1)
		s.Title, s.Name = s.Title+which, s.Name+which
		s.Task = fmt.Sprintf("Of this part: only the tasks of phase %s; others write the other phases.\n", phase.Text("id")) + s.Task
		parts = append(parts, s)
	}
	return parts
}

// tasks returns the parts of step 17 together; nil if there is none. An older planb wrote the
// step in one piece. tasks returns that piece if there are no parts.
func (d Draft) tasks() shape.Object {
	var all []any
	for i := range d.Records["wbs"].Output.Records("phases") {
		items, _ := d.Records[partID("tasks", i+1)].Output["tasks"].([]any)
		all = append(all, items...)
	}
	if len(all) == 0 {
		return d.Records["tasks"].Output
	}
	return shape.Object{"tasks": all}
}

// undivided is the draft without the tasks of step 17.
func (d Draft) undivided() Draft {
	d = d.With("tasks", nil)
	for _, part := range d.taskParts() {
		d = d.With(part.ID, nil)
	}
	return d
}

// lintRounds returns the rounds of step 24 that are known so far. Another round follows as
// long as the last one found serious conflicts, but fewer than the round before it.
func (d Draft) lintRounds(first Step) []Step {
	rounds := []Step{first}
	before := 0
	for len(rounds) < maxRounds {
		last := rounds[len(rounds)-1]
		n := highConflicts(d.Records[last.ID].Output)
		if n == 0 || len(rounds) > 1 && n >= before {
			break
		}
		before = n
		s := lintStep()
		s.Part, s.Needs = len(rounds)+1, append(slices.Clone(first.Needs), last.ID)
		which := fmt.Sprintf(", round %d", s.Part)
		s.ID, s.Title, s.Name = partID(s.ID, s.Part), s.Title+which, s.Name+which
		s.Task = fmt.Sprintf("Round %d: <inputs> have the words that the rounds before replaced. Tell again what they left unrepaired (at the end of <inputs>), in an excerpt that occurs once.\n", s.Part) + s.Task
		rounds = append(rounds, s)
	}
	return rounds
}

// bestRounds are the ids of the rounds whose repairs count: those up to the round that found
// the fewest serious conflicts.
func (d Draft) bestRounds() (ids []string) {
	first := lintStep()
	if !d.Detail.has(first.ID) || d.Target == BuildPlan {
		return nil
	}
	least, best := -1, 0
	for _, s := range d.lintRounds(first) {
		if d.Records[s.ID].Output == nil {
			continue
		}
		ids = append(ids, s.ID)
		if n := highConflicts(d.Records[s.ID].Output); least < 0 || n < least {
			least, best = n, len(ids)
		}
	}
	return ids[:best]
}

// highConflicts counts the serious conflicts that a round found.
func highConflicts(round shape.Object) (n int) {
	for _, c := range round.Records("conflicts") {
		if c.Text("severity") == "high" {
			n++
		}
	}
	return n
}

// lintNumber is the number of the step lint.
const lintNumber = 24

// A round of the consistency check reads a third of the sections from risks to audit
// whole, and the others as digests.
const (
	firstInThirds = 9
	lastInThirds  = 23
)

// inThird reports whether a round of the consistency check reads a section whole.
func inThird(round, number int) bool {
	if number < firstInThirds {
		return true
	}
	const third = (lastInThirds-firstInThirds)/maxRounds + 1
	return (number-firstInThirds)/third == max(round, 1)-1
}

// asRepaired returns the draft with the repairs that were made before one of the last steps;
// with all repairs for the zero Step.
func (d Draft) asRepaired(round Step) Draft {
	read := d
	read.putRight = true
	for _, s := range d.Steps() {
		if s.Number < lintNumber && d.Records[s.ID].Output != nil {
			_, o := d.repaired(s, round.ID)
			read = read.With(s.ID, o)
		}
	}
	return read
}

// leftLines are the serious conflicts that the round before this one left unrepaired.
func (d Draft) leftLines(round Step) (lines []string) {
	if round.Part == 0 {
		return nil
	}
	before := partID("lint", round.Part-1)
	if round.Part == 2 {
		before = "lint"
	}
	for _, c := range d.Records[before].Output.Records("conflicts") {
		if c.Text("severity") == "high" && !d.repairs(c, round.ID) {
			lines = append(lines, fmt.Sprintf("- %s: %s (%s)", c.Text("step"), c.Text("excerpt"), c.Text("why")))
		}
	}
	return lines
}

// count counts the steps of a list, those in several answers once.
func count(steps []Step) int {
	return len(slices.CompactFunc(slices.Clone(steps), func(a, b Step) bool { return a.Number == b.Number }))
}
