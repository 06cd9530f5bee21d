package drafts

import "slices"

// Target says which of the steps of its detail a draft writes.
type Target string

const (
	WholePlan    Target = "build_plan_and_validate" // all steps; an empty target means the same
	BuildPlan    Target = "build_plan"              // the steps before those that look back at the plan
	ValidatePlan Target = "validate_plan"           // the steps that look back at the plan, which is the output of another draft
)

// Targets returns the targets, the usual one first.
func Targets() []Target { return []Target{WholePlan, BuildPlan, ValidatePlan} }

// firstValidating is the number of the first step that looks back at the plan: review,
// premortem, summary, audit and consistency.
const firstValidating = 20

// writes reports whether a draft with that target writes the step.
func (t Target) writes(s Step) bool {
	switch t {
	case BuildPlan:
		return s.Number < firstValidating
	case ValidatePlan:
		return s.Number >= firstValidating
	}
	return true
}

// Writes reports whether the step is written in this draft. A draft with the target
// ValidatePlan takes its other steps from another draft, as they are.
func (d Draft) Writes(s Step) bool { return d.Target.writes(s) }

// Steps returns the steps of the draft in their order, with those that it has from
// another one.
func (d Draft) Steps() []Step {
	all := d.divided(Steps(d.Detail))
	if d.Target != BuildPlan {
		return all
	}
	return slices.DeleteFunc(all, func(s Step) bool { return !d.Writes(s) })
}

// own returns the steps that are written in this draft, in their order.
func (d Draft) own() []Step {
	return slices.DeleteFunc(d.Steps(), func(s Step) bool { return !d.Writes(s) })
}
