package screen

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/keymap"
)

// A help page names every key of its screen, at any size. In 80 columns and 24 rows it is one
// page.
func TestHelpIsOnePage(t *testing.T) {
	look := []string{keymap.GroupMove, keymap.GroupWaits, keymap.GroupTasks, keymap.GroupTidy, keymap.GroupLook}
	for name, screen := range map[string]struct {
		keys   keymap.Map
		groups []string
	}{
		"form":    {keymap.Form(), keymap.FormGroups()},
		"review":  {keymap.Review(), keymap.ReviewGroups()},
		"inbox":   {keymap.Map{OutsideText: keymap.Inbox(true)}, look},
		"session": {keymap.Map{OutsideText: keymap.Session()}, look},
		"plan":    {keymap.Map{OutsideText: keymap.Plan()}, look},
		"diff":    {keymap.Map{OutsideText: keymap.Diff()}, look},
		"search":  {keymap.Map{OutsideText: keymap.Search()}, look},
		"themes":  {keymap.Map{OutsideText: keymap.ThemeList()}, look},
		"tasks":   {keymap.Map{OutsideText: keymap.Tasks()}, look},
	} {
		t.Run(name, func(t *testing.T) {
			st, _ := stylesOf(t, "dark")
			groups := keymap.HelpPage(screen.keys, screen.groups)
			for _, width := range []int{38, 78, 118} {
				lines := st.KeyPage(groups, width, 19)
				page := ansi.Strip(strings.Join(lines, "\n"))
				if width == 78 && len(lines) > 19 {
					t.Errorf("in %d cells it has %d rows:\n%s", width, len(lines), page)
				}
				for _, line := range lines {
					if ansi.StringWidth(line) > width {
						t.Errorf("in %d cells a row has %d: %q", width, ansi.StringWidth(line), ansi.Strip(line))
					}
				}
				for _, row := range keymap.Table(screen.keys, screen.groups) {
					key := row.Key[strings.LastIndex(row.Key[:len(row.Key)-1], "+")+1:] // a pair names a modifier once
					if !strings.Contains(page, key) {
						t.Errorf("in %d cells the key %s is not there:\n%s", width, row.Key, page)
					}
				}
			}
		})
	}
}

// The groups of the keys stand in the same columns at any width that has two.
func TestHelpKeepsItsColumns(t *testing.T) {
	st, _ := stylesOf(t, "dark")
	groups := keymap.HelpPage(keymap.Map{OutsideText: keymap.Inbox(true)}, []string{keymap.GroupMove, keymap.GroupWaits, keymap.GroupTidy, keymap.GroupLook})
	left := func(width int) (names []string) {
		page := "\n" + ansi.Strip(strings.Join(st.KeyPage(groups, width, 40), "\n"))
		for _, g := range groups {
			if strings.Contains(page, "\n"+g.Name) {
				names = append(names, g.Name)
			}
		}
		return names
	}
	narrow, wide := left(78), left(118)
	if len(narrow) == 0 || !slices.Equal(narrow, wide) {
		t.Errorf("the left column has %q in 78 cells, and %q in 118", narrow, wide)
	}
}
