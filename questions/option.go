package questions

import (
	"fmt"

	"planb/questions/safe"
)

func optionFields() []field {
	return []field{
		{"value", []string{"id", "key"}},
		{"label", []string{"text", "title", "name"}},
		{"description", []string{"desc", "hint", "help", "detail", "details", "explanation"}},
		{"markdown", []string{"preview", "illustration"}},
	}
}

// proposedField marks the option that the agent proposes. Models write it instead
// of the question's default.
func proposedField() field {
	return field{"recommended", []string{"default", "isDefault", "selected", "checked", "preferred"}}
}

const (
	optionAllowed = `a text that is not empty, or an object with value and, if useful, label, description, markdown`
	optionExample = `{"value":"sqlite","label":"SQLite","description":"one file"}`
)

// options reads the options of a choice: a list, a string with a list in JSON, a
// single option, or an object that maps values to labels. proposed holds the
// values of the options that are marked as the agent's proposal.
func (r *reader) options(o *object) (options []Option, proposed []string) {
	n, at, ok := o.get("options")
	if !ok {
		r.problems.add(at, "nothing", fmt.Sprintf("a list of 1 to %d options", MaxOptions), `["yes","no"]`)
		return nil, nil
	}
	n = unwrap(n)
	if n.kind == objectNode {
		n = listOfObject(n)
	}
	if n.kind != listNode || len(n.items) == 0 || len(n.items) > MaxOptions {
		r.problems.add(at, listGot(n), fmt.Sprintf("a list of 1 to %d options", MaxOptions), `["yes","no"]`)
		return nil, nil
	}
	first := map[string]int{}
	options = make([]Option, 0, len(n.items))
	for i, item := range n.items {
		place := fmt.Sprintf("%s[%d]", at, i)
		option, marked := r.option(place, item)
		value := option.Value.Raw()
		if before, found := first[value]; found && value != "" {
			r.problems.add(place, fmt.Sprintf("the value %s, as in %s[%d]", quote(value), at, before),
				"a value of its own", "")
		} else {
			first[value] = i
		}
		options = append(options, option)
		if marked {
			proposed = append(proposed, value)
		}
	}
	return options, proposed
}

// listOfObject makes a list of options from an object: {"pg":"PostgreSQL"} is an
// option with the value pg and the label PostgreSQL. An object with the fields of
// an option is a list of that one option.
func listOfObject(n node) node {
	list := node{kind: listNode}
	for _, m := range n.members {
		for _, f := range optionFields() {
			if f.means(m.key) {
				return node{kind: listNode, items: []node{n}}
			}
		}
		option := node{kind: objectNode, members: []member{{"value", node{kind: textNode, text: m.key}}}}
		if m.value.kind == objectNode {
			option.members = append(option.members, m.value.members...)
		} else {
			option.members = append(option.members, member{"label", m.value})
		}
		list.items = append(list.items, option)
	}
	return list
}

// option reads one option, and whether it is marked as proposed. A string is the
// option's value, even if it looks like JSON: an agent may ask whether to write []
// or {}.
func (r *reader) option(at string, n node) (option Option, proposed bool) {
	if _, isPlain := plain(n); isPlain {
		return Option{Value: r.optionValue(at, n, safe.Text{})}, false
	}
	o, ok := r.object(at, n, append(optionFields(), proposedField()))
	if !ok {
		r.problems.add(at, n.String(), optionAllowed, optionExample)
		return Option{}, false
	}
	option = Option{
		Label:       r.optional(o, "label", MaxLabelBytes),
		Description: r.optional(o, "description", MaxLineBytes),
		Markdown:    r.optional(o, "markdown", MaxMarkdownBytes),
	}
	value, atValue, given := o.get("value")
	switch {
	case given:
		option.Value = r.optionValue(atValue, value, option.Label)
	case option.Label.IsZero():
		r.problems.add(atValue, "nothing", optionAllowed, optionExample)
	default:
		option.Value = option.Label
	}
	if option.Label == option.Value {
		option.Label = safe.Text{} // a screen shows the value if there is no label
	}
	return option, r.boolean(o, proposedField().name, false)
}

// optionValue reads an option's value. The value may be only white space, such as
// a tab, if the option has a label to show instead.
func (r *reader) optionValue(at string, n node, label safe.Text) safe.Text {
	s, ok := plain(n)
	value := safe.New(s)
	switch {
	case !ok || s == "":
		r.problems.add(at, n.String(), optionAllowed, optionExample)
	case value.Blank() && label.IsZero():
		r.problems.add(at, n.String(), "a text that can be seen, or a label to show for it",
			`{"value":"\t","label":"Tab"}`)
	case len(s) > MaxValueBytes:
		r.problems.add(at, fmt.Sprintf("a text of %d bytes", len(s)), fmt.Sprintf("at most %d bytes", MaxValueBytes), "")
	}
	return value
}
