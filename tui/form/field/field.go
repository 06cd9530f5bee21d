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
	Draw(Pen) Block
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

// Leaver is a field that has something to do when the focus goes away.
type Leaver interface{ Leave() }

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
	Styles      *screen.Styles
	Width       int  // cells of the field
	Height      int  // rows of all questions
	Here        bool // the field has the focus
	Wrap        func(text safe.Text, width int) []string
	Key         func(keymap.Action) string // returns the name of an action's key
	Illustrates bool                       // the options' illustrations are on the screen
}

// Block is a drawing, with what the screen has to know about it.
type Block struct {
	Lines []string
	Focus Span   // the rows of what has the focus
	Near  Span   // Focus and further rows that should be in view with it; zero if there are none
	Lit   int    // how many rows of Focus, from the first, are on the focus ground
	Caret *Place // where letters go; nil for nowhere
	Hits  []Hit

	Coloured bool // the rows on the focus ground say something in their colours
}

// Span is rows from top to bottom, both included.
type Span struct{ Top, Bottom int }

func (s Span) below(rows int) Span { return Span{s.Top + rows, s.Bottom + rows} }

type Place struct{ X, Y int }

// Hit is a run of cells that can be clicked.
type Hit struct {
	X, Y, Width int
	At          int   // names the clicked thing
	From        Place // the run's first cell, counted from the first cell of that thing
}

func (b *Block) Add(line string) { b.Lines = append(b.Lines, line) }

// FocusOn puts the focus on the rows from top to the last one. If lit is true, they are on the
// focus ground.
func (b *Block) FocusOn(top int, lit bool) {
	b.Focus = Span{top, len(b.Lines) - 1}
	b.Near, b.Lit, b.Coloured = b.Focus, 0, false
	if lit {
		b.Lit = len(b.Lines) - top
	}
}

// HitLast marks the last line as clickable.
func (b *Block) HitLast(at, width int) {
	b.Hits = append(b.Hits, Hit{Y: len(b.Lines) - 1, Width: width, At: at})
}

// Append puts another block below, indented.
func (b *Block) Append(other Block, indent string, cells int) {
	top := len(b.Lines)
	for _, line := range other.Lines {
		b.Lines = append(b.Lines, indent+line)
	}
	for _, h := range other.Hits {
		h.X, h.Y = h.X+cells, h.Y+top
		b.Hits = append(b.Hits, h)
	}
	if other.Caret != nil {
		b.Caret = &Place{other.Caret.X + cells, other.Caret.Y + top}
	}
	if other.Near == (Span{}) {
		other.Near = other.Focus
	}
	b.Focus, b.Near = other.Focus.below(top), other.Near.below(top)
	b.Lit, b.Coloured = other.Lit, other.Coloured
}

// The words in the hints of three keys: the key that goes on to the next question, the key
// that goes on from the last question, and the key that opens an empty "Other…".
const (
	GoesOn       = "next question"
	GoesToSubmit = "go on to submit"
	WritesOther  = "or type to write"
)
