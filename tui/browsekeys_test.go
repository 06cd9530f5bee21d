package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/retro"
	"planb/tui/screen"
)

// TestEscapeAndAKeyAtOnce holds that Esc with a key right behind it, which
// terminals and tmux send as one key with Alt, is Esc and then that key.
func TestEscapeAndAKeyAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Past()
	b := Options{Store: w.Store, Now: w.Clock}.inbox(false)
	list := newSessionsScreen(b)
	d := drive(t, list, 80, 24)
	d.until("the list", func() bool { return len(list.state.rows) == 5 })
	d.press("enter")
	d.until("the session", func() bool { _, ok := d.w.top().(*retro.Session); return ok })
	d.press("alt+j")
	d.until("the second row of the list", func() bool { return d.w.top() == screen.Screen(list) && list.state.list.Cursor == 1 })
	d.press("?")
	d.until("the help", func() bool { return len(d.w.stack) == 2 })
	d.program.Send(tea.KeyPressMsg{Code: 'g', Mod: tea.ModAlt | tea.ModShift})
	d.until("the last row of the list", func() bool { return d.w.top() == screen.Screen(list) && list.state.list.Cursor == 4 })
	d.press("/", "h", "alt+/", "x")
	d.until("a new filter", func() bool { return list.state.filtering && list.state.filter.text == "x" })
	d.press("esc", "home", "enter")
	d.until("the session again", func() bool {
		s, ok := d.w.top().(*retro.Session)
		return ok && strings.Contains(ansi.Strip(s.View().Content), "Plan v2")
	})
	d.press("end", "enter")
	d.until("the plan", func() bool { _, ok := d.w.top().(*retro.Plan); return ok })
	d.press("alt+enter") // back, and in again
	d.until("the plan again", func() bool { _, ok := d.w.top().(*retro.Plan); return ok && len(d.w.stack) == 3 })
	d.press("alt+esc", "alt+q")
	d.end()
}

// TestArrowsWithAltAreNoEscape holds that what a terminal sends for a key held
// with Alt leaves nothing.
func TestArrowsWithAltAreNoEscape(t *testing.T) {
	w := newWorld(t)
	w.Past()
	r := w.browse(false, 80, 24, themes.None())
	r.keys("enter alt+down alt+left alt+pgup alt+f1")
	if _, ok := r.w.top().(*retro.Session); !ok {
		t.Errorf("they led to a %T", r.w.top())
	}
}
