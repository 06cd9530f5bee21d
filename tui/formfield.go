package tui

import (
	"planb/questions"
	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// field is one kind of question in a form: what was typed or picked, where the
// cursor is in it, and how it looks. A new kind is a file with its field and a
// line in newField.
type field interface {
	// load takes over a draft's part, save gives it back. Notes are not a
	// field's business.
	load(questions.Field)
	save() questions.Field
	// takeDefault makes the agent's proposal the answer; false if there is none.
	takeDefault() bool
	// enter puts the cursor where it belongs for someone who comes that way.
	enter(way)
	// act does one action and says what became of it.
	act(keymap.Press) keymap.Effect
	// click is a click on the place that draw marked with at, x and y cells from
	// its beginning.
	click(at, x, y int) keymap.Effect
	// text is where letters go now; nil where they are commands.
	text() *editor.Editor
	// sideways reports whether ← and → are the field's own.
	sideways() bool
	// close closes what is open inside the field; false if nothing is.
	close() bool
	// illustration is the option to illustrate, or noOption.
	illustration() int
	// copyText is what "copy" copies.
	copyText() string
	// hints are the keys of the moment.
	hints() []hint
	// draw draws the field without label and description.
	draw(pen) block
}

// illustratedField is a field of options, each of which may have an illustration.
// Its rows are the options that its filter lets through and, last, otherRow.
type illustratedField interface {
	field
	// cursor is the option under the cursor, otherRow, or noOption; row is its row.
	cursor() int
	row() int
	// options are the options by row.
	options() []int
	// moveTo puts the cursor on an option that is among them.
	moveTo(option int)
	// choose picks the option under the cursor, by Enter or by another key.
	choose(enter bool) keymap.Effect
	isPicked(option int) bool
	// several reports whether more than one option can be picked.
	several() bool
	// glyph is the mark of an option that is picked, or is not.
	glyph(picked bool) string
	illustrated(option int) bool
	// illustrationAt is illustration with the cursor on that row.
	illustrationAt(row int) int
	// firstIllustration is the first option that has one, or noOption.
	firstIllustration() int
	// isFilter reports whether an editor is that of the list's filter.
	isFilter(*editor.Editor) bool
}

// leaver is a field that has something to do when the focus goes away.
type leaver interface{ leave() }

// noOption stands for no option where an option's index is meant.
const noOption = -1

// way is how the focus comes to a question.
type way uint8

const (
	straight  way = iota // by Tab, a click, a jump
	fromAbove            // by ↓
	fromBelow            // by ↑
)

// hint is one key of the moment, for the footer.
type hint struct {
	act  keymap.Action
	does string
}

// newField makes the field of a question's kind.
func newField(q questions.Question, readOnly bool) field {
	switch q.Kind {
	case questions.Text:
		return newTextField(q, readOnly)
	case questions.LongText:
		return newLongField(q, readOnly)
	case questions.Single, questions.Multi:
		return newChoiceField(q, readOnly)
	case questions.Scale:
		if q.Range != nil {
			return newScaleField(q, readOnly)
		}
	}
	return unknownField{q}
}

// pen is what drawing needs to know beside what is drawn.
type pen struct {
	styles *screen.Styles
	width  int  // cells
	height int  // rows of the screen part everything is drawn in
	here   bool // has the focus
	wrap   func(text safe.Text, width int) []string
	key    func(keymap.Action) string // how a person reads an action's key
	// illustrates says that options' illustrations are on the screen.
	illustrates bool
}

// block is something drawn, with what the screen has to know about it.
type block struct {
	lines []string
	// focus is the rows of what has the focus.
	focus span
	caret *place
	hits  []hit
}

// span is rows from top to bottom, both included.
type span struct{ top, bottom int }

// place is a cell.
type place struct{ x, y int }

// hit is a run of cells that can be clicked.
type hit struct {
	x, y, width int
	at          int
	from        place // what of the clicked thing is left of and above it
}

// add appends a line.
func (b *block) add(line string) { b.lines = append(b.lines, line) }

// hitLast marks the last line as clickable.
func (b *block) hitLast(at, width int) {
	b.hits = append(b.hits, hit{y: len(b.lines) - 1, width: width, at: at})
}

// append puts another block below, indented.
func (b *block) append(other block, indent string, cells int) {
	top := len(b.lines)
	for _, line := range other.lines {
		b.lines = append(b.lines, indent+line)
	}
	for _, h := range other.hits {
		h.x, h.y = h.x+cells, h.y+top
		b.hits = append(b.hits, h)
	}
	if other.caret != nil {
		b.caret = &place{other.caret.x + cells, other.caret.y + top}
	}
	b.focus = span{other.focus.top + top, other.focus.bottom + top}
}
