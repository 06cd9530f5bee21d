package tui

import (
	"slices"
	"strings"

	"planb/plans/review"
)

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
func (s *reviewState) takeEarlier(e *review.Earlier) {
	for _, t := range review.Track(e.Text, s.text, e.Review.Comments) {
		o := oldComment{Tracked: t, digest: t.Earlier, done: slices.Contains(e.Done, t.ID)}
		if o.digest == "" {
			o.digest = e.Review.Digest
		}
		s.old = append(s.old, o)
		if t.State != review.Addressed && !o.done {
			s.insist(o)
		}
	}
	s.begun = s.encoded()
	s.undone, s.changes = nil, 0
}

// insist makes an old comment one of this review. The agent has read it before: only
// where nothing is left of its lines it is told which they were.
func (s *reviewState) insist(o oldComment) {
	c, ok := o.CommentOn(s.text)
	if !ok { // there is no such line: a plan without any
		return
	}
	if !o.Gone() {
		c.Text = o.Text
	}
	c.Earlier = o.digest
	s.put(c)
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
