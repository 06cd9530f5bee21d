package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/themes"
)

// Screen is one layer of the window. It changes itself in Update, never in a
// command, and does no input or output in Update: that is what the commands it
// returns are for.
type Screen interface {
	// Init returns the command that starts the screen, or nil.
	Init() tea.Cmd
	// Update takes one message. Keys, pastes and the mouse come to the topmost
	// screen only; every other message comes to all, topmost or not, so that
	// the results of a command find who sent it. Messages nobody knows are ignored.
	Update(msg tea.Msg) tea.Cmd
	// Resize sets the cells the screen may draw in; it comes before the first View.
	Resize(width, height int)
	// View draws exactly the size of the last Resize or less.
	View() Frame
	// Retheme is called when the palette changes: at the start, when the
	// terminal tells its background, and when the person switches.
	Retheme(look *Look)
}

// Hasty is a screen that may want something of its window before the next key,
// which belongs to whatever that opens or uncovers: over a slow line keys come in
// bunches, and none may answer a question that it was not meant for.
type Hasty interface {
	// wants returns the message, once; nil: nothing.
	Wants() tea.Msg
}

// Closer is a screen that has something to put away. Close reads and writes, so the
// window runs it in a command after the screen has left the stack, or when the program
// has ended. The lines it returns are for the person and already cleaned; they are
// printed once the terminal is restored.
type Closer interface {
	Close(ctx context.Context) (parting []string, err error)
}

// Frame is what a screen draws.
type Frame struct {
	Content string      // lines with SGR only
	Cursor  *tea.Cursor // nil hides it
	Title   string      // of the terminal's window, already cleaned
}

// Messages that screens send to the window that holds them.
type (
	// Push lays a screen over another, unless something else lies over
	// that already: a key pressed twice opens once. A nil over always will do.
	Push struct{ Screen, Over Screen }
	Pop  struct{} // closes the topmost screen; the last one ends the program
	// Close closes that screen and whatever lies over it, if it is still open.
	Close struct{ Screen Screen }
	// Quit ends the program. Notice is printed after the terminal was
	// restored, one line, already cleaned.
	Quit struct{ Notice string }
	// SwitchTheme turns light into dark and back.
	SwitchTheme struct{}
	// ShowTheme draws everything in another theme.
	ShowTheme struct{ Choice themes.Choice }
)

// IsInput reports whether msg comes from the person, and not from a command.
func IsInput(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg, tea.PasteStartMsg, tea.PasteEndMsg:
		return true
	}
	return false
}

// Send makes a command of a message.
func Send(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// After sends a message in some time.
func After(d time.Duration, msg tea.Msg) tea.Cmd {
	return tea.Tick(d, func(time.Time) tea.Msg { return msg })
}

// Relaid tells a screen that its size or look changed, so that it can start
// what that needs. The window sends it after Resize and Retheme.
type Relaid struct{}

// ChooseTheme asks the window to lay the list of themes over the topmost screen.
type ChooseTheme struct{}

// ThemeKept tells a screen that the person kept a theme, and what to say of it.
type ThemeKept struct{ Notice string }
