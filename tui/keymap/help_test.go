package keymap

import (
	"slices"
	"testing"
)

func TestHelpPageHasPairs(t *testing.T) {
	groups := HelpPage(Form(), FormGroups())
	var names []string
	rows := map[string]string{}
	for _, g := range groups {
		names = append(names, g.Name)
		for _, row := range g.Rows {
			rows[row.Key] = row.Group + ": " + row.Does
		}
	}
	if want := []string{GroupMove, groupAnswer, groupRead, groupForm, groupText}; !slices.Equal(names, want) {
		t.Errorf("the groups are %q", names)
	}
	for key, want := range map[string]string{
		"↑ ↓": "Moving: option, then question", "ctrl+pgup/pgdn": "Moving: tab, from anywhere",
		"shift+↑/↓": "Reading: scroll by a line", "f1 ?": "The form: help", "ctrl+z/y": "In text: undo, redo",
	} {
		if rows[key] != want {
			t.Errorf("%s is %q, want %q", key, rows[key], want)
		}
	}
}

// A person may give one key of a pair to something else, or take it away.
func TestPairsWithAPersonsKeys(t *testing.T) {
	for _, test := range []struct {
		settings []Setting
		key      string
	}{
		{[]Setting{{Screen: OfForm, Action: "page-up", Keys: []string{"f3"}}}, "f3 pgdn"},
		{[]Setting{{Screen: OfForm, Action: "page-down", Keys: nil}}, "pgup"},
	} {
		keys, mistakes := New(test.settings, func(string, []string) string { return "" })
		if len(mistakes) > 0 {
			t.Fatal(mistakes)
		}
		var found []string
		for _, g := range HelpPage(keys.Form(), FormGroups()) {
			for _, row := range g.Rows {
				found = append(found, row.Key)
			}
		}
		if !slices.Contains(found, test.key) {
			t.Errorf("%v: the keys are %q, want %q among them", test.settings, found, test.key)
		}
	}
}
