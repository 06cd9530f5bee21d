package canvas

import "strings"

// Line is one row of a drawing, as spans from left to right.
type Line []Span

func (l Line) String() string {
	var b strings.Builder
	for _, span := range l {
		b.WriteString(span.Text)
	}
	return b.String()
}

// Span is text of one role. It has no line break and no control character.
type Span struct {
	Text string
	Role Role
}

// Role says what a part of a drawing is, so that the caller can colour it.
type Role uint8

const (
	Blank      Role = iota // empty space
	Text                   // words in a box
	Border                 // the outline of a box
	Edge                   // a line between boxes with its heads; a message
	EdgeText               // words at a line
	Group                  // the frame around several boxes; a loop or another fragment
	GroupTitle             // words in the border of such a frame
	Note                   // the outline of a note, and the line to its box
	NoteText               // words in a note
	Mark                   // a sign without words: start, end, choice, fork; an activation
	Lifeline               // the line below a participant
)
