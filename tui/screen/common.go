package screen

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/keymap"
)

// ActCommon does what the keys of keymap.Common mean on the screen over: it closes the screen,
// changes the theme, opens the help with that name, and ends the program. It returns nil for
// any other action.
func ActCommon(act keymap.Action, over Screen, name string, keys []keymap.Binding) tea.Cmd {
	switch act {
	case keymap.Escape:
		return Send(Close{over})
	case keymap.Theme:
		return Send(SwitchTheme{})
	case keymap.Themes:
		return Send(ChooseTheme{})
	case keymap.Help:
		return Send(Push{Screen: NewHelp(name, keys), Over: over})
	case keymap.Quit:
		return Send(Quit{})
	}
	return nil
}
