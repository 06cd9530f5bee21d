package lines

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"planb/plans/review"
	"planb/questions/safe"
	"planb/tui/wording"
)

// all returns all comments in the order of their numbers: first those of the last review,
// which may be settled, then the others as they were made.
func (r *planReview) all() []review.Comment {
	var all []review.Comment
	for _, o := range r.state.Earlier {
		c, open := r.state.Comment(o.ID)
		if !open {
			c = o.Comment
			c.From, c.To = r.state.Place(o)
		}
		all = append(all, c)
	}
	for _, c := range r.state.Review.Comments {
		if _, old := r.state.EarlierComment(c.ID); !old {
			all = append(all, c)
		}
	}
	for _, c := range all {
		r.number(c)
	}
	slices.SortStableFunc(all, func(a, b review.Comment) int { return r.number(a) - r.number(b) })
	return all
}

// number returns a comment's number, and gives it one if it has none.
func (r *planReview) number(c review.Comment) int {
	at := slices.Index(r.numbers, c.ID)
	if at < 0 {
		at = len(r.numbers)
		r.numbers = append(r.numbers, c.ID)
	}
	return at + 1
}

// numbered returns the comment with the typed number. If no number was typed, it asks for
// one. If ok is false, there is no such comment, and the person was told.
func (r *planReview) numbered(typed, want string) (c review.Comment, ok bool, err error) {
	all := r.all()
	if len(all) == 0 {
		return c, false, r.say("There are no comments.")
	}
	if typed == "" {
		if err := r.comments(""); err != nil {
			return c, false, err
		}
		if typed, err = r.ask(want); err != nil || typed == "" {
			return c, false, err
		}
	}
	n, _ := strconv.Atoi(typed)
	at := slices.IndexFunc(all, func(c review.Comment) bool { return r.number(c) == n })
	if at < 0 {
		return c, false, r.say("There is no comment of that number; nothing changed.")
	}
	return all[at], true, nil
}

// comments reads out all comments.
func (r *planReview) comments(string) error {
	all := r.all()
	if len(all) == 0 {
		return r.say("There are no comments.")
	}
	lines := make([]string, len(all))
	for i, c := range all {
		lines[i] = fmt.Sprintf("%d. %s", r.number(c), r.words(c))
	}
	return r.say("%s", strings.Join(lines, "\n"))
}

// kind says what kind of comment it is, and which lines it is about.
func (r *planReview) kind(c review.Comment) string {
	kind := map[review.Kind]string{review.Suggestion: "suggestion for", review.Deletion: "deletion of", review.Question: "question on"}[c.Kind]
	if kind == "" {
		kind = "comment on"
	}
	if _, earlier := r.state.EarlierComment(c.ID); earlier {
		kind = "earlier " + kind
	}
	return kind + " " + strings.ToLower(c.Place())
}

// words reads out a comment.
func (r *planReview) words(c review.Comment) string {
	said := wording.Capital(r.kind(c))
	for _, fate := range r.state.History(c) {
		said += ", " + string(fate)
	}
	text := block(c.Text)
	switch {
	case c.Kind == review.Suggestion && c.Text.Blank():
		return said + ", instead:\n" + block(c.Instead)
	case c.Kind == review.Suggestion:
		return said + ", instead:\n" + block(c.Instead) + "\nBecause: " + text
	case c.Text.Blank():
		return said + "."
	}
	return said + ": " + text
}

// lineRange reads the lines that a text begins with, as 12, 3-5 or 3 to 5.
func lineRange(typed string) (from, to int, rest string, ok bool) {
	found := regexp.MustCompile(`^(\d+)(?:\s*(?:-|–|to\s)\s*(\d+))?(?:[\s:.,]+|$)`).FindStringSubmatch(typed)
	if found == nil {
		return 0, 0, "", false
	}
	if found[2] == "" {
		found[2] = found[1]
	}
	from, errFrom := strconv.Atoi(found[1])
	to, errTo := strconv.Atoi(found[2])
	return from, to, strings.TrimSpace(typed[len(found[0]):]), errFrom == nil && errTo == nil
}

// comment says something of some lines, which are typed with it or asked for.
func (r *planReview) comment(kind review.Kind, typed string) error {
	if typed == "" {
		var err error
		if typed, err = r.ask("On which line, or lines, as 12 or 3-5?"); err != nil || typed == "" {
			return err
		}
	}
	from, to, said, ok := lineRange(typed)
	if !ok {
		return r.say("That does not begin with a line number; nothing was noted.")
	}
	c, err := review.CommentOn(r.state.Text, from, to)
	switch {
	case err != nil:
		return r.say("%s.", wording.Capital(wording.Sentence(err)))
	case r.state.Full():
		return r.say("There are %d comments, and there may be no more: whole says something of the whole plan.", review.MaxComments)
	case len(c.Quote.Raw()) > review.MaxQuotedBytes:
		return r.say("These lines have %s, too much for one comment: take fewer, or say it of the whole plan.", wording.Bytes(len(c.Quote.Raw())))
	}
	if marked, ok := r.marked(from, to); ok && kind == review.Deletion {
		return r.say("That is to be deleted already: drop %d takes it back.", r.number(marked))
	}
	c.ID, c.Kind = review.NewCommentID(), kind
	return r.write(c, said)
}

// marked returns the deletion of exactly these lines, if there is one.
func (r *planReview) marked(from, to int) (review.Comment, bool) {
	at := slices.IndexFunc(r.state.Review.Comments, func(c review.Comment) bool {
		return c.Kind == review.Deletion && c.From == from && c.To == to
	})
	if at < 0 {
		return review.Comment{}, false
	}
	return r.state.Review.Comments[at], true
}

// change writes a comment anew.
func (r *planReview) change(typed string) error {
	number, said, _ := strings.Cut(typed, " ")
	c, ok, err := r.numbered(number, "The number of the comment to change; Enter alone goes back:")
	if !ok {
		return err
	}
	if _, goes := r.state.Comment(c.ID); !goes {
		return r.say("This comment is settled; settle %d sends it again.", r.number(c))
	}
	if said == "" {
		if err := r.say("%s", r.words(c)); err != nil {
			return err
		}
	}
	return r.write(c, strings.TrimSpace(said))
}

// write asks for the text of a comment, unless it was typed already, and keeps the comment. What was
// typed of a suggestion is the line to put there; its reason is asked for. When a comment is
// changed, Enter alone leaves a part of it as it was.
func (r *planReview) write(c review.Comment, said string) (err error) {
	_, there := r.state.Comment(c.ID)
	switch {
	case c.Kind == review.Suggestion && said != "":
		c.Instead, said = safe.New(said), ""
	case c.Kind == review.Suggestion:
		instead, given, err := r.instead(c, there)
		if err != nil || !given && !there {
			return err
		}
		c.Instead = instead
	}
	if said != "" {
		c.Text = safe.New(said)
	} else if err := r.because(&c, there); err != nil {
		return err
	}
	changed, says := c.Meant()
	switch long := max(len(c.Text.Raw()), len(c.Instead.Raw())); {
	case long > review.MaxCommentBytes:
		return r.say("A comment may have %s, and this has %s; nothing changed.", wording.Bytes(review.MaxCommentBytes), wording.Bytes(long))
	case c.Kind == review.Suggestion && c.Instead.IsZero():
		c.Kind = review.Deletion // nothing in the place of lines
	case !says:
		return r.say("Nothing was said.")
	default:
		c = changed
	}
	r.state.Remember()
	r.state.Put(c)
	return r.keep("Noted as %d, %s.", r.number(c), r.kind(c))
}

// instead asks for the lines that a suggestion puts in the place of others.
func (r *planReview) instead(c review.Comment, there bool) (instead safe.Text, given bool, err error) {
	now, leaves := c.Lines(), "suggests nothing"
	if there {
		now, leaves = c.Instead, "leaves them as they are"
	} else if err := r.say("%s now:\n%s", c.Place(), block(c.Quote)); err != nil {
		return instead, false, err
	}
	line, err := r.askExact("The lines to put there; after them one with only a dot. Enter alone " + leaves + ", /edit opens your editor:")
	switch typed := strings.TrimSpace(line); {
	case err != nil:
		return now, false, err
	case typed == "":
		return now, false, nil
	case strings.EqualFold(typed, "/edit"):
		text, ok, err := r.editText(now)
		return safe.New(text), ok, err
	}
	lines, err := r.linesFrom(line)
	return safe.New(strings.Join(lines, "\n")), true, err
}

// because asks for the text of a comment: what it says, or the reason for it.
func (r *planReview) because(c *review.Comment, there bool) error {
	want := map[review.Kind]string{
		review.Suggestion: "Why? Enter alone gives no reason:", review.Deletion: "Why? Enter alone gives no reason:",
		review.Question: "Your question:",
	}[c.Kind]
	switch {
	case there && c.Kind == review.Suggestion:
		want = "The reason now, /edit for your editor; Enter alone leaves it as it is:"
	case there:
		want = "What it says now, /edit for your editor; Enter alone leaves it as it is:"
	case want == "":
		want = "Your comment:"
	}
	said, given, err := r.text(want, c.Text, safe.New(c.Place()+":\n\n"+c.Quote.Raw()))
	if given {
		c.Text = safe.New(said)
	}
	return err
}

// drop takes a comment back.
func (r *planReview) drop(typed string) error {
	if typed == "edit" {
		return r.dropEdit()
	}
	c, ok, err := r.numbered(typed, "The number of the comment to take back; Enter alone goes back:")
	if !ok {
		return err
	}
	if _, goes := r.state.Comment(c.ID); !goes {
		return r.say("It is settled already, and does not go to the agent.")
	}
	r.state.Remember()
	r.state.Drop(c.ID)
	return r.keep("Taken back; undo brings it back. It was: %s", r.words(c))
}

// dropEdit takes back the person's edit of the plan. Undo does not know one from before the
// review was left.
func (r *planReview) dropEdit() error {
	if changed, err := r.state.Edit(r.state.Text.Raw()); err != nil || !changed {
		return r.say("You have not edited the plan.")
	}
	return r.keep("The plan is again as it was submitted; undo brings your edit back.")
}

// settle settles a comment of the last review, or has it sent again.
func (r *planReview) settle(typed string) error {
	if len(r.state.Earlier) == 0 {
		return r.say("There is no earlier comment.")
	}
	c, ok, err := r.numbered(typed, "Which number is settled, or sent again if it was settled?")
	if !ok {
		return err
	}
	settled, ok := r.state.Settle(c.ID)
	switch {
	case !ok && r.state.Full():
		return r.say("There are %d comments, and there may be no more.", review.MaxComments)
	case !ok:
		return r.say("Only comments of the last review can be settled; drop %d takes this one back.", r.number(c))
	case settled:
		return r.keep("Settled: it is not sent again.")
	}
	return r.keep("Not settled: it is sent again.")
}

// undo takes back the last change.
func (r *planReview) undo(string) error {
	if !r.state.Undo() {
		return r.say("There is nothing to undo.")
	}
	return r.keep("Undone. %s", r.account().SaidSoFar())
}

// whole says something of the whole plan.
func (r *planReview) whole(said string) error {
	if said == "" {
		now := r.state.Review.Note
		if !now.Blank() {
			if err := r.say("On the whole you say: %s", block(now)); err != nil {
				return err
			}
		}
		var given bool
		var err error
		if said, given, err = r.text("What you say of the whole plan; none takes it away; Enter alone leaves it as it is:", now, r.input.Ask.Spec.Title); err != nil || !given {
			return err
		}
		if strings.EqualFold(said, "none") {
			said = ""
		}
	}
	r.state.Remember()
	r.state.SetNote(said)
	return r.keep("%s", noted(said))
}
