package wording

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// If somebody else settled a form first, the words that a person wrote into it no longer
// count; they are kept. This is how it is shown wherever the form is only read.

// TooLateLine is one line of what came too late, and from whom; hint says how to see
// all of it, if there is a way.
func TooLateLine(ask store.Ask, late questions.Outcome, hint string) string {
	var parts []string
	for _, id := range slices.Sorted(maps.Keys(late.Reply.Answers)) {
		text := valueText(late.Reply.Answers[id])
		if ask.Spec.Plan != nil {
			text = review.InWords(text).Verdict
		}
		parts = append(parts, safe.New(text).Line())
	}
	for _, text := range append(lateNotes(late), late.Message) {
		if !text.Blank() {
			parts = append(parts, text.Line())
		}
	}
	return "Too late" + lateFrom(late) + hint + ": " + strings.Join(parts, " · ")
}

func lateFrom(late questions.Outcome) string {
	if late.By == "" {
		return ""
	}
	return ", by " + safe.New(late.By).Line()
}

// lateNotes are the notes on questions and on the form.
func lateNotes(late questions.Outcome) []safe.Text {
	var notes []safe.Text
	for _, id := range slices.Sorted(maps.Keys(late.Reply.Notes)) {
		notes = append(notes, late.Reply.Notes[id])
	}
	return append(notes, late.Reply.Note)
}

// TooLateText is all that came too late, in full, with the questions it answers.
func TooLateText(ask store.Ask, now time.Time) safe.Text {
	var text strings.Builder
	for _, late := range ask.TooLate {
		fmt.Fprintf(&text, "%s%s, too late:\n\n", Moment(late.At, now), lateFrom(late))
		for _, q := range ask.Spec.Questions {
			if value, ok := late.Reply.Answers[q.ID]; ok {
				said := valueText(value)
				if words, isReview := ReviewOf(q, value); isReview {
					said = words.Text()
				}
				fmt.Fprintf(&text, "%s\n  %s\n\n", q.Label.Raw(), Indent(said))
			}
			if note := late.Reply.Notes[q.ID]; !note.Blank() {
				fmt.Fprintf(&text, "A note on: %s\n  %s\n\n", q.Label.Raw(), note.Raw())
			}
		}
		for _, more := range []safe.Text{late.Reply.Note, late.Message} {
			if !more.Blank() {
				text.WriteString(more.Raw() + "\n\n")
			}
		}
	}
	return safe.New(strings.TrimSpace(text.String()))
}

// valueText is an answer as the person gave it.
func valueText(v questions.Value) string {
	if items, ok := v.Items(); ok {
		return strings.Join(items, ", ")
	}
	if n, ok := v.Number(); ok {
		return questions.FormatNumber(n)
	}
	text, _ := v.Text()
	return text
}
