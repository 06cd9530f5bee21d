package questions

import (
	"bytes"
	"fmt"
	"strings"

	"planb/questions/safe"
)

func formFields() []field {
	return []field{
		{"title", []string{"heading"}},
		{"introTitle", nil},
		{"intro", []string{"introduction", "overview"}},
		{"questions", []string{"question"}},
	}
}

// everyField are the fields of a question of any kind.
func everyField() []field {
	return []field{
		{"id", []string{"key", "name"}},
		{"kind", []string{"type"}},
		{"label", []string{"question", "prompt", "text", "title"}},
		{"required", []string{"mandatory"}},
		{"tab", []string{"header", "section", "group"}},
		{"description", []string{"help", "hint", "details", "context"}},
		{"default", []string{"defaultValue"}},
		{multiSelect, []string{"allowMultiple"}},
	}
}

// multiSelect is understood and never asked for: built-in question tools have it,
// planb's schema has kinds instead.
const multiSelect = "multiSelect"

// questionFields are the fields that a question of some kind has.
func questionFields() []field {
	fields := everyField()
	seen := map[string]bool{}
	for _, kind := range kindRules() {
		for _, f := range kind.fields() {
			if !seen[f.name] {
				fields = append(fields, f)
			}
			seen[f.name] = true
		}
	}
	return fields
}

const (
	questionExample = `{"id":"db","kind":"single","label":"Which database?","options":["SQLite","PostgreSQL"]}`
	titleExample    = `"Before I start"`
)

// Parse reads a form from JSON: the arguments of ask_user, or a file. It
// understands the shapes that models write for it (JSON inside a string,
// question for label, header for tab, multiSelect for a kind, numbers and
// booleans as strings, a single question outside a list, an option marked as
// recommended, no id), fills in the defaults, and ignores a sessionId, which is
// the caller's to read. Any other mistake is in the returned Problems, all of
// them at once; a field that it does not know and that holds anything is one.
func Parse(raw []byte) (Spec, error) {
	var r reader
	if len(raw) > MaxInputBytes {
		r.problems.add("", fmt.Sprintf("%d bytes", len(raw)), fmt.Sprintf("at most %d bytes", MaxInputBytes), "")
		return Spec{}, r.problems
	}
	const formAllowed, formExample = "a JSON object with title and questions",
		`{"title":` + titleExample + `,"questions":[` + questionExample + `]}`
	n, err := parseNode(bytes.TrimPrefix(raw, []byte("\uFEFF")))
	if err != nil {
		r.problems.add("", err.Error(), formAllowed, formExample)
		return Spec{}, r.problems
	}
	o, ok := r.object("", n, append(formFields(), field{"sessionId", nil}))
	if !ok {
		r.problems.add("", n.String(), formAllowed, formExample)
		return Spec{}, r.problems
	}
	spec := r.form(o)
	if len(r.problems) == 0 {
		r.size(spec)
	}
	if err := r.problems.err(); err != nil {
		return Spec{}, err
	}
	return spec, nil
}

func (r *reader) form(o *object) Spec {
	spec := Spec{
		Title: r.needed(o, "title", MaxTitleBytes, "a text that names the form", titleExample),
		Intro: r.optional(o, "intro", MaxMarkdownBytes),
	}
	introTitle := r.optional(o, "introTitle", MaxTitleBytes)
	if !spec.Intro.IsZero() {
		spec.IntroTitle = or(introTitle, DefaultIntroTitle)
	}
	spec.Questions = r.questions(o)
	return spec
}

// or is text, or instead if text is empty.
func or(text safe.Text, instead string) safe.Text {
	if text.IsZero() {
		return safe.New(instead)
	}
	return text
}

// size reports a form that is too large as a whole.
func (r *reader) size(spec Spec) {
	if bytes := len(spec.Canonical()); bytes > MaxSpecBytes {
		r.problems.add("", fmt.Sprintf("a form of %d bytes", bytes), fmt.Sprintf("at most %d bytes", MaxSpecBytes), "")
	}
}

// questions reads the list of questions, also a single one outside a list.
func (r *reader) questions(o *object) []Question {
	allowed := fmt.Sprintf("a list of 1 to %d questions", MaxQuestions)
	n, at, ok := o.get("questions")
	if !ok {
		r.problems.add(at, "nothing", allowed, "["+questionExample+"]")
		return nil
	}
	n = unwrap(n)
	if n.kind == objectNode {
		n = node{kind: listNode, items: []node{n}}
	}
	if n.kind != listNode || len(n.items) == 0 {
		r.problems.add(at, listGot(n), allowed, "["+questionExample+"]")
		return nil
	}
	if len(n.items) > MaxQuestions {
		r.problems.add(at, n.String(), allowed+"; ask the first of them, and the others in another form", "")
	}
	questions := make([]Question, 0, len(n.items))
	headers := make([]string, 0, len(n.items))
	for i, item := range n.items {
		place := fmt.Sprintf("%s[%d]", at, i)
		q, header := r.question(place, item)
		questions = append(questions, q)
		headers = append(headers, header)
	}
	r.ids(at, questions, headers)
	return questions
}

// question reads one question. header is what it would be called by if it has
// no id of its own.
func (r *reader) question(at string, n node) (q Question, header string) {
	o, ok := r.object(at, n, questionFields())
	if !ok {
		r.problems.add(at, n.String(), "an object with id, kind and label", questionExample)
		return Question{}, ""
	}
	q = Question{
		ID:          r.id(o),
		Label:       r.needed(o, "label", MaxLabelBytes, "a text that asks", `"Which database?"`),
		Required:    r.truth(o, "required", false),
		Description: r.optional(o, "description", MaxMarkdownBytes),
	}
	tab := r.optional(o, "tab", MaxTabBytes)
	q.Tab = or(tab, DefaultTab)
	kind, loose := r.kind(o)
	if kind == nil {
		return q, tab.Raw()
	}
	q.Kind = kind.kind()
	before := len(r.problems)
	r.foreign(o, kind)
	kind.read(r, o, &q)
	switch {
	case len(r.problems) == before:
		r.defaultValue(o, kind, &q)
	case loose:
		r.kindFirst(o, kind, before)
	}
	return q, tab.Raw()
}

// foreign reports fields of other kinds, unless they say nothing or what goes
// without saying: models that fill in every field of a schema send those.
func (r *reader) foreign(o *object, kind rules) {
	own := map[string]bool{}
	for _, f := range append(everyField(), kind.fields()...) {
		own[f.name] = true
	}
	for _, f := range questionFields() {
		if own[f.name] || !o.has(f.name) {
			continue
		}
		n, at, _ := o.get(f.name)
		if isUsual(f.name, n) {
			continue
		}
		var takers []string
		for _, other := range kindRules() {
			for _, g := range other.fields() {
				if g.name == f.name {
					takers = append(takers, string(other.kind()))
				}
			}
		}
		r.problems.add(at, n.String(), fmt.Sprintf("nothing for kind %s; %s is for kind %s",
			kind.kind(), f.name, strings.Join(takers, ", ")), "")
	}
}

// isUsual reports whether a field says what goes for it where it is not given.
func isUsual(field string, n node) bool {
	switch field {
	case "other":
		said, _ := plain(n)
		return strings.EqualFold(said, "true")
	case "step":
		step, ok := number(n)
		return ok && step == DefaultStep
	}
	return false
}

// defaultValue reads what the agent proposes. It must be an answer that the
// form offers; one that says nothing is none.
func (r *reader) defaultValue(o *object, kind rules, q *Question) {
	n, at, ok := o.get("default")
	if !ok || n.kind == textNode && n.text == "" {
		return
	}
	offered := *q
	offered.Other = false // a proposal in words of its own belongs among the options
	v, ok := kind.readDefault(offered, n)
	if !ok {
		r.problems.add(at, n.String(), "a default that could be an answer to a question of kind "+string(q.Kind), "")
		return
	}
	if v = kind.tidy(offered, v); v.IsZero() {
		return
	}
	wrong := kind.check(offered, v)
	for _, p := range wrong {
		p.Where = at + p.Where
		r.problems = append(r.problems, p)
	}
	if len(wrong) == 0 {
		q.Default = &v
	}
}
