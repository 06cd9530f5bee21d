package form

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"planb/tui/tuitest"
)

// costsForm compares two ways by a wide table, wide code, and words.
func costsForm() string {
	months := strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec")
	table := "|service|" + strings.Join(months, "|") + "|\\n|---" + strings.Repeat("|--:", 12) + "|\\n"
	for i, service := range []string{"web", "検索", "mail 📬", "backup"} {
		table += "|" + service
		for m := range months {
			table += fmt.Sprintf("|%d.%d0", 100*(i+1)+m, m%10)
		}
		table += "|\\n"
	}
	var code []string
	for i := range 40 {
		code = append(code, fmt.Sprintf(`resource \"service\" \"number_%d\" { region = \"eu-central\", size = \"medium\", copies = %d, notes = \"日本語のメモ\" }`, i, i%5))
	}
	return `{"title":"Where shall it run?","questions":[{"id":"where","kind":"single","label":"Which of the two?","description":"It is for two years.","options":[
	 {"value":"own","label":"Our own machines","description":"What each costs, by month.","markdown":"## By month\n\nThe sums are without tax.\n\n` + table + `"},
	 {"value":"cloud","label":"Somebody else's","markdown":"` + "```text\\n" + strings.Join(code, "\\n") + "\\n```" + `"},
	 {"value":"none","label":"Neither"}]}]}`
}

// TestPanelScreens compares the panel and the zoom with the screens in testdata.
// Look at them with  cat testdata/TestPanelScreens/NAME.golden  before accepting a
// change.
func TestPanelScreens(t *testing.T) {
	t.Parallel()
	spec := tuitest.Parse(t, costsForm())
	for _, screen := range []struct{ name, keys string }{
		{"table", ""},
		{"panned", "shift+right shift+right shift+right < <"},
		{"code", "down pgdown"},
		{"zoom", "z right right"},
		{"zoomed-end", "z tab end end space"},
	} {
		for _, look := range tuitest.Looks([][2]int{{40, 24}, {80, 24}, {120, 40}}) {
			t.Run(fmt.Sprintf("%s-%dx%d-%s", screen.name, look.Width, look.Height, look.Theme.Name), func(t *testing.T) {
				r := rigIn(t, formInputOf(spec), look.Width, look.Height, look.Theme).keys(screen.keys)
				golden.RequireEqual(t, r.View().Content)
			})
		}
	}
}
