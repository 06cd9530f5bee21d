package questions

import (
	"fmt"
	"math"

	"planb/questions/lenient"
)

// scaleRules holds the rules of Scale: the person sets a number.
type scaleRules struct{}

func (scaleRules) kind() Kind { return Scale }

func (scaleRules) words() (firm, loose []string) {
	return []string{"slider", "range", "rating", "number", "integer", "numeric"}, nil
}

func (scaleRules) fields() []lenient.Field {
	return []lenient.Field{
		lenient.Named("min", "minimum", "from"),
		lenient.Named("max", "maximum", "to"),
		lenient.Named("step", "increment"),
	}
}

func (scaleRules) implied(o *lenient.Object) bool { return o.Has("min") || o.Has("max") }

func (scaleRules) read(r *reader, o *lenient.Object, q *Question) {
	lower, okMin := r.scaleNumber(o, "min")
	upper, okMax := r.scaleNumber(o, "max")
	step, okStep := DefaultStep, true
	if _, given := o.Get("step"); given {
		step, okStep = r.scaleNumber(o, "step")
	}
	if okMin && okMax && upper <= lower {
		r.Problems.Add(o.Place("max"), FormatNumber(upper), "more than min, "+FormatNumber(lower), "")
		okMax = false
	}
	if okStep && step <= 0 {
		r.Problems.Add(o.Place("step"), FormatNumber(step), "more than 0", "0.5")
		okStep = false
	}
	if !okMin || !okMax || !okStep {
		return
	}
	q.Range = &Range{Min: lower, Max: upper, Step: step}
	if digits := q.Range.digits(); digits > maxDigits {
		r.Problems.Add(o.At, fmt.Sprintf("a scale whose points need %d digits", digits),
			fmt.Sprintf("at most %d digits, those after the point included", maxDigits), "")
	}
}

// scaleNumber reads min, max or step.
func (r *reader) scaleNumber(o *lenient.Object, name string) (float64, bool) {
	n, ok := o.Get(name)
	if !ok {
		r.Problems.Add(o.Place(name), "nothing", "a number; a scale has two ends (for any number at all use kind text)",
			`"min":1,"max":5`)
		return 0, false
	}
	f, ok := lenient.Number(n)
	if !ok || math.Abs(f) > MaxScaleEnd || decimals(f) > MaxScaleDecimals {
		r.Problems.Add(o.Place(name), n.String(), fmt.Sprintf("a number from -%[1]s to %[1]s with at most %d decimals",
			FormatNumber(MaxScaleEnd), MaxScaleDecimals), "5")
		return 0, false
	}
	return f, true
}

func (scaleRules) readDefault(_ Question, n lenient.Node) (Value, bool) {
	f, ok := lenient.Number(n)
	return NumberValue(f), ok
}

func (scaleRules) check(q Question, v Value) Problems {
	if q.Range == nil {
		return Problems{{Got: "a scale without ends", Allowed: "a question with min, max and step"}}
	}
	n, ok := v.Number()
	allowed := fmt.Sprintf("a number from %s to %s in steps of %s",
		FormatNumber(q.Min), FormatNumber(q.Max), FormatNumber(q.Step))
	if !ok {
		return Problems{{Got: v.String(), Allowed: allowed, Example: FormatNumber(q.Min)}}
	}
	if !q.Contains(n) {
		return Problems{{Got: v.String(), Allowed: allowed, Example: FormatNumber(q.Nearest(n))}}
	}
	return nil
}

func (scaleRules) tidy(_ Question, v Value) Value { return v }

func (scaleRules) value(_ Question, f Field) Value {
	if f.Number == nil {
		return Value{}
	}
	return NumberValue(*f.Number)
}

func (scaleRules) field(_ Question, v Value) Field {
	n, ok := v.Number()
	if !ok {
		return Field{}
	}
	return Field{Number: &n}
}

func (scaleRules) family() string { return "scale" }

func (scaleRules) refit(q, earlier Question, v Value) (Value, bool) {
	if q.Range == nil || earlier.Range == nil || q.Min != earlier.Min || q.Max != earlier.Max {
		return Value{}, false // 4 of 5 is not 4 of 10
	}
	return v, true
}

func (scaleRules) ownWords(Question, Value) bool { return false }
