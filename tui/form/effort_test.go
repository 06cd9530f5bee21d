package form

import (
	"strings"
	"testing"

	"planb/questions"
)

// mostKeysPerChoice bounds the keys for a question with options: those that choose, and the
// one that goes on to a choice. The key that goes on to a text or a scale counts for these:
// a digit never leads to them by itself.
const mostKeysPerChoice = 1.5

// TestFormTakesFewKeys answers the heavy example as a person does who knows what to answer, and
// counts the keys. In each question with options the person chooses a different one.
func TestFormTakesFewKeys(t *testing.T) {
	t.Parallel()
	spec := specFile(t, "../../testdata/specs/heavy.json")
	r := rig(t, formInputOf(spec), 120, 40)
	keys := func(names string) int { r.keys(names); return len(strings.Fields(names)) }

	all, choosing, choices := keys("enter"), 0, 0 // from the introduction
	for i, q := range spec.Questions {
		if r.q().state.current().q.ID != q.ID || r.q().state.zone != inBody {
			t.Fatalf("on the way to %s the focus is on %s\n%s", q.ID, r.where(), r.screen())
		}
		used := 0
		switch q.Kind {
		case questions.Single:
			used = keys([]string{"1", "2", "3"}[i%3])
		case questions.Multi:
			used = keys([]string{"1 2", "*", "3"}[i%3])
		case questions.Scale:
			used = keys("right")
		case questions.Text:
			r.write("errors, p99")
		}
		on := 0
		if r.q().state.focused() == r.q().state.controls[i] { // a number may have gone on by itself
			on = keys("tab")
		}
		all += used + on
		if choice(q.Kind) {
			choices, choosing = choices+1, choosing+used
			if i+1 < len(spec.Questions) && spec.Questions[i+1].Tab == q.Tab && choice(spec.Questions[i+1].Kind) {
				choosing += on
			}
		}
	}
	if r.where() != "Submit" {
		t.Fatalf("behind the last question the focus is on %s", r.where())
	}
	all += 2
	const want = `{"strategy":"shadow","promises":["no-lost-order","way-back","reports","no-client-change"],"slower_checkout":0.3,` +
		`"pace":"night","io_share":0.25,"first_tables":["refunds","shipments"],"api_type":"string","dashboard":"errors, p99",` +
		`"window":"sun-04","lock_timeout":2.5,"abort":["checksum"],"undo":"rename","agree":["Warehouse"],"rehearsals":3,"verdict":"rehearse"}`
	if got := r.sends("enter"); got != want {
		t.Errorf("sent\n%s\nwant\n%s", got, want)
	}
	per := float64(choosing) / float64(choices)
	t.Logf("%d questions, %d keys beside what was written; %d of them for %d choices: %.2f each", len(spec.Questions), all, choosing, choices, per)
	if per > mostKeysPerChoice {
		t.Errorf("a choice takes %.2f keys, want at most %.1f", per, mostKeysPerChoice)
	}
}
