package review

import (
	"slices"
	"strings"
)

// EarlierComment is a comment of the review before, found in the present version.
type EarlierComment struct {
	Tracked
	Done   bool   // the agent says that it carried the comment out
	digest string // of the version that the comment was first made on
}

// Fate says in words for a person what became of a comment.
type Fate string

// The fates of the lines that an earlier comment is about.
const (
	NotAddressed  Fate = "not addressed" // they are the same, even if they moved
	SaidToBeDone  Fate = "done, says the agent"
	TextChanged   Fate = "addressed"
	TextGone      Fate = "addressed: the text is gone"
	DoneDeletion  Fate = "deleted as you asked"
	DoneSuggested Fate = "replaced as you suggested"
)

// The other fates of comments.
const (
	SentAgain    Fate = "sent again"
	Settled      Fate = "settled"
	StillOpen    Fate = "said before, and still open"
	TextMoved    Fate = "moved with its text"
	LinesChanged Fate = "its lines changed since you said it"
)

// Fate returns what became of an earlier comment.
func (e *Entry) Fate(c EarlierComment) Fate {
	switch {
	case c.Done && c.State != Addressed:
		return SaidToBeDone
	case c.State != Addressed:
		return NotAddressed
	case c.Kind == Deletion && c.Gone():
		return DoneDeletion
	case c.Gone():
		return TextGone
	case c.Kind == Suggestion && withoutCR(e.now(c)) == strings.TrimSuffix(c.Instead.Raw(), "\n"):
		return DoneSuggested
	}
	return TextChanged
}

// now returns the lines that stand in the place of an earlier comment's lines.
func (e *Entry) now(c EarlierComment) string {
	if c.Gone() || c.NewTo > len(e.Lines) {
		return ""
	}
	return strings.Join(e.Lines[c.NewFrom-1:c.NewTo], "\n")
}

// suggested finds the text of a suggestion around the place of its lines. It may have more lines
// than these, which may be among them.
func (e *Entry) suggested(t Tracked) (from, to int, ok bool) {
	if t.Kind != Suggestion || t.Gone() {
		return 0, 0, false
	}
	instead := strings.Split(strings.TrimSuffix(t.Instead.Raw(), "\n"), "\n")
	same := func(line, wanted string) bool { return strings.TrimSuffix(line, "\r") == wanted }
	for from := t.NewFrom; from > max(t.NewTo-len(instead), 0); from-- {
		if to := from - 1 + len(instead); to <= len(e.Lines) && slices.EqualFunc(e.Lines[from-1:to], instead, same) {
			return from, to, true
		}
	}
	return 0, 0, false
}

// Place returns the lines of this version at which an earlier comment stands.
func (e *Entry) Place(c EarlierComment) (from, to int) {
	if c.Gone() {
		at := max(min(c.NewFrom, len(e.Lines)), 1)
		return at, at
	}
	return c.NewFrom, c.NewTo
}

// Follow takes over the comments of the review before. Comments on unchanged lines
// go back to the agent unless the person settles them. The others, and those that
// the agent says it carried out, go back only if the person insists on them.
func (e *Entry) Follow(before *Earlier) {
	for _, t := range Track(before.Text, e.Text, before.Review.Comments) {
		if from, to, ok := e.suggested(t); ok {
			t.State, t.NewFrom, t.NewTo = Addressed, from, to
		}
		c := EarlierComment{Tracked: t, digest: t.Earlier, Done: slices.Contains(before.Done, t.ID)}
		if c.digest == "" {
			c.digest = before.Review.Digest
		}
		e.Earlier = append(e.Earlier, c)
		if t.State != Addressed && !c.Done {
			e.insist(c)
		}
	}
	e.begun = e.encoded()
	e.undone, e.changes = nil, 0
}

// insist makes an earlier comment one of this review. The agent has read it before,
// so the comment names its first lines only if nothing is left of them.
func (e *Entry) insist(old EarlierComment) {
	c, ok := old.commentOn(e.Text)
	if !ok { // a plan without any line
		return
	}
	if !old.Gone() {
		c.Text = old.Text
	}
	c.Earlier = old.digest
	e.Put(c)
}

// Settle settles an earlier comment, or insists on a settled one; false for ok if no
// earlier comment has that id, or there is no room for it.
func (e *Entry) Settle(id string) (settled, ok bool) {
	old, ok := e.EarlierComment(id)
	if !ok {
		return false, false
	}
	e.Remember()
	if e.Drop(id) {
		return true, true
	}
	if e.Full() {
		e.Forget()
		return false, false
	}
	e.insist(old)
	return false, true
}

// EarlierComment finds an earlier comment by its id.
func (e *Entry) EarlierComment(id string) (EarlierComment, bool) {
	for _, c := range e.Earlier {
		if c.ID == id {
			return c, true
		}
	}
	return EarlierComment{}, false
}

// History says what became of a comment since the person made it. For a comment of the
// last review it also says whether the agent gets it again. For a new comment it returns
// nil.
func (e *Entry) History(c Comment) []Fate {
	old, isEarlier := e.EarlierComment(c.ID)
	_, open := e.Comment(c.ID)
	switch {
	case isEarlier && open:
		return []Fate{e.Fate(old), SentAgain}
	case isEarlier && e.Fate(old) == NotAddressed:
		return []Fate{NotAddressed, Settled}
	case isEarlier:
		return []Fate{e.Fate(old)}
	case c.Earlier != "":
		return []Fate{StillOpen}
	case e.carried[c.ID] == Moved:
		return []Fate{TextMoved}
	case e.carried[c.ID] == Addressed:
		return []Fate{LinesChanged}
	}
	return nil
}
