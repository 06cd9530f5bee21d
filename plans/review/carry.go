package review

import (
	"slices"
	"strings"

	"planb/plans"
	"planb/plans/diff"
	"planb/questions/safe"
)

// maxSaidOf bounds what is quoted in a comment's text of the lines it was made on.
const maxSaidOf = 8 << 10

// Again makes the comment of the text in which it was found, with its lines there:
// false if that has none. Where they are not the same any more its text says on
// which it was made, and what nothing can be put in the place of any more is a
// remark.
func (t Tracked) Again(text safe.Text) (Comment, bool) {
	from, to := t.NewFrom, t.NewTo
	if count := len(splitLines(text.Raw())); t.Gone() {
		from = max(min(from, count), 1)
		to = from
	}
	c, err := On(text, from, to)
	if err != nil {
		return Comment{}, false
	}
	c.ID, c.Kind, c.Text, c.Instead, c.Earlier = t.ID, t.Kind, t.Text, t.Instead, t.Earlier
	switch {
	case t.State != Addressed:
	case t.Gone():
		c.Text = saidOf(t.Comment, saidOfGone)
		if c.Kind == Suggestion || c.Kind == Deletion {
			c.Kind, c.Instead = Remark, safe.Text{}
		}
	default:
		c.Text = saidOf(t.Comment, saidOfOthers)
	}
	return c, true
}

// What stands above the lines that a comment was made on.
const (
	saidOfGone   = "This was said of lines that are gone:\n> "
	saidOfOthers = "This was said of these lines as they were before:\n> "
)

// saidOf is the text of a comment with the lines it was made on. Of lines that were
// other ones before, the first are told, once.
func saidOf(c Comment, lead string) safe.Text {
	text := strings.TrimSpace(c.Text.Raw())
	if strings.Contains(text, saidOfGone) || strings.Contains(text, saidOfOthers) {
		return c.Text
	}
	if lead == saidOfGone && !c.Instead.IsZero() {
		text = strings.TrimSpace(text + "\n\nInstead of them there should be:\n> " + quoteOf(c.Instead.Raw()))
	}
	return safe.New(strings.TrimSpace(text + "\n\n" + lead + quoteOf(c.Quote.Raw())))
}

// quoteOf is a text as a quote goes on behind its first mark.
func quoteOf(text string) string {
	if len(text) > maxSaidOf {
		text = strings.ToValidUTF8(text[:maxSaidOf], "") + " …"
	}
	return strings.ReplaceAll(text, "\n", "\n> ")
}

// Carry takes a review that was begun on one text over to another one, which has
// taken its place. States says of each of its comments what became of the lines; a
// section that is held back stays so if its heading is there. What nothing is left
// of is not lost: gone counts the headings, and the comments say it themselves.
func (r Review) Carry(before, after safe.Text) (carried Review, states map[string]State, gone int) {
	carried, states = r, map[string]State{}
	carried.Digest, carried.Comments = plans.Digest(after), nil
	for _, t := range Track(before, after, r.Comments) {
		if c, ok := t.Again(after); ok {
			carried.Comments = append(carried.Comments, c)
			states[c.ID] = t.State
		}
	}
	carried.Withheld = r.withheldIn(before, after)
	return carried, states, len(r.Withheld) - len(carried.Withheld)
}

// withheldIn finds the headings of the sections that are held back in another text.
// One whose line is not there any more is the first that reads the same, for small
// sections move unnoticed; else the heading in its place.
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
	held := map[int]bool{}
	for _, t := range Track(before, after, headings) {
		line := 0
		if !t.Gone() {
			line = t.NewFrom
		}
		if t.State == Addressed {
			same := slices.IndexFunc(outline, func(s plans.Section) bool {
				return s.Level == was[t.From].Level && s.Title == was[t.From].Title && !held[s.Line]
			})
			if same >= 0 {
				line = outline[same].Line
			}
		}
		held[line] = true
	}
	for _, section := range outline {
		if held[section.Line] {
			lines = append(lines, section.Line)
		}
	}
	return lines
}

// Rebase makes the changes that were made to one text in another one: false if one
// of them does not find its lines there, once and with those around them as they
// were.
func Rebase(before, edited, after safe.Text) (safe.Text, bool) {
	const around = 2
	d := diff.Between(before.Raw(), edited.Raw())
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
		if edit.Old == "" || strings.Count(after.Raw(), edit.Old) != 1 {
			return safe.Text{}, false
		}
		edits = append(edits, edit)
	}
	if len(edits) == 0 {
		return after, true
	}
	text, _, err := plans.Apply(after.Raw(), edits)
	return safe.New(text), err == nil
}
