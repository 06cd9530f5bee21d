package cells

import (
	"testing"

	"charm.land/lipgloss/v2"
)

func TestOverKeepsWhatIsNoColour(t *testing.T) {
	bar := Style{}.Reverse(true)
	red := Style{}.Foreground(lipgloss.Color("#ff0000"))
	for name, c := range map[string]struct{ line, want string }{
		"nothing":   {"", ""},
		"plain":     {"a row", bar.Render("a row")},
		"colours":   {red.Render("a") + " " + red.Background(lipgloss.Color("4")).Render("row"), bar.Render("a row")},
		"bold":      {red.Bold(true).Render("a") + " row", bar.Bold(true).Render("a") + bar.Render(" row")},
		"struck":    {red.Struck(true).Render("gone"), bar.Struck(true).Render("gone")},
		"found":     {"a " + Style{}.Reverse(true).Render("word") + ".", bar.Render("a ") + bar.Underline(true).Render("word") + bar.Render(".")},
		"underline": {red.Underline(true).Render("one") + red.Underline(true).Render(" two"), bar.Underline(true).Render("one two")},
		"faint":     {Style{}.Faint(true).Render("1 ") + "row", bar.Render("1 row")},
		"a link":    {"\x1b]8;;https://x\x07here\x1b]8;;\x07", bar.Render("here")},
	} {
		if got := bar.Over(c.line); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
