package tui

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"planb/plans/review"
	"planb/questions"
	"planb/store"
	"planb/tui/form"
	"planb/tui/lines"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// inPlainLines is what a review in plain lines ends with, and what is printed.
func (w *world) inPlainLines(ask store.Ask, environ []string, typed ...string) (questions.Outcome, string) {
	w.T.Helper()
	var out bytes.Buffer
	_, err := lines.Ask(w.T.Context(), lines.AskOptions{Store: w.Store, ID: ask.ID, By: "you@desk", Now: w.Clock, Terminal: screen.Terminal{
		Input: strings.NewReader(strings.Join(typed, "\n") + "\n"), Output: &out, Environ: environ,
	}})
	if err != nil {
		w.T.Fatalf("%v\n%s", err, out.String())
	}
	return w.Stored(ask.ID).Outcome, out.String()
}

// sameIDs is a review's JSON with its comments' ids by their places: ids are drawn
// anew each time.
func sameIDs(o questions.Outcome) string {
	text, _ := o.Reply.Answers[questions.ReviewID].Text()
	if r, err := review.Parse([]byte(text)); err == nil {
		list := slices.Clone(r.Comments)
		slices.SortStableFunc(list, func(a, b review.Comment) int { return a.From - b.From })
		for i, c := range list {
			text = strings.ReplaceAll(text, c.ID, fmt.Sprintf("comment-%d", i))
		}
	}
	return fmt.Sprint(o.State, o.Message.Raw(), text)
}

// Whatever is said of a plan, the agent gets the same whether it was said on the
// screen or line by line.
func TestReviewsAreTheSameOnTheScreenAndInPlainLines(t *testing.T) {
	editor := filepath.Join(t.TempDir(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\nsed 's/CSV/JSON/' \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	environ := append(os.Environ(), "VISUAL="+editor)
	edited := strings.Replace(tuitest.ReviewedPlan, "CSV", "JSON", 1)
	for _, test := range []struct {
		name  string
		play  func(r *formRig)
		typed []string
	}{
		{"approve", func(r *formRig) { r.keys("a enter") }, []string{"approve", "yes"}},
		{"a comment", func(r *formRig) { r.keys("down down c").write("Which bank?").keys("ctrl+s r ctrl+s") },
			[]string{"comment 4", "Which bank?", "request", "", "yes"}},
		{"of two lines", func(r *formRig) {
			r.keys("down shift+down c").write("a").keys("ctrl+j").write("b").keys("ctrl+s r ctrl+s")
		},
			[]string{"comment 3 to 4", `a\`, "b", "request", "", "yes"}},
		{"a backslash", func(r *formRig) { r.keys("c").write(`C:\`).keys("ctrl+s r ctrl+s") }, []string{`/comment 1 C:\`, "r", "", "yes"}},
		{"a question", func(r *formRig) { r.keys("n q").write("why?").keys("ctrl+s x r ctrl+s") }, []string{"question 6 why?", "delete 6", "", "request", "", "yes"}},
		{"a suggestion", func(r *formRig) {
			r.keys("n s").write(" now").keys("enter").write("x").keys("ctrl+s r ctrl+s")
		},
			[]string{"suggest 6", "## Why now", "x", ".", "", "request", "", "yes"}},
		{"a suggestion with its reason", func(r *formRig) {
			r.keys("n s").write("?").keys("tab").write("unclear").keys("ctrl+s r ctrl+s")
		},
			[]string{"suggest 6", "## Why?", ".", "unclear", "request", "", "yes"}},
		{"a suggestion from the editor", func(r *formRig) {
			r.keys("down s " + strings.Repeat("backspace ", 200)).write(strings.Split(edited, "\n")[2]).keys("ctrl+s r ctrl+s")
		},
			[]string{"suggest 3", "/edit", "", "request", "", "yes"}},
		{"a suggestion of nothing", func(r *formRig) { r.keys("n s ctrl+u ctrl+s r ctrl+s") }, []string{"suggest 6", ".", "", "request", "", "yes"}},
		{"a deletion", func(r *formRig) { r.keys("} } x r ctrl+s") }, []string{"delete 6", "", "delete 6", "request", "", "yes"}},
		{"a deletion with its reason", func(r *formRig) { r.keys("x enter").write("no").keys("ctrl+s r ctrl+s") }, []string{"delete 1", "no", "request", "", "yes"}},
		{"changed", func(r *formRig) {
			r.keys("c").write("a").keys("ctrl+s enter").write("b").keys("ctrl+s r ctrl+s")
		},
			[]string{"comment 1 a", "change 1", "ab", "request", "", "yes"}},
		{"left as it is", func(r *formRig) { r.keys("n s").write("?").keys("ctrl+s r ctrl+s") },
			[]string{"suggest 6", "## Why?", ".", "", "change 1", "", "", "request", "", "yes"}},
		{"taken back", func(r *formRig) {
			r.keys("c").write("a").keys("ctrl+s down c").write("b").keys("ctrl+s backspace r ctrl+s")
		},
			[]string{"comment 1 a", "comment 3 b", "drop 7", "drop 2", "request", "", "yes"}},
		{"taken back, and that undone", func(r *formRig) { r.keys("c").write("a").keys("ctrl+s backspace u r ctrl+s") },
			[]string{"comment 1 a", "drop", "1", "undo", "request", "", "yes"}},
		{"on the whole", func(r *formRig) { r.keys("w").write("well done").keys("ctrl+s a ctrl+s") }, []string{"whole well done", "approve", "", "yes"}},
		{"with notes", func(r *formRig) { r.keys("A").write("tests, too").keys("ctrl+s") }, []string{"notes", "tests, too", "yes"}},
		{"reject", func(r *formRig) { r.keys("R").write("no").keys("ctrl+s") }, []string{"reject", "no", "yes"}},
		{"in part", func(r *formRig) { r.keys("n n h a enter") }, []string{"sections", "hold", "3", "approve", "yes"}},
		{"not in part, after all", func(r *formRig) { r.keys("n n h h a enter") }, []string{"hold 3", "hold 3", "approve", "yes"}},
		{"edited", func(r *formRig) {
			edit(r, edited).keys("a enter")
		}, []string{"edit", "approve", "yes"}},
		{"edited, and that undone", func(r *formRig) {
			edit(r, edited).keys("u a enter")
		},
			[]string{"edit", "changes", "undo", "approve", "yes"}},
		{"replied to", func(r *formRig) {
			r.keys("c").write("a").keys("ctrl+s esc m").write("What for?").keys("ctrl+s enter")
		},
			[]string{"comment 1 a", "reply", "What for?"}},
		{"declined", func(r *formRig) { r.keys("esc d").write("not mine").keys("ctrl+s enter") }, []string{"decline not mine", "yes"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			ask := w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), tuitest.ReviewedPlan, "")
			r := w.rigReview(ask.ID, environ, 80, 24)
			test.play(r)
			sent, ok := tuitest.Last[form.SettleRequested](r.Holder)
			if !ok {
				t.Fatalf("nothing was sent:\n%s", r.Text())
			}
			plain, out := w.inPlainLines(ask, environ, test.typed...)
			if got, want := sameIDs(plain), sameIDs(sent.Outcome); got != want {
				t.Errorf("line by line it is\n%s\non the screen\n%s\n%s", got, want, out)
			}
		})
	}
}

// edit makes the plan what comes back from an editor.
func edit(r *formRig, text string) *formRig {
	_, _ = r.review.Entry().Edit(text)
	r.Send(screen.Relaid{})
	return r
}

// The second time, too: what was said before is settled, insisted on and changed.
func TestSecondReviewsAreTheSame(t *testing.T) {
	w := newWorld(t)
	ask, _, _ := w.SecondRound(review.RequestChanges)
	r := w.rigReview(ask.ID, nil, 80, 40)
	r.keys("esc home down down space r ctrl+s")
	sent, ok := tuitest.Last[form.SettleRequested](r.Holder)
	if !ok {
		t.Fatalf("nothing was sent:\n%s", r.Text())
	}
	plain, out := w.inPlainLines(ask, nil, "settle 1", "comment 4 New.", "undo", "settle 9", "request", "", "yes")
	if got, want := sameIDs(plain), sameIDs(sent.Outcome); got != want {
		t.Errorf("line by line it is\n%s\non the screen\n%s\n%s", got, want, out)
	}
}
