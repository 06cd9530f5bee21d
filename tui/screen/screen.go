package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/themes"
)

// Screen is one layer of the window. It changes its state in Update, never in a command. It
// does input and output in the commands that it returns, never in Update.
type Screen interface {
	// Init returns the command that starts the screen, or nil.
	Init() tea.Cmd
	// Update takes one message. Keys, pastes and the mouse come to the topmost
	// screen only. Every other message comes to all screens, so that the result of a
	// command reaches the screen that sent it. A screen ignores messages that it does not
	// know.
	Update(msg tea.Msg) tea.Cmd
	// Resize sets the cells the screen may draw in; it comes before the first View.
	Resize(width, height int)
	// View draws exactly the size of the last Resize or less.
	View() Frame
	// Retheme is called when the palette changes: at the start, when the
	// terminal tells its background, and when the person switches.
	Retheme(look *Look)
}

// Hasty is a screen that may want something of its window before the next key. Over a slow
// line keys come in bunches, and the next one belongs to the screen that the window then
// opens or uncovers.
type Hasty interface {
	// Wants returns the message for the window, once; else nil.
	Wants() tea.Msg
}

// Closer is a screen that saves something when it closes. Close reads and writes, so the
// window runs it in a command after the screen has left the stack, or when the program has
// ended. Close returns lines for the person, already cleaned. The window prints them once the
// terminal is restored.
type Closer interface {
	Close(ctx context.Context) (parting []string, err error)
}

// Frame is the drawing of a screen.
type Frame struct {
	Content string      // lines with SGR only
	Cursor  *tea.Cursor // nil hides it
	Title   string      // of the terminal's window, already cleaned
}

// Messages that screens send to the window that holds them.
type (
	// Push lays a screen over another, unless something lies over that one already, so
	// that a key pressed twice opens once. If Over is nil, Push always works.
	Push struct{ Screen, Over Screen }
	Pop  struct{} // closes the topmost screen; the last one ends the program
	// Close closes that screen and all screens over it, if it is still open.
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

// Relaid tells a screen that its size or look has changed, so that it can render again. The
// window sends it after Resize and Retheme.
type Relaid struct{}

// ChooseTheme asks the window to lay the list of themes over the topmost screen.
type ChooseTheme struct{}

// ThemeKept tells a screen that the person kept a theme. Notice is the sentence about it.
type ThemeKept struct{ Notice string }
