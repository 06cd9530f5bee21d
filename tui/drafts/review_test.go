package drafts

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/store/runs"
	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// reviews opens the draft of a desk where a pause of the person is over at once.
func (d *desk) reviews() (*tuitest.Rig, *Screen) {
	deps := d.deps()
	deps.After = func(wait time.Duration, msg tea.Msg) tea.Cmd {
		if wait == screen.StaleAfter {
			return nil
		}
		return screen.Send(msg)
	}
	s := New(deps, draftID)
	return tuitest.Open(d.t, s, 120, 40, themes.None()), s
}

// A section reviewed line by line is written again with what was said, each comment with the
// words that it is about.
func TestReviewingASection(t *testing.T) {
	t.Parallel()
	const row = "On “1, Sign the lease, Month 3”: "
	for _, try := range []struct{ keys, want string }{
		{"home r", ""},
		{"home r r", ""},
		{"home r r enter", ""}, // a new line in the note
		{"home r r tab enter", `write brief again: ""`},
		{"home r down down c d a y ctrl+s r ctrl+s", `write brief again: "` + row + `day"`},
		{"home r down down c d a y ctrl+s ctrl+s m o r e ctrl+s", `write brief again: "more\n` + row + `day"`},
		{"home enter r down down x r ctrl+s", `write brief again: "` + row + `leave this out."`},
		{"home r c d a y ctrl+s esc l b", ""},
		{"home r c d a y ctrl+s esc l x", ""},
		{"home r esc l", ""},
		{"home r a y", ""}, // there is nothing to approve
		{"home r h A R d e", ""},
		{"home down down down r", ""}, // the choice is the person's
		{"r", ""},                     // it is not written yet
	} {
		d := begun(t)
		r, _ := d.reviews()
		r.Keys(try.keys)
		if got := strings.Join(d.said, ", "); got != try.want {
			t.Errorf("%q did %q, want %q\n%s", try.keys, got, try.want, r.Text())
		}
	}
}

func TestAReviewSaysWhatFollows(t *testing.T) {
	t.Parallel()
	for _, try := range []struct {
		keys string
		want []string
	}{
		{"home r", []string{"Sign the lease", "Repair workshop in the old bakery", "c comment", "g write again"}},
		{"home r r", []string{"Have “Brief” written again?", "You have not said yet what should change.", "[Have it written again]"}},
		{"home r c d a y ctrl+s r", []string{"With it: 1 comment."}},
		{"home r esc", []string{"Have it written again", "Leave", "A comment on the whole section"}},
		{"home r w", []string{"On the whole section", "goes to the writer with your comments"}},
		{"home r ?", []string{"have it written again", "search in the section", "Leaving asks first."}},
		{"home r c d a y ctrl+s ctrl+c ctrl+c", []string{"Throw away what you said?", "It was not sent, and it is kept nowhere."}},
	} {
		r, _ := begun(t).reviews()
		r.Keys(try.keys)
		flat := strings.Join(strings.Fields(r.Text()), " ")
		for _, text := range try.want {
			if !strings.Contains(flat, text) {
				t.Errorf("%q does not say %q:\n%s", try.keys, text, r.Text())
			}
		}
		for _, not := range []string{"agent", "pprove", "v0", " plan ", "the plan", "ecline", "erdict"} {
			if strings.Contains(flat, not) {
				t.Errorf("%q speaks of %q:\n%s", try.keys, not, r.Text())
			}
		}
	}
	for keys, want := range map[string]string{
		"home r r ctrl+s":               "“Brief” is written again, and up to 5 sections after it, if it changes.",
		"home r c d a y ctrl+s esc l x": "✓  1  Brief",
		"home down down down r":         "That is yours.",
		"r":                             "It is not written yet.",
	} {
		r, _ := begun(t).reviews()
		r.Keys(keys)
		r.Shows(want, "5/12")
	}
}

// What was said stays if the section cannot be written again.
func TestAReviewThatIsRefused(t *testing.T) {
	t.Parallel()
	d := begun(t)
	d.fails = &runs.Error{Code: runs.Conflict, What: "The step brief was changed since you read it.", Advice: "Call plan_status."}
	r, _ := d.reviews()
	r.Keys("home r c d a y ctrl+s r ctrl+s")
	r.Shows("Not sent", "The step brief was changed since you read it.", "Everything you wrote is still here.")
	r.Keys("b")
	r.Shows("day", "1 comment")

	d = begun(t)
	r, _ = d.reviews()
	r.Keys("home r c" + strings.Repeat(" x", maxGuidance) + " ctrl+s r ctrl+s")
	r.Shows("Not sent", "bytes with its quotes, and at", "shorten it, or take a")
	if len(d.said) > 0 {
		t.Errorf("it did %q", d.said)
	}
}

// What was said is printed if the program ends before it is sent.
func TestAReviewThatIsCutOff(t *testing.T) {
	t.Parallel()
	r, s := begun(t).reviews()
	r.Keys("home")
	step, _ := s.step()
	pushed, ok := s.review(step, s)().(screen.Push)
	if !ok {
		t.Fatal("nothing was opened")
	}
	h := tuitest.Hold(t, pushed.Screen, 120, 40, themes.None())
	h.Keys("down down c")
	h.Write("day")
	parting, err := pushed.Screen.(screen.Closer).Close(t.Context())
	if got := strings.Join(parting, "\n"); err != nil || got != "Not sent; what you said of “Brief”:\nOn “1, Sign the lease, Month 3”: day" {
		t.Errorf("it printed %q, %v", got, err)
	}
}
