package tui

import (
	tea "charm.land/bubbletea/v2"

	"planb/themes"
)

// screen is one layer of the window. It changes itself in Update, never in a
// command, and does no input or output in Update: that is what the commands it
// returns are for.
type screen interface {
	// Init returns the command that starts the screen, or nil.
	Init() tea.Cmd
	// Update takes one message. Keys, pastes and the mouse come to the topmost
	// screen only; every other message comes to all, topmost or not, so that
	// the results of a command find who sent it. Messages nobody knows are ignored.
	Update(msg tea.Msg) tea.Cmd
	// Resize sets the cells the screen may draw in; it comes before the first View.
	Resize(width, height int)
	// View draws exactly the size of the last Resize or less.
	View() frame
	// Retheme is called when the palette changes: at the start, when the
	// terminal tells its background, and when the person switches.
	Retheme(look *look)
}

// hasty is a screen that may want something of its window before the next key,
// which belongs to whatever that opens or uncovers: over a slow line keys come in
// bunches, and none may answer a question that it was not meant for.
type hasty interface {
	// wants returns the message, once; nil: nothing.
	wants() tea.Msg
}

// frame is what a screen draws.
type frame struct {
	Content string      // lines with SGR only
	Cursor  *tea.Cursor // nil hides it
	Title   string      // of the terminal's window, already cleaned
}

// Messages that screens send to the window that holds them.
type (
	// pushScreen lays a screen over another, unless something else lies over
	// that already: a key pressed twice opens once. A nil over always will do.
	pushScreen struct{ screen, over screen }
	popScreen  struct{} // closes the topmost screen; the last one ends the program
	// closeScreen closes that screen and whatever lies over it, if it is still open.
	closeScreen struct{ screen screen }
	// quitProgram ends the program. Notice is printed after the terminal was
	// restored, one line, already cleaned.
	quitProgram struct{ Notice string }
	// switchTheme turns light into dark and back.
	switchTheme struct{}
	// showTheme draws everything in another theme.
	showTheme struct{ choice themes.Choice }
)

// send makes a command of a message.
func send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }
