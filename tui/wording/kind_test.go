package wording

import (
	"testing"

	"planb/questions"
	"planb/questions/safe"
)

func TestTheKindOfAnAnswerIsSaidInWords(t *testing.T) {
	for want, q := range map[string]questions.Question{
		"a line of text":         {Kind: questions.Text},
		"a long text":            {Kind: questions.LongText},
		"a number from 0.5 to 5": {Kind: questions.Scale, Range: &questions.Range{Min: 0.5, Max: 5}},
		"drawing":                {Kind: "drawing"}, // of a newer planb
		"":                       {Kind: questions.Single, Options: []questions.Option{{Value: safe.New("a")}}},
	} {
		if got := AnswerKind(q); got != want {
			t.Errorf("%s: %q, want %q", q.Kind, got, want)
		}
	}
	if got := AnswerKind(questions.Question{Kind: questions.Review}); got != "" {
		t.Errorf("a review: %q", got)
	}
}
