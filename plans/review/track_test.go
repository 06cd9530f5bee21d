package review_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/plans/review"
	"planb/questions/safe"
)

const before = `# Plan

Why we do it.

## Steps

1. Write the parser.
2. Test the parser.
3. Ship it.

## Risks

The parser is slow, and nobody has measured how slow it is.
The format may change without notice before we are done.
Nobody owns it, and the one who did has left the company.

## End

That is all.
`

func on(t testing.TB, text string, from, to int) review.Comment {
	t.Helper()
	c, err := review.CommentOn(safe.New(text), from, to)
	if err != nil {
		t.Fatal(err)
	}
	c.ID, c.Kind, c.Text = fmt.Sprint(from), review.Remark, safe.New("?")
	return c
}

func TestTrack(t *testing.T) {
	section := before[strings.Index(before, "## Risks"):strings.Index(before, "## End")]
	for _, test := range []struct {
		name     string
		after    string
		from, to int
		state    review.State
		lines    string // the comment's lines now; empty if they are gone
		stood    int    // if they are gone, the line before which they would stand
	}{
		{"nothing changed", before, 7, 8, review.Untouched, "1. Write the parser.\n2. Test the parser.", 0},
		{"something above", strings.Replace(before, "Why", "How and\n\nwhy", 1), 7, 8, review.Untouched, "1. Write the parser.\n2. Test the parser.", 0},
		{"something below", before + "Or is it?\n", 19, 19, review.Untouched, "That is all.", 0},
		{"the line end at the end is gone", strings.TrimSuffix(before, "\n"), 19, 19, review.Untouched, "That is all.", 0},
		{"all line ends", strings.ReplaceAll(before, "\n", "\r\n"), 8, 8, review.Untouched, "2. Test the parser.\r", 0},
		{"one word", strings.Replace(before, "2. Test the", "2. Fuzz the", 1), 8, 8, review.Addressed, "2. Fuzz the parser.", 0},
		{"one of two", strings.Replace(before, "2. Test the", "2. Fuzz the", 1), 7, 8, review.Addressed, "1. Write the parser.\n2. Fuzz the parser.", 0},
		{"something between", strings.Replace(before, "2. Test", "1a. Rest.\n2. Test", 1), 7, 8, review.Addressed, "1. Write the parser.\n1a. Rest.\n2. Test the parser.", 0},
		{"all gone", strings.Replace(before, "2. Test the parser.\n", "", 1), 8, 8, review.Addressed, "", 8},
		{"gone at the end", strings.Replace(before, "\nThat is all.\n", "", 1), 19, 19, review.Addressed, "", 18},
		{"everything is new", "Something else.\n", 8, 8, review.Addressed, "Something else.", 0},
		{"nothing is left", "", 8, 8, review.Addressed, "", 1},
		{
			"its section moved", strings.Replace(strings.Replace(before, section, "", 1), "## Steps", section+"## Steps", 1),
			7, 8, review.Moved, "1. Write the parser.\n2. Test the parser.", 0,
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := on(t, before, test.from, test.to)
			got := review.Track(safe.New(before), safe.New(test.after), []review.Comment{c})[0]
			if got.State != test.state || got.Comment != c {
				t.Errorf("it is %s, want %s", got.State, test.state)
			}
			if got.Gone() != (test.lines == "") {
				t.Fatalf("it is at lines %d to %d", got.NewFrom, got.NewTo)
			}
			if now := cut(test.after, got); now != test.lines {
				t.Errorf("it is now at\n%s\nwant\n%s", now, test.lines)
			}
			if got.Gone() && got.NewFrom != test.stood {
				t.Errorf("it would stand before line %d, want %d", got.NewFrom, test.stood)
			}
		})
	}
}

func cut(text string, t review.Tracked) string {
	lines := strings.Split(text, "\n")
	if t.Gone() {
		return ""
	}
	return strings.Join(lines[t.NewFrom-1:t.NewTo], "\n")
}

// drawVersions draws a text, a changed version of it, and comments on the first.
func drawVersions(t *rapid.T) (before, after string, comments []review.Comment) {
	line := rapid.SampledFrom([]string{"# A", "## B", "## C", "", "one", "two three", "two four", "five six seven eight nine ten", "```", "- x", "\tcode", "é\r"})
	old := rapid.SliceOfN(line, 1, 30).Draw(t, "old")
	new := slices.Clone(old)
	for range rapid.IntRange(0, 5).Draw(t, "edits") {
		at := rapid.IntRange(0, len(new)).Draw(t, "at")
		end := rapid.IntRange(at, min(len(new), at+6)).Draw(t, "end")
		part := slices.Clone(new[at:end])
		switch rapid.IntRange(0, 2).Draw(t, "how") {
		case 0: // cut lines, and perhaps paste them elsewhere
			new = slices.Delete(new, at, end)
			if rapid.Bool().Draw(t, "elsewhere") {
				new = slices.Insert(new, rapid.IntRange(0, len(new)).Draw(t, "to"), part...)
			}
		case 1:
			new = slices.Insert(new, at, rapid.SliceOfN(line, 0, 4).Draw(t, "insert")...)
		case 2:
			new = slices.Replace(new, at, end, rapid.SliceOfN(line, 0, 6).Draw(t, "replace")...)
		}
	}
	ends := []string{"", "\n"}
	before = strings.Join(old, "\n") + rapid.SampledFrom(ends).Draw(t, "end of old")
	after = strings.Join(new, "\n") + rapid.SampledFrom(ends).Draw(t, "end of new")
	for range 4 {
		from := rapid.IntRange(1, len(old)).Draw(t, "from")
		c, err := review.CommentOn(safe.New(before), from, rapid.IntRange(from, min(len(old), from+4)).Draw(t, "last"))
		if err == nil {
			comments = append(comments, c)
		}
	}
	return before, after, comments
}

// Whatever happened to the text, a comment that points at other lines than its
// original ones says so.
func TestACommentNeverPointsElsewhereSilently(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after, comments := drawVersions(t)
		count := len(strings.Split(strings.TrimSuffix(after, "\n"), "\n"))
		if after == "" || after == "\n" {
			count = max(strings.Count(after, "\n"), 0)
		}
		for _, got := range review.Track(safe.New(before), safe.New(after), comments) {
			if got.NewFrom < 1 || got.NewTo > count || got.NewFrom > count+1 || got.NewTo < got.NewFrom-1 {
				t.Fatalf("lines %d to %d of %d", got.NewFrom, got.NewTo, count)
			}
			if now := cut(after, got); got.State != review.Addressed && now != got.Quote.Raw() {
				t.Fatalf("%s, but %q is now %q", got.State, got.Quote.Raw(), now)
			}
			if before == after && (got.State != review.Untouched || got.NewFrom != got.From) {
				t.Fatalf("nothing changed, and line %d is %s at %d", got.From, got.State, got.NewFrom)
			}
		}
	})
}
