package lines

import (
	"strings"
	"testing"
	"testing/synctest"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/tuitest"
)

func TestReviewInPlainLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		typed   []string
		verdict review.Verdict
		said    []string // in the feedback
	}{
		{"approve", []string{"a", "yes"}, review.Approve, nil},
		{"approve, after all", []string{"a", "no", "?", "a", "y"}, review.Approve, nil},
		{"with notes", []string{"n", "tests, too", "yes"}, review.ApproveWithNotes, []string{"tests, too"}},
		{"comments", []string{"c", "15", "With a sum.", "c", "3-4", "Which?", "r", "", "yes"}, review.RequestChanges, []string{"### Line 15: comment", "With a sum.", "### Lines 3–4: comment"}},
		{"a line that is not there", []string{"c", "99", "c", "x", "x", "no", "yes"}, review.Reject, []string{"no"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			ask := w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), "\x1b[31m"+tuitest.ReviewedPlan, "")
			result, out := w.plainly(ask, test.typed...)
			v, ok := reviewVerdict(result.Ask.Outcome)
			if !ok || v != test.verdict || result.Settled != 1 || w.Stored(ask.ID).Outcome.By != "you@desk" {
				t.Fatalf("the outcome is %+v\n%s", result.Ask.Outcome, out)
			}
			text, _ := result.Ask.Outcome.Reply.Answers[questions.ReviewID].Text()
			feedback := tuitest.Must(review.Parse([]byte(text))).Feedback.Raw()
			for _, want := range test.said {
				if !strings.Contains(feedback, want) {
					t.Errorf("the feedback has no %q:\n%s", want, feedback)
				}
			}
			if strings.Contains(feedback, "### ") && !strings.Contains(out, "With it: 2 comments.") {
				t.Errorf("what goes with it is not said:\n%s", out)
			}
			if !strings.Contains(out, "Nobody owns the key.") || !strings.Contains(out, review.InWords(text).Verdict+": v1, sent to Claude Code, shop") {
				t.Errorf("printed was\n%s", out)
			}
			if !w.Unshown(ask) {
				t.Error("the claim was not given back")
			}
		})
	}
}

// What is typed behind the lines of a suggestion is what is to stand there, also when it is changed;
// the reason is asked for.
func TestASuggestionInPlainLines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		typed         []string
		instead, text string
	}{
		"typed at once":     {[]string{"suggest 15 2. Write the file, with a sum.", "It can be checked."}, "2. Write the file, with a sum.", "It can be checked."},
		"without a reason":  {[]string{"suggest 15: Write it.", ""}, "Write it.", ""},
		"asked for":         {[]string{"suggest 15", "Write it.", ".", "Short."}, "Write it.", "Short."},
		"changed":           {[]string{"suggest 15 Write it.", "Short.", "change 1 Write it twice.", ""}, "Write it twice.", "Short."},
		"changed, with why": {[]string{"suggest 15 Write it.", "Short.", "change 1", "", "Shorter."}, "Write it.", "Shorter."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			ask := w.ReviewAsk(w.Session("Nightly export", "/home/you/shop"), tuitest.ReviewedPlan, "")
			result, out := w.plainly(ask, append(test.typed, "r", "", "yes")...)
			text, _ := result.Ask.Outcome.Reply.Answers[questions.ReviewID].Text()
			said := tuitest.Must(review.Parse([]byte(text))).Comments
			if len(said) != 1 || said[0].Kind != review.Suggestion || said[0].From != 15 || said[0].Instead.Raw() != test.instead || said[0].Text.Raw() != test.text {
				t.Errorf("said is %+v\n%s", said, out)
			}
		})
	}
}

// Whoever leaves loses nothing, and is told how to come back.
func TestReviewInPlainLinesIsLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, "")
	_, out := w.plainly(ask, "c", "1", "Whose?")
	if !strings.Contains(out, "planb tui ask "+store.ShortID(ask.ID)) || w.Stored(ask.ID).Outcome.State != questions.Pending {
		t.Errorf("printed was\n%s", out)
	}
	_, out = w.plainly(ask, "r", "", "yes")
	if !strings.Contains(out, "1. Comment on line 1: Whose?") {
		t.Errorf("what was said does not come back:\n%s", out)
	}
	if _, out = w.plainly(ask); !strings.Contains(out, "Reviewed") || !strings.Contains(out, "Changes requested") {
		t.Errorf("a review that is over is printed as\n%s", out)
	}
	declined := w.ReviewAsk(tuitest.Must(w.Store.Session(t.Context(), ask.Session)), tuitest.ReviewedPlan+"\nx\n", "")
	if result, _ := w.plainly(declined, "d", "not now", "no", "d", "not now", "yes"); result.Ask.Outcome.State != questions.Declined || result.Ask.Outcome.Message.Raw() != "not now" {
		t.Errorf("the outcome is %+v", result.Ask.Outcome)
	}
}

func TestSecondReviewInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask, _, after := w.SecondRound(review.RequestChanges)
	result, out := w.plainly(ask, "s", "1", "s", "9", "r", "", "yes")
	prints(t, out, "What changed in v2 since v1, which you reviewed at 14:07:", "Line 9, in How, was:\n2. Write the file.\nNow:\n2. Write the file, with a sum.",
		"Moved: Why, from line 6 to line 23.", "1. Earlier comment on line 3, not addressed, sent again: Whose CSV?", "There is no comment of that number")
	text, _ := result.Ask.Outcome.Reply.Answers[questions.ReviewID].Text()
	got := tuitest.Must(review.Parse([]byte(text)))
	if len(got.Comments) != 2 {
		t.Errorf("%d comments go back, want 2 of %s", len(got.Comments), after)
	}
}

// A person goes on to the version that took the place of the one before, with all that they
// said. A verdict on the one before does not count. The caller learns what came of the last one.
func TestAReviewInPlainLinesGoesOnToTheNextVersion(t *testing.T) {
	for _, test := range []struct {
		name     string
		versions []string // after the first
		gone     string
	}{
		{"once", []string{replacedPlan}, "v2 replaces v1: +3 −1, 1 comment kept, 1 on changed lines"},
		{"twice meanwhile", []string{tuitest.ReviewedPlan + "\nMore.\n", replacedPlan}, "v3 replaces v1: +3 −1, 1 comment kept, 1 on changed lines"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				session := w.Session("Nightly export", "")
				lines := w.inLines(AskOptions{ID: w.ReviewAsk(session, tuitest.ReviewedPlan, "").ID})
				lines.answers("What do you say of the plan?", "c")
				lines.answers("On which line", "9")
				lines.answers("Your comment:", "Who?")
				tuitest.Poll(t, "the comment to be kept", func() bool { return strings.Contains(lines.printed(), "Noted as 1") })
				var last store.Ask
				for _, text := range test.versions {
					last = w.ReviewAsk(session, text, "")
				}
				lines.answers("The plan was submitted again: that comes up", "approve")
				lines.answers("Type answer to begin", "approve")
				lines.answers("Type answer to begin, or later to put it off: Type answer", "answer")
				lines.answers("kept, 1 on changed lines", "r")
				lines.answers("What else do you want to say?", "no")
				lines.answers("Type yes to send it:", "yes")
				result := <-lines.result
				prints(t, lines.printed(), "Nothing was sent: the plan was submitted again.", test.gone)
				text, _ := w.Stored(last.ID).Outcome.Reply.Answers[questions.ReviewID].Text()
				if got := tuitest.Must(review.Parse([]byte(text))); len(got.Comments) != 1 || got.Comments[0].From != 11 || got.Note.Raw() != "no" {
					t.Errorf("what was sent is %s", text)
				}
				if result.Ask.ID != last.ID || result.Ask.Outcome.State != questions.Answered {
					t.Errorf("the caller is told of %s, which is %q; want the last review, %s", result.Ask.ID, result.Ask.Outcome.State, last.ID)
				}
			})
		})
	}
}

// What the person types behind the word that a newer plan waits is kept for that plan:
// a comment as one, and words that went with an outcome as the note.
func TestTheLastLineToAReplacedPlanIsKept(t *testing.T) {
	for _, test := range []struct {
		typed   string
		more    []string // what is asked then, and what is typed
		comment string
		note    string
	}{
		{typed: "comment 3 Too vague", comment: "Too vague"},
		{typed: "c 3", more: []string{"Your comment:", "Too vague"}, comment: "Too vague"},
		{typed: "request"},
		{typed: "reply Which bank?", note: "Which bank?"},
		{typed: "decline Not mine", note: "Not mine"},
		{typed: "approve"},
		{typed: "later"},
		{typed: "hmm"},
	} {
		t.Run(test.typed, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t)
				session := w.Session("Nightly export", "")
				lines := w.inLines(AskOptions{ID: w.ReviewAsk(session, tuitest.ReviewedPlan, "").ID})
				tuitest.Poll(t, "the plan to be read out", func() bool { return strings.Contains(lines.printed(), "What do you say of the plan?") })
				last := w.ReviewAsk(session, tuitest.ReviewedPlan+"\nMore.\n", "")
				lines.answers("The plan was submitted again: that comes up", test.typed)
				for i := 0; i < len(test.more); i += 2 {
					lines.answers(test.more[i], test.more[i+1])
				}
				lines.answers("Type answer to begin", "answer")
				lines.answers("What do you say of the plan?", "request")
				lines.answers("What else do you want to say?", "")
				lines.answers("Type yes to send it:", "yes")
				<-lines.result
				text, _ := w.Stored(last.ID).Outcome.Reply.Answers[questions.ReviewID].Text()
				got, said := tuitest.Must(review.Parse([]byte(text))), ""
				if len(got.Comments) == 1 {
					said = got.Comments[0].Text.Raw()
				}
				if said != test.comment || got.Note.Raw() != test.note {
					t.Errorf("%s was sent, want the comment %q and the note %q\n%s", text, test.comment, test.note, lines.printed())
				}
			})
		})
	}
}

// A review in which nothing was said leaves nothing on the record when it is settled
// elsewhere.
func TestAnUntouchedReviewInPlainLinesLeavesNothingOnRecord(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, "")
		lines := w.inLines(AskOptions{ID: ask.ID})
		tuitest.Poll(t, "the plan to be read out", func() bool { return strings.Contains(lines.printed(), "What do you say of the plan?") })
		w.Reviewed(ask, tuitest.ReviewedPlan, review.Approve)
		lines.answers("Press Enter to go on:", "")
		<-lines.result
		if late := w.Stored(ask.ID).TooLate; len(late) > 0 {
			t.Errorf("on the record is %+v", late)
		}
		if out := lines.printed(); strings.Contains(out, "You had entered") || !strings.Contains(out, "Done in another pane") {
			t.Errorf("printed was\n%s", out)
		}
	})
}

// Who looks at a review line by line and leaves it keeps what was begun on a screen.
func TestAReviewInPlainLinesKeepsWhatWasBegunOnAScreen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.ReviewedPlan, "")
	begun := questions.Entry{Message: safe.New("Is this all?"), Note: safe.New("In a hurry."), Fields: map[string]questions.Field{}}
	if err := w.Store.SaveEntry(t.Context(), ask.ID, begun); err != nil {
		t.Fatal(err)
	}
	w.plainly(ask, "c 9 Who?", "later")
	kept := must2(w.Store.Entry(t.Context(), ask.ID))
	if kept.Message != begun.Message || kept.Note != begun.Note || !strings.Contains(kept.Fields[questions.ReviewID].Text.Raw(), "Who?") {
		t.Errorf("what is kept is %+v", kept)
	}
}

// A plan that is long is read out when it is asked for, as much as is wanted.
func TestReadingALongPlanInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := tuitest.ReviewedPlan + strings.Repeat("\nAnd so on.\n", mostLines)
	ask := w.ReviewAsk(w.Session("Nightly export", ""), text, "")
	_, out := w.plainly(ask, "next", "next", "plan 8 to 9", "plan 0", "plan x", "sections", "section", "", "section 3", "section 9", "find BANK reads", "find", "find nowhere", "changes", "next", "next", "next", "comments", "nothing", "")
	prints(t, out,
		"The whole plan has 233 lines and 4 headings. plan reads that out, next does heading by heading.\n\nType approve",
		"plan? 1: # Orders leave every night\n2: \n3: Orders leave as **CSV**, once a night. The bank reads them\n4: before six in the morning.\n5: \nWhat",
		"plan? 6: ## Why\n", "plan? 8: - nobody types them any more\n9: - the bank asked for it\nWhat", "Type plan, or plan and lines from 1 to 233, as 12 or 3-5.",
		"1. Orders leave every night, level 1, line 1\n2. Why, level 2, line 6\n", "plan? 12: ## How\n", "There is no heading of that number; there are 4.",
		"plan? 3: Orders leave as **CSV**, once a night. The bank reads them\nWhat", "Type find and words of the plan.", "No line has that.",
		"There is nothing to compare with", "plan? 29: ## Risks\n", "That was the end; next begins at the start again.", "There are no comments.",
		"plan? Type approve, request, reject",
	)
	if strings.Count(out, "And so on.") != mostLines {
		t.Errorf("the end is read %d times", strings.Count(out, "And so on.")/mostLines)
	}
}

// An edit of the plan from before the review was left can be taken back.
func TestAnEditFromBeforeIsDroppedInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.ReviewAsk(w.Session("Nightly export", ""), tuitest.PlainPlan, "")
	edited := review.NewEntry(safe.New(tuitest.PlainPlan))
	if _, err := edited.Edit(tuitest.PlainPlan + "\nMore.\n"); err != nil {
		t.Fatal(err)
	}
	if err := w.Store.SaveEntry(t.Context(), ask.ID, questions.Entry{Fields: map[string]questions.Field{questions.ReviewID: {Text: edited.Save()}}}); err != nil {
		t.Fatal(err)
	}
	_, out := w.plainly(ask, "undo", "drop edit", "drop edit", "undo", "drop edit", "later")
	prints(t, out, "There is nothing to undo.", "The plan is again as it was submitted; undo brings your edit back.", "You have not edited the plan.",
		"Undone.", "The plan is again as it was submitted")
	entry, _, err := w.Store.Entry(t.Context(), ask.ID)
	if text := entry.Fields[questions.ReviewID].Text; err != nil || strings.Contains(text.Raw(), "More.") {
		t.Errorf("%v: the entry holds %s", err, text.Raw())
	}
}
