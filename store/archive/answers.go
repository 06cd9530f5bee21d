package archive

import (
	"maps"
	"slices"
	"strings"

	"planb/plans/review"
	"planb/questions"
)

// Chosen are the texts of an answer to a choice.
func Chosen(v questions.Value) []string {
	if text, is := v.Text(); is && text != "" {
		return []string{text}
	}
	items, _ := v.Items()
	return items
}

// ValueText is an answer of any kind as a text.
func ValueText(v questions.Value) string {
	if text, is := v.Text(); is {
		return text
	}
	if n, is := v.Number(); is {
		return questions.FormatNumber(n)
	}
	return strings.Join(Chosen(v), "\n")
}

// Reviewed is what a person said of a plan. It is false for an answer that is no
// review.
func Reviewed(q questions.Question, v questions.Value) (said review.Words, ok bool) {
	text, is := v.Text()
	if !is || q.Kind != questions.Review {
		return review.Words{}, false
	}
	return review.InWords(text), true
}

// Extra are the ids of answers that the form does not ask for, which only an
// import brings.
func Extra(spec questions.Spec, r questions.Reply) (ids []string) {
	for _, id := range slices.Sorted(maps.Keys(r.Answers)) {
		if _, asked := spec.Question(id); !asked {
			ids = append(ids, id)
		}
	}
	return ids
}
