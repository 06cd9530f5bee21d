package drafts

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"planb/drafts/shape"
	"planb/questions"
	"planb/questions/safe"
)

// Ids of the questions in the forms of the gates. An assumption has its own id.
const (
	scenarioQuestion = "scenario"
	missingQuestion  = "missing-" // and a number from 1
	wrongQuestion    = "wrong"
)

// The answers to an assumption, beside the person's own words.
const (
	keepAnswer    = "keep"
	dropAnswer    = "drop"
	unknownAnswer = "unknown"
)

// spoken returns the function that writes out the texts of a form, with days in words.
func (d Draft) spoken() func(text string) string {
	write := d.Writer()
	return func(text string) string { return Days(write(text)) }
}

// ChooseForm returns the form in which the person chooses a scenario and answers
// what the prompt left open.
func (d Draft) ChooseForm() questions.Spec {
	offered := d.Output("scenarios")
	scenarios := offered.Records("scenarios")
	write := d.spoken()
	recommended := questions.TextValue(offered.Text("recommended"))
	first, _ := byID(scenarios, offered.Text("recommended"))
	q := questions.Question{
		ID: scenarioQuestion, Kind: questions.Single, Required: true, Other: true, Default: &recommended,
		Label: safe.New("Which way shall the plan go?"), Tab: safe.New("Scenario"),
		Description: safe.New("Proposed: " + shape.EscapeMarkdown(first.Text("name")+". "+write(offered.Text("why")))),
	}
	for _, s := range scenarios {
		q.Options = append(q.Options, questions.Option{
			Value: safe.New(s.Text("id")), Label: safe.New(fmt.Sprintf("%s (%s)", s.Text("name"), s.Text("stance"))),
			Description: safe.New(fmt.Sprintf("%s; fits %d of 10", write(s.Text("cost")), s.Int("fit"))), Markdown: safe.New(d.illustration(s)),
		})
	}
	form := questions.Spec{Title: safe.New("Choose a way: " + d.Output("brief").Text("title")), Questions: []questions.Question{q}}
	for i, m := range d.Output("brief").Records("missing") {
		form.Questions = append(form.Questions, questions.Question{
			ID: fmt.Sprint(missingQuestion, i+1), Kind: questions.LongText, Label: safe.New(m.Text("question")), Tab: safe.New("Missing"),
		})
	}
	return form
}

// illustration shows what a scenario means: its logic, what must be true for it, the
// constraints in doubt, and each lever with its option.
func (d Draft) illustration(scenario shape.Object) string {
	write := d.Writer()
	var out strings.Builder
	out.WriteString(shape.EscapeMarkdown(write(scenario.Text("logic"))) + "\n")
	if condition := scenario.Text("holds_if"); condition != "" {
		out.WriteString("\n**It holds if:** " + shape.EscapeMarkdown(write(condition)) + "\n")
	}
	constraints := d.Output("brief").Records("constraints")
	for _, doubt := range scenario.Records("doubts") {
		constraint, _ := byID(constraints, doubt.Text("id"))
		fmt.Fprintf(&out, "\n- **%s:** %s (%s)\n", doubt.Text("state"), shape.EscapeMarkdown(constraint.Text("text")), shape.EscapeMarkdown(write(doubt.Text("why"))))
	}
	out.WriteString("\n| Decision | Option |\n|---|---|\n")
	for _, l := range d.Output("scenarios").Records("levers") {
		if chosen := option(l, scenario); chosen != "" {
			fmt.Fprintf(&out, "| %s | %s |\n", shape.EscapeMarkdown(l.Text("name")), shape.EscapeMarkdown(write(chosen)))
		}
	}
	return Days(out.String())
}

// Chosen reads the person's reply to ChooseForm. Notes count as answers, too.
func (d Draft) Chosen(r questions.Reply, by string) Choice {
	c := Choice{Answers: map[string]string{}, By: by}
	said, _ := r.Answers[scenarioQuestion].Text()
	if _, ok := byID(d.Output("scenarios").Records("scenarios"), said); ok {
		c.Scenario = said
	} else {
		c.Own = said
	}
	add := func(topic, text string) {
		if shape.SaysNothing(text) { // a "?" is no answer
			return
		}
		if before := c.Answers[topic]; before != "" {
			text = before + " " + text
		}
		c.Answers[topic] = text
	}
	for i, m := range d.Output("brief").Records("missing") {
		id := fmt.Sprint(missingQuestion, i+1)
		answer, _ := r.Answers[id].Text()
		add(m.Text("topic"), answer)
		add(m.Text("topic"), r.Notes[id].Raw())
	}
	add("Scenario", r.Notes[scenarioQuestion].Raw())
	add("Note", r.Note.Raw())
	return c
}

// ConfirmForm returns the form in which the person keeps, drops or changes the
// assumptions that only they can judge.
func (d Draft) ConfirmForm() questions.Spec {
	form := questions.Spec{Title: safe.New("Check the assumptions: " + d.Output("brief").Text("title"))}
	keep := questions.TextValue(keepAnswer)
	write := d.spoken()
	for _, a := range d.Output("assumptions").Records("assumptions") {
		if !a.Flag("ask") {
			continue
		}
		form.Questions = append(form.Questions, questions.Question{
			ID: a.Text("id"), Kind: questions.Single, Required: true, Other: true, Default: &keep, Tab: safe.New("Assumptions"),
			Label:       safe.New(write(a.Text("text"))),
			Description: safe.New(d.behind(a)),
			Options: []questions.Option{
				{Value: safe.New(keepAnswer), Label: safe.New("Keep")},
				{Value: safe.New(dropAnswer), Label: safe.New("Drop: nothing may be built on it")},
				{Value: safe.New(unknownAnswer), Label: safe.New("I don't know: calculate with it, marked as unconfirmed")},
			},
		})
	}
	form.Questions = append(form.Questions, questions.Question{
		ID: wrongQuestion, Kind: questions.LongText, Label: safe.New("What is wrong or missing?"), Tab: safe.New("Anything else"),
	})
	return form
}

// behind says what an assumption rests on, how far it may be off, what follows then, and
// how it becomes known.
func (d Draft) behind(a shape.Object) string {
	write := d.spoken()
	text := func(s string) string { return shape.EscapeMarkdown(write(s)) }
	basis := a.Text("basis")
	if within := a.Text("range"); within != "" {
		basis += ", " + within
	}
	said := fmt.Sprintf("%s Basis: %s If it is wrong: %s", text(stopped(a.Text("question"))), text(stopped(basis)), text(stopped(a.Text("if_wrong"))))
	if test := a.Text("test"); test != "" {
		said += fmt.Sprintf(" Known by %s: %s", text(a.Text("by")), text(stopped(fmt.Sprintf("%s (%s)", strings.TrimSuffix(test, "."), a.Text("who")))))
	}
	return said
}

// stopped is a text with a full stop, unless it ends like a sentence.
func stopped(text string) string {
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".!?…。！？", last) {
		return text
	}
	return text + "."
}

// Confirmed reads the person's reply to ConfirmForm. Notes join what is wrong or
// missing.
func (d Draft) Confirmed(r questions.Reply, by string) Confirmation {
	c := Confirmation{Changed: map[string]string{}, By: by}
	var wrong []string
	if text, ok := r.Answers[wrongQuestion].Text(); ok && !shape.SaysNothing(text) {
		wrong = append(wrong, text)
	}
	for _, a := range d.Output("assumptions").Records("assumptions") {
		id := a.Text("id")
		switch said, ok := r.Answers[id].Text(); {
		case !ok || said == keepAnswer:
		case said == dropAnswer:
			c.Dropped = append(c.Dropped, id)
		case said == unknownAnswer:
			c.Unknown = append(c.Unknown, id)
		default:
			c.Changed[id] = said
		}
		if note := r.Notes[id]; !note.Blank() {
			wrong = append(wrong, id+": "+note.Raw())
		}
	}
	for _, note := range []safe.Text{r.Notes[wrongQuestion], r.Note} {
		if !shape.SaysNothing(note.Raw()) {
			wrong = append(wrong, note.Raw())
		}
	}
	c.Wrong = strings.Join(wrong, " ")
	return c
}
