package tui

// action is what a key means to a form, whatever key it is bound to. The
// form's state knows actions and text, never keys.
type action uint8

// The actions of a form.
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
