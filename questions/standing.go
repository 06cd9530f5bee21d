package questions

import (
	"strings"

	"planb/questions/safe"
)

// Standing tells a person how an ask stands. Screens, exports, resources and
// lists all use this mark and these words; the colour is in themes.
type Standing struct {
	Mark  string // one cell
	Short string // for a list: "replied to"
	Long  string // for a sentence: "replied to without finishing"
}

// Title is Long with a capital letter.
func (s Standing) Title() string {
	first := []rune(s.Long)[:1]
	return strings.ToUpper(string(first)) + strings.TrimPrefix(s.Long, string(first))
}

// Standing returns the mark and the words of a state. With review they are for a
// plan's review. The empty state is Pending. A state that this planb does not
// know keeps its own name.
func (s State) Standing(review bool) Standing {
	done := "answered"
	if review {
		done = "reviewed"
	}
	switch s {
	case Pending, "":
		return Standing{"●", "open", "not " + done + " yet"}
	case Expired:
		return Standing{"●", "overdue", "not " + done + " in time"}
	case Answered:
		return Standing{"✓", done, done}
	case Discuss:
		return Standing{"↩", "replied to", "replied to without finishing"}
	case Declined:
		return Standing{"✗", "declined", "declined"}
	case Withdrawn:
		return Standing{"–", "withdrawn", "withdrawn"}
	}
	name := "in the state " + safe.New(string(s)).Line()
	return Standing{"•", name, name}
}

// Untitled is shown for an ask, or a plan, whose title is blank.
const Untitled = "Untitled"
