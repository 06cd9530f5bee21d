package review

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/themes"
	"planb/tui/form"
	"planb/tui/tuitest"
)

// hostilePlans are plans that attack the screen of the person who reads them.
func hostilePlans() map[string]string {
	return map[string]string{
		"escape sequences": "# \x1b[31mred\x1b[0m\n\n\x1b]0;owned\a\x1b[2J&#27;[2J\u202eevil\u200b \u009b31m text\n\n```\n\x1b[1mcode\r\n```\n",
		"nested quotes":    strings.Repeat("> ", 76) + "deep\n\nafter\n",
		"one long line":    "# Long\n\n" + strings.Repeat("0123456789", 1<<20) + "\n\nafter\n",
		"code without end": "# Code\n\n```go\n" + strings.Repeat("x := 1 // and so on\n", 10_000),
		"only line ends":   "x" + strings.Repeat("\n", 5000),
		"carriage returns": "a\rb\r\nc\r\n\r\nd\n",
		"no line end":      "# A",
		"marks":            "e" + strings.Repeat("\u0301", 5000) + "\n",
		"only definitions": "[a]: http://b\n[c]: http://d\n",
		"rules":            "---\n\n---\n\n***\n",
		"many headings":    strings.Repeat("# H\n", 3000),
		"tabs":             strings.Repeat("\t", 3000) + "x\n",
	}
}

func TestHostilePlansAreShownAndReviewed(t *testing.T) {
	for name, text := range hostilePlans() {
		w := tuitest.NewWorld(t)
		in := reviewInput(w, w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), text, ""))
		for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 40}} {
			t.Run(fmt.Sprintf("%s-%d", name, size[0]), func(t *testing.T) {
				r := rigReview(t, in, size[0], size[1])
				check := func() {
					t.Helper()
					lines := strings.Split(r.View().Content, "\n")
					if len(lines) > size[1] {
						t.Fatalf("%d rows on a screen of %d", len(lines), size[1])
					}
					for _, line := range lines {
						if ansi.StringWidth(line) > size[0] {
							t.Fatalf("%d cells: %q", ansi.StringWidth(line), line)
						}
						if rest := ansi.Strip(line); strings.ContainsAny(rest, "\x1b\u009b\a\r\u202e\u200b") {
							t.Fatalf("unsafe: %q", rest)
						}
					}
				}
				check()
				for _, keys := range []string{"pgdown", "end", "c z esc", "home", "n", "}", "down down v down x", "pgup", "m", "pgdown", "right", "m", "A ctrl+s"} {
					r.keys(keys)
					check()
				}
				if _, sent := told[form.SettleRequested](r); !sent {
					t.Errorf("nothing was sent:\n%s", r.screen())
				} else if err := r.sentReview().Check(safe.New(text)); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// After any keys the cursor is on the screen and on a line of the plan, and each comment is on
// lines that exist. Undoing everything leaves an empty review.
func TestReviewKeysKeepTheirPromises(t *testing.T) {
	t.Parallel()
	line := rapid.SampledFrom([]string{"# A", "## B", "", "", "one two three four five six seven", "- x", "  - y", "```", "> q", "| a | b |", "|---|---|", "[l]: x", "---", "<b>"})
	key := rapid.SampledFrom(strings.Fields("up down up down pgup pgdown home end n p { } tab shift+tab shift+down shift+up v esc c x s q h backspace enter left right m u"))
	rapid.Check(t, func(rt *rapid.T) {
		text := "Start\n" + strings.Join(rapid.SliceOfN(line, 0, 60).Draw(rt, "lines"), "\n")
		in := reviewed{
			Input: inputOf(questions.ReviewOf(safe.New("Any"), questions.PlanRef{Number: 1})),
			Plan:  &review.Subject{Text: safe.New(text), Version: 1},
		}
		r := rigReviewIn(t, in, rapid.IntRange(40, 130).Draw(rt, "width"), rapid.IntRange(12, 40).Draw(rt, "height"), themes.None())
		for range rapid.IntRange(1, 40).Draw(rt, "keys") {
			name := key.Draw(rt, "key")
			if r.Dialog() != "" {
				r.keys("esc")
			}
			if r.body.Text() != nil && len(name) == 1 {
				r.write(name)
			} else {
				r.keys(name)
			}
			b := r.body
			if b.State.Cursor.Line < 1 || b.State.Cursor.Line > len(b.State.Lines) {
				rt.Fatalf("after %s the cursor is on line %d of %d", name, b.State.Cursor.Line, len(b.State.Lines))
			}
			if r.Dialog() == "" && !strings.Contains(r.screen(), "▌") && len(b.rowsIn(0)) > 0 && b.heightOf(b.locate(b.State.Cursor), 99) < b.height {
				rt.Fatalf("after %s the cursor is not on the screen (y %d of %d):\n%s", name, b.y, b.height, r.screen())
			}
			if err := b.State.Review.Check(safe.New(text)); err != nil {
				rt.Fatalf("after %s: %v", name, err)
			}
		}
		for range 60 {
			if r.Dialog() != "" || r.body.Text() != nil {
				r.keys("esc")
			}
			r.body.State.Undo()
		}
		if entry := r.entry(); len(entry.Fields) > 0 {
			rt.Fatalf("undoing all leaves %+v", entry)
		}
	})
}

func TestReviewOfTheMostComments(t *testing.T) {
	r := reviewRig(t, tuitest.ReviewedPlan, 80, 24)
	for i := range review.MaxComments {
		c := tuitest.Comment(t, tuitest.ReviewedPlan, i%33+1, i%33+1, review.Remark, fmt.Sprint("Number ", i))
		r.body.State.Put(c)
	}
	r.keys("c")
	if !strings.Contains(r.screen(), "there may be no more") {
		t.Errorf("one more can be made:\n%s", r.screen())
	}
	r.keys("end home r ctrl+s")
	if n := len(r.sentReview().Comments); n != review.MaxComments {
		t.Errorf("%d comments were sent", n)
	}
}
