package review_test

import (
	"strings"
	"testing"

	"planb/plans"
	"planb/plans/review"
	"planb/questions/safe"
)

func reviewOf(text string, verdict review.Verdict, comments ...review.Comment) review.Review {
	return review.Review{Digest: plans.Digest(safe.New(text)), Verdict: verdict, Comments: comments}
}

func TestA19FeedbackIsMarkdownByLine(t *testing.T) {
	risk := on(t, before, 13, 13)
	risk.Text = safe.New("Measure it first.")
	step := on(t, before, 7, 8)
	step.Kind, step.Text, step.Instead = review.Suggestion, safe.Text{}, safe.New("1. Test ```first```.\n```\nx\n```\n")
	gone := on(t, before, 9, 9)
	gone.Kind, gone.Text, gone.Earlier = review.Deletion, safe.Text{}, "abc"
	asked := on(t, before, 1, 1)
	asked.Kind, asked.Text = review.Question, safe.New("Whose plan?")
	long := on(t, strings.Repeat("x\n", 20), 1, 20)
	for _, test := range []struct {
		name   string
		text   string
		review review.Review
		edited bool
		want   string
	}{
		{"approved", before, reviewOf(before, review.Approve), false, ""},
		{
			"without a word", before, reviewOf(before, review.RequestChanges), false,
			"# Plan review: changes requested\n\nPlan needs changes, but no inline comments were provided.\n",
		},
		{
			"in the plan's order, with every kind", before, reviewOf(before, review.RequestChanges, risk, gone, step, asked), false,
			"# Plan review: changes requested\n\n## Plan\n\n### Line 1: question, answer it before you change this (id 1)\n\n> # Plan\n\nWhose plan?\n" +
				"\n## Steps\n\n### Lines 7–8: replace this (id 7)\n\n> 1. Write the parser.\n> 2. Test the parser.\n\n" +
				"Instead:\n\n````\n1. Test ```first```.\n```\nx\n```\n````\n" +
				"\n### Line 9: delete this (said before, and still open) (id 9)\n\n> 3. Ship it.\n" +
				"\n## Risks\n\n### Line 13: comment (id 13)\n\n> The parser is slow, and nobody has measured how slow it is.\n\nMeasure it first.\n",
		},
		{
			"in part, with a note", before, review.Review{Verdict: review.ApproveWithNotes, Note: safe.New(" Nice. "), Withheld: []int{11, 17}}, false,
			"Approved in part: sections \"Steps\" (line 5), and the text outside the sections named here, may be carried out exactly as they are; not: \"Risks\" (line 11), \"End\" (line 17).\n\nNice.\n",
		},
		{
			"in part, in sections of sections", "# A\n## B\n### C\n### D\n## E\n### F\n# G\n", review.Review{Verdict: review.Approve, Withheld: []int{4, 5, 6}}, false,
			"Approved in part: sections \"C\" (line 3), \"G\" (line 7) may be carried out exactly as they are; not: \"D\" (line 4), \"E\" (line 5).\n",
		},
		{
			"in part, with text before and around the sections", "Intro.\n\n# A\n\nOf A.\n\n## B\n\n## C\n\n# D\n", review.Review{Verdict: review.Approve, Withheld: []int{9}}, false,
			"Approved in part: sections \"B\" (line 7), \"D\" (line 11), and the text outside the sections named here, may be carried out exactly as they are; not: \"C\" (line 9).\n",
		},
		{
			"in part, with a line below the heading around the sections", "A\n===\n\n---\n\n## B\n\n## C\n", review.Review{Verdict: review.Approve, Withheld: []int{8}}, false,
			"Approved in part: sections \"B\" (line 6) may be carried out exactly as they are; not: \"C\" (line 8).\n",
		},
		{
			"every section held back", "Intro.\n# A\n## B\n", review.Review{Verdict: review.Approve, Withheld: []int{2}}, false,
			"Approved in part: only the text outside these sections may be carried out, exactly as it is; not: \"A\" (line 2).\n",
		},
		{
			"a long quote", strings.Repeat("x\n", 20), reviewOf("", review.Reject, long), false,
			"# Plan review: rejected\n\n### Lines 1–20: comment (id 1)\n\n" + strings.Repeat("> x\n", 12) + "> … and 8 more\n\n?\n",
		},
		{
			"a quote that is one line too long", strings.Repeat("x\n", 13), reviewOf("", review.Reject, on(t, strings.Repeat("x\n", 13), 1, 13)), false,
			"# Plan review: rejected\n\n### Lines 1–13: comment (id 1)\n\n" + strings.Repeat("> x\n", 12) + "> … and 1 more\n\n?\n",
		},
		{
			"before the first heading", "Intro.\n# A\n", reviewOf("", review.RequestChanges, on(t, "Intro.\n# A\n", 1, 1)), false,
			"# Plan review: changes requested\n\n## Before the first heading\n\n### Line 1: comment (id 1)\n\n> Intro.\n\n?\n",
		},
		{
			"edited", before, review.Review{Verdict: review.Approve}, true,
			"# Plan review: approved\n\nThe user has edited the plan. What they wrote is the plan now: read it again before you go on. " +
				"The comments name lines of the plan as you submitted it.\n\n## What the user changed\n\n```diff\ndiff --git a/plan.md b/plan.md\n--- a/plan.md\n+++ b/plan.md\n" +
				"@@ -7,5 +7,4 @@\n 1. Write the parser.\n 2. Test the parser.\n-3. Ship it.\n \n ## Risks\n```\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			edited := safe.Text{}
			if test.edited {
				edited = safe.New(strings.Replace(test.text, "3. Ship it.\n", "", 1))
			}
			test.review.Digest = plans.Digest(safe.New(test.text))
			got, err := test.review.Complete(safe.New(test.text), edited)
			if err != nil {
				t.Fatal(err)
			}
			if got.Feedback.Raw() != test.want || (got.Edited != "") != test.edited {
				t.Errorf("got\n%s\nwant\n%s", got.Feedback.Raw(), test.want)
			}
		})
	}
}

// A code block that one comment leaves open does not swallow the next comment.
func TestAPersonsMarkdownEndsWhereTheirWordsEnd(t *testing.T) {
	for said, want := range map[string]string{
		"like\n```go\nx := 1":        "like\n```go\nx := 1\n```",
		"~~~~\n```\n~~~":             "~~~~\n```\n~~~\n~~~~",
		"- in a list\n  ```\n  a":    "- in a list\n  ```\n  a\n```",
		"```\nx\n```":                "```\nx\n```",
		"`a` and ``` b ``` are":      "`a` and ``` b ``` are",
		"<!-- not yet":               "<!-- not yet\n-->",
		"<!-- never --> <!-- \n -->": "<!-- never --> <!-- \n -->",
	} {
		first, next := on(t, before, 13, 13), on(t, before, 17, 17)
		first.Text = safe.New(said)
		r := reviewOf(before, review.RequestChanges, first, next)
		r.Note = first.Text
		got, err := r.Complete(safe.New(before), safe.Text{})
		if err != nil {
			t.Fatal(err)
		}
		if feedback := got.Feedback.Raw(); strings.Count(feedback, "\n\n"+want+"\n\n## ") != 2 {
			t.Errorf("%q:\n%s", said, feedback)
		}
	}
}

// Complete does not report an edit that was undone or never made.
func TestAnEditThatIsNone(t *testing.T) {
	r := reviewOf(before, review.Approve)
	r.Edited = plans.Digest(safe.New("an edit that was taken back"))
	for _, edited := range []safe.Text{{}, safe.New(before)} {
		if got, err := r.Complete(safe.New(before), edited); err != nil || got.Edited != "" || !got.Feedback.IsZero() {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}

func TestAReviewWithoutAVerdictIsNotComplete(t *testing.T) {
	if _, err := reviewOf(before, "").Complete(safe.New(before), safe.Text{}); err == nil || err.Error() != "there is no verdict yet" {
		t.Error(err)
	}
	other := reviewOf("x", review.Approve)
	if _, err := other.Complete(safe.New(before), safe.Text{}); err == nil {
		t.Error("a review of another version is complete")
	}
}

func TestCheck(t *testing.T) {
	good := on(t, before, 7, 8)
	change := func(change func(*review.Comment)) review.Review {
		c := good
		change(&c)
		return reviewOf(before, review.RequestChanges, c)
	}
	for _, test := range []struct {
		name   string
		review review.Review
		want   string
	}{
		{"whole", reviewOf(before, review.RequestChanges, good), ""},
		{"no verdict yet", reviewOf(before, "", good), ""},
		{"in part", review.Review{Digest: plans.Digest(safe.New(before)), Verdict: review.Approve, Withheld: []int{5, 11}}, ""},
		{"of another version", review.Review{Digest: "0123456789abcdef"}, "it is a review of the version with the digest 0123456789ab, and this one has "},
		{"no such verdict", reviewOf(before, "maybe"), `the verdict is "maybe"; allowed are ["approve" "approve-with-notes" "request-changes" "reject"]`},
		{"no such lines", change(func(c *review.Comment) { c.To = 20 }), "comment 1: lines 7 to 20 are not there: the plan has 19"},
		{"line 0", change(func(c *review.Comment) { c.From = 0 }), "comment 1: lines 0 to 8 are not there"},
		{"other lines", change(func(c *review.Comment) { c.Quote = safe.New("x") }), "comment 1: lines 7 to 8 differ from its quote"},
		{"no id", change(func(c *review.Comment) { c.ID = "" }), "comment 1: it has no id"},
		{"no such kind", change(func(c *review.Comment) { c.Kind = "praise" }), `comment 1: its kind is "praise"; allowed are ["comment" "suggestion" "deletion" "question"]`},
		{"nothing said", change(func(c *review.Comment) { c.Text = safe.New(" ") }), "comment 1: it says nothing"},
		{"instead of what", change(func(c *review.Comment) { c.Instead = safe.New("x") }), "comment 1: only a suggestion may have other lines"},
		{"too long", change(func(c *review.Comment) { c.Text = safe.New(strings.Repeat("x", review.MaxCommentBytes+1)) }), "comment 1: its text has more than 65536 bytes"},
		{"too many", reviewOf(before, review.Reject, make([]review.Comment, review.MaxComments+1)...), "there are 1001 comments; at most 1000 are allowed"},
		{"no heading", review.Review{Digest: plans.Digest(safe.New(before)), Verdict: review.Approve, Withheld: []int{6}}, "line 6 is withheld, but it is not a heading or not in ascending order"},
		{"twice", review.Review{Digest: plans.Digest(safe.New(before)), Verdict: review.Approve, Withheld: []int{5, 5}}, "line 5 is withheld, but it is not a heading or not in ascending order"},
		{"of what is refused", review.Review{Digest: plans.Digest(safe.New(before)), Verdict: review.Reject, Withheld: []int{5}}, "sections are withheld from a plan that is not approved"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.review.Check(safe.New(before))
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.HasPrefix(err.Error(), test.want)) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	whole, err := reviewOf(before, review.RequestChanges, on(f, before, 7, 8)).JSON()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add([]byte(`{"digest":1}`))
	f.Add([]byte(`{"digest":"x","comments":[{"from":-1}],"withheld":[9]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := review.Parse(data)
		if err != nil {
			return
		}
		_ = r.Check(safe.New(before))
		_, _ = r.Complete(safe.New(before), safe.New("x\n"))
		_ = review.Track(safe.New(before), safe.New("x\n"+before), r.Comments)
		written, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		again, err := review.Parse(written)
		if err != nil {
			t.Fatal(err)
		}
		if rewritten, err := again.JSON(); err != nil || string(rewritten) != string(written) {
			t.Errorf("%s came back as %s, %v", written, rewritten, err)
		}
	})
}
