package themepicker

import (
	"planb/themes"
	"planb/tui/screen"
)

// state is the list of themes, with its cursor and its filter.
type state struct {
	all       []themes.Choice
	rows      []themes.Choice // those that the filter leaves
	list      screen.List
	filtering bool   // letters go to the filter
	text      string // of the filter
	saved     string // the name that counted when the list was opened
}

func newState(choices []themes.Choice, saved string) state {
	s := state{all: choices, saved: saved}
	s.filter("")
	return s
}

// filter leaves the themes whose name or brightness has all the words. The cursor stays
// on its theme if that theme is still listed. At first it is on the saved one.
func (s *state) filter(text string) {
	under := s.saved
	if choice, ok := s.chosen(); ok {
		under = choice.Name
	}
	s.text, s.rows = text, nil
	at := 0
	for _, choice := range s.all {
		if !choice.Matches(text) {
			continue
		}
		if choice.Name == under {
			at = len(s.rows)
		}
		s.rows = append(s.rows, choice)
	}
	heights := make([]int, len(s.rows))
	for i := range heights {
		heights[i] = 1
	}
	s.list.SetRows(heights, at)
}

// chosen is what is under the cursor; ok is false if the filter leaves nothing.
func (s *state) chosen() (choice themes.Choice, ok bool) {
	if len(s.rows) == 0 {
		return themes.Choice{}, false
	}
	return s.rows[s.list.Cursor], true
}

// rowName is the name in the list. A theme stands indented below its family, with its whole
// name, since the family may be out of view.
func rowName(c themes.Choice) string {
	if c.Name == c.Family {
		return c.Name
	}
	return "  " + c.Name
}
