package screen

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/keymap"
)

// The key of the help is in every footer that it fits into, whatever else is left
// out.
func TestFootersKeepTheHelp(t *testing.T) {
	keys := append(keymap.Inbox(true), keymap.Common()...)
	acts := []keymap.Action{keymap.Enter, keymap.Snooze, keymap.Withdraw, keymap.Filter, keymap.Find, keymap.Help, keymap.Quit}
	for _, c := range []struct {
		width int
		want  string
	}{
		{80, "enter open   s snooze   w withdraw   / filter   f find   ? help"},
		{60, "enter open   s snooze   w withdraw   / filter   ? help"},
		{40, "enter open   s snooze   ? help"},
		{21, "enter open   ? help"},
		{8, "? help"},
	} {
		p := Page{Look: (*Look)(nil).With(themes.None().Palette), Width: c.width, Height: 20}
		got := strings.TrimSpace(ansi.Strip(p.Footer(keys, acts, "")[1]))
		if got != c.want {
			t.Errorf("in %d cells: %q, want %q", c.width, got, c.want)
		}
	}
}

// The way out and the help stand at the same end on every screen, whatever they were given before.
func TestFootersEndWithTheWayOut(t *testing.T) {
	keys := append(keymap.Inbox(true), keymap.Common()...)
	p := Page{Look: (*Look)(nil).With(themes.None().Palette), Width: 80, Height: 20}
	acts := []keymap.Action{keymap.Quit, keymap.Help, keymap.Theme, keymap.Enter, keymap.Find}
	want := "enter open   f find   ? help   t light/dark   q leave"
	if got := strings.TrimSpace(ansi.Strip(p.Footer(keys, acts, "")[1])); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What has to be read beside a name is never cut with it.
func TestHeaderKeepsWhatIsBesideAName(t *testing.T) {
	for _, c := range []struct {
		name  string
		width int
		want  string
	}{
		{"Give up after a day, and park", 80, "Give up after a day, and park · v1 → v2"},
		{"Give up after a day, and park", 60, "Give up after a day, an… · v1 → v2"},
		{"Give up after a day, and park", 40, "v1 → v2"},
		{"", 80, "v1 → v2"},
	} {
		p := Page{Width: c.width}
		if got := p.Before(c.name, "v1 → v2", "+15 −7 · change 1 of 5"); got != c.want {
			t.Errorf("in %d cells: %q, want %q", c.width, got, c.want)
		}
	}
}

// What a footer says is read to its end where two rows are enough for it. The keys stay below.
func TestFootersSayAllOfIt(t *testing.T) {
	plain := (*Look)(nil).With(themes.None().Palette)
	said := "It is not known to have led anywhere, or to follow from anything."
	for _, c := range []struct {
		width int
		text  string
		want  []string
	}{
		{80, said, []string{"── " + said + " ───────────", " ? help"}},
		{50, said, []string{" It is not known to have led anywhere, or to", " follow from anything.", " ? help"}},
		{20, said, []string{" It is not known to", " have led anywhere…", " ? help"}},
		{20, "", []string{strings.Repeat("─", 20), " ? help"}},
	} {
		p := Page{Look: plain, Width: c.width, Height: 20}
		got := p.Footer(keymap.Common(), []keymap.Action{keymap.Help}, c.text)
		for i, line := range got {
			got[i] = strings.TrimRight(ansi.Strip(line), " ")
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("in %d cells: %q, want %q", c.width, got, c.want)
		}
	}
}

// A long message takes rows from the body, and the page stays as high as the screen.
func TestPageIsAsHighAsTheScreen(t *testing.T) {
	p := Page{Look: (*Look)(nil).With(themes.None().Palette), Width: 30, Height: 10}
	for _, said := range []string{"", "short", strings.Repeat("long ", 20)} {
		page := p.Draw(p.Header("Name", ""), make([]string, 20), p.Footer(keymap.Common(), []keymap.Action{keymap.Help}, said))
		if got := strings.Count(page, "\n") + 1; got != 10 {
			t.Errorf("with %q it has %d rows, want 10", said, got)
		}
	}
}
