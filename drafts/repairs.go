package drafts

import (
	"fmt"
	"slices"
	"strings"

	"planb/drafts/shape"
	"planb/questions/lenient"
)

// The last steps read the sections before them, and replace words that are wrong there. A
// replacement is a repair.

// checkLint checks step 24: excerpts stand in their sections, letter by letter, with the
// repairs of the rounds before.
func checkLint(c *checker) {
	if c.reading.again { // repairs may have replaced the excerpts since
		return
	}
	c.draft = c.draft.asRepaired(c.step)
	c.checkRepairs("conflicts")
}

// checkRepairs checks that the excerpts of a list stand in their sections, and that the
// sections are still right with the amounts and days that they get: the project adds up.
func (c *checker) checkRepairs(name string) {
	for i, conflict := range c.out.Records(name) {
		at := fmt.Sprintf("%s[%d]", name, i)
		step := conflict.Text("step")
		s, known := c.draft.Step(step)
		switch {
		case !known || c.draft.Output(step) == nil || s.Number == c.step.Number && !c.rereads(s):
			c.add(at+".step", lenient.Quote(step), "the id of a section", `"project"`)
		case s.occurrences(c.draft.Output(step), conflict.Text("excerpt")) == 0:
			c.add(at+".excerpt", lenient.Quote(conflict.Text("excerpt")), "words of a text of "+step+", letter by letter, or the place of a day or an amount that can be repaired", `"sources[0].by"`)
		}
	}
	if len(c.found) > 0 {
		return
	}
	for _, id := range []string{"project", "risks", "assumptions", "summary"} {
		c.checkRepaired(name, id)
	}
}

// checkRepaired checks a step's output with the replacements of a list.
func (c *checker) checkRepaired(name, step string) {
	s, ok := c.draft.Step(step)
	before := c.draft.Output(step)
	if !ok || before == nil {
		return
	}
	list, after := s.repair(before, c.out.Records(name))
	if _, err := c.draft.Read(s, s.Shape.JSON(before), MaxLateTries); len(list) == 0 || err != nil {
		return
	}
	if _, err := c.draft.Read(s, s.Shape.JSON(after), MaxLateTries); err != nil {
		c.add(name, step+" with a mistake then: "+strings.ReplaceAll(err.Error(), "\n", "; "), "replacements within the limits of its fields", "")
	}
}

// rereads reports whether the step that is checked is the second answer of a step, the
// summary.
func (c *checker) rereads(s Step) bool {
	return s.Number == summaryNumber && s.Part == 0 && c.step.Part > 0
}

// checkReread checks the second answer of the summary: each excerpt that it changes occurs
// once, and it changes something if one of the tested sums does not hold.
func checkReread(c *checker) {
	if c.reading.again { // its own repairs have replaced the excerpts
		return
	}
	c.draft = c.draft.asRepaired(c.step)
	c.checkRepairs("changes")
	changes := c.out.Records("changes")
	for i, change := range changes {
		s, ok := c.draft.Step(change.Text("step"))
		if n := s.occurrences(c.draft.Output(s.ID), change.Text("excerpt")); ok && n > 1 {
			c.add(fmt.Sprintf("changes[%d].excerpt", i), fmt.Sprintf("words that stand %d times in %s", n, s.ID), "words that occur once: more of the sentence", "")
		}
	}
	wrong := 0
	for _, tested := range c.out.Records("tested") {
		if !tested.Flag("holds") {
			wrong++
		}
	}
	if wrong > 0 && len(changes) == 0 {
		c.add("changes", "none", fmt.Sprintf("what puts right the claims that do not hold: %d", wrong), "")
	}
	if c.reading.strict() {
		c.checkNumbers("changes")
	}
}

// occurrences counts how often a text stands in the texts of an output of the step. The
// place of an amount or a day that can be put right stands there once.
func (s Step) occurrences(o shape.Object, text string) (n int) {
	s.Shape.Walk(o, func(path string, f shape.Field, value any) any {
		if path == text && s.mendable(path, f) {
			n++
		}
		if said, ok := value.(string); ok && f.Kind == shape.Text {
			n += strings.Count(said, text)
		}
		return value
	})
	return n
}

// mendable reports whether a place of an output has an amount or a day that a repair can
// replace: "sources[2].by". Only the lists have such places from which no step is calculated:
// the schedule follows from the milestones and the tasks.
func (s Step) mendable(path string, f shape.Field) bool {
	list, _, inList := strings.Cut(path, "[")
	var lists []string
	switch s.ID {
	case "project":
		lists = []string{"budget", "sources", "running"}
	case "risks", "assumptions":
		lists = []string{s.ID}
	case "summary":
		lists = []string{"decisions", "next"}
	}
	return inList && slices.Contains(lists, list) && (f.Kind == shape.Number || f.Kind == shape.When)
}

// mended returns the value that a repair puts at a place. If a number is replaced by words
// without one, it returns the old value.
func mended(f shape.Field, was any, replacement string) any {
	if f.Kind == shape.When {
		return replacement
	}
	found := Draft{}.patterns().amount().FindString(replacement) // of "59,000 EUR" the number alone
	if found == "" {
		return was
	}
	if strings.HasPrefix(strings.TrimSpace(replacement), "-") {
		return -likeliest(found)
	}
	return likeliest(found)
}

// Repair replaces words of a section, or an amount or a day at a place. The stored output
// of the step stays as it is.
type Repair struct{ Old, New, Why string }

// Repairs returns the repairs of a step's output in the order in which they were made. The
// summary, its second answer and the rounds of lint propose repairs. A proposal counts only if
// the words that it replaces occurred exactly once: else nobody knows which ones it means.
func (d Draft) Repairs(step string) []Repair {
	s, _ := d.Step(step)
	list, _ := d.repaired(s, "")
	return list
}

// Repaired returns the output of a step with its repairs.
func (d Draft) Repaired(step string) shape.Object {
	if s, ok := d.Step(step); ok {
		_, o := d.repaired(s, "")
		return o
	}
	read := d
	for _, part := range d.taskParts() {
		if o := d.Repaired(part.ID); step == "tasks" && o != nil {
			read = read.With(part.ID, o)
		}
	}
	return read.Output(step)
}

// repaired returns the repairs of a step that were made before a round of the consistency
// check, and the step's output with them. If round is empty, these are all that count.
func (d Draft) repaired(s Step, round string) (list []Repair, o shape.Object) {
	o = d.Output(s.ID)
	if o == nil || d.putRight || s.Author == Person {
		return nil, o // a person's own words stay
	}
	return s.repair(o, d.conflictsBefore(round))
}

// repair returns the conflicts of this step that can be put right, and a copy of its output
// that has them put right; the output itself if there are none.
func (s Step) repair(o shape.Object, conflicts []shape.Object) (list []Repair, repaired shape.Object) {
	repaired = o
	for _, conflict := range conflicts {
		old := conflict.Text("excerpt")
		if conflict.Text("step") != s.ID || s.occurrences(repaired, old) != 1 {
			continue
		}
		if len(list) == 0 {
			copied, err := shape.Stored(s.Shape.JSON(o))
			if err != nil {
				return nil, o // JSON that planb wrote can always be read
			}
			repaired = copied
		}
		r := Repair{old, conflict.Text("replacement"), conflict.Text("why")}
		s.Shape.Walk(repaired, func(path string, f shape.Field, value any) any {
			if path == r.Old && s.mendable(path, f) {
				return mended(f, value, r.New)
			}
			if text, ok := value.(string); ok && f.Kind == shape.Text {
				return strings.Replace(text, r.Old, r.New, 1)
			}
			return value
		})
		list = append(list, r)
	}
	return list, repaired
}

// conflictsBefore returns, in their order, the conflicts that were found before a round of the
// consistency check. If round is empty, these are the conflicts of all rounds that count.
func (d Draft) conflictsBefore(round string) []shape.Object {
	list := d.Output("summary").Records("repairs")
	if round != rereadID {
		list = slices.Concat(list, d.Output(rereadID).Records("changes"))
	}
	if round == "audit" { // the audit comes before the consistency check
		return list
	}
	for _, id := range d.bestRounds() {
		if id == round {
			break
		}
		list = append(list, d.Output(id).Records("conflicts")...)
	}
	return list
}

// repairs reports whether a conflict was repaired before a round of the consistency check, or
// at all if round is empty.
func (d Draft) repairs(conflict shape.Object, round string) bool {
	s, _ := d.Step(conflict.Text("step"))
	list, _ := d.repaired(s, round)
	return slices.ContainsFunc(list, func(r Repair) bool { return r.Old == conflict.Text("excerpt") })
}

// Conflicts returns the conflicts that the last round that counts found.
func (d Draft) Conflicts() []shape.Object {
	rounds := d.bestRounds()
	if len(rounds) == 0 {
		return nil
	}
	return d.Output(rounds[len(rounds)-1]).Records("conflicts")
}

// Unrepaired counts the serious conflicts that the consistency check found and that have no
// repair.
func (d Draft) Unrepaired() (n int) {
	for _, conflict := range d.Conflicts() {
		if conflict.Text("severity") == "high" && !d.repairs(conflict, "") {
			n++
		}
	}
	return n
}
