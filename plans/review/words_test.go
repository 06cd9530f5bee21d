package review_test

import (
	"slices"
	"strings"
	"testing"

	"planb/plans"
	"planb/plans/review"
	"planb/questions/safe"
)

func TestInWords(t *testing.T) {
	digest := plans.Digest(safe.New(before))
	risk := on(t, before, 13, 13)
	risk.Text = safe.New("Measure it first.")
	first := on(t, before, 1, 1)
	const quoted = "## Risks\n\n### Line 13: comment\n\n> The parser is slow, and nobody has measured how slow it is.\n\nMeasure it first."
	const nothing = "Plan needs changes, but no inline comments were provided."
	part := reviewOf(before, review.Approve)
	part.Withheld = []int{11}
	noted := reviewOf(before, review.Reject)
	noted.Note = safe.New("Think again.")
	brief := func(v review.Verdict, note string) review.Review { return review.Brief(digest, v, safe.New(note)) }
	for name, test := range map[string]struct {
		review            review.Review
		complete          bool
		verdict, feedback string
	}{
		"approved":                 {reviewOf(before, review.Approve), true, "Approved", ""},
		"approved with notes":      {reviewOf(before, review.ApproveWithNotes, risk), true, "Approved with notes", quoted},
		"approved in part":         {part, true, "Approved in part", "Sections \"Steps\" (line 5), \"End\" (line 17), and the text outside the sections named here, may be carried out exactly as they are; not: \"Risks\" (line 11)."},
		"changes requested":        {reviewOf(before, review.RequestChanges, risk), true, "Changes requested", quoted},
		"without a word":           {reviewOf(before, review.RequestChanges), true, "Changes requested", nothing},
		"rejected":                 {noted, true, "Rejected", "Think again."},
		"brief":                    {brief(review.RequestChanges, "Why?"), false, "Changes requested", "Why?"},
		"brief, with a heading":    {brief(review.RequestChanges, "# Why?\n\nWhy."), false, "Changes requested", "# Why?\n\nWhy."},
		"brief, approved":          {brief(review.Approve, "But slowly."), false, "Approved with notes", "But slowly."},
		"still being written":      {reviewOf(before, "", risk, first), false, "No verdict", "### Line 1: comment\n\n> # Plan\n\n?\n\n### " + strings.SplitN(quoted, "### ", 2)[1]},
		"nothing said yet":         {reviewOf(before, ""), false, "No verdict", ""},
		"a verdict of a newer one": {reviewOf(before, "postpone"), false, "A verdict that this planb does not know", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := test.review
			if test.complete {
				var err error
				if r, err = r.Complete(safe.New(before), safe.Text{}); err != nil {
					t.Fatal(err)
				}
			}
			json, err := r.JSON()
			if err != nil {
				t.Fatal(err)
			}
			got := review.InWords(string(json))
			if got.Verdict != test.verdict || got.Feedback.Raw() != test.feedback {
				t.Errorf("got %q and\n%s\nwant %q and\n%s", got.Verdict, got.Feedback.Raw(), test.verdict, test.feedback)
			}
			want := test.verdict
			if test.feedback != "" {
				want += "\n\n" + test.feedback
			}
			if got.Text() != want {
				t.Errorf("together:\n%s", got.Text())
			}
		})
	}
	for _, broken := range []string{"", "{", "[]", `{"digest":1}`, strings.Repeat(" ", review.MaxJSONBytes+1)} {
		if got := review.InWords(broken); got.Text() != "A review that cannot be read" {
			t.Errorf("%.20q is %q", broken, got.Text())
		}
	}
}

// A person reads no orders that are meant for an agent.
func TestInWordsForPerson(t *testing.T) {
	asked, gone, edited := on(t, before, 13, 13), on(t, before, 1, 1), safe.New("# Another\n")
	asked.Kind, asked.Text = review.Question, safe.New("How slow?")
	gone.Kind, gone.Text = review.Deletion, safe.Text{}
	r, err := reviewOf(before, review.RequestChanges, asked, gone).Complete(safe.New(before), edited)
	if err != nil {
		t.Fatal(err)
	}
	json, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	agents := review.InWords(string(json))
	got := agents.ForPerson().Feedback.Raw()
	for agent, person := range map[string]string{
		"### Line 13: question, answer it before you change this": "### Line 13: question",
		"### Line 1: delete this":                                 "### Line 1: to be deleted",
		"The user has edited the plan.":                           "The plan was edited in this review.",
	} {
		if !strings.Contains(agents.Feedback.Raw(), agent) || strings.Contains(got, agent) || !strings.Contains(got, person) {
			t.Errorf("%q is not %q in\n%s", agent, person, got)
		}
	}
}

// A remark is one line, and quotes in one line what it is about.
func TestRemarks(t *testing.T) {
	asked, gone, other, plain := on(t, before, 13, 13), on(t, before, 1, 1), on(t, before, 5, 6), on(t, before, 13, 13)
	asked.Kind, asked.Text = review.Question, safe.New("How slow?\n\nSay.")
	gone.Kind, gone.Text = review.Deletion, safe.Text{}
	other.Kind, other.Text, other.Instead = review.Suggestion, safe.New("It is shorter."), safe.New("## Steps\n")
	plain.Text = safe.New("Measure it.")
	part := reviewOf(before, review.Approve)
	part.Withheld = []int{11}
	noted := reviewOf(before, review.RequestChanges, asked, other, gone, plain)
	noted.Note = safe.New("Think again.\n\nSlowly.\n")
	const slow = "The parser is slow, and nobody has measured how slow it is."
	said := func(lines ...string) (remarks []review.Point) {
		for _, line := range lines {
			remarks = append(remarks, review.Point{Said: line})
		}
		return remarks
	}
	for _, test := range []struct {
		review  review.Review
		edited  safe.Text
		remarks []review.Point
	}{
		{reviewOf(before, review.Approve), safe.Text{}, nil},
		{reviewOf(before, review.RequestChanges), safe.Text{}, said("No comments.")},
		{reviewOf(before, review.RequestChanges), safe.New("# Another\n"), said("The plan was edited in this review.")},
		{part, safe.Text{}, said("Sections \"Steps\" (line 5), \"End\" (line 17), and the text outside the sections named here, may be carried out exactly as they are; not: \"Risks\" (line 11).")},
		{noted, safe.Text{}, append(said("Think again.", "Slowly."),
			review.Point{Place: "line 1", Quote: "Plan", Said: "to be deleted"},
			review.Point{Place: "lines 5–6", Quote: "Steps", Said: "suggestion: “Steps”: It is shorter."},
			review.Point{Place: "line 13", Quote: slow, Said: "question: How slow? Say."},
			review.Point{Place: "line 13", Quote: slow, Said: "comment: Measure it."})},
	} {
		r, err := test.review.Complete(safe.New(before), test.edited)
		if err != nil {
			t.Fatal(err)
		}
		json, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if got := review.InWords(string(json)).ForPerson().Remarks; !slices.Equal(got, test.remarks) {
			t.Errorf("got\n%+v\nwant\n%+v", got, test.remarks)
		}
	}
}
