package review

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"planb/plans"
	"planb/plans/diff"
	"planb/questions/safe"
)

// patchContext is how many lines a patch shows around each change.
const patchContext = 3

// Load takes over what Save returned; the zero text changes nothing. If the review
// was begun on another version of the plan, begun is that version; nil if it is
// the same one, or cannot be read.
func (e *Entry) Load(stored safe.Text, begun *Begun) {
	e.undone = nil
	if begun != nil && begun.Line > 0 {
		t := Track(begun.Text, e.Text, []Comment{{From: begun.Line, To: begun.Line}})[0]
		e.Cursor = Spot{Line: max(min(t.NewFrom, len(e.Lines)), 1)}
	}
	if stored.IsZero() {
		return
	}
	var k kept
	if json.Unmarshal([]byte(stored.Raw()), &k) != nil {
		return // a newer planb wrote it: none of it can be shown
	}
	e.changes++
	switch {
	case k.Digest == e.Review.Digest:
		e.Review, e.Edited, e.carried = k.Review, k.EditedText, k.Carried
	case begun != nil && plans.Digest(begun.Text) == k.Digest:
		e.carry(k, begun)
	default:
		e.find(k)
	}
}

// carry takes over a review that was begun on the version before.
func (e *Entry) carry(k kept, begun *Begun) {
	earlier := e.Review.Comments // those of the last review that stand in this version
	e.Review, e.carried, begun.Gone = k.Carry(begun.Text, e.Text)
	e.Review.Comments = slices.DeleteFunc(e.Review.Comments, func(c Comment) bool {
		old, isOld := e.EarlierComment(c.ID)
		// This version addresses it, unless the person has changed what they said.
		return isOld && e.carried[c.ID] == Addressed && slices.ContainsFunc(k.Comments, func(was Comment) bool {
			return was.ID == old.ID && was.Kind == old.Kind && was.Text == old.Text && was.Instead == old.Instead
		})
	})
	there := Track(e.Text, begun.Text, earlier)
	for i, stands := range earlier {
		if at := e.index(stands.ID); at >= 0 {
			e.Review.Comments[at].Earlier = stands.Earlier
		} else if there[i].State == Addressed { // until this version; so it was not the person who settled it
			e.Review.Comments = append(e.Review.Comments, stands)
		}
	}
	for id, state := range e.carried {
		if _, old := e.EarlierComment(id); old || state == Untouched {
			delete(e.carried, id)
		}
	}
	if k.EditedText.IsZero() {
		return
	}
	if edited, ok := Rebase(begun.Text, k.EditedText, e.Text); ok {
		if e.Edited = edited; edited == e.Text {
			e.Edited = safe.Text{}
		}
		return
	}
	name := fmt.Sprintf("v%d.md", begun.Number)
	patch := diff.Between(begun.Text.Raw(), k.EditedText.Raw()).Unified(name, name, patchContext)
	e.addNote(fmt.Sprintf("I had edited v%d, and it does not fit this version:\n\n", begun.Number) + fenced(patch, "diff"))
}

// find takes over a review of a version that cannot be read: comments are found by
// the lines they quote. Comments on lines that are gone become part of the note on
// the whole, and so does what was held back: its headings cannot be told any more.
func (e *Entry) find(k kept) {
	e.Review = Review{Digest: e.Review.Digest, Note: k.Note}
	for _, c := range k.Comments {
		on, ok := e.quoted(c)
		if !ok {
			e.addNote(c.Place() + " of an earlier version, “" + safe.New(c.Quote.Raw()).Line() + "”: " + strings.TrimSpace(c.Text.Raw()+"\n"+c.Instead.Raw()))
			continue
		}
		c.From, c.To, c.Quote = on.From, on.To, on.Quote
		e.Review.Comments = append(e.Review.Comments, c)
	}
	for _, line := range k.Withheld {
		e.addNote(fmt.Sprintf("I had held back the section at line %d of an earlier version.", line))
	}
	if !k.EditedText.IsZero() {
		e.addNote("I had edited an earlier version; this is what I made of it:\n\n" + fenced(k.EditedText.Raw(), "markdown"))
	}
}

// fenced returns a text as a code block, which the text cannot close.
func fenced(text, language string) string {
	fence := fenceFor(text)
	return fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}

// quoted looks for the lines that a comment quotes, nearest first to where they stood.
func (e *Entry) quoted(c Comment) (Comment, bool) {
	quote := strings.Split(c.Quote.Raw(), "\n")
	for off := range len(e.Lines) {
		for _, from := range []int{c.From + off, c.From - off} {
			if from < 1 || from-1+len(quote) > len(e.Lines) || !slices.Equal(e.Lines[from-1:from-1+len(quote)], quote) {
				continue
			}
			return e.On(from, from+len(quote)-1)
		}
	}
	return Comment{}, false
}

// CarriedOver counts the comments that were made on the version before: those that
// moved with their lines, and those whose lines have changed.
func (e *Entry) CarriedOver() (moved, changed int) {
	for _, state := range e.carried {
		if state == Moved {
			moved++
		} else {
			changed++
		}
	}
	return moved, changed
}
