package tui

import (
	"os"
	"slices"
	"strings"
	"testing"

	"planb/questions"
)

// mostKeysPerChoice is what a question answered by choosing may take, of all
// keys from when it gets the focus to when the next one has it.
const mostKeysPerChoice = 1.5

// TestFormTakesFewKeys answers the heavy example as somebody does who knows what
// they want, and counts. In every question of options they take another one.
func TestFormTakesFewKeys(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../testdata/specs/heavy.json")
	if err != nil {
		t.Fatal(err)
	}
	spec := parseForm(t, string(raw))
	r := rig(t, formInputOf(spec), 120, 40)
	keys := func(names string) int { r.keys(names); return len(strings.Fields(names)) }

	all, choosing, choices := keys("enter"), 0, 0 // from the introduction
	for i, q := range spec.Questions {
		on := "tab"
		if i+1 < len(spec.Questions) && spec.Questions[i+1].Tab != q.Tab {
			on = "ctrl+pgdown"
		}
		if r.state.current().q.ID != q.ID || r.state.zone != inBody {
			t.Fatalf("on the way to %s the focus is on %s\n%s", q.ID, r.where(), r.screen())
		}
		used := 0
		switch q.Kind {
		case questions.Single:
			used = keys([]string{"1", "2", "3"}[i%3])
		case questions.Multi:
			used = keys([]string{"1 2", "*", "3"}[i%3]) + keys(on)
		case questions.Scale:
			used = keys("right " + on)
		case questions.Text:
			r.write("errors, p99")
			used = keys("enter")
		default: // left open
			used = keys(on)
		}
		all += used
		if q.Kind == questions.Single || q.Kind == questions.Multi {
			choices, choosing = choices+1, choosing+used
		}
	}
	all += keys("ctrl+s ctrl+s")
	sent, ok := last[settleRequested](r)
	if !ok {
		t.Fatalf("not sent:\n%s", r.screen())
	}
	open := spec.Unanswered(sent.Outcome.Reply)
	if slices.ContainsFunc(open, func(id string) bool {
		q, _ := spec.Question(id)
		return q.Kind != questions.LongText
	}) {
		t.Errorf("left open: %v", open)
	}
	per := float64(choosing) / float64(choices)
	t.Logf("%d questions, %d keys beside what was written; %d of them for %d choices: %.2f each", len(spec.Questions), all, choosing, choices, per)
	if per > mostKeysPerChoice {
		t.Errorf("a choice takes %.2f keys, want at most %.1f", per, mostKeysPerChoice)
	}
}
