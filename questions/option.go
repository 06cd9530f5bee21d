package questions

import (
	"fmt"
	"slices"

	"planb/questions/lenient"
	"planb/questions/safe"
)

func optionFields() []lenient.Field {
	return []lenient.Field{
		lenient.Named("value", "id", "key"),
		lenient.Named("label", "text", "title", "name"),
		lenient.Named("description", "desc", "hint", "help", "detail", "details", "explanation"),
		lenient.Named("markdown", "preview", "illustration"),
	}
}

// proposedField marks the option that the agent proposes. Models write it instead
// of the question's default.
func proposedField() lenient.Field {
	return lenient.Named("recommended", "default", "isDefault", "selected", "checked", "preferred")
}

const (
	optionAllowed = `a text that is not empty, or an object with value and, if useful, label, description, markdown`
	optionExample = `{"value":"sqlite","label":"SQLite","description":"one file"}`
)

// options reads the options of a choice: a list, a string with a list in JSON, a
// single option, or an object that maps values to labels. proposed holds the
// values of the options that are marked as the agent's proposal.
func (r *reader) options(o *lenient.Object) (options []Option, proposed []string) {
	n, ok := o.Get("options")
	at := o.Place("options")
	if !ok {
		r.Problems.Add(at, "nothing", fmt.Sprintf("a list of 1 to %d options", MaxOptions), `["yes","no"]`)
		return nil, nil
	}
	n = lenient.Unwrap(n)
	if n.Kind == lenient.ObjectNode {
		n = listOfObject(n)
	}
	if n.Kind != lenient.ListNode || len(n.Items) == 0 || len(n.Items) > MaxOptions {
		r.Problems.Add(at, lenient.GotList(n), fmt.Sprintf("a list of 1 to %d options", MaxOptions), `["yes","no"]`)
		return nil, nil
	}
	first := map[string]int{}
	options = make([]Option, 0, len(n.Items))
	for i, item := range n.Items {
		place := fmt.Sprintf("%s[%d]", at, i)
		option, marked := r.option(place, item)
		value := option.Value.Raw()
		if before, found := first[value]; found && value != "" {
			r.Problems.Add(place, fmt.Sprintf("the value %s, as in %s[%d]", lenient.Quote(value), at, before),
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
// an option is a list of that one option. It returns {"id":"By id","name":"By name"} as
// it is: that may be one option or two.
func listOfObject(n lenient.Node) lenient.Node {
	list := lenient.Node{Kind: lenient.ListNode}
	named, meant := false, false
	for _, m := range n.Members {
		named = named || lenient.SameName(m.Key, "value") || lenient.SameName(m.Key, "label")
		meant = meant || slices.ContainsFunc(optionFields(), func(f lenient.Field) bool { return f.Means(m.Key) })
	}
	switch {
	case named:
		return lenient.Node{Kind: lenient.ListNode, Items: []lenient.Node{n}}
	case meant:
		return n
	}
	for _, m := range n.Members {
		option := lenient.Node{Kind: lenient.ObjectNode, Members: []lenient.Member{{Key: "value", Value: lenient.Node{Kind: lenient.TextNode, Text: m.Key}}}}
		if m.Value.Kind == lenient.ObjectNode {
			option.Members = append(option.Members, m.Value.Members...)
		} else {
			option.Members = append(option.Members, lenient.Member{Key: "label", Value: m.Value})
		}
		list.Items = append(list.Items, option)
	}
	return list
}

// option reads one option, and whether it is marked as proposed. A string is the
// option's value, even if it looks like JSON: an agent may ask whether to write []
// or {}.
func (r *reader) option(at string, n lenient.Node) (option Option, proposed bool) {
	if _, isPlain := lenient.Plain(n); isPlain {
		return Option{Value: r.optionValue(at, n, safe.Text{})}, false
	}
	o, ok := r.Object(at, n, append(optionFields(), proposedField()))
	if !ok {
		r.Problems.Add(at, n.String(), optionAllowed, optionExample)
		return Option{}, false
	}
	option = Option{
		Label:       r.Optional(o, "label", MaxLabelBytes),
		Description: r.Optional(o, "description", MaxLineBytes),
		Markdown:    r.Optional(o, "markdown", MaxMarkdownBytes),
	}
	value, given := o.Get("value")
	switch {
	case given:
		option.Value = r.optionValue(o.Place("value"), value, option.Label)
	case option.Label.IsZero():
		r.Problems.Add(o.Place("value"), "nothing", optionAllowed, optionExample)
	default:
		option.Value = option.Label
	}
	if option.Label == option.Value {
		option.Label = safe.Text{} // a screen shows the value if there is no label
	}
	return option, r.Boolean(o, proposedField().Name, false)
}

// optionValue reads an option's value. The value may be only white space, such as
// a tab, if the option has a label to show instead.
func (r *reader) optionValue(at string, n lenient.Node, label safe.Text) safe.Text {
	s, ok := lenient.Plain(n)
	value := safe.New(s)
	switch {
	case !ok || s == "":
		r.Problems.Add(at, n.String(), optionAllowed, optionExample)
	case value.Blank() && label.IsZero():
		r.Problems.Add(at, n.String(), "a text that can be seen, or a label to show for it",
			`{"value":"\t","label":"Tab"}`)
	case len(s) > MaxValueBytes:
		r.Problems.Add(at, fmt.Sprintf("a text of %d bytes", len(s)), fmt.Sprintf("at most %d bytes", MaxValueBytes), "")
	}
	return value
}
