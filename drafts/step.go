package drafts

import (
	"slices"

	"planb/drafts/shape"
)

// Step is the declaration of a step. Everything that is made of it comes from
// here: its prompt, the skeleton in it, the JSON Schema, the checks and the
// rendering.
type Step struct {
	Number  int
	Part    int // of a step in several answers; 0 if it is one
	ID      string
	Title   string // in the pipeline's words: for models, and the label of progress
	Name    string // short, as screens and commands show it
	Author  Author
	Needs   []string // ids of the steps it is written from
	Readers string   // whom its section is for, if not everybody
	Task    string   // for the model: what a good answer has, and what a bad one looks like
	Shape   shape.Shape
	check   func(*checker) // what the shape cannot say
}

// Author says who writes a step.
type Author uint8

const (
	Model Author = iota
	Person
	Code
)

// String returns the author in one word.
func (a Author) String() string {
	switch a {
	case Person:
		return "person"
	case Code:
		return "code"
	}
	return "model"
}

// Detail says how much of the plan is written.
type Detail string

const (
	Ping  Detail = "ping"  // whether the prompt is usable
	Brief Detail = "brief" // a plan that can grow into a full one
	Full  Detail = "full"  // all that planb knows to ask for
)

// Answers says in how many answers a model writes a whole draft. A full draft has no fixed
// number: its tasks take an answer for each phase, and its consistency check up to maxRounds.
func (d Detail) Answers() string {
	switch d {
	case Ping:
		return "1"
	case Full:
		return "25 to 32"
	}
	return "11"
}

// Details returns the details from the least to the most.
func Details() []Detail { return []Detail{Ping, Brief, Full} }

// caps returns the limits of lists in a detail.
func (d Detail) caps() shape.Caps {
	if d == Full {
		return shape.Full
	}
	return shape.Brief
}

// briefSteps are the ids of the steps of a brief draft.
func briefSteps() []string {
	return []string{"brief", sketchID, "scenarios", "choose", "assumptions", "confirm", "facts", "project", "risks", "wbs", "schedule", "premortem", "summary"}
}

// MaxTask is how many characters a task may have.
const MaxTask = 2800

// Steps returns the steps of a detail in their order. Needs of a step names only steps that
// the detail has.
func Steps(d Detail) []Step {
	var all []Step
	for _, declared := range declarations() {
		if s, ok := d.step(declared); ok {
			all = append(all, s)
		}
	}
	return all
}

// declaration makes the step with an id. Only the steps that are asked for are made.
type declaration struct {
	id   string
	make func() Step
}

// declarations are those of a full draft in their order.
func declarations() []declaration {
	return []declaration{
		{"brief", briefStep}, {"premise", premiseStep}, {"scenarios", scenariosStep}, {"choose", chooseStep}, {"assumptions", assumptionsStep},
		{"confirm", confirmStep}, {"facts", factsStep}, {"project", projectStep}, {"risks", risksStep}, {"governance", governanceStep},
		{"resources", resourcesStep}, {"team", teamStep}, {"swot", swotStep}, {"experts", expertsStep}, {"documents", documentsStep},
		{"wbs", wbsStep}, {"tasks", tasksStep}, {"schedule", scheduleStep}, {"pitch", pitchStep}, {"review", reviewStep},
		{"premortem", premortemStep}, {"summary", summaryStep}, {"audit", auditStep}, {"lint", lintStep},
	}
}

// step makes a step as the detail has it.
func (d Detail) step(declared declaration) (Step, bool) {
	if !d.has(declared.id) {
		return Step{}, false
	}
	return d.withNeeds(declared.make()), true
}

// withNeeds is a step with those of its needs that the detail has.
func (d Detail) withNeeds(s Step) Step {
	s.Needs = slices.DeleteFunc(s.Needs, func(id string) bool { return !d.has(id) })
	return s
}

func (d Detail) has(id string) bool {
	switch d {
	case Full:
		return true
	case Ping:
		return id == "brief"
	}
	return slices.Contains(briefSteps(), id)
}

func find(steps []Step, id string) (Step, bool) {
	i := slices.IndexFunc(steps, func(s Step) bool { return s.ID == id })
	if i < 0 {
		return Step{}, false
	}
	return steps[i], true
}

func text(name string, words int) shape.Field {
	return shape.Field{Name: name, Kind: shape.Text, Words: words}
}

func plain(name string) shape.Field { return text(name, shape.Plain) }

func choice(name string, choices ...string) shape.Field {
	return shape.Field{Name: name, Kind: shape.Choice, Choices: choices}
}

func whole(name string, least, most int) shape.Field {
	return shape.Field{Name: name, Kind: shape.Number, Min: least, Max: most}
}

func amount(name string) shape.Field { return shape.Field{Name: name, Kind: shape.Number} }

func decimal(name string) shape.Field { return shape.Field{Name: name, Kind: shape.Decimal} }

func flag(name string) shape.Field { return shape.Field{Name: name, Kind: shape.Flag} }

func id(prefix string) shape.Field { return shape.Field{Name: "id", Kind: shape.ID, Prefix: prefix} }

// number is the id of a phase or a task.
func number(sample string) shape.Field {
	return shape.Field{Name: "id", Kind: shape.ID, Sample: sample}
}

func ref(name, prefix string) shape.Field {
	return shape.Field{Name: name, Kind: shape.Ref, Prefix: prefix}
}

func when(name string) shape.Field { return shape.Field{Name: name, Kind: shape.When} }

func day(name string) shape.Field { return shape.Field{Name: name, Kind: shape.Day} }

// texts is a list of texts. It has at most brief items in a brief draft; 0 is the
// whole range.
func texts(name string, least, most, brief, words int) shape.Field {
	f := text(name, words)
	f.List, f.Min, f.Max, f.Brief = true, least, most, brief
	return f
}

// lined divides the texts of a list at their line breaks.
func lined(f shape.Field) shape.Field {
	f.Lines = true
	return f
}

func list(name string, least, most, brief int, fields ...shape.Field) shape.Field {
	return shape.Field{Name: name, Kind: shape.Record, Fields: fields, List: true, Min: least, Max: most, Brief: brief}
}

func record(name string, fields ...shape.Field) shape.Field {
	return shape.Field{Name: name, Kind: shape.Record, Fields: fields}
}

// mapped is an object whose keys are ids with a prefix, or any if it is empty.
func mapped(name, prefix string, value shape.Field) shape.Field {
	return shape.Field{Name: name, Kind: shape.Map, Prefix: prefix, Fields: shape.Shape{value}}
}

func optional(f shape.Field) shape.Field {
	f.Optional = true
	return f
}

// key marks a field that stays in a digest.
func key(f shape.Field) shape.Field {
	f.Key = true
	return f
}

// unread marks a field that later models do not read.
func unread(f shape.Field) shape.Field {
	f.Unread = true
	return f
}
