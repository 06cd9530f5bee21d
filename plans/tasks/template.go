package tasks

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"planb/plainjson"
	"planb/questions/lenient"
	"planb/questions/safe"
)

// Template is a plan to be proposed again and again, with parameters.
type Template struct {
	Key    string           `json:"key"`
	Title  safe.Text        `json:"title"`
	Status TemplateStatus   `json:"status"`
	Params map[string]Param `json:"params,omitempty"`
	tasks  lenient.Node
	about  lenient.Node // the description of the plan; null if there is none
}

// TemplateStatus says whether a template may be used.
type TemplateStatus string

// The states of a template.
const (
	TemplateDraft      TemplateStatus = "draft"
	TemplatePublished  TemplateStatus = "published"
	TemplateDeprecated TemplateStatus = "deprecated"
)

// Param is a parameter of a template. {{name}} in its texts becomes the value.
type Param struct {
	Description safe.Text  `json:"description,omitzero"`
	Default     *safe.Text `json:"default,omitempty"` // nil: a value must be given
}

// templateVersion is the number that a template's file has as "template".
const templateVersion = "1"

const templateExample = `{"template":1,"key":"release","title":"Release {{version}}","status":"published","params":{"version":{"description":"as 1.2.0"}},"tasks":[{"nodeKey":"notes","title":"Write the notes of {{version}}"}]}`

func templateFields() []lenient.Field {
	return []lenient.Field{
		lenient.Named("template"), lenient.Named("key"), lenient.Named("title"), lenient.Named("status"),
		lenient.Named("description"), lenient.Named("params", "parameters"), lenient.Named("tasks"),
	}
}

// ReadTemplate reads the file of a template. Its tasks are read with values filled
// in, by Fill. The error is a *Error with all problems at once.
func ReadTemplate(raw []byte) (Template, error) {
	var r seedReader
	o, ok := r.whole(raw, templateFields(), "a JSON object with template, key, title, status and tasks", templateExample)
	if !ok {
		return Template{}, Invalid(r.Problems)
	}
	t := Template{Key: r.templateKey(o), Params: r.params(o)}
	if n, _ := o.Get("template"); n.Text != templateVersion {
		r.Problems.Add(o.Place("template"), n.String(), "the number "+templateVersion, templateVersion)
	}
	t.Title = r.title(o, true, "a text that names the plan", `"Release {{version}}"`)
	n, _ := o.Get("status")
	switch t.Status = TemplateStatus(n.Text); t.Status {
	case TemplateDraft, TemplatePublished, TemplateDeprecated:
	default:
		r.Problems.Add(o.Place("status"), n.String(), "draft, published or deprecated", `"published"`)
	}
	if t.tasks, ok = o.Get("tasks"); !ok || t.tasks.Kind != lenient.ListNode {
		r.Problems.Add(o.Place("tasks"), t.tasks.String(), "a list of tasks", "["+taskExample+"]")
	}
	t.about, _ = o.Get("description")
	if len(r.Problems) > 0 {
		return Template{}, Invalid(r.Problems)
	}
	return t, nil
}

func (r *seedReader) templateKey(o *lenient.Object) string {
	n, _ := o.Get("key")
	if !validKey(n.Text) || strings.ContainsAny(n.Text, "/:") {
		r.Problems.Add(o.Place("key"), n.String(), keyRule(), `"release"`)
	}
	return n.Text
}

func (r *seedReader) params(o *lenient.Object) map[string]Param {
	n, ok := o.Get("params")
	if !ok {
		return nil
	}
	at := o.Place("params")
	if n.Kind != lenient.ObjectNode {
		r.Problems.Add(at, n.String(), "an object with a parameter under each name", `{"version":{"description":"as 1.2.0"}}`)
		return nil
	}
	params := map[string]Param{}
	for _, m := range n.Members {
		place := lenient.Join(at, m.Key)
		p, ok := r.Object(place, m.Value, []lenient.Field{lenient.Named("description"), lenient.Named("default")})
		if !ok || !validKey(m.Key) {
			r.Problems.Add(place, m.Value.String(), "a name of letters and digits, and an object with description and default", `{"description":"as 1.2.0"}`)
			continue
		}
		param := Param{Description: r.Optional(p, "description", MaxItemBytes)}
		if _, given := p.Get("default"); given {
			value := r.Optional(p, "default", MaxDescriptionBytes)
			param.Default = &value
		}
		params[m.Key] = param
	}
	return params
}

// Fill returns the proposal that the template makes with values for its parameters.
// overrides replaces fields of tasks by nodeKey. title replaces the template's, if it
// is not blank. params and overrides are JSON objects; nil for none. The error is a
// *Error: a conflict for a template that is no longer or not yet to be used, or all
// problems at once.
func (t Template) Fill(title safe.Text, params, overrides []byte) (Proposal, error) {
	if t.Status != TemplatePublished {
		return Proposal{}, Conflict("instantiate", string(t.Status), fmt.Sprintf("template %s is %s. Nothing was proposed.", lenient.Quote(t.Key), t.Status))
	}
	var r seedReader
	values := r.values(t, params)
	changes := r.overrides(overrides)
	f := filler{values: values, left: MaxInputBytes, problems: &r.Problems, unknown: func(at, _, written string) {
		r.Problems.Add(at, lenient.Quote(written), "a parameter of the template: "+or(lenient.QuoteAll(slices.Sorted(maps.Keys(values))), "there are none"), "")
	}}
	list := f.node("tasks", t.tasks)
	var proposal fieldNodes
	proposal.text("title", f.text("title", t.Title.Raw()))
	if !title.Blank() {
		proposal = fieldNodes{}
		proposal.text("title", title.Raw())
	}
	proposal.add("description", f.node("description", t.about))
	r.override(list, changes)
	proposal.add("tasks", list)
	o, _ := r.Object("", proposal.node(), proposalFields())
	p := r.proposal(o, nil)
	if len(r.Problems) > 0 {
		return Proposal{}, Invalid(r.Problems)
	}
	return p, nil
}

// object reads a JSON object, or a text that holds one.
func (r *seedReader) object(at string, raw []byte) (n lenient.Node) {
	if len(raw) == 0 {
		return lenient.Node{Kind: lenient.ObjectNode}
	}
	n, err := lenient.Parse(raw)
	n = lenient.Unwrap(n)
	switch {
	case err != nil:
		r.Problems.Add(at, err.Error(), "an object", "{}")
	case n.Kind == lenient.NullNode:
	case n.Kind != lenient.ObjectNode:
		r.Problems.Add(at, n.String(), "an object", "{}")
	}
	return n
}

// values returns the value of each parameter.
func (r *seedReader) values(t Template, raw []byte) map[string]string {
	values := map[string]string{}
	for name, p := range t.Params {
		if p.Default != nil {
			values[name] = p.Default.Raw()
		}
	}
	names := slices.Sorted(maps.Keys(t.Params))
	for _, m := range r.object("params", raw).Members {
		at := lenient.Join("params", m.Key)
		text, isPlain := lenient.Plain(m.Value)
		_, known := t.Params[m.Key]
		switch {
		case !known:
			r.Problems.Add(at, "a parameter that the template does not have", or(lenient.QuoteAll(names), "none"), "")
		case !isPlain:
			r.Problems.Add(at, m.Value.String(), "a text", "")
		default:
			values[m.Key] = text
		}
	}
	for _, name := range names {
		if _, given := values[name]; !given {
			r.Problems.Add(lenient.Join("params", name), "nothing", or(t.Params[name].Description.Line(), "a text"), "")
		}
	}
	return values
}

func or(text, fallback string) string {
	if text == "" {
		return fallback
	}
	return text
}

// overrides returns the fields to replace, by nodeKey.
func (r *seedReader) overrides(raw []byte) map[string]lenient.Node {
	changes := map[string]lenient.Node{}
	for _, m := range r.object("overrides", raw).Members {
		fields := lenient.Unwrap(m.Value)
		if fields.Kind != lenient.ObjectNode {
			r.Problems.Add(lenient.Join("overrides", m.Key), m.Value.String(), "an object with fields of the task", `{"title":"…"}`)
			continue
		}
		changes[m.Key] = fields
	}
	return changes
}

// override replaces fields of the tasks in a list. It finds the tasks by their
// nodeKeys, into which the values are filled in already.
func (r *seedReader) override(list lenient.Node, changes map[string]lenient.Node) {
	keys := make([]string, 0, len(list.Items))
	for i := range list.Items {
		task := &list.Items[i]
		key := nodeKeyOf(*task)
		keys = append(keys, key)
		change, found := changes[key]
		if !found || key == "" {
			continue
		}
		delete(changes, key)
		task.Members = slices.Clone(task.Members)
		for _, m := range change.Members {
			task.Members = slices.DeleteFunc(task.Members, func(old lenient.Member) bool { return sameField(old.Key, m.Key) })
			task.Members = append(task.Members, m)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(changes)) {
		r.Problems.Add(lenient.Join("overrides", key), "a nodeKey that the template does not have", lenient.QuoteAll(keys), "")
	}
}

// nodeKeyOf returns the nodeKey of a task, or the one that its title gives it.
func nodeKeyOf(task lenient.Node) (key string) {
	for _, m := range task.Members {
		text, _ := lenient.Plain(m.Value)
		switch {
		case sameField(m.Key, "nodeKey"):
			return text
		case sameField(m.Key, "title"):
			key = lenient.Slug(text, madeKeyBytes)
		}
	}
	return key
}

// sameField reports whether two keys of a task are names of one field.
func sameField(a, b string) bool {
	for _, f := range itemFields() {
		if f.Means(a) && f.Means(b) {
			return true
		}
	}
	return a == b
}

// filler replaces {{name}} in texts. A value is not looked through again.
type filler struct {
	values   map[string]string
	left     int // bytes that values may still add
	problems *lenient.Problems
	unknown  func(at, name, written string) // is told of a name that has no value
}

func (f *filler) node(at string, n lenient.Node) lenient.Node {
	n.Text = f.text(at, n.Text)
	items := make([]lenient.Node, len(n.Items))
	for i, item := range n.Items {
		items[i] = f.node(fmt.Sprintf("%s[%d]", at, i), item)
	}
	members := make([]lenient.Member, len(n.Members))
	for i, m := range n.Members {
		members[i] = lenient.Member{Key: m.Key, Value: f.node(lenient.Join(at, m.Key), m.Value)}
	}
	n.Items, n.Members = items, members
	return n
}

func (f *filler) text(at, text string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		name, after, closed := strings.Cut(rest, "}}")
		out.WriteString(before)
		if !found || !closed {
			out.WriteString(text[len(before):])
			return out.String()
		}
		value, known := f.values[strings.TrimSpace(name)]
		if !known {
			value = "{{" + name + "}}"
		}
		if !known && validKey(strings.TrimSpace(name)) { // else it is of another language, as {{ .Values }}
			f.unknown(at, strings.TrimSpace(name), value)
		}
		if f.left -= len(value); f.left < 0 {
			f.problems.Add(at, "values that make the template too long", fmt.Sprintf("at most %d bytes of values in all texts", MaxInputBytes), "")
			return ""
		}
		out.WriteString(value)
		text = after
	}
}

// TemplateOf returns the file of a template that makes the plan: in the status draft, for a
// person to go on with. {{name}} in the plan's texts becomes a parameter that has these
// characters as its default.
func TemplateOf(key string, p Plan) ([]byte, error) {
	proposal := p.Proposal()
	for i := range proposal.Items {
		proposal.Items[i].Done = safe.Text{}
	}
	type file struct {
		Template    int              `json:"template"`
		Key         string           `json:"key"`
		Title       safe.Text        `json:"title"`
		Status      TemplateStatus   `json:"status"`
		Description safe.Text        `json:"description,omitzero"`
		Params      map[string]Param `json:"params,omitempty"`
		Tasks       []Item           `json:"tasks"`
	}
	made := file{1, key, proposal.Title, TemplateDraft, proposal.Description, map[string]Param{}, proposal.Items}
	raw, err := plainjson.Marshal(made)
	if err != nil || !bytes.Contains(raw, []byte("{{")) {
		return raw, err
	}
	n, err := lenient.ParseUpTo(raw, maxImportedItems)
	if err != nil {
		return nil, err
	}
	f := filler{left: MaxInputBytes, problems: &lenient.Problems{}, unknown: func(_, name, written string) {
		if _, known := made.Params[name]; !known {
			text := safe.New(written)
			made.Params[name] = Param{Default: &text}
		}
	}}
	f.node("", n)
	return plainjson.Marshal(made)
}
