package questions

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
		{"multiSelect", []string{"allowMultiple"}},
	}
}

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
// booleans as strings, a single question outside a list, no id), fills in
// the defaults, and ignores a sessionId, which is the caller's to read. Any
// other mistake, a field it does not know included, is in the returned
// Problems, all of them at once.
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
	if n.kind != listNode || len(n.items) == 0 || len(n.items) > MaxQuestions {
		r.problems.add(at, n.String(), allowed, "["+questionExample+"]")
		return nil
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
	kind, ok := r.kind(o)
	if !ok {
		return q, tab.Raw()
	}
	q.Kind = kind.kind()
	r.foreign(o, kind)
	before := len(r.problems)
	kind.read(r, o, &q)
	if len(r.problems) == before {
		r.defaultValue(o, kind, &q)
	}
	return q, tab.Raw()
}

// foreign reports fields of other kinds, unless they say nothing: models that
// fill in every field of a schema send those.
func (r *reader) foreign(o *object, kind rules) {
	own := map[string]bool{}
	for _, f := range append(everyField(), kind.fields()...) {
		own[f.name] = true
	}
	for _, f := range questionFields() {
		if own[f.name] || !o.has(f.name) {
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
		n, at, _ := o.get(f.name)
		r.problems.add(at, n.String(), fmt.Sprintf("nothing for kind %s; %s is for kind %s",
			kind.kind(), f.name, strings.Join(takers, ", ")), "")
	}
}

func (r *reader) defaultValue(o *object, kind rules, q *Question) {
	n, at, ok := o.get("default")
	if !ok || n.kind == textNode && safe.New(n.text).Blank() {
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

// kind finds a question's kind: by name, by a word models use for it, by
// multiSelect, or by fields that only one kind has.
func (r *reader) kind(o *object) (rules, bool) {
	many, atMany, hasMany := o.get("multiSelect")
	multi := r.truth(o, "multiSelect", false)
	choice := choiceRules{Single}
	if multi {
		choice = choiceRules{Multi}
	}
	n, at, given := o.get("kind")
	if !given {
		if hasMany {
			return choice, true
		}
		for _, kind := range kindRules() {
			if kind.implied(o) {
				return kind, true
			}
		}
		r.problems.add(at, "nothing", kindNames(), `"kind":"text"`)
		return nil, false
	}
	word, _ := plain(n)
	kind, loose, ok := kindMeant(word)
	if !ok {
		r.problems.add(at, n.String(), kindNames(), kindHint(word))
		return nil, false
	}
	if loose && hasMany {
		return choice, true
	}
	if fits := kind.kind() == Multi; multi && !fits || hasMany && !multi && fits {
		r.problems.add(atMany, many.String(), fmt.Sprintf("%t, since kind is %s", fits, kind.kind()), "")
	}
	return kind, true
}

// kindMeant finds the kind that a word names.
func kindMeant(word string) (found rules, loose, ok bool) {
	word = fold(word)
	for _, kind := range kindRules() {
		if word == string(kind.kind()) {
			return kind, false, true
		}
	}
	for _, kind := range kindRules() {
		firm, loosely := kind.words()
		for _, w := range firm {
			if w == word {
				return kind, false, true
			}
		}
		for _, w := range loosely {
			if w == word {
				return kind, true, true
			}
		}
	}
	return nil, false, false
}

// kindHint is an example for a word that names no kind but has a clear use.
func kindHint(word string) string {
	switch fold(word) {
	case "boolean", "bool", "confirm", "yesno", "toggle", "checkone":
		return `"kind":"single","options":["yes","no"],"other":false`
	case "multiplechoice":
		return `"kind":"single" to pick one, "kind":"multi" to pick several`
	}
	return `"kind":"text"`
}

const idAllowed = "1 to 128 bytes of visible characters, without space at the ends"

// id reads a given id; without one it is empty.
func (r *reader) id(o *object) string {
	n, at, ok := o.get("id")
	if !ok || n.kind == textNode && n.text == "" {
		return ""
	}
	id, ok := plain(n)
	_, printable := safe.Printable(id)
	if !ok || !printable || len(id) > MaxIDBytes || strings.TrimSpace(id) != id {
		r.problems.add(at, n.String(), idAllowed, `"db"`)
		return ""
	}
	return id
}

// ids checks that ids are unique and gives one to each question without.
func (r *reader) ids(at string, questions []Question, headers []string) {
	first := map[string]int{}
	for i, q := range questions {
		if q.ID == "" {
			continue
		}
		if before, twice := first[q.ID]; twice {
			r.problems.add(fmt.Sprintf("%s[%d].id", at, i), fmt.Sprintf("%s, as in %s[%d]", quote(q.ID), at, before),
				"an id of its own", "")
			continue
		}
		first[q.ID] = i
	}
	uses := map[string]int{}
	for _, header := range headers {
		uses[header]++
	}
	for i := range questions {
		q := &questions[i]
		if q.ID != "" {
			continue
		}
		name := slug(q.Label.Raw())
		if header := headers[i]; uses[header] == 1 && slug(header) != "" {
			name = slug(header)
		}
		if name == "" {
			name = "q" + strconv.Itoa(i+1)
		}
		q.ID = name
		for n := 2; ; n++ {
			if _, taken := first[q.ID]; !taken {
				break
			}
			q.ID = name + "-" + strconv.Itoa(n)
		}
		first[q.ID] = i
	}
}

// slug makes an id of a label: its letters, their marks and digits in lower
// case, dashes between the words, cut at a word's end. It is empty if nothing
// is left.
func slug(label string) string {
	const most = 40 // bytes; the answers are easier to read with short names
	var id strings.Builder
	between := func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) }
	for word := range strings.FieldsFuncSeq(label, between) {
		word = strings.ToLower(word)
		switch {
		case id.Len() == 0:
			id.WriteString(cut(word, most))
		case id.Len()+1+len(word) <= most:
			id.WriteString("-" + word)
		default:
			return printableOrNone(id.String())
		}
	}
	return printableOrNone(id.String())
}

func printableOrNone(id string) string {
	if _, ok := safe.Printable(id); !ok {
		return ""
	}
	return id
}

// cut shortens s to at most limit bytes of whole characters.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
