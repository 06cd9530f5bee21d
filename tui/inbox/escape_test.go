package inbox

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// Terminals and tmux send Esc and a key right behind it as one key with Alt. The inbox
// takes it as both.
func TestEscapeAndAKeyAtOnce(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	d, win, list := driveInbox(w, false, 80, 24)
	d.Until("the list", func() bool { return len(list.state.rows) == 5 })
	d.Press("enter")
	d.Until("the session", func() bool { _, ok := win.Top().(*retro.Session); return ok })
	d.Press("alt+j")
	d.Until("the second row of the list", func() bool { return win.Top() == screen.Screen(list) && list.state.list.Cursor == 1 })
	d.Press("?")
	d.Until("the help", func() bool { return len(win.Stack) == 2 })
	d.Program.Send(tea.KeyPressMsg{Code: 'g', Mod: tea.ModAlt | tea.ModShift})
	d.Until("the last row of the list", func() bool { return win.Top() == screen.Screen(list) && list.state.list.Cursor == 4 })
	d.Press("/", "h", "alt+/", "x")
	d.Until("a new filter", func() bool { return list.state.filtering && list.state.filter.text == "x" })
	d.Press("esc", "home", "enter")
	d.Until("the session again", func() bool {
		s, ok := win.Top().(*retro.Session)
		return ok && strings.Contains(ansi.Strip(s.View().Content), "Plan v2")
	})
	d.Press("end", "enter")
	d.Until("the plan", func() bool { _, ok := win.Top().(*retro.Plan); return ok })
	d.Press("alt+enter") // back, and in again
	d.Until("the plan again", func() bool { _, ok := win.Top().(*retro.Plan); return ok && len(win.Stack) == 3 })
	d.Press("alt+esc", "alt+q")
	d.Wait()
}

// A key with Alt that works in what the person types is what it is.
func TestAltDeletesAWordOfTheFilter(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	r := openInbox(w, false, 80, 24, themes.None())
	r.Keys("/ h o space x alt+backspace")
	if list := r.Top().(*Screen); !list.state.filtering || list.state.filter.text != "ho " {
		t.Errorf("it is typed: %v, and the filter is %q", list.state.filtering, list.state.filter.text)
	}
}

// A key that the person holds with Alt closes nothing.
func TestArrowsWithAltAreNoEscape(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	r := openInbox(w, false, 80, 24, themes.None())
	r.Keys("enter alt+down alt+left alt+pgup alt+f1")
	if _, ok := r.Top().(*retro.Session); !ok {
		t.Errorf("they led to a %T", r.Top())
	}
}
