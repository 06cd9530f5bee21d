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

// everyField returns the fields that a question of any kind has.
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

// multiSelect is a field of other tools for questions. planb's schema has kinds
// instead and does not mention it, but Parse understands it.
const multiSelect = "multiSelect"

// questionFields returns the fields of all kinds of question together.
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

// Parse reads a form from JSON: the arguments of ask_user, or a file. It fills in
// the defaults. It understands the shapes that models write (JSON inside a
// string, question for label, header for tab, multiSelect for a kind, numbers and
// booleans as strings, a single question outside a list, an option marked as
// recommended, no id). It ignores a sessionId, which the caller reads. It returns
// all other mistakes at once, as Problems; an unknown field that is not blank is
// a mistake.
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
		spec.IntroTitle = orDefault(introTitle, DefaultIntroTitle)
	}
	spec.Questions = r.questions(o)
	return spec
}

// orDefault returns text, or fallback if text is empty.
func orDefault(text safe.Text, fallback string) safe.Text {
	if text.IsZero() {
		return safe.New(fallback)
	}
	return text
}

// size reports a form that is too large as a whole.
func (r *reader) size(spec Spec) {
	if bytes := len(spec.Canonical()); bytes > MaxSpecBytes {
		r.problems.add("", fmt.Sprintf("a form of %d bytes", bytes), fmt.Sprintf("at most %d bytes", MaxSpecBytes), "")
	}
}

// questions reads the list of questions, or a single question outside a list.
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

// question reads one question. header is the title of its tab as it was given: an
// id can be made from it.
func (r *reader) question(at string, n node) (q Question, header string) {
	o, ok := r.object(at, n, questionFields())
	if !ok {
		r.problems.add(at, n.String(), "an object with id, kind and label", questionExample)
		return Question{}, ""
	}
	q = Question{
		ID:          r.id(o),
		Label:       r.needed(o, "label", MaxLabelBytes, "a text that asks", `"Which database?"`),
		Required:    r.boolean(o, "required", false),
		Description: r.optional(o, "description", MaxMarkdownBytes),
	}
	tab := r.optional(o, "tab", MaxTabBytes)
	q.Tab = orDefault(tab, DefaultTab)
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

// foreign reports fields of other kinds, unless they are empty or hold their
// default: models that fill in every field of a schema send those.
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
		if holdsDefault(f.name, n) {
			continue
		}
		var owners []string
		for _, other := range kindRules() {
			for _, g := range other.fields() {
				if g.name == f.name {
					owners = append(owners, string(other.kind()))
				}
			}
		}
		r.problems.add(at, n.String(), fmt.Sprintf("nothing for kind %s; %s is for kind %s",
			kind.kind(), f.name, strings.Join(owners, ", ")), "")
	}
}

// holdsDefault reports whether a field has the value that a question without the
// field would have.
func holdsDefault(field string, n node) bool {
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

// defaultValue reads the answer that the agent proposes. It must be an answer
// that the form offers. A blank one counts as absent.
func (r *reader) defaultValue(o *object, kind rules, q *Question) {
	n, at, ok := o.get("default")
	if !ok || n.kind == textNode && n.text == "" {
		return
	}
	offered := *q
	offered.Other = false // the agent must propose one of its options, not a new text
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
