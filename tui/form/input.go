package form

import (
	"time"

	"planb/questions"
	"planb/store"
	"planb/tui/keymap"
)

// Input is everything a form needs to be drawn and answered. The form
// itself reads and writes nothing: it asks for that with the messages below,
// and whoever holds the form answers with the others.
type Input struct {
	Ask     store.Ask
	Session store.Session
	// Entry is what was entered into the form so far.
	Entry questions.Entry
	// Carried says that Entry comes from an earlier "reply without finishing" of
	// the same questions, and CarriedFrom is the id of that ask.
	Carried     bool
	CarriedFrom string
	// Prior is an earlier ask with the same form, whose whole reply can be taken over;
	// nil for none. See store.Prior.
	Prior *store.Ask
	// Earlier is the newest answer to the same question in any form of the project, by
	// the id of the question. See store.Earlier.
	Earlier map[string]store.Earlier
	// ReadOnly is for an ask that is only looked at.
	ReadOnly bool
	// AgentWaits is whether some agent's call waits for this answer right now.
	AgentWaits bool
	// Unasked says that the form came up by itself: the person has to enter it.
	Unasked bool
	// Queue is the form's place among those that wait here: "2 of 3". Zero hides it.
	QueueAt, QueueOf int
	// Serving says that the pane shows whatever waits at its place.
	Serving bool
	// Beside counts what waits elsewhere, for the person to know; Titled has the
	// window's title say so, too.
	Beside int
	Titled bool
	// Question is the id of the one that has the focus at first; empty, or
	// unknown: the first of all.
	Question string
	Now      func() time.Time
	Tick     ticker // nil means tea.Tick
	// Environ is the environment of the person's editor, which VISUAL or EDITOR
	// in it names.
	Environ []string
	// Left are files in which the person's editor had a text of this form that was
	// never taken over.
	Left []string
	Keys keymap.Keys // those the person wants
	// Mistakes are what is wrong with the person's settings.
	Mistakes []string
}

// Messages from a form to its holder. Each carries the ask's id, since a later
// form may have taken the place meanwhile.
type (
	EntryChanged struct {
		AskID string
		Entry questions.Entry
	}
	// EntryDone says that what was begun is done: the entry is worth saving at once.
	EntryDone       struct{ AskID string }
	SettleRequested struct {
		AskID   string
		Outcome questions.Outcome // At and By are filled in by the holder
	}
	// LaterRequested is "save for later": the entry is kept, the form closes.
	LaterRequested struct {
		AskID string
		All   bool // and with it all that its agent asks here
	}
)

// Messages from the holder to a form.
type (
	Settled struct {
		AskID string
		Ask   store.Ask // what the store holds now
		Err   error     // the form stays, shows the sentence and offers to try again
	}
	AgentWaiting struct {
		AskID string
		Waits bool
	}
	QueueChanged  struct{ At, Of int }
	BesideChanged struct{ Others int }
	// EntrySaved says that the entry was saved, or with Err why it was not; that is
	// shown above the questions, and typing goes on.
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
)
