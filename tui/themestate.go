package tui

import (
	"strings"

	"planb/themes"
	"planb/tui/screen"
)

// themesState is the list of themes and what of it is wanted.
type themesState struct {
	all       []themeRow
	rows      []themeRow // those that the filter leaves
	list      screen.List
	filtering bool // letters go to the filter
	text      string
	saved     string // the one that counted when the list was opened
}

// themeRow is a theme, or a family of them.
type themeRow struct {
	choice themes.Choice
	short  string // without the family's name, which stands above
	within bool   // it stands below its family
}

func newThemesState(choices []themes.Choice, saved string) themesState {
	s := themesState{saved: saved}
	for _, c := range choices {
		row := themeRow{choice: c, short: c.Name}
		if c.Name != c.Family {
			row.short, row.within = strings.TrimPrefix(c.Name, c.Family+"-"), true
		}
		s.all = append(s.all, row)
	}
	s.filter("")
	return s
}

// filter leaves the themes whose name or brightness has all the words. The
// cursor stays on its theme, if that stays; at first it is on the saved one.
func (s *themesState) filter(text string) {
	under := s.saved
	if choice, ok := s.chosen(); ok {
		under = choice.Name
	}
	s.text, s.rows = text, nil
	words := strings.Fields(strings.ToLower(text))
	at := 0
	for _, row := range s.all {
		if !row.has(words) {
			continue
		}
		if row.choice.Name == under {
			at = len(s.rows)
		}
		s.rows = append(s.rows, row)
	}
	heights := make([]int, len(s.rows))
	for i := range heights {
		heights[i] = 1
	}
	s.list.SetRows(heights, at)
}

func (r themeRow) has(words []string) bool {
	for _, word := range words {
		if !strings.Contains(r.choice.Name+" "+r.ground(), word) {
			return false
		}
	}
	return true
}

// ground says for which backgrounds it is.
func (r themeRow) ground() string {
	switch {
	case r.choice.Theme.Palette.Colorless():
		return ""
	case r.choice.Follows:
		return "dark light"
	case r.choice.Theme.Dark:
		return "dark"
	}
	return "light"
}

// chosen is what is under the cursor, if the filter leaves anything.
func (s *themesState) chosen() (themes.Choice, bool) {
	if len(s.rows) == 0 {
		return themes.Choice{}, false
	}
	return s.rows[s.list.Cursor].choice, true
}
