package compare

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"planb/themes"
	"planb/tui/tuitest"
)

// After any keys in any order, the diff stays inside the window and the current change is
// one that exists.
func TestChangesTakeAnyKeys(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	tail := strings.Repeat("\nA line that stays.\n", 30)
	session := w.Revised(planOlder, planNewer, planNewer+tail, "# Else\n", planOlder+tail+planStore)
	keys := []string{"n", "p", "up", "down", "pgup", "pgdown", "home", "end", "left", "right", "enter", "u", "m", "t"}
	rapid.Check(t, func(rt *rapid.T) {
		older := rapid.IntRange(1, 5).Draw(rt, "older")
		newer := rapid.IntRange(1, 5).Draw(rt, "newer")
		r := show(w, session, older, newer, 80, 24, themes.Default(true))
		width, height := 80, 24
		var later []tea.Cmd
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			var msg tea.Msg
			switch rapid.IntRange(0, 9).Draw(rt, "kind") {
			case 0:
				width, height = rapid.IntRange(20, 150).Draw(rt, "width"), rapid.IntRange(5, 50).Draw(rt, "height")
				msg = tea.WindowSizeMsg{Width: width, Height: height}
			case 1:
				msg = tea.MouseClickMsg{X: 9, Y: rapid.IntRange(0, 50).Draw(rt, "y"), Button: tea.MouseLeft}
			default:
				msg = tuitest.Key(t, rapid.SampledFrom(keys).Draw(rt, "key"))
			}
			_, cmd := r.Update(msg)
			if rapid.Bool().Draw(rt, "at once") {
				r.Run(cmd)
			} else {
				later = append(later, cmd)
			}
			for i, line := range strings.Split(r.Content(), "\n") {
				if ansi.StringWidth(line) > width || i >= height {
					rt.Fatalf("line %d does not fit %d × %d: %q", i, width, height, line)
				}
			}
			d := r.Top().(*Screen)
			for _, v := range []*viewport{&d.view, &d.readView} {
				if len(v.changes) > 0 && (v.at < 0 || v.at >= len(v.changes)) || v.top < 0 {
					rt.Fatalf("at change %d of %d, line %d", v.at, len(v.changes), v.top)
				}
			}
		}
		for _, cmd := range later {
			r.Run(cmd)
		}
		r.Content()
	})
}
