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
	Suggestion Kind = "suggestion" // other lines instead of these
	Deletion   Kind = "deletion"   // these lines gone
	Question   Kind = "question"   // an answer, before anything is changed
)

// Kinds lists them.
func Kinds() []Kind { return []Kind{Remark, Suggestion, Deletion, Question} }

// Comment is one thing a person says of some lines.
type Comment struct {
	ID   string `json:"id"` // unique among all reviews of the plan; it stays when the comment is made again
	Kind Kind   `json:"kind"`
	From int    `json:"from"` // the first line, from 1
	To   int    `json:"to"`   // the last
	// Quote is those lines, exactly, without the end of the last.
	Quote safe.Text `json:"quote"`
	// Text is what is said. A suggestion and a deletion may do without.
	Text safe.Text `json:"text,omitzero"`
	// Instead is what a suggestion puts in the lines' place.
	Instead safe.Text `json:"instead,omitzero"`
	// Earlier is the digest of the version the comment was first made on, where
	// that is an earlier one: the person insists on it.
	Earlier string `json:"earlier,omitempty"`
}

// On makes a comment's place of some lines of a text: From, To and Quote. The
// error says which lines there are.
func On(text safe.Text, from, to int) (Comment, error) {
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
		return fmt.Errorf("lines %d to %d are not those it quotes", c.From, c.To)
	case c.ID == "":
		return errors.New("it has no id")
	case !slices.Contains(Kinds(), c.Kind):
		return fmt.Errorf("its kind is %q; allowed are %q", string(c.Kind), Kinds())
	case len(c.Text.Raw()) > MaxTextBytes, len(c.Instead.Raw()) > MaxTextBytes:
		return fmt.Errorf("its text has more than %d bytes", MaxTextBytes)
	case c.Text.Blank() && (c.Kind == Remark || c.Kind == Question):
		return errors.New("it says nothing")
	case !c.Instead.IsZero() && c.Kind != Suggestion:
		return errors.New("only a suggestion has other lines")
	}
	return nil
}

// splitLines returns the lines without their ends; the last line end begins no
// line of its own.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
