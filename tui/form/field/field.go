package field

import (
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// Field is one kind of question in a form: its answer so far, the cursor in it, and its
// drawing.
type Field interface {
	// Load sets the answer from the question's part of an entry, and Save returns it. The
	// note in that part is the form's.
	Load(questions.Field)
	Save() questions.Field
	// TakeDefault makes the agent's proposal the answer; false if there is none.
	TakeDefault() bool
	// Enter puts the cursor where it belongs when the focus comes that way.
	Enter(Way)
	// Act does one action and returns its effect.
	Act(keymap.Press) keymap.Effect
	// Click does a click on the place that Draw marked with at, x cells to the right of its
	// first cell and y rows below it.
	Click(at, x, y int) keymap.Effect
	// Text returns the editor that letters go to. It is nil while letters are commands.
	Text() *editor.Editor
	// Sideways reports whether ← and → are the field's own.
	Sideways() bool
	// Close closes the innermost open thing in the field. It returns false if there is none.
	Close() bool
	// Illustration returns the option whose illustration is to be shown, or NoOption.
	Illustration() int
	// CopyText returns what "copy" copies.
	CopyText() string
	// Hints returns the keys that do something now, the most useful first.
	Hints() []screen.Hint
	// Draw draws the field without label and description.
	Draw(Pen) screen.Block
}

// Illustrated is a field of options, each of which may have an illustration.
// Its rows are the options that its filter lets through and, last, OtherRow.
type Illustrated interface {
	Field
	// Cursor returns the option under the cursor, OtherRow, or NoOption. Row returns its row.
	Cursor() int
	Row() int
	// Options returns the options by row.
	Options() []int
	// Long reports whether the list can be filtered.
	Long() bool
	// MoveTo puts the cursor on an option that is among them.
	MoveTo(option int)
	// Choose picks the option under the cursor, by Enter or by another key.
	Choose(enter bool) keymap.Effect
	IsPicked(option int) bool
	// Several reports whether more than one option can be picked.
	Several() bool
	// Glyph returns the mark of an option that is picked, or is not.
	Glyph(picked bool) string
	HasIllustration(option int) bool
	// IllustrationAt returns what Illustration returns with the cursor on a row.
	IllustrationAt(row int) int
	// FirstIllustration returns the first option that has an illustration, or NoOption.
	FirstIllustration() int
	// LeastRows returns the rows that three options need, whichever of them has the cursor.
	LeastRows(Pen) int
	// IsFilter reports whether an editor is the list's filter.
	IsFilter(*editor.Editor) bool
}

// Leaver is a field that has something to do when the focus goes away or the form is sent. Leave
// returns false if what was typed is no answer; then the field says so, and keeps the answer from
// before.
type Leaver interface{ Leave() (whole bool) }

// Invites is a field in which a letter may begin a text: there it is no command, although
// nothing is being written yet.
type Invites interface{ InvitesText() bool }

// NoOption stands in place of an option's index for no option.
const NoOption = -1

// Way says from where the focus comes to a question.
type Way uint8

const (
	Straight  Way = iota // by Tab, a click, a jump
	FromAbove            // by ↓
	FromBelow            // by ↑
)

// New makes the field of a question's kind.
func New(q questions.Question, readOnly bool) Field {
	switch q.Kind {
	case questions.Text:
		return newText(q, readOnly)
	case questions.LongText:
		return newLong(q, readOnly)
	case questions.Single, questions.Multi:
		return newChoice(q, readOnly)
	case questions.Scale:
		if q.Range != nil {
			return newScale(q, readOnly)
		}
	}
	return unknown{q}
}

// Pen holds all that a field needs to draw itself.
type Pen struct {
	Styles *screen.Styles
	Width  int  // cells of the field
	Spare  int  // free cells at its right, for a text being written
	Height int  // rows of all questions
	Here   bool // the field has the focus
	Wrap   func(text safe.Text, width int) []string
	Key    func(keymap.Action) string // returns the name of an action's key
}

// The words in the hints of some keys: the key that goes on to the next question, the key
// that goes on from the last question, the key that opens an empty "Other…", and the key that
// answers as the agent proposes.
const (
	GoesOn        = "next question"
	GoesToSubmit  = "go on to submit"
	WritesOther   = "or type to write"
	TakesProposed = "take what is proposed"
)
