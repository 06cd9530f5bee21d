package diagram

// sequenceKind is what a sequence diagram calls itself.
const sequenceKind = "sequenceDiagram"

// drawSequence draws a sequence diagram.
func drawSequence(src source, o Options) (Drawing, error) {
	s, err := readSequence(src)
	if err != nil {
		return Drawing{}, err
	}
	if len(s.title) == 0 {
		s.title = readText(src.title)
	}
	d, err := newSeqPainter(layOut(s, o.Width, o.ASCII)).draw()
	if err != nil {
		return Drawing{}, err
	}
	return d.titled(s.title), nil
}

// sequence is a sequence diagram as it was written.
type sequence struct {
	title  label
	people []*participant // from left to right
	groups []seqGroup
	steps  []seqStep // from top to bottom
	links  []string  // what is said of participants beyond the drawing
}

// participant is one of those between whom messages go.
type participant struct {
	name  string // what the source calls it
	label label
	kind  string // "participant", "actor" or one of those with a symbol of their own: "database", "queue", …
	// What a message of the diagram begins or ends; else the lifeline goes from
	// the top to the bottom.
	created, destroyed bool
	group              int // in sequence.groups, or -1
}

// seqGroup is a box around neighbours.
type seqGroup struct {
	label       label
	first, last int // participants
}

// seqStep is what happens in one place of the diagram.
type seqStep struct {
	kind seqKind
	// from and to are participants: of a message, or the outermost ones of a note.
	from, to int
	text     label
	number   string // of a message, where they are numbered
	arrow    seqArrow
	place    notePlace
	frame    string // the word of a frame or of its next part: "loop", "alt", "else", …
	creates  bool   // the message creates the participant it goes to
	destroys int    // the participant that ends with this message, or -1
}

type seqKind uint8

const (
	seqMessage seqKind = iota
	seqNote
	seqActivate   // from is active from the message before
	seqDeactivate // and no more
	seqOpen       // a frame begins
	seqNext       // its next part begins
	seqClose      // it ends
)

// seqArrow is how a message is drawn.
type seqArrow struct {
	dashed bool
	head   arrowTip
	tail   arrowTip // of an arrow in both directions
	// A dot where the message meets the lifeline it leaves, or reaches.
	fromDot, toDot bool
}

type arrowTip uint8

const (
	tipNone arrowTip = iota
	tipFull
	tipOpen // nobody waits
	tipLost
)

type notePlace uint8

const (
	noteOver notePlace = iota
	noteLeft
	noteRight
)

// The most that is drawn of a sequence diagram. Nobody reads more, and it keeps
// the slowest drawing far below a second.
const (
	maxPeople   = 60
	maxSeqSteps = 1500
	maxFrames   = 24 // inside each other
)
