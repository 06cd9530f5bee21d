package review_test

import (
	"slices"
	"testing"

	"planb/plans/review"
	"planb/questions/safe"
)

// again loads what an entry would be stored as, as another pane does.
func again(e *review.Entry) *review.Entry {
	other := review.NewEntry(e.Text)
	other.Load(e.Save(), nil)
	return other
}

// merged loads what two panes made of one entry.
func merged(base, own, theirs *review.Entry) *review.Entry {
	e := review.NewEntry(own.Text)
	e.Load(review.Merge(base.Save(), own.Save(), theirs.Save(), nil), nil)
	return e
}

func TestMergeOfTwoPanes(t *testing.T) {
	base := said(t, 3, 7)
	first, second := base.Review.Comments[0], base.Review.Comments[1]
	own, theirs := again(base), again(base)
	add := func(e *review.Entry, text string) review.Comment {
		c, _ := e.On(1, 1)
		c.ID, c.Kind, c.Text = review.NewCommentID(), review.Question, safe.New(text)
		e.Put(c)
		return c
	}
	here, there := add(own, "Here?"), add(theirs, "There?")
	first.Text = safe.New("Why at all?")
	theirs.Put(first)
	own.Drop(second.ID)
	own.SetNote("On the whole, yes.")
	theirs.Hold(7)
	if _, err := theirs.Edit(entryText + "More.\n"); err != nil {
		t.Fatal(err)
	}
	got := merged(base, own, theirs)
	if want := []review.Comment{first, here, there}; !slices.Equal(got.Review.Comments, want) {
		t.Errorf("the comments are %+v, want %+v", got.Review.Comments, want)
	}
	if got.Review.Note.Raw() != "On the whole, yes." || !got.Withheld(7) || got.Edited.Raw() != entryText+"More.\n" {
		t.Errorf("the note is %q, held back is %v, and the edit is %q", got.Review.Note.Raw(), got.Review.Withheld, got.Edited.Raw())
	}
	if again := merged(own, own, got); again.Save() != got.Save() {
		t.Errorf("the pane that follows holds\n%s\nstored is\n%s", again.Save().Raw(), got.Save().Raw())
	}
}

func TestMergeWhereNothingWasSaid(t *testing.T) {
	none, one, two := said(t), said(t, 3), said(t, 7)
	if got := merged(none, one, two); len(got.Review.Comments) != 2 {
		t.Errorf("both began with nothing: %+v", got.Review.Comments)
	}
	if got := merged(one, none, one); got.Said() {
		t.Errorf("taken back here: %+v", got.Review.Comments)
	}
	if got := merged(one, one, none); got.Said() {
		t.Errorf("taken back there: %+v", got.Review.Comments)
	}
	if got := review.Merge(safe.Text{}, safe.Text{}, safe.Text{}, nil); !got.IsZero() {
		t.Errorf("nothing became %s", got.Raw())
	}
}

// TestMergeKeepsWhatStandsFromBefore holds that a comment of an earlier review, which is in an
// entry in which nothing was said yet, is not taken for one that was taken back.
func TestMergeKeepsWhatStandsFromBefore(t *testing.T) {
	own, theirs := said(t, 3), said(t, 7)
	stands := own.Review.Comments[0]
	stands.ID, stands.Earlier = review.NewCommentID(), "digest"
	own.Put(stands)
	theirs.Put(stands)
	if got := merged(said(t), own, theirs); len(got.Review.Comments) != 3 {
		t.Errorf("both began with nothing: %+v", got.Review.Comments)
	}
	theirs = again(own)
	theirs.SetNote("On the whole, yes.")
	if got := merged(own, said(t), theirs); !slices.Equal(got.Review.Comments, []review.Comment{stands}) {
		t.Errorf("taken back here: %+v", got.Review.Comments)
	}
}

// Of two panes one has gone on to the next version. Which of them saves last makes no difference.
func TestMergeOfTwoVersions(t *testing.T) {
	before, next := safe.New(entryText), safe.New("# Orders\n\nNew.\n\n"+entryText[len("# Orders\n\n"):])
	onto := func(text safe.Text) safe.Text {
		e := review.NewEntry(next)
		e.Load(text, review.BegunOn(1, before, next))
		return e.Save()
	}
	base := said(t, 3)
	behind := again(base)
	c, _ := behind.On(7, 7)
	c.ID, c.Kind, c.Text = review.NewCommentID(), review.Question, safe.New("Who?")
	behind.Put(c)
	ahead := review.NewEntry(next)
	ahead.Load(onto(base.Save()), nil)
	ahead.SetNote("On the whole, yes.")
	for name, test := range map[string][2]safe.Text{"behind": {behind.Save(), ahead.Save()}, "ahead": {ahead.Save(), behind.Save()}} {
		e := review.NewEntry(next)
		e.Load(review.Merge(base.Save(), test[0], test[1], onto), nil)
		var lines []int
		for _, c := range e.Review.Comments {
			lines = append(lines, c.From)
		}
		if !slices.Equal(lines, []int{5, 9}) || e.Review.Note.Raw() != "On the whole, yes." {
			t.Errorf("saved %s: comments on lines %v, and the note %q", name, lines, e.Review.Note.Raw())
		}
	}
}

func TestMergeLeavesWhatItCannotJoin(t *testing.T) {
	own := said(t, 3)
	other := review.NewEntry(safe.New("# Another\n"))
	other.SetNote("No.")
	for name, theirs := range map[string]safe.Text{"another version": other.Save(), "not readable": safe.New("{")} {
		if got := review.Merge(safe.Text{}, own.Save(), theirs, nil); got != own.Save() {
			t.Errorf("%s: %s", name, got.Raw())
		}
	}
}
