package form

import (
	"time"

	"planb/questions"
	"planb/store"
	"planb/tui/keymap"
)

// Input is everything that a form needs. The form itself reads and writes nothing. With
// the first group of messages below it asks its holder to do so; with the second group
// the holder answers.
type Input struct {
	Ask     store.Ask
	Session store.Session
	// Entry is what the person has entered so far.
	Entry questions.Entry
	// Carried says that Entry comes from an earlier "reply without finishing" of
	// the same questions, and CarriedFrom is the id of that ask.
	Carried     bool
	CarriedFrom string
	// Begun says that Entry comes from a form before this one that gave way before the person
	// sent it.
	Begun bool
	// EarlierForm is an earlier ask with the same form, whose whole reply can be taken over;
	// nil for none. See store.Store.EarlierForm.
	EarlierForm *store.Ask
	// EarlierAnswers has the newest answer to the same question in any form of the project, by
	// the id of the question. See store.Store.EarlierAnswers.
	EarlierAnswers map[string]store.EarlierAnswer
	// Own says that the person opened the form themselves: no agent asks, and the holder
	// keeps nothing before it is sent. So leaving asks first.
	Own bool
	// ReadOnly opens the form only to be read.
	ReadOnly bool
	// AgentWaits says that a call of an agent waits for this answer now.
	AgentWaits bool
	// Unasked says that the form came up by itself. Its gate is shut at first.
	Unasked bool
	// QueueAt and QueueOf are the form's place among the asks that wait here: "2 of 3".
	// Zero hides it.
	QueueAt, QueueOf int
	// Serving says that the pane goes on to the next ask that waits at its place.
	Serving bool
	// Beside counts the asks that wait elsewhere; the form shows it. Titled shows it in
	// the window's title, too.
	Beside int
	Titled bool
	// Question is the id of the question that has the focus at first. An empty or unknown
	// id means the form's first question.
	Question string
	Now      func() time.Time
	Tick     ticker // nil means tea.Tick
	// Environ is the environment of the person's editor. Its VISUAL or EDITOR names that
	// editor.
	Environ []string
	// Left are the files of the person's editor with a text of this form that never came
	// back into the form.
	Left []string
	// Panel is the percentage of the form that the panel of illustrations gets at first; 0:
	// planb's choice.
	Panel int
	Keys  keymap.Keys // as the person has set them
	// Mistakes says what is wrong with the person's settings.
	Mistakes []string
}

// Messages from a form to its holder. Each carries the ask's id, because the holder may
// show another form by then.
type (
	EntryChanged struct {
		AskID string
		Entry questions.Entry
	}
	// EntryDone asks to save the entry at once, because the person has finished something.
	EntryDone       struct{ AskID string }
	SettleRequested struct {
		AskID   string
		Outcome questions.Outcome // the holder fills in At and By
	}
	// LaterRequested is "save for later": the holder keeps the entry and closes the form. It
	// keeps no entry of a form that the person opened themselves.
	LaterRequested struct {
		AskID string
		All   bool // leave all asks of its agent at this place for later
	}
)

// Messages from the holder to a form.
type (
	Settled struct {
		AskID string
		Ask   store.Ask // as the store has it now
		Err   error     // the form stays, shows the error and offers to try again
	}
	AgentWaiting struct {
		AskID string
		Waits bool
	}
	QueueChanged  struct{ At, Of int }
	BesideChanged struct{ Others int }
	// EntrySaved says that the entry was saved, or in Err why not. The form shows Err above
	// the questions, and the person can go on typing.
	EntrySaved struct {
		AskID string
		Err   error
	}
	// LeaveFailed says that the entry could not be saved when the person wanted to
	// leave. The form stays and asks what to do.
	LeaveFailed struct {
		Asked LaterRequested
		Err   error
	}
	AskChanged struct{ Ask store.Ask } // settled or withdrawn elsewhere while shown
	// EnteredElsewhere brings what another pane entered, together with what is here. The holder
	// sends it only to a form of questions.
	EnteredElsewhere struct {
		AskID string
		Entry questions.Entry
	}
)
