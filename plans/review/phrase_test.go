package review_test

import (
	"strings"
	"testing"

	"planb/plans"
	"planb/plans/review"
	"planb/questions/safe"
)

// drawn marks the phrases that are gone with ~~.
func drawn(all []review.Phrase) string {
	var text strings.Builder
	for _, p := range all {
		if p.Gone {
			text.WriteString("~~" + p.Text + "~~")
		} else {
			text.WriteString(p.Text)
		}
	}
	return text.String()
}

// A comment on lines that have changed shows which of their words are gone.
func TestWhatStoodBefore(t *testing.T) {
	for _, test := range []struct{ name, before, after, whole, excerpt string }{
		{
			"a word", "Try each of the calls again at least three times, and then drop the job for good.",
			"Try each of the calls again at least five times, and then drop the job for good.",
			"Try each of the calls again at least ~~three~~ times, and then drop the job for good.", "… at least ~~three~~ times, …",
		},
		{"the first word", "Three calls are made here.", "Five calls are made here.", "~~Three~~ calls are made here.", "~~Three~~ calls are …"},
		{"the last word", "All calls of it are made three", "All calls of it are made twice", "All calls of it are made ~~three~~", "… are made ~~three~~"},
		{
			"two words that stand apart", "Drop one call, and wait for the others to end, and then send two.",
			"Drop each call, and wait for the others to end, and then send all.",
			"Drop ~~one~~ call, and wait for the others to end, and then send ~~two~~.", "Drop ~~one~~ call, … then send ~~two~~.",
		},
		{"nothing but new words", "Write the file.", "Write the file, with a sum.", "Write the file.", "Write the file."},
		{"other words", "Nobody owns the key.", "Ada has it now, and rotates it.", "~~Nobody owns the key.~~", "~~Nobody owns the key.~~"},
		{"no line any more", "Nobody owns the key.", "", "~~Nobody owns the key.~~", "~~Nobody owns the key.~~"},
		{"the same", "Write the file.", "Write the file.", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := func(line string) safe.Text { return safe.New("# A\n\nIt begins.\n\n" + line + "\n\nIt ends.\n") }
			before := text(test.before)
			c, err := review.CommentOn(before, 5, 5)
			if err != nil {
				t.Fatal(err)
			}
			c.ID, c.Kind, c.Text = "one", review.Remark, safe.New("Why?")
			e := review.NewEntry(text(test.after))
			e.Follow(&review.Earlier{Text: before, Review: review.Review{Digest: plans.Digest(before), Comments: []review.Comment{c}}})
			got := e.Before(e.Earlier[0].Comment)
			if drawn(got) != test.whole || drawn(review.Excerpt(got)) != test.excerpt {
				t.Errorf("it is %q, in short %q; want %q, in short %q", drawn(got), drawn(review.Excerpt(got)), test.whole, test.excerpt)
			}
		})
	}
}
