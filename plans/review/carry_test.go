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

// A review that is carried to another text is valid there and keeps every comment.
// Each comment quotes its original lines or names them in its text.
func TestACarriedReviewLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after, comments := drawVersions(t)
		if strings.Trim(after, "\n") == "" {
			return // a version of a plan cannot be blank
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

// A withheld section stays withheld wherever it moves, even a small one.
func TestACarriedReviewHoldsBackWhatMoved(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sections []string
		for i := range 5 {
			sections = append(sections, fmt.Sprintf("## H%d\n%s", i, strings.Repeat(fmt.Sprintf("what %d is about\n", i), i)))
		}
		before := rapid.Permutation(sections).Draw(t, "before")
		after := rapid.Permutation(sections).Draw(t, "after")[:rapid.IntRange(1, len(sections)).Draw(t, "kept")]
		r, want := review.Review{}, map[string]bool{}
		for _, s := range plans.Outline(safe.New(strings.Join(before, ""))) {
			if rapid.Bool().Draw(t, "held") {
				r.Withheld = append(r.Withheld, s.Line)
				want[s.Title.Raw()] = true
			}
		}
		got, _, gone := r.Carry(safe.New(strings.Join(before, "")), safe.New(strings.Join(after, "")))
		left := 0
		for _, s := range plans.Outline(safe.New(strings.Join(after, ""))) {
			if want[s.Title.Raw()] {
				left++
				if !slices.Contains(got.Withheld, s.Line) {
					t.Fatalf("%s is not held back: %v", s.Title.Raw(), got.Withheld)
				}
			}
		}
		if left > len(got.Withheld) || gone != len(r.Withheld)-len(got.Withheld) {
			t.Fatalf("%v is held back of %v, and %d are gone", got.Withheld, r.Withheld, gone)
		}
	})
}

// Two withheld sections with one title both stay withheld where they move. A
// suggestion for lines that are gone becomes a remark.
func TestACarriedReviewOfTwinsAndOfWhatIsGone(t *testing.T) {
	const twin, rest = "## Test\nx\n", "## Rest\na one\nb two\nc three\nd four\ne five\nf six\n"
	r := review.Review{Withheld: []int{1, 3}}
	for _, line := range []int{2, 4} {
		c := on(t, twin+twin+rest, line, line)
		c.ID, c.Kind = fmt.Sprint(line), review.Deletion
		r.Comments = append(r.Comments, c)
	}
	moved, _, gone := r.Carry(safe.New(twin+twin+rest), safe.New(rest+twin+twin))
	if !slices.Equal(moved.Withheld, []int{8, 10}) || gone != 0 {
		t.Errorf("held back are %v, and %d are gone", moved.Withheld, gone)
	}
	left, _, gone := r.Carry(safe.New(twin+twin+rest), safe.New(rest))
	if len(left.Withheld) != 0 || gone != 2 {
		t.Errorf("held back are %v, and %d are gone", left.Withheld, gone)
	}
	for _, c := range left.Comments {
		if c.Kind != review.Remark {
			t.Errorf("what is gone is to be deleted: %+v", c)
		}
	}
}

// A person's own text is not confused with the words that planb writes above the
// original lines.
func TestACarriedCommentSaysOnWhatItWasMade(t *testing.T) {
	before, after := safe.New("a\nb\nc\n"), safe.New("a\nx\nc\n")
	c := on(t, before.Raw(), 2, 2)
	c.Text = safe.New("This was said of it by the auditors: no.")
	r := review.Review{Digest: plans.Digest(before), Comments: []review.Comment{c}}
	once, _, _ := r.Carry(before, after)
	want := c.Text.Raw() + "\n\nThis was said of these lines as they were before:\n> b"
	if got := once.Comments[0].Text.Raw(); got != want {
		t.Errorf("it says %q", got)
	}
	again, _, _ := once.Carry(after, safe.New("a\ny\nc\n"))
	if got := again.Comments[0].Text.Raw(); got != want {
		t.Errorf("the next time it says %q", got)
	}
}

// A person's changes to one version are made in the next, or Rebase says that they
// cannot be. They never land in another place.
func TestRebase(t *testing.T) {
	for _, test := range []struct{ name, before, edited, after, want string }{
		{"beside each other", "a\nb\nc\nd\ne\nf\n", "a\nB\nc\nd\ne\nf\n", "a\nb\nc\nd\ne\nF\n", "a\nB\nc\nd\ne\nF\n"},
		{"further down", "a\nb\nc\n", "a\nB\nc\n", "0\na\nb\nc\n", "0\na\nB\nc\n"},
		{"in two places", "a\nb\nc\nd\ne\nf\ng\n", "A\nb\nc\nd\ne\nf\nG\n", "a\nb\nc\nd\nE\ne\nf\ng\n", "A\nb\nc\nd\nE\ne\nf\nG\n"},
		{"not at all", "a\n", "a\n", "b\n", "b\n"},
		{"the same lines", "a\nb\nc\n", "a\nB\nc\n", "a\nx\nc\n", ""},
		{"twice there", "a\nb\nc\n", "a\nB\nc\n", "a\nb\nc\na\nb\nc\n", ""},
		{"twice there, one into the other", "x\nx\n", "x\ny\n", "x\nx\nx\n", ""},
		{"only the end of a line", "b\nc\n", "B\nc\n", "ab\nc\n", ""},
		{"only the beginning of a line", "a\nb\nc", "a\nb\nC", "a\nb\ncool\n", ""},
		{"a last line that was not ended", "a\nb\nc", "a\nb\nC\n", "a\nb\nc\nd\n", "a\nb\nC\nd\n"},
		{"last lines that are not ended", "a\nb\nc", "a\nb\nC", "0\na\nb\nc", "0\na\nb\nC"},
	} {
		got, ok := review.Rebase(safe.New(test.before), safe.New(test.edited), safe.New(test.after))
		if ok != (test.want != "") || ok && got.Raw() != test.want {
			t.Errorf("%s: %q, %v, want %q", test.name, got.Raw(), ok, test.want)
		}
	}
}

// What the person said is told from the lines that planb wrote below it, unless they wrote
// something below these lines.
func TestWhatWasSaidIsToldFromTheQuotedLines(t *testing.T) {
	const changed, gone = "This was said of these lines as they were before:\n> ", "This was said of lines that are gone:\n> "
	e := review.NewEntry(safe.New("One line here.\n"))
	for _, test := range []struct{ text, said, before string }{
		{"Why?", "Why?", ""},
		{"Why?\n\n" + changed + "One word here.", "Why?", "One ~~word~~ here."},
		{"Why?\n\n" + changed + "A.\n> \n> > B.", "Why?", "~~A.\n\n> B.~~"},
		{gone + "One line here.", "", "~~One line here.~~"},
		{"Why?\n\n" + changed + "One line.\n\nAnd how?", "Why?\n\n" + changed + "One line.\n\nAnd how?", ""},
	} {
		c := on(t, e.Text.Raw(), 1, 1)
		c.Text = safe.New(test.text)
		if said, before := c.Said().Raw(), drawn(e.Before(c)); said != test.said || before != test.before {
			t.Errorf("%q says %q of %q, want %q of %q", test.text, said, before, test.said, test.before)
		}
	}
}

// A suggestion whose lines change in one version and are gone in the next still says what should
// be there, and on which lines it was made.
func TestASuggestionOnLinesThatChangeAndThenGo(t *testing.T) {
	first, second, third := safe.New("a\none two three\n\nc\n"), safe.New("a\none two four\n\nc\n"), safe.New("a\nc\n")
	c := on(t, first.Raw(), 2, 3)
	c.Kind, c.Text, c.Instead = review.Suggestion, safe.New("Why?"), safe.New("five")
	r := review.Review{Digest: plans.Digest(first), Comments: []review.Comment{c}}
	r, _, _ = r.Carry(first, second)
	r, _, _ = r.Carry(second, third)
	const want = "Why?\n\nInstead of them there should be:\n> five\n\nThis was said of lines that are gone:\n> one two three\n>"
	if got := r.Comments[0]; got.Kind != review.Remark || got.Text.Raw() != want {
		t.Errorf("it is a %s that says\n%s", got.Kind, got.Text.Raw())
	}
}
