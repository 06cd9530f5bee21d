package wording

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// textTime is how a text that leaves the screen gives a time: it is read on
// another day.
const textTime = "2006-01-02 15:04"

// AskText is an ask with what became of it as plain text, to be copied, paged
// and printed: every question with its answer, in the words the form showed, and
// what was written beside it or came too late. Times are those of the zone. The
// ask needs its questions; see store.Store.Ask.
func AskText(ask store.Ask, zone *time.Location) safe.Text {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%s %s%s\n%s\n", ask.Spec.Title.Raw(), askedAs(ask), ask.Created.In(zone).Format(textTime),
		byWhom(ClientName(ask.Client)), Capital(became(ask, ask.Outcome, zone)))
	if ask.Undelivered() {
		text.WriteString("No agent was told yet.\n")
	}
	for _, q := range ask.Spec.Questions {
		fmt.Fprintf(&text, "\n%s\n", q.Label.Raw())
		writeAnswer(&text, q, ask.Outcome.Reply)
	}
	writeRest(&text, ask.Spec, ask.Outcome)
	for _, late := range ask.TooLate {
		fmt.Fprintf(&text, "\nToo late, %s:\n", became(ask, late, zone))
		for _, q := range ask.Spec.Questions {
			if HasAnswer(q, late.Reply) {
				fmt.Fprintf(&text, "\n%s\n", q.Label.Raw())
				writeAnswer(&text, q, late.Reply)
			}
		}
		writeRest(&text, ask.Spec, late)
	}
	return safe.New(text.String())
}

// askedAs is the verb of an ask: a plan is submitted, and of which version the
// review is.
func askedAs(ask store.Ask) string {
	if ask.Spec.Plan == nil {
		return "asked"
	}
	return fmt.Sprintf("v%d submitted", ask.Spec.Plan.Number)
}

// became says what an outcome of the ask is, when it came about and who did it.
func became(ask store.Ask, o questions.Outcome, zone *time.Location) string {
	words := o.State.Standing(ask.Spec.Plan != nil).Long
	if o.Next != "" {
		return words + " " + o.At.In(zone).Format(textTime) + ", for the plan was submitted again"
	}
	if !o.At.IsZero() {
		words += " " + o.At.In(zone).Format(textTime)
	}
	return words + byWhom(o.By)
}

func byWhom(who string) string {
	if who == "" {
		return ""
	}
	return " by " + who
}

// HasAnswer reports whether a reply answers the question, or has a note on it.
func HasAnswer(q questions.Question, r questions.Reply) bool {
	value, ok := r.Answers[q.ID]
	return ok && !value.IsZero() || !r.Notes[q.ID].Blank()
}

func writeAnswer(text *strings.Builder, q questions.Question, r questions.Reply) {
	if words := Answer(q, r.Answers[q.ID]); words != "" {
		fmt.Fprintf(text, "  %s\n", Indent(words))
	} else {
		text.WriteString("  (left open)\n")
	}
	if note := r.Notes[q.ID]; !note.Blank() {
		fmt.Fprintf(text, "  Note: %s\n", Indent(note.Raw()))
	}
}

// writeRest writes what an outcome holds beside the answers to the form's questions.
func writeRest(text *strings.Builder, spec questions.Spec, o questions.Outcome) {
	for _, id := range spec.Unasked(o.Reply) {
		fmt.Fprintf(text, "\n%s (not in the form)\n  %s\n", safe.New(id).Line(), Indent(Answer(questions.Question{}, o.Reply.Answers[id])))
	}
	if !o.Reply.Note.Blank() {
		fmt.Fprintf(text, "\nNote: %s\n", o.Reply.Note.Raw())
	}
	if !o.Message.Blank() {
		fmt.Fprintf(text, "\nMessage: %s\n", o.Message.Raw())
	}
}

// Answer words an answer as the form showed it. For a review it gives the verdict and,
// in Markdown, the feedback.
func Answer(q questions.Question, v questions.Value) string { return AnswerBy(", ", q, v) }

// AnswerBy is Answer with the chosen options parted in another way.
func AnswerBy(between string, q questions.Question, v questions.Value) string {
	if said, ok := ReviewOf(q, v); ok {
		return said.Text()
	}
	parts := q.InWords(v)
	shown := make([]string, len(parts))
	for i, part := range parts {
		shown[i] = part.Raw()
	}
	return strings.Join(shown, between)
}

// ReviewOf is an answer to a review in words; false if the question is none.
func ReviewOf(q questions.Question, v questions.Value) (said review.Words, ok bool) {
	text, isText := v.Text()
	if q.Kind != questions.Review || !isText {
		return review.Words{}, false
	}
	return review.InWords(text).ForPerson(), true
}

// Indent puts the lines behind the first under it.
func Indent(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines[1:] {
		if line != "" {
			lines[i+1] = "  " + line
		}
	}
	return strings.Join(lines, "\n")
}

// Capital is a text with its first character in upper case.
func Capital(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:size]) + text[size:]
}

// AnswerKind says what kind of answer a question without options asks for; empty if it has
// options or asks for a review.
func AnswerKind(q questions.Question) string {
	switch {
	case len(q.Options) > 0 || q.Kind == questions.Review:
		return ""
	case q.Kind == questions.Text:
		return "a line of text"
	case q.Kind == questions.LongText:
		return "a long text"
	case q.Kind == questions.Scale && q.Range != nil:
		return "a number from " + questions.FormatNumber(q.Min) + " to " + questions.FormatNumber(q.Max)
	}
	return safe.New(string(q.Kind)).Line()
}
