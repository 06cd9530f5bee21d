package tui

import (
	"slices"
	"strings"

	"planb/plans/diff"
	"planb/plans/review"
	"planb/questions/safe"
	"planb/store"
)

// earlierReview is the review in which the plan was reviewed last.
type earlierReview struct {
	ask    store.Ask
	review review.Review
	text   safe.Text // the version it was made on
	// seen is the version the person knows: that one, or what they made of it.
	seen safe.Text
	diff *diff.Diff // from seen to the version that is reviewed now
	// done are the comments that the agent says it has carried out since.
	done []string
}

// lapsed reports whether what was approved then is not what is reviewed now.
func (e *earlierReview) lapsed() bool {
	return e.review.Verdict.Approves() && e.diff != nil && e.diff.Stat() != (diff.Stat{})
}

// oldComment is a comment of the earlier review, found in the version of now.
type oldComment struct {
	review.Tracked
	digest string // of the version it was first made on
	done   bool   // the agent says that it carried it out
}

// fate says what became of the lines of an old comment.
func (o oldComment) fate(lines []string) string {
	switch {
	case o.done && o.State != review.Addressed:
		return "done, says the agent"
	case o.State != review.Addressed:
		return string(o.State)
	case o.Kind == review.Deletion && o.Gone():
		return "deleted, as you asked"
	case o.Kind == review.Suggestion && !o.Gone() && o.NewTo <= len(lines) &&
		strings.Join(lines[o.NewFrom-1:o.NewTo], "\n") == strings.TrimSuffix(o.Instead.Raw(), "\n"):
		return "replaced, as you suggested"
	case o.Gone():
		return "addressed: the text is gone"
	}
	return "addressed: the text changed"
}

// place is the lines of this version that an old comment stands at.
func (s *reviewState) place(o oldComment) (from, to int) {
	if o.Gone() {
		at := max(min(o.NewFrom, len(s.lines)), 1)
		return at, at
	}
	return o.NewFrom, o.NewTo
}

// takeEarlier takes over the comments of the review before: those of lines that
// did not change go back to the agent unless they are settled; the others, and
// those that the agent says it carried out, only if the person insists on them.
func (s *reviewState) takeEarlier(e *earlierReview) {
	for _, t := range review.Track(e.text, s.text, e.review.Comments) {
		o := oldComment{Tracked: t, digest: t.Earlier, done: slices.Contains(e.done, t.ID)}
		if o.digest == "" {
			o.digest = e.review.Digest
		}
		s.old = append(s.old, o)
		if t.State != review.Addressed && !o.done {
			s.insist(o)
		}
	}
	s.begun = s.encoded()
	s.undone, s.changes = nil, 0
}

// insist makes an old comment one of this review.
func (s *reviewState) insist(o oldComment) {
	from, to := s.place(o)
	c, ok := s.on(from, to)
	if !ok { // there is no such line: a plan without any
		return
	}
	c.ID, c.Kind, c.Text, c.Instead, c.Earlier = o.ID, o.Kind, o.Text, o.Instead, o.digest
	if o.Gone() {
		c.Text = saidOf(o.Comment)
	}
	if c.Kind == review.Suggestion && o.Gone() {
		c.Kind, c.Instead = review.Remark, safe.Text{}
	}
	s.put(c)
}

// saidOf is the text of a comment whose lines are gone, with those lines.
func saidOf(c review.Comment) safe.Text {
	const lead = "This was said of lines that are gone:"
	if strings.Contains(c.Text.Raw(), lead) {
		return c.Text
	}
	text := strings.TrimSpace(c.Text.Raw())
	if !c.Instead.IsZero() {
		text = strings.TrimSpace(text + "\n\nInstead of them there should be:\n> " + strings.ReplaceAll(c.Instead.Raw(), "\n", "\n> "))
	}
	return safe.New(strings.TrimSpace(text + "\n\n" + lead + "\n> " + strings.ReplaceAll(c.Quote.Raw(), "\n", "\n> ")))
}

// settle settles an old comment, or insists on one that is settled.
func (s *reviewState) settle(id string) (settled, ok bool) {
	i := slices.IndexFunc(s.old, func(o oldComment) bool { return o.ID == id })
	if i < 0 {
		return false, false
	}
	s.remember()
	if s.drop(id) {
		return true, true
	}
	if s.full() {
		s.forget()
		return false, false
	}
	s.insist(s.old[i])
	return false, true
}

// oldOf is the old comment of an id.
func (s *reviewState) oldOf(id string) (oldComment, bool) {
	for _, o := range s.old {
		if o.ID == id {
			return o, true
		}
	}
	return oldComment{}, false
}
