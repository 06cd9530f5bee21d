package drafts

import (
	"fmt"
	"slices"
	"strings"

	"planb/drafts/shape"
	"planb/questions/lenient"
)

// Repairs are words that the last answers put right in the sections before them.

// checkLint checks step 24: excerpts stand in their sections, letter by letter, as they are
// before this round.
func checkLint(c *checker) {
	if c.reading.again { // what was found then may be put right by now
		return
	}
	c.draft = c.draft.asRepaired(c.step)
	c.checkRepairs("conflicts")
}

// checkRepairs checks that the excerpts of a list stand in their sections.
func (c *checker) checkRepairs(name string) {
	for i, conflict := range c.out.Records(name) {
		at := fmt.Sprintf("%s[%d]", name, i)
		step := conflict.Text("step")
		s, known := c.draft.Step(step)
		switch {
		case !known || c.draft.Output(step) == nil || s.Number == c.step.Number && !c.rereads(s):
			c.add(at+".step", lenient.Quote(step), "the id of a section", `"project"`)
		case s.occurrences(c.draft.Output(step), conflict.Text("excerpt")) == 0:
			c.add(at+".excerpt", lenient.Quote(conflict.Text("excerpt")), "words that stand in "+step+", letter by letter", "")
		}
	}
}

// rereads reports whether the step that is checked is the second answer of a step.
func (c *checker) rereads(s Step) bool {
	return s.Number == summaryNumber && s.Part == 0 && c.step.Part > 0
}

// checkReread checks that what the second answer of the summary changes stands there, once,
// and that a sum that does not hold is put right.
func checkReread(c *checker) {
	if c.reading.again { // what was found then is put right by now
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

// occurrences counts how often a text stands in the texts of an output of the step.
func (s Step) occurrences(o shape.Object, text string) (n int) {
	s.Shape.Walk(o, func(_ string, f shape.Field, value any) any {
		if said, ok := value.(string); ok && f.Kind == shape.Text {
			n += strings.Count(said, text)
		}
		return value
	})
	return n
}

// Repair is a change of words that the consistency check made in a section. The output
// of the step stays as it is.
type Repair struct{ Old, New, Why string }

// Repairs returns the changes of words for a step, in the order in which they were made: of
// the conflicts that the two answers of the summary and the rounds of lint found, those whose excerpt occurred
// once.
func (d Draft) Repairs(step string) []Repair {
	s, _ := d.Step(step)
	list, _ := d.repaired(s, "")
	return list
}

// Repaired returns the output of a step with the words that the consistency check
// put right.
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

// repaired returns the changes of words for a step, and its output with them: those that
// were made before a round of the consistency check; without a round all that count.
func (d Draft) repaired(s Step, round string) (list []Repair, o shape.Object) {
	o = d.Output(s.ID)
	if o == nil || d.putRight || s.Author == Person {
		return nil, o // nobody puts words into a person's mouth
	}
	for _, conflict := range d.conflictsBefore(round) {
		old := conflict.Text("excerpt")
		if conflict.Text("step") != s.ID || s.occurrences(o, old) != 1 {
			continue
		}
		if len(list) == 0 {
			copied, err := shape.Stored(s.Shape.JSON(o))
			if err != nil {
				return nil, o // what was stored as JSON is always read again
			}
			o = copied
		}
		r := Repair{old, conflict.Text("replacement"), conflict.Text("why")}
		s.Shape.Walk(o, func(_ string, f shape.Field, value any) any {
			if text, ok := value.(string); ok && f.Kind == shape.Text {
				return strings.Replace(text, r.Old, r.New, 1)
			}
			return value
		})
		list = append(list, r)
	}
	return list, o
}

// conflictsBefore are the conflicts that were found before a round of the consistency check,
// in their order; without a round those of all rounds that count.
func (d Draft) conflictsBefore(round string) []shape.Object {
	list := d.Output("summary").Records("repairs")
	if round != rereadID {
		list = slices.Concat(list, d.Output(rereadID).Records("changes"))
	}
	if round == "audit" { // which comes before the consistency check
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

// repairs reports whether a conflict was repaired before a round of the consistency check;
// without a round whether it was at all.
func (d Draft) repairs(conflict shape.Object, round string) bool {
	s, _ := d.Step(conflict.Text("step"))
	list, _ := d.repaired(s, round)
	return slices.ContainsFunc(list, func(r Repair) bool { return r.Old == conflict.Text("excerpt") })
}

// Conflicts are what the last round of the consistency check that counts found; none if
// there was none.
func (d Draft) Conflicts() []shape.Object {
	rounds := d.bestRounds()
	if len(rounds) == 0 {
		return nil
	}
	return d.Output(rounds[len(rounds)-1]).Records("conflicts")
}

// Unrepaired returns how many serious conflicts the consistency check found and nothing
// repaired.
func (d Draft) Unrepaired() (n int) {
	for _, conflict := range d.Conflicts() {
		if conflict.Text("severity") == "high" && !d.repairs(conflict, "") {
			n++
		}
	}
	return n
}
