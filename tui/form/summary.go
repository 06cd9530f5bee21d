package form

import (
	"fmt"
	"slices"

	"planb/tui/keymap"
)

// summary is the page on which the person looks over a form before sending it: every
// question with its answer or the word open, and the note on the whole form. It knows no
// terminal.
type summary struct {
	stops []summaryStop // from top to bottom, then the buttons from left to right
	at    int
	top   int  // first visible row; drawing keeps it in its limits
	free  bool // the wheel moved it: the cursor may be off the screen until the next key
}

// summaryStop is a place for the cursor.
type summaryStop struct {
	kind     stopKind
	question int // of stopQuestion
}

type stopKind uint8

const (
	stopQuestion stopKind = iota
	stopNote              // the note on the whole form
	stopSubmit
	stopReply
	stopBack
)

func (k stopKind) isButton() bool { return k >= stopSubmit }

// newSummary makes the page of a form. The cursor begins on Submit if toSubmit says that
// the person wants to send, else on the question with the focus in the form.
func newSummary(s *formState, noted, toSubmit bool) *summary {
	m := &summary{}
	for _, tab := range s.tabs {
		for _, i := range tab.Questions {
			m.stops = append(m.stops, summaryStop{stopQuestion, i})
		}
	}
	if !s.readOnly || noted {
		m.stops = append(m.stops, summaryStop{kind: stopNote})
	}
	if !s.readOnly {
		m.stops = append(m.stops, summaryStop{kind: stopSubmit}, summaryStop{kind: stopReply})
	}
	m.stops = append(m.stops, summaryStop{kind: stopBack})
	switch e := s.current(); {
	case toSubmit:
		m.goTo(stopSubmit, 0)
	case e != nil:
		m.goTo(stopQuestion, s.index(e.q.ID))
	}
	return m
}

func (m *summary) goTo(kind stopKind, question int) {
	m.at = max(0, slices.Index(m.stops, summaryStop{kind, question}))
}

// here returns the stop under the cursor.
func (m *summary) here() summaryStop { return m.stops[m.at] }

// firstButton returns the index of the first button among the stops.
func (m *summary) firstButton() int {
	return slices.IndexFunc(m.stops, func(s summaryStop) bool { return s.kind.isButton() })
}

// move does the actions that move the cursor; false for any other.
func (m *summary) move(act keymap.Action) bool {
	buttons, last := m.firstButton(), len(m.stops)-1
	switch act {
	case keymap.Up:
		m.at = max(0, min(m.at, buttons)-1) // from any button to the list
	case keymap.Down:
		m.at = min(m.at+1, max(m.at, buttons)) // down the list to the first button, no further
	case keymap.Left:
		if m.at > buttons {
			m.at--
		}
	case keymap.Right:
		if m.at >= buttons {
			m.at = min(last, m.at+1)
		}
	case keymap.Next:
		m.at = (m.at + 1) % len(m.stops)
	case keymap.Prev:
		m.at = (m.at + last) % len(m.stops)
	case keymap.Home:
		m.at = 0
	case keymap.End:
		m.at = max(0, buttons-1)
	default:
		return false
	}
	m.free = false
	return true
}

// firstOpen returns the index of the first required question without an answer, else of
// the first question without one; -1 if all have answers.
func (m *summary) firstOpen(s *formState) int {
	known := s.answers()
	for _, ids := range [][]string{known.missing, known.unanswered} {
		for at, stop := range m.stops {
			if stop.kind == stopQuestion && slices.Contains(ids, s.controls[stop.question].q.ID) {
				return at
			}
		}
	}
	return -1
}

// answeredWords counts the answered and the open questions, in full and in brief.
func (s *formState) answeredWords() (words, brief string) {
	done, all := s.answered(), len(s.spec.Questions)
	words, brief = fmt.Sprintf("%d of %d answered", done, all), fmt.Sprintf("%d/%d", done, all)
	rest := ""
	switch known := s.answers(); {
	case s.readOnly:
	case len(known.missing) > 0:
		rest = fmt.Sprintf(", %d required open", len(known.missing))
	case len(known.unanswered) > 0:
		rest = fmt.Sprintf(", %d open", len(known.unanswered))
	}
	return words + rest, brief + rest
}
