package wait

import (
	"fmt"
	"strings"

	"planb/mcp/tool"
	"planb/mcp/wait/dialog"
	"planb/questions"
	"planb/store"
)

// Subject is what an ask can be about, for example questions, or a version of a plan. Its
// toolset gives the words and the data; this package knows no subject.
type Subject interface {
	// Words are those for an ask without an outcome.
	Words(ask store.Ask) Words
	// Outcome words a final outcome: one item, and others where there is more to say.
	// The cutter shortens the texts of the person.
	Outcome(ask store.Ask, c *tool.Cutter) []string
	// Data is the ask as data, with all that the person said.
	Data(ask store.Ask, standing Standing) tool.Data
	// Piece is the text of an outcome that is fetched by a name; problem says why there
	// is none.
	Piece(ask store.Ask, name string) (p tool.Piece, problem string)
	// Dialog is the ask as a client's own dialog; ok is false for an ask that only
	// planb's own screen may decide.
	Dialog(ask store.Ask) (form dialog.Form, ok bool)
}

// Words say what an ask is about.
type Words struct {
	Wants   string // what the agent wants of the person, to stand behind its name: asks
	Form    string // what the person has on the screen: form
	Tool    string // the tool that asks the same again
	Open    string // says that it is open, and what the agent must not do meanwhile
	Expired string // says that its time is over, and what to do
	About   string // is added to an outcome that is told later, as a line; may be empty
}

// Standing is how an ask stands, as data. The data of every subject begins with it.
type Standing struct {
	Session string          `json:"sessionId,omitempty"`
	Ask     string          `json:"askId,omitempty"`
	Short   string          `json:"shortId,omitempty"`
	State   questions.State `json:"state,omitempty"`
	Next    string          `json:"nextAskId,omitempty"` // the ask that has taken its place
	Away    bool            `json:"away,omitempty"`
	Nowhere bool            `json:"nowhere,omitempty"`
	Closed  bool            `json:"closed,omitempty"` // by the person, without answering
	PutOff  bool            `json:"putOff,omitempty"` // by the person, perhaps with everything that waits there
}

// UnknownOutcome is the text of an outcome that only a newer planb knows.
func UnknownOutcome(ask store.Ask) string {
	return fmt.Sprintf("The question ended as %q, which this planb does not know; update planb.", ask.Outcome.State)
}

// NoPiece says that an outcome has no piece with that name, and lists its pieces.
func NoPiece(name string, names []string) string {
	return fmt.Sprintf("question: got %q; allowed: %s. Without question, offset counts in all that the user said.",
		tool.Shortened(name), strings.Join(names, ", "))
}
