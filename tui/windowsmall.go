package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/screen"
)

// The smallest window that screens are drawn in. No screen is given less.
const (
	leastWidth  = 40
	leastHeight = 12
)

// tooSmall reports whether no screen fits into the terminal's size.
func (w *window) tooSmall() bool {
	return w.width > 0 && (w.width < leastWidth || w.height < leastHeight)
}

// gated is a screen that may keep keys out until the person has entered it.
type gated interface{ Entered() bool }

// shut reports whether the topmost screen keeps keys out.
func (w *window) shut() bool {
	g, ok := w.top().(gated)
	return ok && !g.Entered()
}

// blind reports whether msg would act on a screen that the person cannot see. Only Ctrl+C
// works there, because it leads out of every screen. A screen that the person has not
// entered gets every key, because none acts on it. Both ends of a paste are passed on:
// they carry no text, and a screen has to see both.
func (w *window) blind(msg tea.Msg) bool {
	if !w.tooSmall() {
		return false
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return msg.String() != "ctrl+c" && !w.shut()
	case tea.PasteStartMsg, tea.PasteEndMsg:
		return false
	}
	return screen.IsInput(msg)
}

// tooSmallText says which size planb needs and how to leave, as fully as fits.
func tooSmallText(width, height int, leave string) string {
	least, here := fmt.Sprintf("%d×%d", leastWidth, leastHeight), fmt.Sprintf("%d×%d", width, height)
	for _, text := range []string{
		"planb needs " + least + " cells, here are " + here + ". Make the window larger. " + leave,
		"planb needs " + least + ", here are " + here + ".",
		"needs " + least + ", has " + here,
	} {
		if wrapped := ansi.Wrap(text, width, ""); lipgloss.Height(wrapped) <= height && lipgloss.Width(wrapped) <= width {
			return wrapped
		}
	}
	return ansi.Truncate(least, width, "")
}
