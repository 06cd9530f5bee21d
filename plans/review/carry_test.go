package review_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/plans"
	"planb/plans/review"
	"planb/questions/safe"
)

// A review that is carried to another text fits it, has every comment, and each of
// them quotes the lines it was made on, or says which they were.
func TestACarriedReviewLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after, comments := drawVersions(t)
		if strings.Trim(after, "\n") == "" {
			return // no version of a plan is blank
		}
		r := review.Review{Digest: plans.Digest(safe.New(before)), Note: safe.New("n")}
		for i, c := range comments {
			c.ID, c.Kind, c.Text = fmt.Sprint(i), rapid.SampledFrom(review.Kinds()).Draw(t, "kind"), safe.New(fmt.Sprintf("said %d", i))
			if c.Kind == review.Suggestion {
				c.Instead = safe.New(fmt.Sprintf("instead %d", i))
			}
			r.Comments = append(r.Comments, c)
		}
		for _, section := range plans.Outline(safe.New(before)) {
			if rapid.Bool().Draw(t, "held") {
				r.Withheld = append(r.Withheld, section.Line)
			}
		}
		got, states, gone := r.Carry(safe.New(before), safe.New(after))
		if err := got.Check(safe.New(after)); err != nil {
			t.Fatalf("it does not fit: %v", err)
		}
		if got.Note != r.Note || len(got.Comments) != len(r.Comments) || gone != len(r.Withheld)-len(got.Withheld) || gone < 0 {
			t.Fatalf("of %+v there is left %+v, and %d are gone", r, got, gone)
		}
		for i, c := range got.Comments {
			was := r.Comments[i]
			if c.ID != was.ID || !strings.Contains(c.Text.Raw(), was.Text.Raw()) || !strings.Contains(c.Text.Raw()+c.Instead.Raw(), was.Instead.Raw()) {
				t.Fatalf("%+v became %+v", was, c)
			}
			same := states[c.ID] != review.Addressed
			if same && (c.Quote != was.Quote || c.Text != was.Text || c.Kind != was.Kind) {
				t.Fatalf("%s, but %+v became %+v", states[c.ID], was, c)
			}
			if quote := "> " + strings.ReplaceAll(was.Quote.Raw(), "\n", "\n> "); !same && !strings.Contains(c.Text.Raw(), strings.TrimSpace(quote)) {
				t.Fatalf("%+v does not say what it was made on: %+v", was, c)
			}
		}
		if before == after && (!slices.Equal(got.Comments, r.Comments) || gone > 0) {
			t.Fatalf("nothing changed, and %+v became %+v", r, got)
		}
	})
}

// What a person changed in one version is changed in the next, or they are told that
// it cannot be: it never lands elsewhere.
func TestRebase(t *testing.T) {
	for _, test := range []struct{ name, before, edited, after, want string }{
		{"beside each other", "a\nb\nc\nd\ne\nf\n", "a\nB\nc\nd\ne\nf\n", "a\nb\nc\nd\ne\nF\n", "a\nB\nc\nd\ne\nF\n"},
		{"further down", "a\nb\nc\n", "a\nB\nc\n", "0\na\nb\nc\n", "0\na\nB\nc\n"},
		{"in two places", "a\nb\nc\nd\ne\nf\ng\n", "A\nb\nc\nd\ne\nf\nG\n", "a\nb\nc\nd\nE\ne\nf\ng\n", "A\nb\nc\nd\nE\ne\nf\nG\n"},
		{"not at all", "a\n", "a\n", "b\n", "b\n"},
		{"the same lines", "a\nb\nc\n", "a\nB\nc\n", "a\nx\nc\n", ""},
		{"twice there", "a\nb\nc\n", "a\nB\nc\n", "a\nb\nc\na\nb\nc\n", ""},
	} {
		got, ok := review.Rebase(safe.New(test.before), safe.New(test.edited), safe.New(test.after))
		if ok != (test.want != "") || ok && got.Raw() != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, got.Raw(), ok, test.want)
		}
	}
}
