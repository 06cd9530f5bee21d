package search

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// item is a candidate for a hit: all words have to occur in its fields.
type item struct {
	hit    Hit
	client []store.Client
	fields []field
}

// field is one text of an item.
type field struct {
	field    Field
	kind     string // the value of the filter kind: that selects it
	question string
	of       safe.Text
	asks     questions.Kind // of the question it belongs to
	text     string
	form     string // kindAsk or kindReview; empty if it belongs to neither
}

func sessionItem(session store.Session) item {
	return item{
		hit:    Hit{Session: session, At: session.Updated},
		client: []store.Client{session.Client},
		fields: []field{
			{field: FieldTitle, kind: kindSession, text: session.Title.Raw()},
			{field: FieldIntent, kind: kindSession, text: session.Intent.Raw()},
			{field: FieldProject, kind: kindSession, text: session.Project.Raw()},
		},
	}
}

func planItem(session store.Session, plan store.WholePlan) item {
	return item{
		hit:    Hit{Session: session, Plan: plan.Plan, At: plan.Created},
		client: []store.Client{session.Client},
		fields: []field{
			{field: FieldTitle, kind: kindPlan, text: plan.Title.Raw()},
			{field: FieldPlan, kind: kindPlan, text: plan.Text.Raw()},
		},
	}
}

func askItem(session store.Session, ask store.Ask) item {
	spec := ask.Spec
	ask.Spec = questions.Spec{Title: spec.Title, Plan: spec.Plan}
	i := item{
		hit:    Hit{Session: session, Ask: ask, At: happened(ask)},
		client: []store.Client{session.Client, ask.Client},
	}
	add := func(name Field, text safe.Text) {
		i.fields = append(i.fields, field{field: name, kind: kindQuestion, text: text.Raw()})
	}
	add(FieldTitle, spec.Title)
	add(FieldIntro, spec.Intro)
	for _, q := range spec.Questions {
		i.addQuestion(q)
	}
	i.addOutcome(spec, ask.Outcome, FieldAnswer)
	for _, late := range ask.TooLate {
		i.addOutcome(spec, late, FieldTooLate)
	}
	form := kindAsk
	if spec.Plan != nil {
		form = kindReview
	}
	for n := range i.fields {
		i.fields[n].form = form
	}
	return i
}

func happened(ask store.Ask) time.Time {
	if ask.Outcome.At.IsZero() {
		return ask.Created
	}
	return ask.Outcome.At
}

func (i *item) addQuestion(q questions.Question) {
	add := func(name Field, text safe.Text) {
		i.fields = append(i.fields, field{field: name, kind: kindQuestion, question: q.ID, of: q.Label, asks: q.Kind, text: text.Raw()})
	}
	add(FieldQuestion, q.Label)
	add(FieldQuestion, q.Description)
	for _, option := range q.Options {
		add(FieldOption, option.Value)
		add(FieldOption, option.Label)
		add(FieldOption, option.Description)
		add(FieldIllustration, option.Markdown)
	}
}

// addOutcome adds what a person wrote and chose. With FieldLate all of it goes
// under that field.
func (i *item) addOutcome(spec questions.Spec, outcome questions.Outcome, name Field) {
	reply := outcome.Reply
	in := func(of string, as Field, kind, text string) {
		q, _ := spec.Question(of)
		if name == FieldTooLate {
			as = FieldTooLate
		}
		i.fields = append(i.fields, field{field: as, kind: kind, question: of, of: q.Label, asks: q.Kind, text: text})
	}
	for _, id := range answered(spec, reply) {
		in(id, FieldAnswer, kindAnswer, answerText(spec, id, reply.Answers[id]))
	}
	for _, id := range sortedKeys(reply.Notes) {
		in(id, FieldNote, kindNote, reply.Notes[id].Raw())
	}
	in("", FieldNote, kindNote, reply.Note.Raw())
	in("", FieldMessage, kindNote, outcome.Message.Raw())
}

// answered lists the questions that have an answer, in the form's order, and
// then the ids that the form does not have.
func answered(spec questions.Spec, reply questions.Reply) []string {
	order := map[string]int{}
	for n, q := range spec.Questions {
		order[q.ID] = n - len(spec.Questions)
	}
	ids := sortedKeys(reply.Answers)
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(order[a], order[b]) })
	return ids
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// answerText returns an answer as a person reads it: options by their labels, a
// review in words.
func answerText(spec questions.Spec, id string, value questions.Value) string {
	q, _ := spec.Question(id)
	if text, ok := value.Text(); ok && q.Kind == questions.Review {
		return review.InWords(text).Text()
	}
	shown := func(chosen string) string {
		for _, option := range q.Options {
			if option.Value.Raw() == chosen {
				return option.Shown().Raw()
			}
		}
		return chosen
	}
	if text, ok := value.Text(); ok {
		return shown(text)
	}
	if items, ok := value.Items(); ok {
		for n, chosen := range items {
			items[n] = shown(chosen)
		}
		return strings.Join(items, " · ")
	}
	if number, ok := value.Number(); ok {
		return questions.FormatNumber(number)
	}
	return value.String()
}
