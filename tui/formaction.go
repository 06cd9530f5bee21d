package tui

// action is what a key means to a screen, whatever key it is bound to. The state
// of a screen knows actions and text, never keys.
type action uint8

// All actions. The first ones are those of a form; other screens have many of them, too.
const (
	actNone   action = iota
	actInsert        // text typed or pasted where a caret is

	actUp
	actDown
	actLeft
	actRight
	actHome
	actEnd
	actPrevTab
	actNextTab
	actNext // the next question, across tabs; past the last one Submit
	actPrev

	actEnter
	actSpace
	actDigit
	actBackspace

	actPageUp
	actPageDown
	actScrollUp
	actScrollDown

	actSubmit
	actEscape
	actMenu
	actEditor
	actNote
	actNoteAll // on the whole form
	actSummary
	actZoom
	actLarger // the illustration
	actSmaller
	actFilter
	actAll // all of several, then none
	actCopy
	actHelp
	actDefault
	actPrior
	actClose // a form that is only read

	actUndoText
	actRedoText
	actDelete
	actDeleteNextWord
	actTextStart
	actTextEnd
	actWordLeft
	actWordRight
	actDeleteWord
	actDeleteToStart
	actDeleteToEnd
	actLineStart
	actLineEnd

	// Actions that only the review of a plan knows.
	actLineUp
	actLineDown
	actBlockUp
	actBlockDown
	actHeadingUp
	actHeadingDown
	actSelect
	actSelectUp
	actSelectDown
	actComment
	actSuggest
	actDeletion
	actQuestion
	actWhole
	actSettle
	actHold
	actApprove
	actApproveNotes
	actRequest
	actReject
	actEditPlan
	actNewLine

	// Actions that only the screens for looking around know.
	actQuit
	actTheme
	actThemes
	actOlder
	actNewer
	actPanLeft
	actPanRight
	actSnooze
	actWithdraw
	actYes
	actSoon
	actHour
	actMorning
	actWake
	actFind
	actArchive
	actUndo
	actPager
	actEdit
	actOutline
	actLed

	// Actions that only comparing versions knows.
	actNextChange
	actPrevChange
	actUnfold
	actAsRead
	actMarkdown // the same key, while the plan is shown as it is read
	actCompare
	actDiff
)

// press is one key as the form's state gets it.
type press struct {
	act  action
	text string // of actInsert and actDigit
}

// effect is what an action did to the part of the form that had the focus.
type effect uint8

const (
	ignored     effect = iota // the action means nothing here; the form may use it
	moved                     // only the cursor changed, or nothing
	changed                   // an answer, or what will become one, changed
	leaveUp                   // the focus goes to the neighbour above
	leaveDown                 // and below
	advance                   // done here: go on to the next question
	settledHere               // changed, and done here: go on if a choice is next
)
