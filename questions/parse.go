package questions

import (
	"bytes"
	"fmt"
	"strings"

	"planb/questions/lenient"
	"planb/questions/safe"
)

func formFields() []lenient.Field {
	return []lenient.Field{
		lenient.Named("title", "heading"),
		lenient.Named("introTitle"),
		lenient.Named("intro", "introduction", "overview"),
		lenient.Named("questions", "question"),
	}
}

// everyField returns the fields that a question of any kind has.
func everyField() []lenient.Field {
	return []lenient.Field{
		lenient.Named("id", "key", "name"),
		lenient.Named("kind", "type"),
		lenient.Named("label", "question", "prompt", "text", "title"),
		lenient.Named("required", "mandatory"),
		lenient.Named("tab", "header", "section", "group"),
		lenient.Named("description", "help", "hint", "details", "context"),
		lenient.Named("default", "defaultValue"),
		{Name: multiSelect, Also: []string{"allowMultiple"}, Hidden: true},
	}
}

// multiSelect is a field of other tools for questions. planb's schema has kinds
// instead and does not mention it, but Parse understands it.
const multiSelect = "multiSelect"

// questionFields returns the fields of all kinds of question together.
func questionFields() []lenient.Field {
	fields := everyField()
	seen := map[string]bool{}
	for _, kind := range kindRules() {
		for _, f := range kind.fields() {
			if !seen[f.Name] {
				fields = append(fields, f)
			}
			seen[f.Name] = true
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
		r.Problems.Add("", fmt.Sprintf("%d bytes", len(raw)), fmt.Sprintf("at most %d bytes", MaxInputBytes), "")
		return Spec{}, r.Problems
	}
	const formAllowed, formExample = "a JSON object with title and questions",
		`{"title":` + titleExample + `,"questions":[` + questionExample + `]}`
	n, err := lenient.Parse(bytes.TrimPrefix(raw, []byte("\uFEFF")))
	if err != nil {
		r.Problems.Add("", err.Error(), formAllowed, formExample)
		return Spec{}, r.Problems
	}
	o, ok := r.Object("", n, append(formFields(), lenient.Named("sessionId")))
	if !ok {
		r.Problems.Add("", n.String(), formAllowed, formExample)
		return Spec{}, r.Problems
	}
	spec := r.form(o)
	if len(r.Problems) == 0 {
		r.size(spec)
	}
	if err := r.Problems.Err(); err != nil {
		return Spec{}, err
	}
	return spec, nil
}

func (r *reader) form(o *lenient.Object) Spec {
	spec := Spec{
		Title: r.Needed(o, "title", MaxTitleBytes, "a text that names the form", titleExample),
		Intro: r.Optional(o, "intro", MaxMarkdownBytes),
	}
	introTitle := r.Optional(o, "introTitle", MaxTitleBytes)
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
		r.Problems.Add("", fmt.Sprintf("a form of %d bytes", bytes), fmt.Sprintf("at most %d bytes", MaxSpecBytes), "")
	}
}

// questions reads the list of questions, or a single question outside a list.
func (r *reader) questions(o *lenient.Object) []Question {
	allowed := fmt.Sprintf("a list of 1 to %d questions", MaxQuestions)
	items, at := r.Objects(o, "questions", allowed, questionExample)
	if len(items) == 0 {
		return nil
	}
	if len(items) > MaxQuestions {
		r.Problems.Add(at, lenient.Node{Kind: lenient.ListNode, Items: items}.String(), allowed+"; ask the first of them, and the others in another form", "")
	}
	questions := make([]Question, 0, len(items))
	headers := make([]string, 0, len(items))
	for i, item := range items {
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
func (r *reader) question(at string, n lenient.Node) (q Question, header string) {
	o, ok := r.Object(at, n, questionFields())
	if !ok {
		r.Problems.Add(at, n.String(), "an object with id, kind and label", questionExample)
		return Question{}, ""
	}
	q = Question{
		ID:          r.id(o),
		Label:       r.Needed(o, "label", MaxLabelBytes, "a text that asks", `"Which database?"`),
		Required:    r.Boolean(o, "required", false),
		Description: r.Optional(o, "description", MaxMarkdownBytes),
	}
	tab := r.Optional(o, "tab", MaxTabBytes)
	q.Tab = orDefault(tab, DefaultTab)
	kind, loose := r.kind(o)
	if kind == nil {
		return q, tab.Raw()
	}
	q.Kind = kind.kind()
	before := len(r.Problems)
	r.foreign(o, kind)
	kind.read(r, o, &q)
	switch {
	case len(r.Problems) == before:
		r.defaultValue(o, kind, &q)
	case loose:
		r.kindFirst(o, kind, before)
	}
	return q, tab.Raw()
}

// foreign reports fields of other kinds, unless they are empty or hold their
// default: models that fill in every field of a schema send those.
func (r *reader) foreign(o *lenient.Object, kind rules) {
	own := map[string]bool{}
	for _, f := range append(everyField(), kind.fields()...) {
		own[f.Name] = true
	}
	for _, f := range questionFields() {
		if own[f.Name] || !o.Has(f.Name) {
			continue
		}
		n, _ := o.Get(f.Name)
		if holdsDefault(f.Name, n) {
			continue
		}
		var owners []string
		for _, other := range kindRules() {
			for _, g := range other.fields() {
				if g.Name == f.Name {
					owners = append(owners, string(other.kind()))
				}
			}
		}
		r.Problems.Add(o.Place(f.Name), n.String(), fmt.Sprintf("nothing for kind %s; %s is for kind %s",
			kind.kind(), f.Name, strings.Join(owners, ", ")), "")
	}
}

// holdsDefault reports whether a field has the value that a question without the
// field would have.
func holdsDefault(field string, n lenient.Node) bool {
	switch field {
	case "other":
		said, _ := lenient.Plain(n)
		return strings.EqualFold(said, "true")
	case "step":
		step, ok := lenient.Number(n)
		return ok && step == DefaultStep
	}
	return false
}

// defaultValue reads the answer that the agent proposes. It must be an answer
// that the form offers. A blank one counts as absent.
func (r *reader) defaultValue(o *lenient.Object, kind rules, q *Question) {
	n, ok := o.Get("default")
	if !ok || n.Kind == lenient.TextNode && n.Text == "" {
		return
	}
	offered := *q
	offered.Other = false // the agent must propose one of its options, not a new text
	v, ok := kind.readDefault(offered, n)
	if !ok {
		r.Problems.Add(o.Place("default"), n.String(), "a default that could be an answer to a question of kind "+string(q.Kind), "")
		return
	}
	if v = kind.tidy(offered, v); v.IsZero() {
		return
	}
	wrong := kind.check(offered, v)
	for _, p := range wrong {
		p.Where = o.Place("default") + p.Where
		r.Problems = append(r.Problems, p)
	}
	if len(wrong) == 0 {
		q.Default = &v
	}
}
