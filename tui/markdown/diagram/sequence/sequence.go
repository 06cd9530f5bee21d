package sequence

import (
	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/label"
)

// Diagram is a sequence diagram. Participants are named by their index in People.
type Diagram struct {
	People []*Participant // from left to right
	Groups []Group
	Steps  []Step   // from top to bottom
	Links  []string // links and properties of participants, for the legend
}

// Participant is a sender or receiver of messages.
type Participant struct {
	Label label.Label
	Kind  string // "participant", "actor", or a kind that has its own symbol in a browser: "database", "queue", …
	// Created and Destroyed say that a message begins or ends the lifeline; else the
	// lifeline reaches from the top to the bottom.
	Created, Destroyed bool
	Group              int // index in Diagram.Groups, or -1
}

// Group is a box around neighbouring participants.
type Group struct {
	Label       label.Label
	First, Last int // participants; First is -1 if there are none
}

// Step is one event of the diagram.
type Step struct {
	Kind Kind
	// From and to are the participants of a message, or the outermost ones of a note.
	From, To int
	Text     label.Label
	Number   string // of a message; empty if messages have no numbers
	Arrow    Arrow
	Place    Place
	Frame    string // the word of a frame or of its next part: "loop", "alt", "else", …
	Creates  bool   // the message creates its receiver
	Destroys int    // the participant that the message ends, or -1
}

// Kind is what happens in a step.
type Kind uint8

const (
	Message Kind = iota
	Note
	Activate   // From becomes active with the message before
	Deactivate // From stops being active
	Open       // a frame begins
	Next       // the next part of a frame begins
	Close      // a frame ends
)

// Arrow is how a message is drawn.
type Arrow struct {
	Dashed bool
	Head   canvas.Sign
	Tail   canvas.Sign // NoSign unless the arrow points in both directions
	// FromDot and ToDot ask for a dot on the lifeline of the sender or receiver.
	FromDot, ToDot bool
}

// Place is where a note stands: over its participants, or beside one.
type Place uint8

const (
	Over Place = iota
	LeftOf
	RightOf
)
