package review

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/tui/form"
	"planb/tui/tuitest"
)

// planPauses are the pauses that a gate began. The test ends them.
type planPauses struct {
	waits []time.Duration
	ends  []func(time.Time) tea.Msg
}

func (p *planPauses) tick(wait time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
	p.waits, p.ends = append(p.waits, wait), append(p.ends, fn)
	return nil
}

// end ends all pauses.
func (p *planPauses) end(r *planRig) {
	for _, fn := range p.ends {
		r.send(fn(tuitest.Moment))
	}
	p.ends = nil
}

// A verdict is two deliberate steps: the second takes no key of the burst that opened
// it.
func TestAVerdictTakesTwoSteps(t *testing.T) {
	t.Parallel()
	for _, keys := range []string{"a enter", "a enter enter", "r enter ctrl+s", "ctrl+s a enter", "ctrl+s enter enter", "esc s a enter", "R x ctrl+s"} {
		w := tuitest.NewWorld(t)
		in, p := reviewInput(w, w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), tuitest.ReviewedPlan, "")), &planPauses{}
		in.Tick = p.tick
		r := rigReview(t, in, 80, 24)
		r.keys(keys)
		if _, sent := told[form.SettleRequested](r); sent || r.Dialog() == "" || strings.Contains(r.screen(), "› e") {
			t.Errorf("%s: sent, or something was taken", keys)
		}
		if !strings.Contains(r.screen(), "as soon as you stop typing") {
			t.Errorf("%s: that keys do not count is not said:\n%s", keys, r.screen())
		}
		p.end(r)
		if took := p.waits[len(p.waits)-1]; took != 425*time.Millisecond {
			t.Errorf("%s: the quiet is %v", keys, took)
		}
		r.keys("ctrl+s")
		if r.keys("enter"); !r.form.IsSending() {
			t.Errorf("%s: after the quiet it cannot be sent:\n%s", keys, r.screen())
		}
	}
}

// In a review that came up by itself, letters right behind the one that opened a verdict were
// typed for something else. They close the verdict, and the review has to be entered again.
func TestAWordOpensNoVerdict(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"a d d", "r u n", "A x", "R x"} {
		w := tuitest.NewWorld(t)
		in, p := reviewInput(w, w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), tuitest.ReviewedPlan, "")), &planPauses{}
		in.Tick, in.Unasked = p.tick, true
		r := rigReview(t, in, 80, 24).keys("down")
		p.end(r)
		r.keys(word)
		p.end(r)
		r.keys("enter ctrl+s")
		if _, sent := told[form.SettleRequested](r); sent || r.Dialog() != "" || r.form.Entered() {
			t.Errorf("%s: sent, or the verdict stays", word)
		}
		if !strings.Contains(r.screen(), "↓ to answer") {
			t.Errorf("%s: how to enter is not said:\n%s", word, r.screen())
		}
	}
}

// Messages in passing name the person's own keys, too.
func TestHintsOfAReviewFollowItsKeys(t *testing.T) {
	w := tuitest.NewWorld(t)
	in := reviewInput(w, w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), "# Plan\n\nOne.\n\nTwo.\n", ""))
	in.Keys = tuitest.Mapped(t, "review.mark-deletion=X review.undo=U review.question=Q review.open-comment=alt+o review.back=ctrl+q review.search=S")
	r := rigReview(t, in, 80, 24).keys("down X")
	if screen := r.screen(); !strings.Contains(screen, "To be deleted: alt+o says why, backspace takes it back.") {
		t.Errorf("marked by X:\n%s", screen)
	}
	r.keys("backspace")
	if screen := r.screen(); !strings.Contains(screen, "U takes it back") {
		t.Errorf("deleted:\n%s", screen)
	}
	if r.keys("q"); gone(r) {
		t.Error("q, which asks nothing any more, leaves the review")
	}
	r.keys("S")
	if hints := r.lastRow(); !strings.Contains(hints, "ctrl+q close") {
		t.Errorf("the keys while searching are %q", hints)
	}
	if r.keys("ctrl+q"); r.body.search != nil {
		t.Error("ctrl+q does not end the search")
	}
	if r.keys("Q"); r.body.writes == nil {
		t.Errorf("Q asks no question:\n%s", r.screen())
	}
}

// An approval in part names what it leaves out above its button.
func TestAPartApprovalNamesWhatItHoldsBack(t *testing.T) {
	for keys, want := range map[string]string{
		"n n h a":            "Approve v1, 1 section held back",
		"n h n n h a":        "Approve v1, 2 sections held back",
		"n n h c x ctrl+s a": "Approve v1 with notes, 1 section held back",
		"n n h h a":          "Approve v1",
		"n n h r":            "Request changes to v1",
	} {
		if got := reviewRig(t, tuitest.ReviewedPlan, 80, 24).keys(keys).Dialog(); got != want {
			t.Errorf("after %s the dialog is titled %q, want %q", keys, got, want)
		}
	}
}

// The decision counts what was said, says what follows of each verdict, and says that a
// section held back counts only with an approval.
func TestTheDecisionSaysWhatItSends(t *testing.T) {
	const keys, only = "x n n h q W h y ? ctrl+s ctrl+s", "What is held back counts only with an approval."
	r := reviewRig(t, tuitest.ReviewedPlan, 80, 24).keys(keys)
	if got, want := r.Dialog(), "Your verdict on v1"; got != want {
		t.Fatalf("the dialog is titled %q, want %q", got, want)
	}
	for _, want := range []string{
		"1 deletion, 1 question, 1 section held back", only, "✓ Approve with notes", "The agent may carry out what is not held back, and", "reads your 2 remarks.", "changes the plan and submits it again", "Nothing is sent.",
	} {
		if !strings.Contains(r.screen(), want) {
			t.Errorf("the decision does not say %q:\n%s", want, r.screen())
		}
	}
	if strings.Count(r.screen(), "✓ Approve") > 1 {
		t.Errorf("there are two approvals that send the same:\n%s", r.screen())
	}
	for letter, says := range map[string]bool{"a": false, "A": false, "r": true, "R": true} {
		r := reviewRig(t, tuitest.ReviewedPlan, 80, 24).keys(keys + " " + letter)
		if got := strings.Contains(r.screen(), only); got != says {
			t.Errorf("after %s it is said %v that a section is not sent, want %v:\n%s", letter, got, says, r.screen())
		}
	}
	if r := reviewRig(t, tuitest.ReviewedPlan, 80, 24).keys("ctrl+s"); !strings.Contains(r.screen(), "You have said nothing yet.") {
		t.Errorf("an empty review says\n%s", r.screen())
	}
}

// What changed covers the form's header, so its own header names the agent and the plan.
func TestWhatChangedSaysWhoAsksAndOfWhatPlan(t *testing.T) {
	w := tuitest.NewWorld(t)
	asked, _, _ := w.SecondRound(review.RequestChanges)
	r := rigReview(t, reviewInput(w, asked), 120, 24)
	head, _, _ := strings.Cut(r.screen(), "\n")
	for _, want := range []string{"v1 → v2", r.form.Input().Ask.Spec.Title.Line(), "Claude Code"} {
		if !strings.Contains(head, want) {
			t.Errorf("the header does not say %q: %s", want, head)
		}
	}
}

// The help over what changed names the keys that count there, and closes over it.
func TestWhatChangedHasItsOwnHelp(t *testing.T) {
	w := tuitest.NewWorld(t)
	asked, _, _ := w.SecondRound(review.RequestChanges)
	r := rigReview(t, reviewInput(w, asked), 80, 24)
	before := r.screen()
	r.keys("?")
	for _, want := range []string{"Keys · What changed", "next, previous change", "unfold all, or fold", "esc", "the plan", "menu; twice: leave", "your own changes; then plan"} {
		if !strings.Contains(r.screen(), want) {
			t.Errorf("%q is not in the help:\n%s", want, r.screen())
		}
	}
	for _, other := range []string{"hold", "comment", "suggest", "approve"} {
		if strings.Contains(r.screen(), other) {
			t.Errorf("the help names %q, which does nothing here:\n%s", other, r.screen())
		}
	}
	if r.keys("esc"); r.screen() != before {
		t.Errorf("behind the help stands\n%s\nnot\n%s", r.screen(), before)
	}
	if r.keys("esc ?"); !strings.Contains(r.screen(), "Keys · Review") {
		t.Errorf("over the plan the help is\n%s", r.screen())
	}
}

// gone reports whether the person left the review.
func gone(r *planRig) bool {
	_, left := told[form.LaterRequested](r)
	return left
}

// In every text of more than one line, Enter makes a new line, with or without another key:
// none of these leaves or sends the text. Ctrl+S keeps or sends it. The footer says both.
func TestEveryTextOfAReviewHasTheSameKeys(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]struct {
		keys string // lead there
		done string // what ctrl+s does, as the footer says it
		got  func(*planRig) string
	}{
		"a comment":               {"c", "keep", func(r *planRig) string { return r.said().Comments[0].Text.Raw() }},
		"a question on a plan":    {"q", "keep", func(r *planRig) string { return r.said().Comments[0].Text.Raw() }},
		"a suggestion":            {"s ctrl+a ctrl+k", "keep", func(r *planRig) string { return r.said().Comments[0].Instead.Raw() }},
		"a suggestion's reason":   {"s tab", "keep", func(r *planRig) string { return r.said().Comments[0].Text.Raw() }},
		"a note on the plan":      {"w", "keep", func(r *planRig) string { return r.said().Note.Raw() }},
		"changes that are wanted": {"r", "request changes", func(r *planRig) string { return r.sentReview().Note.Raw() }},
		"notes of an approval":    {"A", "approve with notes", func(r *planRig) string { return r.sentReview().Note.Raw() }},
		"why it is rejected":      {"R", "reject", func(r *planRig) string { return r.sentReview().Note.Raw() }},
	} {
		t.Run(name, func(t *testing.T) {
			r := reviewRig(t, tuitest.ReviewedPlan, 80, 24).keys(place.keys)
			for i, key := range []string{"enter", "shift+enter", "alt+enter", "ctrl+j"} {
				r.write(string(rune('a' + i))).keys(key)
			}
			r.write("z")
			if !r.form.Busy() {
				t.Fatalf("the text was left:\n%s", r.screen())
			}
			if _, sent := told[form.SettleRequested](r); sent {
				t.Fatal("the text was sent unfinished")
			}
			if hints := r.lastRow(); !strings.Contains(hints, "ctrl+s "+place.done) || !strings.Contains(hints, "enter new line") {
				t.Errorf("the footer says %q", hints)
			}
			r.keys("ctrl+s")
			if got := place.got(r); !strings.Contains(got, "a\nb\nc\nd\nz") {
				t.Errorf("kept %q", got)
			}
			if place.done == "keep" && r.form.Busy() {
				t.Errorf("ctrl+s does not keep it:\n%s", r.screen())
			}
		})
	}
}

// A suggestion names both of its texts, and the key that leads to the other one.
func TestASuggestionNamesBothTexts(t *testing.T) {
	t.Parallel()
	for keys, other := range map[string]string{"s": "tab say why", "s tab": "tab new text", "s tab tab": "tab say why"} {
		r := reviewRig(t, tuitest.ReviewedPlan, 80, 24).keys(keys)
		for _, want := range []string{"± new text instead of line 1", "▎ why, if you like", other} {
			if !strings.Contains(r.screen(), want) {
				t.Errorf("after %s the screen does not say %q:\n%s", keys, want, r.screen())
			}
		}
	}
}
