package drafts

import (
	"fmt"
	"slices"

	"planb/drafts/shape"
	"planb/questions/lenient"
)

// Nobody is the name that stands for the person at the gates of a draft that was begun
// without gates.
const Nobody = "nobody"

// asProposed says that Nobody decided.
const asProposed = "taken as proposed; no person decided"

// Choice is a person's answer to the scenarios.
type Choice struct {
	Scenario string            // the id of a scenario; empty if Own says another way
	Own      string            // the person's own words
	Answers  map[string]string // to what was missing, by topic
	By       string
}

// Choose returns the output of the step choose. It copies what the chosen scenario
// means, so that later steps need not look it up.
func (d Draft) Choose(c Choice) (shape.Object, error) {
	chosen := shape.Object{"name": "The user's own way", "logic": c.Own, "levers": shape.Object{}, "doubts": []any{}}
	if c.Own == "" {
		offered := d.Output("scenarios")
		scenario, ok := byID(offered.Records("scenarios"), c.Scenario)
		if !ok {
			return nil, fmt.Errorf("there is no scenario %s", lenient.Quote(c.Scenario))
		}
		levers := shape.Object{}
		for _, l := range offered.Records("levers") {
			if set := option(l, scenario); set != "" {
				levers[l.Text("name")] = set
			}
		}
		chosen = shape.Object{"id": c.Scenario, "name": scenario["name"], "logic": scenario["logic"], "holds_if": scenario["holds_if"], "cost": scenario["cost"], "levers": levers, "doubts": scenario["doubts"]}
	}
	answers := shape.Object{}
	for topic, answer := range c.Answers {
		answers[topic] = answer
	}
	return d.given("choose", shape.Object{"scenario": chosen, "answers": answers, "by": c.By})
}

// Confirmation is a person's answer to the assumptions.
type Confirmation struct {
	Changed map[string]string // the person's words by the id of the assumption
	Dropped []string          // ids
	Unknown []string          // ids of what the person can't judge
	Wrong   string            // what else is wrong or missing
	By      string
}

// Confirm returns the output of the step confirm. Assumptions that the person did
// not speak of are kept.
func (d Draft) Confirm(c Confirmation) (shape.Object, error) {
	list := []any{}
	known := map[string]bool{}
	for _, a := range d.Output("assumptions").Records("assumptions") {
		id := a.Text("id")
		known[id] = true
		stand := shape.Object{"id": id, "state": "kept", "text": a.Text("text")}
		words, changed := c.Changed[id]
		switch {
		case changed:
			stand["state"], stand["text"] = "changed", words
		case slices.Contains(c.Dropped, id):
			stand["state"] = "dropped"
		case slices.Contains(c.Unknown, id):
			stand["state"] = "unknown"
		}
		list = append(list, stand)
	}
	for id := range c.Changed {
		if !known[id] {
			return nil, fmt.Errorf("there is no assumption %s", lenient.Quote(id))
		}
	}
	o := shape.Object{"assumptions": list, "by": c.By}
	if c.Wrong != "" {
		o["wrong"] = c.Wrong
	}
	return d.given("confirm", o)
}

// given checks what a person said against the shape of its step, and gives it the
// form in which it is stored.
func (d Draft) given(step string, o shape.Object) (shape.Object, error) {
	s, ok := d.Step(step)
	if !ok {
		return nil, fmt.Errorf("a %s draft has no step %s", d.Detail, step)
	}
	return s.Shape.Read(s.Shape.JSON(o), shape.Full)
}
