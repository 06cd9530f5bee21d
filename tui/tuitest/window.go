package tuitest

import (
	"context"
	"errors"
	"slices"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/screen"
)

// Window is a stack of screens for tests. It does what screens ask of their window, and
// nothing that concerns a real terminal: it asks no terminal for its background, paints
// no ground and keeps nothing out.
type Window struct {
	Stack         []screen.Screen
	choice        themes.Choice
	look          *screen.Look
	width, height int
	ended         bool
}

// NewWindow is a window with one screen, drawn in a theme.
func NewWindow(t testing.TB, root screen.Screen, theme themes.Theme) *Window {
	t.Helper()
	choice, err := (themes.Collection{}).Find(theme.Name)
	if err != nil {
		t.Fatal(err)
	}
	w := &Window{Stack: []screen.Screen{root}, choice: choice}
	w.setLook()
	return w
}

// Top is the screen that gets the keys.
func (w *Window) Top() screen.Screen { return w.Stack[len(w.Stack)-1] }

// Init starts the first screen.
func (w *Window) Init() tea.Cmd { return w.Top().Init() }

// Update takes one message.
func (w *Window) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		w.width, w.height = msg.Width, msg.Height
		for _, s := range w.Stack {
			s.Resize(w.width, w.height)
		}
		return w, w.tell(screen.Relaid{})
	case screen.SwitchTheme:
		theme, other := w.choice.On(true), w.choice.Other
		w.choice = themes.Choice{Name: other.Name, Theme: other, Other: theme}
		w.setLook()
		return w, w.tell(screen.Relaid{})
	case screen.Push:
		if msg.Over != nil && msg.Over != w.Top() {
			return w, nil
		}
		return w, w.push(msg.Screen)
	case screen.Pop:
		return w, w.closeFrom(len(w.Stack) - 1)
	case screen.Close:
		for i, s := range w.Stack {
			if s == msg.Screen {
				return w, w.closeFrom(i)
			}
		}
		return w, nil
	case screen.Quit:
		w.ended = true
		return w, tea.Quit
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg, tea.PasteStartMsg, tea.PasteEndMsg:
		return w, w.Top().Update(msg)
	}
	return w, w.tell(msg)
}

func (w *Window) tell(msg tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, 0, len(w.Stack))
	for _, s := range w.Stack {
		cmds = append(cmds, s.Update(msg))
	}
	return tea.Batch(cmds...)
}

func (w *Window) setLook() {
	w.look = w.look.With(w.choice.On(true).Palette)
	for _, s := range w.Stack {
		s.Retheme(w.look)
	}
}

func (w *Window) push(s screen.Screen) tea.Cmd {
	s.Retheme(w.look)
	if w.width > 0 {
		s.Resize(w.width, w.height)
	}
	w.Stack = append(w.Stack, s)
	return s.Init()
}

func (w *Window) closeFrom(i int) tea.Cmd {
	if i == 0 {
		w.ended = true
		return tea.Quit
	}
	closing := slices.Clone(w.Stack[i:]) // the next screen takes their place
	w.Stack = w.Stack[:i]
	return func() tea.Msg {
		_, _ = closeAll(context.Background(), closing)
		return nil
	}
}

// Close puts away what is open, topmost first, and returns what is to be printed.
func (w *Window) Close(ctx context.Context) (parting []string, err error) {
	return closeAll(ctx, w.Stack)
}

func closeAll(ctx context.Context, stack []screen.Screen) (parting []string, err error) {
	var errs []error
	for i := len(stack) - 1; i >= 0; i-- {
		if c, ok := stack[i].(screen.Closer); ok {
			lines, err := c.Close(ctx)
			parting, errs = append(parting, lines...), append(errs, err)
		}
	}
	return parting, errors.Join(errs...)
}

// View draws the topmost screen.
func (w *Window) View() tea.View {
	if w.width == 0 {
		return tea.View{}
	}
	f := w.Top().View()
	return tea.View{Content: f.Content, Cursor: f.Cursor, WindowTitle: f.Title}
}

// Text is what the topmost screen shows, without colours.
func (w *Window) Text() string { return ansi.Strip(w.View().Content) }
