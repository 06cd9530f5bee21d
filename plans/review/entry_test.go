package review_test

import (
	"slices"
	"strings"
	"testing"

	"planb/plans/review"
	"planb/questions/safe"
)

const entryText = "# Orders\n\nThe bank asks.\n\n## Part\n\nNobody owns it.\n"

// said makes an Entry of entryText and adds a comment on each of some lines.
func said(t *testing.T, lines ...int) *review.Entry {
	t.Helper()
	e := review.NewEntry(safe.New(entryText))
	for _, line := range lines {
		c, ok := e.On(line, line)
		if !ok {
			t.Fatalf("there is no line %d", line)
		}
		c.ID, c.Kind, c.Text = review.NewCommentID(), review.Remark, safe.New("Why?")
		e.Remember()
		e.Put(c)
	}
	return e
}

func TestAnEntryWithoutAWordIsNotStored(t *testing.T) {
	e := said(t)
	if !e.Save().IsZero() || e.Changes() != 0 {
		t.Errorf("an untouched entry is stored as %q", e.Save().Raw())
	}
	if _, ok := e.On(8, 8); ok {
		t.Error("a comment can be made below the last line")
	}
	e = said(t, 3)
	if !e.Undo() || !e.Save().IsZero() || e.Undo() {
		t.Errorf("after the only change is undone, this is stored: %q", e.Save().Raw())
	}
}

func TestAnEntryIsStoredAndLoaded(t *testing.T) {
	e := said(t, 3, 7)
	e.SetNote("On the whole, yes.")
	if _, held, ok := e.Hold(7); !held || !ok || !e.Withheld(5) || e.Withheld(3) {
		t.Fatalf("held back is %v", e.Review.Withheld)
	}
	if changed, err := e.Edit(entryText + "More.\n"); !changed || err != nil {
		t.Fatal(changed, err)
	}
	again := review.NewEntry(safe.New(entryText))
	again.Load(e.Save(), nil)
	if again.Save() != e.Save() || again.Edited != e.Edited || again.Undo() {
		t.Errorf("stored was\n%s\nloaded is\n%s", e.Save().Raw(), again.Save().Raw())
	}
	for _, blank := range []string{"", " \n"} {
		if _, err := e.Edit(blank); err == nil {
			t.Errorf("a plan may become %q", blank)
		}
	}
}

// An entry of a version that cannot be read any more loses no word.
func TestAnEntryOfAnUnknownVersionIsFoundByItsQuotes(t *testing.T) {
	e := said(t, 3, 7)
	e.Hold(7)
	now := review.NewEntry(safe.New("# Orders\n\nA new line.\n\nThe bank asks.\n"))
	now.Load(e.Save(), nil)
	if c := now.Review.Comments; len(c) != 1 || c[0].From != 5 {
		t.Errorf("found are %+v", c)
	}
	if note := now.Review.Note.Raw(); !strings.Contains(note, "“Nobody owns it.”: Why?") {
		t.Errorf("the comment on the lost line became %q", note)
	} else if !strings.Contains(note, "held back the section at line 5 of an earlier version") {
		t.Errorf("of the section that was held back the note says %q", note)
	}
}

func TestSettlingAnEarlierComment(t *testing.T) {
	before := said(t, 3, 7)
	r, ids := before.Review, []string{before.Review.Comments[0].ID, before.Review.Comments[1].ID}
	e := review.NewEntry(safe.New(strings.Replace(entryText, "Nobody", "Ada", 1)))
	e.Follow(&review.Earlier{Review: r, Text: before.Text})
	if _, goes := e.Comment(ids[0]); !goes || len(e.Review.Comments) != 1 || !e.Save().IsZero() {
		t.Fatalf("at first these go back: %+v", e.Review.Comments)
	}
	if settled, ok := e.Settle(ids[0]); !settled || !ok {
		t.Error("a comment that goes back was not settled")
	}
	if settled, ok := e.Settle(ids[1]); settled || !ok {
		t.Error("the person could not insist on an addressed comment")
	}
	c, _ := e.Comment(ids[1])
	if got := e.History(c); !slices.Equal(got, []review.Fate{review.TextChanged, review.SentAgain}) {
		t.Errorf("of the comment it is said: %q", got)
	}
	if _, ok := e.Settle("none"); ok {
		t.Error("a comment that is not there was settled")
	}
}

// What the agent wrote as a suggestion has it is told from other changes, and does not go back.
func TestASuggestionThatWasCarriedOut(t *testing.T) {
	for _, test := range []struct{ name, instead, after string }{
		{"one line", "Ada owns it.", "a\nAda owns it.\nc\n"},
		{"lines that end in CR LF", "Ada owns it.\nSo does Bob.", "a\r\nAda owns it.\r\nSo does Bob.\r\nc\r\n"},
		{"a line more", "Ada owns it.\nSo does Bob.", "a\nAda owns it.\nSo does Bob.\nc\n"},
		{"a line below", "Nobody owns it.\nBob will.", "a\nNobody owns it.\nBob will.\nc\n"},
		{"a line above", "Bob asks:\nNobody owns it.", "a\nBob asks:\nNobody owns it.\nc\n"},
	} {
		const text = "a\nNobody owns it.\nc\n"
		c := on(t, text, 2, 2)
		c.Kind, c.Instead = review.Suggestion, safe.New(test.instead)
		e := review.NewEntry(safe.New(test.after))
		e.Follow(&review.Earlier{Review: review.Review{Comments: []review.Comment{c}}, Text: safe.New(text)})
		if got := e.Fate(e.Earlier[0]); got != review.DoneSuggested || len(e.Review.Comments) > 0 {
			t.Errorf("%s: %s, and these go back: %+v", test.name, got, e.Review.Comments)
		}
		if from, to := e.Place(e.Earlier[0]); from != 2 || to != 2+strings.Count(test.instead, "\n") {
			t.Errorf("%s: it stands at lines %d to %d", test.name, from, to)
		}
	}
}

// What the person has added to an earlier comment goes on to the version that changes its lines.
// A comment that they left as it was is settled by that version.
func TestAnEarlierCommentThatThePersonChanged(t *testing.T) {
	const text = "a\nNobody owns it.\nc\n"
	first, second, third := safe.New(text), safe.New(text+"d\n"), safe.New("a\nAda owns it.\nc\nd\n")
	before := &review.Earlier{Review: review.Review{Comments: []review.Comment{on(t, text, 2, 2)}}, Text: first}
	for _, said := range []string{"?", "Who, and since when?"} {
		e := review.NewEntry(second)
		e.Follow(before)
		c := e.Review.Comments[0]
		c.Text = safe.New(said)
		e.Put(c)
		e.SetNote("On the whole, yes.")
		now := review.NewEntry(third)
		now.Follow(before)
		now.Load(e.Save(), review.BegunOn(2, second, third))
		kept := len(now.Review.Comments) == 1 && strings.Contains(now.Review.Comments[0].Text.Raw(), said)
		if kept != (said != "?") {
			t.Errorf("of %q there goes back %+v", said, now.Review.Comments)
		}
	}
}

// A version under review changed the lines of an earlier comment, and the next one brings them
// back. The comment goes back to the agent, unless the person settled it.
func TestAnEarlierCommentWhoseLinesComeBack(t *testing.T) {
	const text = "a\nNobody owns it.\nc\n"
	first, third := safe.New(text), safe.New(text+"d\n")
	before := &review.Earlier{Review: review.Review{Comments: []review.Comment{on(t, text, 2, 2)}}, Text: first}
	for _, second := range []string{"a\nAda owns it.\nc\n", text} {
		e := review.NewEntry(safe.New(second))
		e.Follow(before)
		if second == text {
			e.Settle("2")
		}
		e.SetNote("On the whole, yes.")
		now := review.NewEntry(third)
		now.Follow(before)
		now.Load(e.Save(), review.BegunOn(2, safe.New(second), third))
		if goes := len(now.Review.Comments) == 1; goes != (second != text) {
			t.Errorf("after %q there goes back %+v", second, now.Review.Comments)
		}
	}
}

// A plan that comes back from an editor as it was is no edit, also if the editor ended its last line.
func TestAnEndOfTheLastLineIsNoEdit(t *testing.T) {
	for _, text := range []string{"# A\n\nOne.", "# A\r\n\r\nOne.", "# A\r\n\r\nOne.\r\n"} {
		for _, end := range []string{"", "\n", "\r\n"} {
			if strings.HasSuffix(text, "\n") && end != "" {
				continue
			}
			if changed, err := review.NewEntry(safe.New(text)).Edit(text + end); changed || err != nil {
				t.Errorf("%q with %q behind it is an edit: %v", text, end, err)
			}
		}
	}
}
