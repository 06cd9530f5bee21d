package review

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"planb/questions/safe"
)

// Kind is what a comment wants.
type Kind string

// The kinds of comments.
const (
	Remark     Kind = "comment"
	Suggestion Kind = "suggestion" // replace the lines by others
	Deletion   Kind = "deletion"   // delete the lines
	Question   Kind = "question"   // answer before changing anything
)

// Kinds lists the kinds of comments.
func Kinds() []Kind { return []Kind{Remark, Suggestion, Deletion, Question} }

// Comment is one remark of a person on some lines of a plan.
type Comment struct {
	ID   string `json:"id"` // unique among all reviews of the plan; kept when a later review repeats the comment
	Kind Kind   `json:"kind"`
	From int    `json:"from"` // the first line, counted from 1
	To   int    `json:"to"`   // the last line
	// Quote holds exactly these lines, without the last line end.
	Quote safe.Text `json:"quote"`
	// Text is what the person says. It may be empty in a suggestion or a deletion.
	Text safe.Text `json:"text,omitzero"`
	// Instead is the text that a suggestion puts in the place of the lines.
	Instead safe.Text `json:"instead,omitzero"`
	// Earlier is the digest of the version on which the person first made the
	// comment, if that was an earlier one: the person repeats the comment.
	Earlier string `json:"earlier,omitempty"`
}

// CommentOn returns a comment on the lines from to to of a text, with From, To and Quote
// filled in. The error says how many lines the text has.
func CommentOn(text safe.Text, from, to int) (Comment, error) {
	lines := splitLines(text.Raw())
	quote, err := quoted(lines, from, to)
	if err != nil {
		return Comment{}, err
	}
	return Comment{From: from, To: to, Quote: safe.New(quote)}, nil
}

func quoted(lines []string, from, to int) (string, error) {
	if from < 1 || to < from || to > len(lines) {
		return "", fmt.Errorf("lines %d to %d are not there: the plan has %d", from, to, len(lines))
	}
	return strings.Join(lines[from-1:to], "\n"), nil
}

func (c Comment) check(lines []string) error {
	quote, err := quoted(lines, c.From, c.To)
	switch {
	case err != nil:
		return err
	case quote != c.Quote.Raw():
		return fmt.Errorf("lines %d to %d differ from its quote", c.From, c.To)
	case c.ID == "":
		return errors.New("it has no id")
	case !slices.Contains(Kinds(), c.Kind):
		return fmt.Errorf("its kind is %q; allowed are %q", string(c.Kind), Kinds())
	case len(c.Text.Raw()) > MaxCommentBytes, len(c.Instead.Raw()) > MaxCommentBytes:
		return fmt.Errorf("its text has more than %d bytes", MaxCommentBytes)
	case c.Text.Blank() && (c.Kind == Remark || c.Kind == Question):
		return errors.New("it says nothing")
	case !c.Instead.IsZero() && c.Kind != Suggestion:
		return errors.New("only a suggestion may have other lines")
	}
	return nil
}

// splitLines returns the lines without their line ends. The last line end does not
// begin another line.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
