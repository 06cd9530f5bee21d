package questions_test

import (
	"testing"

	"planb/questions"
)

func TestEveryStateHasOneMarkAndItsWords(t *testing.T) {
	for _, test := range []struct {
		state             questions.State
		mark, short, long string
		title             string
		reviewed          string // Long of a review
	}{
		{"", "●", "open", "not answered yet", "Not answered yet", "not reviewed yet"},
		{questions.Pending, "●", "open", "not answered yet", "Not answered yet", "not reviewed yet"},
		{questions.Expired, "●", "overdue", "not answered in time", "Not answered in time", "not reviewed in time"},
		{questions.Answered, "✓", "answered", "answered", "Answered", "reviewed"},
		{questions.Discuss, "↩", "replied to", "replied to without finishing", "Replied to without finishing", "replied to without finishing"},
		{questions.Declined, "✗", "declined", "declined", "Declined", "declined"},
		{questions.Withdrawn, "–", "withdrawn", "withdrawn", "Withdrawn", "withdrawn"},
		{"post\x1bponed", "•", "in the state post␛poned", "in the state post␛poned", "In the state post␛poned", "in the state post␛poned"},
	} {
		got := test.state.Standing(false)
		if got != (questions.Standing{Mark: test.mark, Short: test.short, Long: test.long}) || got.Title() != test.title {
			t.Errorf("%q stands as %+v, %q", test.state, got, got.Title())
		}
		if got := test.state.Standing(true); got.Long != test.reviewed {
			t.Errorf("a review in the state %q: %q", test.state, got.Long)
		}
	}
}
