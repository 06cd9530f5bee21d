package review

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/tuitest"
)

func TestSecondRoundShowsFirstWhatChanged(t *testing.T) {
	w := tuitest.NewWorld(t)
	ask, _, _ := w.SecondRound(review.RequestChanges)
	r := rigReview(t, reviewInput(w, ask), 120, 40)
	for _, want := range []string{"v1 → v2 · you reviewed v1 at 14:07", "2. Write the file, with a sum.", "Nobody owns the key."} {
		if !strings.Contains(r.screen(), want) {
			t.Errorf("%q is not shown:\n%s", want, r.screen())
		}
	}
	r.keys("c")
	if !strings.Contains(r.screen(), "esc goes to the plan") {
		t.Errorf("a key of the plan says nothing:\n%s", r.screen())
	}
	r.keys("esc")
	if want := "Since v1: +1 −3, d shows it · 2 addressed · 3 sent again unless settled"; !strings.Contains(r.screen(), want) {
		t.Errorf("%q is not shown:\n%s", want, r.screen())
	}
	r.keys("d").keys("d")
	if r.body.diff != nil {
		t.Error("d does not go there and back")
	}
	r.keys("d esc esc")
	if r.Dialog() == "" {
		t.Errorf("esc on the plan opens no menu:\n%s", r.screen())
	}
}

// The key of the changes is not named beside those that it does not show: after a plan was
// replaced during the review, it shows what changed since then.
func TestTheLineOfTheLastReviewNamesNoKeyOfOtherChanges(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	ask, before, after := w.SecondRound(review.RequestChanges)
	in := reviewInput(w, ask)
	in.Plan.Begun = review.BegunOn(2, safe.New(before), safe.New(after))
	in.Plan.Version = 3
	r := rigReview(t, in, 120, 40).keys("esc")
	for _, want := range []string{"v3 replaces v2: +1 −3, d shows it", "Since v1: +1 −3 · comments: 2 addressed"} {
		if !strings.Contains(r.screen(), want) {
			t.Errorf("%q is not shown:\n%s", want, r.screen())
		}
	}
}

// A comment on unchanged lines goes back by itself, one on changed lines does not. The person
// has the last word on each.
func TestOldCommentsGoBackUnlessTheyAreSettled(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	ask, before, after := w.SecondRound(review.RequestChanges)
	said := func(r *planRig) string {
		var list []string
		for _, c := range r.sentReview().Comments {
			if c.Earlier != plans.Digest(safe.New(before)) {
				t.Errorf("%q does not say that it was said before", c.Text.Raw())
			}
			list = append(list, c.Quote.Line())
		}
		if err := r.sentReview().Check(safe.New(after)); err != nil {
			t.Error(err)
		}
		return strings.Join(list, "|")
	}
	for _, test := range []struct{ name, keys, want string }{
		{"as it is", "", "Orders leave as **CSV**, once a night. The bank reads them|- nobody types them any more|\tfmt.Println(\"orders\") "},
		{"one settled", "home tab space", "- nobody types them any more|\tfmt.Println(\"orders\")"},
		{"settled by backspace", "home tab backspace", "- nobody types them any more|\tfmt.Println(\"orders\")"},
		{"settled, and insisted on", "home tab space space", "- nobody types them any more|\tfmt.Println(\"orders\")|Orders leave as **CSV**, once a night. The bank reads them"},
		{"settled, and undone", "home tab space u", "Orders leave as **CSV**, once a night. The bank reads them|- nobody types them any more|\tfmt.Println(\"orders\")"},
		{"settled on its line", "home down space", "- nobody types them any more|\tfmt.Println(\"orders\")"},
		{"all settled", "home tab space tab tab space tab space", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := rigReview(t, reviewInput(w, ask), 120, 40)
			r.keys("esc " + test.keys + " r ctrl+s")
			if got := said(r); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(strings.ReplaceAll(test.want, "\t", ""), " ", "") {
				t.Errorf("back goes\n%s\nwant\n%s\n%s", got, test.want, r.screen())
			}
		})
	}
	t.Run("insisted on, though it is gone", func(t *testing.T) {
		r := rigReview(t, reviewInput(w, ask), 120, 40)
		r.keys("esc end tab shift+tab")
		for !strings.Contains(r.body.copyText(), "Ada does.") {
			r.keys("shift+tab")
		}
		r.keys("space r ctrl+s")
		feedback := r.sentReview().Feedback.Raw()
		for _, want := range []string{"said before, and still open", "Ada does.", "> Nobody owns the key."} {
			if !strings.Contains(feedback, want) {
				t.Errorf("the feedback has no %q:\n%s", want, feedback)
			}
		}
	})
}

// A settled comment is still settled when the entry is loaded.
func TestSettlingIsKeptInTheEntry(t *testing.T) {
	w := tuitest.NewWorld(t)
	ask, _, _ := w.SecondRound(review.RequestChanges)
	in := reviewInput(w, ask)
	r := rigReview(t, in, 120, 40)
	if len(r.entry().Fields) > 0 {
		t.Errorf("looking is no entry: %+v", r.entry())
	}
	r.keys("esc home tab space")
	in.Entry = r.entry()
	again := rigReview(t, in, 120, 40)
	if n := len(again.said().Comments); n != 2 {
		t.Errorf("%d comments come back, want 2", n)
	}
}

func TestAnApprovalLapses(t *testing.T) {
	w := tuitest.NewWorld(t)
	ask, _, after := w.SecondRound(review.ApproveWithNotes)
	r := rigReview(t, reviewInput(w, ask), 100, 30)
	r.keys("esc")
	if want := "You approved v1, and it was edited since: v2 is not approved."; !strings.Contains(r.screen(), want) {
		t.Errorf("%q is not shown:\n%s", want, r.screen())
	}
	// An approval lapses even if only an empty line was added.
	same := tuitest.Must(w.Store.Session(t.Context(), ask.Session))
	w.Reviewed(ask, after, review.Approve)
	again := w.ReviewAsk(same, after+"\n", ask.ID)
	in := reviewInput(w, again)
	if in.Plan.Earlier == nil || !in.Plan.Earlier.Lapsed() {
		t.Error("an empty line more is approved")
	}
}

// What changed takes no key before the person enters the review, either.
func TestWhatChangedIsEntered(t *testing.T) {
	w := tuitest.NewWorld(t)
	ask, _, _ := w.SecondRound(review.RequestChanges)
	in := reviewInput(w, ask)
	in.Unasked = true
	r := rigReviewIn(t, in, 100, 30, themes.Default(true))
	r.form.Update(tuitest.Key(t, "esc"))
	r.form.Update(tea.KeyPressMsg{Code: 'q', Text: "q"})
	if r.body.diff == nil || !strings.Contains(r.screen(), "↓ to answer") {
		t.Errorf("a key got through:\n%s", r.screen())
	}
}

// A person replies without a verdict. Their comments are there again on the next version, at
// their lines; on another plan of the session they are not.
func TestAReplyWithoutAVerdictIsGoneOnFrom(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Session("Nightly export", "/home/you/shop")
	first := w.ReviewAsk(session, tuitest.ReviewedPlan, "")
	r := rigReview(t, reviewInput(w, first), 80, 24)
	r.keys("n n down c").write("Which?").keys("ctrl+s")
	reply := r.entry().Reply(first.Spec)
	if _, err := w.Store.Settle(t.Context(), first.ID, questions.Outcome{State: questions.Discuss, Message: safe.New("Wait."), Reply: reply}); err != nil {
		t.Fatal(err)
	}
	other := store.FilePlan{Path: "/p/b-plan.md", Name: "b", Text: tuitest.ReviewedPlan, Session: session.ID}
	plan, _, err := w.Store.SaveFilePlan(t.Context(), other)
	if err != nil {
		t.Fatal(err)
	}
	beside, _, err := w.Store.OpenAsk(t.Context(), store.Ask{Session: session.ID, Client: session.Client, Spec: questions.ReviewOf(safe.New("B"), questions.PlanRef{
		Name: "b", Number: plan.Number, Digest: plan.Digest,
	})})
	if err != nil {
		t.Fatal(err)
	}
	if got := rigReview(t, reviewInput(w, beside), 80, 24).said(); len(got.Comments) > 0 || !got.Note.IsZero() {
		t.Errorf("of another plan is said %+v", got)
	}
	again := rigReview(t, reviewInput(w, w.ReviewAsk(session, replacedPlan(), "")), 80, 24)
	if got := again.said().Comments; len(got) != 1 || got[0].From != 16 || got[0].Text.Raw() != "Which?" || !strings.Contains(again.screen(), "1 comment kept") {
		t.Errorf("what comes back is %+v:\n%s", got, again.screen())
	}
}

// The header counts anew when the person settles a comment.
func TestTheHeaderOfASecondRoundFollowsWhatIsSettled(t *testing.T) {
	w := tuitest.NewWorld(t)
	ask, _, _ := w.SecondRound(review.RequestChanges)
	r := rigReview(t, reviewInput(w, ask), 120, 40)
	r.keys("esc")
	for _, want := range []string{"2 addressed · 3 sent again", "2 addressed · 1 settled · 2 sent again", "2 addressed · 2 settled · 1 sent again", "2 addressed · 3 settled"} {
		if !strings.Contains(r.screen(), want) {
			t.Errorf("%q is not shown:\n%s", want, r.screen())
		}
		for range len(r.body.comments()) { // the next that goes back
			r.keys("tab")
			if _, goesBack := r.body.State.Comment(r.body.State.Cursor.Comment); goesBack {
				r.keys("space")
				break
			}
		}
	}
	if strings.Contains(r.screen(), "sent again") {
		t.Errorf("something is said to be sent again:\n%s", r.screen())
	}
}

// A comment on lines that have changed shows the words that are gone. Enter shows the old
// lines whole, and folds them again.
func TestABeforeUnfolds(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Session("Nightly export", "/home/you/shop")
	before := strings.Replace(tuitest.ReviewedPlan, "2. Write the file.", "2. Write the file again and again, at least three times, and then give up for good.", 1)
	first := w.ReviewAsk(session, before, "")
	w.Reviewed(first, before, review.RequestChanges, tuitest.Comment(t, before, 15, 15, review.Remark, "Twice is enough."))
	r := rigReview(t, reviewInput(w, w.ReviewAsk(session, strings.Replace(before, "three times", "two times", 1), first.ID)), 100, 34)
	const short, whole = "before  … at least three times, …", "before  2. Write the file again and again, at least three times,"
	shows := func(when, want, not string) {
		t.Helper()
		if !strings.Contains(r.screen(), want) || strings.Contains(r.screen(), not) {
			t.Errorf("%s %q is not shown:\n%s", when, want, r.screen())
		}
	}
	r.keys("esc home tab")
	shows("at first", short, whole)
	if hints := r.lastRow(); !strings.Contains(hints, "enter show before") {
		t.Errorf("the keys are %q", hints)
	}
	r.keys("enter")
	shows("unfolded", whole, short)
	r.keys("enter")
	shows("folded again", short, whole)
	if n := strings.Count(r.screen(), "▎ before  "); n != 1 {
		t.Errorf("before is shown %d times:\n%s", n, r.screen())
	}
}

// Several old lines are one row until they are unfolded.
func TestABeforeOfManyLinesFolds(t *testing.T) {
	w := tuitest.NewWorld(t)
	session := w.Session("Nightly export", "/home/you/shop")
	first := w.ReviewAsk(session, tuitest.ReviewedPlan, "")
	w.Reviewed(first, tuitest.ReviewedPlan, review.RequestChanges, tuitest.Comment(t, tuitest.ReviewedPlan, 14, 16, review.Remark, "Too many."))
	after := strings.Replace(tuitest.ReviewedPlan, "1. Read the orders.\n2. Write the file.\n3. Send it.\n", "All in one go.\n", 1)
	r := rigReview(t, reviewInput(w, w.ReviewAsk(session, after, first.ID)), 100, 34)
	r.keys("esc home tab")
	if row := strings.Split(r.screen(), "\n")[r.rowOf("before  1. Read")]; !strings.Contains(row, "2. Write the file. 3. Send it.") {
		t.Errorf("folded it is %q", row)
	}
	r.keys("enter")
	if at := r.rowOf("before  1. Read the orders."); r.rowOf("        2. Write the file.") != at+1 || r.rowOf("        3. Send it.") != at+2 {
		t.Errorf("unfolded it is\n%s", r.screen())
	}
}
