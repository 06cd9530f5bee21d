package review

import (
	"slices"
	"strings"

	"planb/plans"
	"planb/plans/diff"
	"planb/questions/safe"
)

// maxOriginBytes limits how much of a comment's original lines its text quotes.
const maxOriginBytes = 8 << 10

// commentOn returns the comment as one on text, the version in which it was found.
// The second value is false if text has no lines. If the lines have changed, the
// comment's text quotes the original ones. If they are gone, a suggestion or
// deletion becomes a remark, because there is nothing left to replace or delete.
func (t Tracked) commentOn(text safe.Text) (Comment, bool) {
	from, to := t.NewFrom, t.NewTo
	if count := len(splitLines(text.Raw())); t.Gone() {
		from = max(min(from, count), 1)
		to = from
	}
	c, err := CommentOn(text, from, to)
	if err != nil {
		return Comment{}, false
	}
	c.ID, c.Kind, c.Text, c.Instead, c.Earlier = t.ID, t.Kind, t.Text, t.Instead, t.Earlier
	switch {
	case t.State != Addressed:
	case t.Gone():
		c.Text = withOrigin(t.Comment, linesGone)
		if c.Kind == Suggestion || c.Kind == Deletion {
			c.Kind, c.Instead = Remark, safe.Text{}
		}
	default:
		c.Text = withOrigin(t.Comment, linesChanged)
	}
	return c, true
}

// The words above a comment's original lines.
const (
	linesGone    = "This was said of lines that are gone:\n> "
	linesChanged = "This was said of these lines as they were before:\n> "
)

// withOrigin returns a comment's text followed by the lines it was made on. If the text
// already quotes such lines, these stay: the first original counts.
func withOrigin(c Comment, lead string) safe.Text {
	said, quoted, _, quotes := c.origin()
	text := strings.TrimSpace(said.Raw())
	if lead == linesGone && !c.Instead.IsZero() {
		text = strings.TrimSpace(text + "\n\nInstead of them there should be:\n> " + quoteOf(c.Instead.Raw()))
	}
	switch {
	case quotes:
	case strings.Contains(text, linesGone), strings.Contains(text, linesChanged): // and the person wrote below
		return safe.New(text)
	default:
		quoted = c.Quote.Raw()
	}
	return safe.New(strings.TrimSpace(text + "\n\n" + lead + quoteOf(quoted)))
}

// Said returns a comment's text without the lines that the text quotes because they have
// changed.
func (c Comment) Said() safe.Text {
	said, _, _, _ := c.origin()
	return said
}

// origin tells what a comment says from the lines that its text quotes because they have
// changed; ok is false if the text does not end with such a quote. If gone is set, nothing
// stands in the place of these lines.
func (c Comment) origin() (said safe.Text, quoted string, gone, ok bool) {
	text := c.Text.Raw()
	unquoted := func(line string) bool { return !strings.HasPrefix(line, ">") }
	for _, lead := range []string{linesGone, linesChanged} {
		before, quote, found := strings.Cut(text, lead)
		if found && !slices.ContainsFunc(strings.Split(quote, "\n")[1:], unquoted) {
			return safe.New(strings.TrimSpace(before)), unquote(quote), lead == linesGone, true
		}
	}
	return c.Text, "", false, false
}

// unquote takes back what quoteOf did. An empty line at the end has lost the blank behind its mark.
func unquote(quote string) string {
	return strings.NewReplacer("\n> ", "\n", "\n>", "\n").Replace(quote)
}

// quoteOf returns text as a Markdown quote without the first mark, which the
// caller has written.
func quoteOf(text string) string {
	if len(text) > maxOriginBytes {
		text = strings.ToValidUTF8(text[:maxOriginBytes], "") + " …"
	}
	return strings.ReplaceAll(text, "\n", "\n> ")
}

// Carry moves a review that was begun on the text before to the text after, which
// replaces it. states holds, by comment id, what became of the comment's lines. A
// withheld section stays withheld if its heading is still there; gone counts the
// headings that are not. A comment whose lines are gone stays and quotes them.
func (r Review) Carry(before, after safe.Text) (carried Review, states map[string]State, gone int) {
	carried, states = r, map[string]State{}
	carried.Digest, carried.Comments = plans.Digest(after), nil
	for _, t := range Track(before, after, r.Comments) {
		if c, ok := t.commentOn(after); ok {
			carried.Comments = append(carried.Comments, c)
			states[c.ID] = t.State
		}
	}
	carried.Withheld = r.withheldIn(before, after)
	return carried, states, len(r.Withheld) - len(carried.Withheld)
}

// withheldIn finds the headings of the withheld sections in the text after. If a
// heading's line was not tracked, it is the first heading with the same words,
// because diff does not notice when a small section moves; else it is the heading
// that stands in the old one's place.
func (r Review) withheldIn(before, after safe.Text) (lines []int) {
	was := map[int]plans.Section{}
	for _, section := range plans.Outline(before) {
		was[section.Line] = section
	}
	var headings []Comment
	for _, line := range r.Withheld {
		headings = append(headings, Comment{From: line, To: line})
	}
	outline := plans.Outline(after)
	withheld := map[int]bool{}
	for _, t := range Track(before, after, headings) {
		line := 0
		if !t.Gone() {
			line = t.NewFrom
		}
		if t.State == Addressed {
			same := slices.IndexFunc(outline, func(s plans.Section) bool {
				return s.Level == was[t.From].Level && s.Title == was[t.From].Title && !withheld[s.Line]
			})
			if same >= 0 {
				line = outline[same].Line
			}
		}
		withheld[line] = true
	}
	for _, section := range outline {
		if withheld[section.Line] {
			lines = append(lines, section.Line)
		}
	}
	return lines
}

// Rebase applies the changes from before to edited to the text after. The second
// value is false if it cannot: for each change, after must hold the changed lines
// and the two lines around them exactly once. A line end at the end of a text counts
// as no change of its last line.
func Rebase(before, edited, after safe.Text) (safe.Text, bool) {
	const around = 2
	ended := func(text safe.Text) string { return strings.TrimSuffix(text.Raw(), "\n") + "\n" }
	d, now := diff.Between(ended(before), ended(edited)), ended(after)
	var edits []plans.Edit
	for _, h := range d.Hunks(around) {
		var edit plans.Edit
		for _, line := range d.Lines[h.From:h.To] {
			if line.Op != diff.Added {
				edit.Old += line.Text
			}
			if line.Op != diff.Removed {
				edit.New += line.Text
			}
		}
		at := strings.Index(now, edit.Old)
		if at < 0 || strings.Contains(now[at+1:], edit.Old) || at > 0 && now[at-1] != '\n' {
			return safe.Text{}, false
		}
		edits = append(edits, edit)
	}
	if len(edits) == 0 {
		return after, true
	}
	text, _, err := plans.Apply(now, edits)
	if !strings.HasSuffix(edited.Raw(), "\n") && !strings.HasSuffix(after.Raw(), "\n") {
		text = strings.TrimSuffix(text, "\n")
	}
	return safe.New(text), err == nil
}
