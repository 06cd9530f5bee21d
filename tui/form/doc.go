// Package form is the shell of what a person answers: a form of questions, or the
// review of a plan.
//
// New makes a Form. Its holder gives it an Input and messages (Settled, EntrySaved,
// AskChanged …), and stores what the form tells it (EntryChanged, SettleRequested,
// LaterRequested …). The form itself keeps nothing and knows no store.
//
// What a form is about is its Body. The form has the life that all bodies share: the
// gate (it keeps out keys that were typed for another program), dialogs, the menu, the
// pages over the whole screen, notes and messages to the agent, and lending a text to
// the person's editor. A Body draws itself on a Canvas and asks the form for the rest
// through its Host. The questionnaire in this package is the body of a form that asks
// questions; package review has the other one. Small interfaces beside Body are for
// what only some bodies can do.
//
// Begin to read in body.go, then form.go. The questions begin in questionnaire.go;
// state.go is what they know without a terminal. Package field has the kinds of
// question; package rendering renders and keeps their Markdown.
package form
