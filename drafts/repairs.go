package drafts

import (
	"fmt"
	"slices"
	"strings"

	"planb/drafts/shape"
	"planb/questions/lenient"
)

// Repairs are words that the last answers put right in the sections before them.

// checkLint checks step 24: excerpts stand in their sections, letter by letter.
func checkLint(c *checker) { c.checkRepairs("conflicts") }

// checkRepairs checks that the excerpts of a list stand in their sections.
func (c *checker) checkRepairs(name string) {
	for i, conflict := range c.out.Records(name) {
		at := fmt.Sprintf("%s[%d]", name, i)
		step := conflict.Text("step")
		switch found := c.draft.occurrences(step, conflict.Text("excerpt")); {
		case c.draft.Output(step) == nil || step == c.step.ID:
			c.add(at+".step", lenient.Quote(step), "the id of a section", `"project"`)
		case found == 0:
			c.add(at+".excerpt", lenient.Quote(conflict.Text("excerpt")), "words that stand in "+step+", letter by letter", "")
		}
	}
}

// occurrences counts how often a text stands in the texts of a step.
func (d Draft) occurrences(step, text string) (n int) {
	s, ok := d.Step(step)
	if !ok || d.Output(step) == nil {
		return 0
	}
	s.Shape.Walk(d.Output(step), func(_ string, f shape.Field, value any) any {
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

// Repairs returns the changes of words for a step: of the conflicts that lint found,
// those whose excerpt occurs once.
func (d Draft) Repairs(step string) (list []Repair) {
	if s, ok := d.Step(step); !ok || s.Author == Person {
		return nil // nobody puts words into a person's mouth
	}
	for _, conflict := range slices.Concat(d.Output("summary").Records("repairs"), d.Output("lint").Records("conflicts")) {
		if conflict.Text("step") == step && d.occurrences(step, conflict.Text("excerpt")) == 1 {
			list = append(list, Repair{conflict.Text("excerpt"), conflict.Text("replacement"), conflict.Text("why")})
		}
	}
	return list
}

// Repaired returns the output of a step with the words that the consistency check
// put right.
func (d Draft) Repaired(step string) shape.Object {
	o := d.Output(step)
	repairs := d.Repairs(step)
	s, ok := d.Step(step)
	if !ok || len(repairs) == 0 {
		return o
	}
	copied, err := shape.Stored(s.Shape.JSON(o))
	if err != nil {
		return o // what was stored as JSON is always read again
	}
	s.Shape.Walk(copied, func(_ string, f shape.Field, value any) any {
		text, ok := value.(string)
		if !ok || f.Kind != shape.Text {
			return value
		}
		for _, r := range repairs {
			text = strings.Replace(text, r.Old, r.New, 1)
		}
		return text
	})
	return copied
}

// Unrepaired returns how many serious conflicts lint found and nothing repaired.
func (d Draft) Unrepaired() (n int) {
	for _, conflict := range d.Output("lint").Records("conflicts") {
		repaired := slices.ContainsFunc(d.Repairs(conflict.Text("step")), func(r Repair) bool { return r.Old == conflict.Text("excerpt") })
		if conflict.Text("severity") == "high" && !repaired {
			n++
		}
	}
	return n
}
