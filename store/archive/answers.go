package archive

import (
	"strings"

	"planb/plans/review"
	"planb/questions"
)

// Chosen returns the values that an answer to a choice has. Only an import brings a number.
func Chosen(v questions.Value) []string {
	if text, ok := v.Text(); ok && text != "" {
		return []string{text}
	}
	if n, ok := v.Number(); ok {
		return []string{questions.FormatNumber(n)}
	}
	items, _ := v.Items()
	return items
}

// ValueText returns an answer of any kind as text. It is empty if there is none: planb-mcp
// writes an empty text or list for a question that was left open.
func ValueText(v questions.Value) string { return strings.Join(Chosen(v), "\n") }

// Reviewed returns what a person said of a plan. It returns false if the answer
// is not a review.
func Reviewed(q questions.Question, v questions.Value) (said review.Words, ok bool) {
	text, ok := v.Text()
	if !ok || q.Kind != questions.Review {
		return review.Words{}, false
	}
	return review.InWords(text), true
}
