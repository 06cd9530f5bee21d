package tui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"planb/plans"
	"planb/plans/diff"
	"planb/plans/review"
	"planb/questions/safe"
)

// load takes what was kept of the review; none of it if there is nothing. Begun is
// the version it was begun on, if that is another one and can be read.
func (s *reviewState) load(kept safe.Text, begun *review.Begun) {
	s.undone = nil
	if begun != nil && begun.Line > 0 {
		t := review.Track(begun.Text, s.text, []review.Comment{{From: begun.Line, To: begun.Line}})[0]
		s.cursor = reviewSpot{line: max(min(t.NewFrom, len(s.lines)), 1)}
	}
	if kept.IsZero() {
		return
	}
	var entry reviewEntry
	if json.Unmarshal([]byte(kept.Raw()), &entry) != nil {
		return // of a newer planb: nothing of it can be shown
	}
	s.changes++
	switch {
	case entry.Digest == s.digest:
		s.review, s.edited, s.carried = entry.Review, entry.EditedText, entry.Carried
	case begun != nil && plans.Digest(begun.Text) == entry.Digest:
		s.carry(entry, begun)
	default:
		s.find(entry)
	}
}

// carry takes over a review that was begun on the version before.
func (s *reviewState) carry(entry reviewEntry, begun *review.Begun) {
	earlier := s.review.Comments // those of the last review that stand in this version
	s.review, s.carried, begun.Gone = entry.Carry(begun.Text, s.text)
	s.review.Comments = slices.DeleteFunc(s.review.Comments, func(c review.Comment) bool {
		_, old := s.oldOf(c.ID)
		return old && s.carried[c.ID] == review.Addressed // by what has taken its place
	})
	for i, c := range s.review.Comments {
		for _, stands := range earlier {
			if c.ID == stands.ID {
				s.review.Comments[i].Earlier = stands.Earlier
			}
		}
	}
	for id, state := range s.carried {
		if _, old := s.oldOf(id); old || state == review.Untouched {
			delete(s.carried, id)
		}
	}
	if entry.EditedText.IsZero() {
		return
	}
	if edited, ok := review.Rebase(begun.Text, entry.EditedText, s.text); ok {
		if s.edited = edited; edited == s.text {
			s.edited = safe.Text{}
		}
		return
	}
	name := fmt.Sprintf("v%d.md", begun.Number)
	patch := diff.Between(begun.Text.Raw(), entry.EditedText.Raw()).Unified(name, name, 3)
	s.note("I had edited " + fmt.Sprintf("v%d", begun.Number) + ", and it does not fit this version:\n\n" + fenced(patch, "diff"))
}

// find takes over a review whose version cannot be read: the comments are found by
// the lines they quote. Those of lines that are gone become part of what is said of
// the whole.
func (s *reviewState) find(entry reviewEntry) {
	s.review = review.Review{Digest: s.digest, Note: entry.Note}
	for _, c := range entry.Comments {
		on, ok := s.quoted(c)
		if !ok {
			s.note(c.Place() + " of an earlier version, “" + safe.New(c.Quote.Raw()).Line() + "”: " + strings.TrimSpace(c.Text.Raw()+"\n"+c.Instead.Raw()))
			continue
		}
		c.From, c.To, c.Quote = on.From, on.To, on.Quote
		s.review.Comments = append(s.review.Comments, c)
	}
	if !entry.EditedText.IsZero() {
		s.note("I had edited an earlier version; this is what I made of it:\n\n" + fenced(entry.EditedText.Raw(), "markdown"))
	}
}

// note adds to what is said of the whole.
func (s *reviewState) note(text string) {
	s.review.Note = safe.New(strings.TrimSpace(s.review.Note.Raw() + "\n\n" + text))
}

// fenced is a text as code, which it does not close itself.
func fenced(text, language string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimSuffix(text, "\n") + "\n" + fence
}

// quoted looks for the lines a comment quotes, from where they stood.
func (s *reviewState) quoted(c review.Comment) (review.Comment, bool) {
	quote := strings.Split(c.Quote.Raw(), "\n")
	for off := range len(s.lines) {
		for _, from := range []int{c.From + off, c.From - off} {
			if from < 1 || from-1+len(quote) > len(s.lines) || !slices.Equal(s.lines[from-1:from-1+len(quote)], quote) {
				continue
			}
			return s.on(from, from+len(quote)-1)
		}
	}
	return review.Comment{}, false
}
