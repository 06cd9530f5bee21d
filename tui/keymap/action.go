package keymap

// Action is what a key means to a screen, whatever key it is bound to. The state
// of a screen knows actions and text, never keys.
type Action uint8

// All actions. The first ones are those of a form; other screens have many of them, too.
const (
	None   Action = iota
	Insert        // text typed or pasted where a caret is

	Up
	Down
	Left
	Right
	Home
	End
	PrevTab
	NextTab
	Next // the next question, across tabs; past the last one Submit
	Prev

	Enter
	Space
	Digit
	Backspace

	PageUp
	PageDown
	ScrollUp
	ScrollDown

	Submit
	Escape
	Menu
	Editor
	Note
	NoteAll // on the whole form
	Summary
	Zoom
	Larger // the illustration
	Smaller
	Filter
	All // all of several, then none
	Copy
	Help
	Default
	Prior
	Close // a form that is only read

	UndoText
	RedoText
	Delete
	DeleteNextWord
	TextStart
	TextEnd
	WordLeft
	WordRight
	DeleteWord
	DeleteToStart
	DeleteToEnd
	LineStart
	LineEnd

	// Actions that only the review of a plan knows.
	LineUp
	LineDown
	BlockUp
	BlockDown
	HeadingUp
	HeadingDown
	Select
	SelectUp
	SelectDown
	Comment
	Suggest
	Deletion
	Question
	Whole
	Settle
	Hold
	Approve
	ApproveNotes
	Request
	Reject
	EditPlan
	NewLine

	// Actions that only the screens for looking around know.
	Quit
	Theme
	Themes
	Older
	Newer
	PanLeft
	PanRight
	Snooze
	Withdraw
	Yes
	Soon
	Hour
	Morning
	Wake
	Find
	Archive
	Undo
	Pager
	Edit
	Outline
	Led

	// Actions that only the board of tasks knows.
	Why
	Release
	Priority
	CancelTask
	Visit
	SendBack
	Unreported

	// Actions that only drafts know.
	PrevSection
	NextSection
	AnswerGate
	Regenerate
	ReviewSection
	Stop
	Resume
	Flags
	PhaseOrder
	TaskEdges
	Origin
	SaveReport
	OpenReport

	// Actions that only comparing versions knows.
	NextChange
	PrevChange
	Unfold
	AsRead
	Markdown // the same key, while the plan is shown as it is read
	Compare
	Changes
)

// Press is one key as the state of a form or a review gets it.
type Press struct {
	Act  Action
	Text string // of Insert and Digit
}

// Effect is what an action did to the part of the form that had the focus.
type Effect uint8

const (
	Ignored   Effect = iota // the action means nothing here; the form may use it
	Moved                   // only the cursor changed, or nothing
	Changed                 // an answer, or what will become one, changed
	LeaveUp                 // the focus goes to the neighbour above
	LeaveDown               // and below
	Advance                 // done here: go on to the next question
	Settled                 // changed, and done here: go on if a choice is next
)
