package questions

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"planb/questions/lenient"
	"planb/questions/safe"
)

// choiceRules holds the rules of Single and Multi: the person picks options and,
// unless the agent forbids it, may write an answer of their own.
type choiceRules struct{ k Kind }

func (c choiceRules) kind() Kind { return c.k }

// words leaves out "multiple choice", which people use for both kinds.
func (c choiceRules) words() (firm, loose []string) {
	if c.k == Single {
		return []string{"radio", "singlechoice", "singleselect", "pickone", "oneof"},
			[]string{"select", "dropdown", "choice", "choose", "options", "enum"}
	}
	return []string{"checkbox", "checkboxes", "multiselect", "multichoice", "multiple", "pickmany"}, nil
}

func (c choiceRules) fields() []lenient.Field {
	return []lenient.Field{
		lenient.Named("options", "choices", "values"),
		lenient.Named("other", "allowOther", "allowCustom", "custom"),
	}
}

func (c choiceRules) implied(o *lenient.Object) bool { return c.k == Single && o.Has("options") }

func (c choiceRules) read(r *reader, o *lenient.Object, q *Question) {
	options, proposed := r.options(o)
	q.Options = options
	q.Other = r.Boolean(o, "other", true)
	if len(proposed) == 0 || o.Has("default") {
		return
	}
	v := ItemsValue(proposed...)
	if c.k == Single {
		if len(proposed) > 1 {
			r.Problems.Add(o.Place("options"), fmt.Sprintf("%d options marked as proposed", len(proposed)), "one in a question of kind single", "")
			return
		}
		v = TextValue(proposed[0])
	}
	q.Default = &v
}

// readDefault accepts options' values and labels, because models mix the two.
func (c choiceRules) readDefault(q Question, n lenient.Node) (Value, bool) {
	items := []lenient.Node{n}
	if list := lenient.Unwrap(n); list.Kind == lenient.ListNode && q.option(n.Text) < 0 {
		items = list.Items
	}
	var picked []string
	for _, item := range items {
		s, ok := lenient.Plain(item)
		if !ok {
			return Value{}, false
		}
		picked = append(picked, q.valueNamed(s))
	}
	if c.k == Multi {
		return ItemsValue(picked...), true
	}
	if len(picked) != 1 {
		return Value{}, false
	}
	return TextValue(picked[0]), true
}

// valueNamed returns the value of the option whose value or label is s. If no
// option has it, valueNamed returns s.
func (q Question) valueNamed(s string) string {
	if q.option(s) >= 0 {
		return s
	}
	for _, o := range q.Options {
		if o.Label.Raw() == s {
			return o.Value.Raw()
		}
	}
	return s
}

// option returns the index of the option with that value, -1 if none has it.
func (q Question) option(value string) int {
	return slices.IndexFunc(q.Options, func(o Option) bool { return o.Value.Raw() == value })
}

func (c choiceRules) check(q Question, v Value) Problems {
	if c.k == Single {
		text, ok := v.Text()
		if !ok {
			return Problems{{Got: v.String(), Allowed: "one option's value, as a text", Example: exampleValue(q)}}
		}
		return checkPick(q, "", text)
	}
	items, ok := v.Items()
	if !ok {
		return Problems{{Got: v.String(), Allowed: "a list of options' values", Example: "[" + exampleValue(q) + "]"}}
	}
	if len(items) == 0 {
		return Problems{{Got: "an empty list", Allowed: "at least one item, or no answer at all"}}
	}
	var problems Problems
	seen := map[string]bool{}
	own := 0
	for i, item := range items {
		at := fmt.Sprintf("[%d]", i)
		if seen[item] {
			problems.Add(at, lenient.Quote(item)+" again", "each item once", "")
			continue
		}
		seen[item] = true
		problems = append(problems, checkPick(q, at, item)...)
		if q.option(item) < 0 {
			own++
		}
	}
	if own > 1 && q.Other {
		problems.Add("", fmt.Sprintf("%d items that are not options", own), "one, written under Other", "")
	}
	return problems
}

// checkPick judges one picked value or the text under Other.
func checkPick(q Question, at, picked string) Problems {
	switch {
	case q.option(picked) >= 0:
		return nil
	case !q.Other:
		return Problems{{Where: at, Got: lenient.Quote(picked), Allowed: "one of " + lenient.QuoteAll(q.values())}}
	case safe.New(picked).Blank():
		return Problems{{Where: at, Got: "a blank text under Other", Allowed: "an option's value, or some text"}}
	case !utf8.ValidString(picked):
		return Problems{{Where: at, Got: "text that is not UTF-8", Allowed: "UTF-8"}}
	}
	return nil
}

func (q Question) values() []string {
	values := make([]string, 0, len(q.Options))
	for _, o := range q.Options {
		values = append(values, o.Value.Raw())
	}
	return values
}

func exampleValue(q Question) string {
	if len(q.Options) == 0 {
		return `"value"`
	}
	return lenient.Quote(q.Options[0].Value.Raw())
}

// tidy sorts a multi answer into the order of the options, with the text under
// Other last, and drops repeated and blank items.
func (c choiceRules) tidy(q Question, v Value) Value {
	if text, ok := v.Text(); ok && c.k == Single && safe.New(text).Blank() && q.option(text) < 0 {
		return Value{}
	}
	items, ok := v.Items()
	if !ok || c.k == Single {
		return v
	}
	given := make(map[string]bool, len(items))
	var picked, own []string
	for _, item := range items {
		if q.option(item) < 0 && !given[item] && !safe.New(item).Blank() {
			own = append(own, item)
		}
		given[item] = true
	}
	for _, value := range q.values() {
		if given[value] {
			picked = append(picked, value)
		}
	}
	if len(picked)+len(own) == 0 {
		return Value{}
	}
	return ItemsValue(append(picked, own...)...)
}

func (c choiceRules) value(q Question, f Field) Value {
	var picked []string
	for _, value := range f.Picked {
		if q.option(value) >= 0 {
			picked = append(picked, value)
		}
	}
	if f.OtherPicked && q.Other && !f.Other.Blank() {
		picked = append(picked, f.Other.Raw())
	}
	if len(picked) == 0 {
		return Value{}
	}
	if c.k == Single {
		return TextValue(picked[len(picked)-1]) // a chosen Other takes an option's place
	}
	return c.tidy(q, ItemsValue(picked...))
}

func (c choiceRules) field(q Question, v Value) Field {
	items, ok := v.Items()
	if text, single := v.Text(); single {
		items, ok = []string{text}, true
	}
	if !ok {
		return Field{}
	}
	var f Field
	for _, item := range items {
		if q.option(item) >= 0 {
			f.Picked = append(f.Picked, item)
		} else if q.Other {
			f.Other, f.OtherPicked = safe.New(item), true
		}
	}
	return f
}

func (c choiceRules) family() string { return "choice" }

func (c choiceRules) refit(q, earlier Question, v Value) (fit Value, whole bool) {
	items, ok := v.Items()
	if text, single := v.Text(); single {
		items, ok = []string{text}, true
	}
	if !ok || c.k == Single && len(items) != 1 {
		return Value{}, false
	}
	var fits []string
	for _, item := range items {
		was, own := Option{Value: safe.New(item)}, true
		if at := earlier.option(item); at >= 0 {
			was, own = earlier.Options[at], false
		}
		if at := q.optionLike(was); at >= 0 {
			fits = append(fits, q.Options[at].Value.Raw())
		} else if own && q.Other {
			fits = append(fits, item)
		}
	}
	switch {
	case len(fits) == 0:
		return Value{}, false
	case c.k == Single:
		return TextValue(fits[0]), true
	}
	return c.tidy(q, ItemsValue(fits...)), len(fits) == len(items)
}

func (c choiceRules) ownWords(q Question, v Value) bool {
	if text, ok := v.Text(); ok {
		return q.option(text) < 0
	}
	items, _ := v.Items()
	return slices.ContainsFunc(items, func(item string) bool { return q.option(item) < 0 })
}
