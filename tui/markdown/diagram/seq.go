package diagram

// sequence is a sequence diagram as the source describes it.
type sequence struct {
	people []*participant // from left to right
	groups []seqGroup
	steps  []seqStep // from top to bottom
	links  []string  // links and properties of participants, which are not drawn
}

// participant is a sender or receiver of messages.
type participant struct {
	name  string // its name in the source
	label label
	kind  string // "participant", "actor", or a kind that has its own symbol in a browser: "database", "queue", …
	// created and destroyed say that a message begins or ends the lifeline; else the
	// lifeline reaches from the top to the bottom.
	created, destroyed bool
	group              int // index in sequence.groups, or -1
}

// seqGroup is a box around neighbouring participants.
type seqGroup struct {
	label       label
	first, last int // participants
}

// seqStep is one event of the diagram.
type seqStep struct {
	kind seqKind
	// from and to are the participants of a message, or the outermost ones of a note.
	from, to int
	text     label
	number   string // of a message; empty if messages have no numbers
	arrow    seqArrow
	place    notePlace
	frame    string // the word of a frame or of its next part: "loop", "alt", "else", …
	creates  bool   // the message creates its receiver
	destroys int    // the participant that the message ends, or -1
}

type seqKind uint8

const (
	seqMessage seqKind = iota
	seqNote
	seqActivate   // from becomes active with the message before
	seqDeactivate // from stops being active
	seqOpen       // a frame begins
	seqNext       // the next part of a frame begins
	seqClose      // a frame ends
)

// seqArrow is how a message is drawn.
type seqArrow struct {
	dashed bool
	head   mark
	tail   mark // noMark unless the arrow points in both directions
	// fromDot and toDot ask for a dot on the lifeline of the sender or receiver.
	fromDot, toDot bool
}

type notePlace uint8

const (
	noteOver notePlace = iota
	noteLeft
	noteRight
)

// The limits of a sequence diagram. Nobody reads larger ones, and with these limits
// the slowest drawing takes far less than a second.
const (
	maxPeople   = 60
	maxSeqSteps = 1500
	maxFrames   = 24 // nesting
)
