package archive

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
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

// Reviewed is what a person said of a plan: the verdict in words, and in Markdown
// what the agent reads of it. It is false for an answer that is no review.
func Reviewed(q questions.Question, v questions.Value) (verdict string, feedback safe.Text, ok bool) {
	text, is := v.Text()
	if !is || q.Kind != questions.Review {
		return "", safe.Text{}, false
	}
	r, err := review.Parse([]byte(text))
	if err != nil {
		return "", safe.Text{}, false
	}
	switch r.Verdict {
	case review.Approve:
		verdict = "Approved"
	case review.ApproveWithNotes:
		verdict = "Approved with notes"
	case review.RequestChanges:
		verdict = "Changes requested"
	case review.Reject:
		verdict = "Rejected"
	default:
		return "", safe.Text{}, false
	}
	return verdict, cmp.Or(r.Feedback, r.Note), true
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
