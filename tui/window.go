package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
)

// backgroundPatience is how long the first paint waits for the terminal to
// tell its background. A terminal that answers does so within its round trip;
// one that does not know the question answers the one asked after it.
const backgroundPatience = 100 * time.Millisecond

// window is the one Bubble Tea model: it owns the terminal's size, the theme
// and the stack of screens, and nothing else.
type window struct {
	stack  []screen
	width  int
	height int

	theme themes.Theme
	look  *look
	// chosen says that the theme is not to follow the terminal's background.
	chosen bool
	// noMouse leaves the mouse to the terminal.
	noMouse bool
	// painted turns true when the theme is known; nothing is drawn before.
	painted bool
	// clusters says that the terminal counts the cells of whole clusters, as the
	// layouts do; see package cells.
	clusters bool
	// asking is true until the terminal has answered all it was asked. A
	// program that ends sooner leaves the answers to whoever reads next.
	asking bool

	// ask writes the questions to the terminal whose answers say its
	// background. nil asks nothing.
	ask    func() error
	notice string   // to be printed after the end
	lost   []string // and this before it: what nothing else keeps
	ending bool
}

// closer is a screen that has something to put away: what it does is input and
// output, so it runs in a command, after the screen has left the stack, or when
// the program has ended. Then the lines it returns are printed: they are for
// the person, and already cleaned.
type closer interface {
	close(ctx context.Context) (parting []string, err error)
}

// backgroundOverdue says that the terminal had its time to tell its background.
type backgroundOverdue struct{}

// screenClosed says what a closer said that was closed while the program goes on.
type screenClosed struct {
	parting []string
	err     error
}

func newWindow(root screen, theme themes.Theme, chosen bool) *window {
	w := &window{stack: []screen{root}, chosen: chosen}
	w.setTheme(theme)
	return w
}

// Init asks the terminal for its background and starts the first screen.
func (w *window) Init() tea.Cmd {
	w.painted = w.chosen || w.ask == nil
	start := w.top().Init()
	if w.painted {
		return start
	}
	w.asking = true
	ask := w.ask
	return tea.Batch(start,
		func() tea.Msg {
			if ask() != nil {
				return backgroundOverdue{}
			}
			return nil
		},
		tea.Tick(backgroundPatience, func(time.Time) tea.Msg { return backgroundOverdue{} }))
}

// Update is the program's one entry: it keeps what is the window's and hands
// on the rest.
func (w *window) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		w.resize(msg.Width, msg.Height)
		return w, w.tell(relaid{})
	case tea.BackgroundColorMsg:
		w.setBackground(msg.IsDark())
		return w, w.tell(relaid{})
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore {
			w.clusters = msg.Value == ansi.ModeSet || msg.Value == ansi.ModeReset || msg.Value == ansi.ModePermanentlySet
		}
		return w, nil
	case backgroundOverdue, uv.PrimaryDeviceAttributesEvent:
		w.painted, w.asking = true, false
		if w.ending {
			return w, tea.Quit
		}
		return w, nil
	case switchTheme:
		w.chosen = true
		w.setTheme(otherTheme(w.theme))
		return w, w.tell(relaid{})
	case pushScreen:
		if msg.over != nil && msg.over != w.top() {
			return w, nil
		}
		return w, w.push(msg.screen)
	case popScreen:
		return w, w.closeFrom(len(w.stack) - 1)
	case closeScreen:
		return w, w.closeFrom(w.index(msg.screen))
	case askEnded:
		w.lost = append(w.lost, msg.lost...)
	case quitProgram:
		w.notice = msg.Notice
		return w, w.end()
	}
	if len(w.stack) == 0 {
		return w, nil
	}
	if isInput(msg) {
		return w, w.top().Update(msg)
	}
	return w, w.tell(msg)
}

// tell gives a message to every screen.
func (w *window) tell(msg tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, 0, len(w.stack))
	for _, s := range w.stack {
		cmds = append(cmds, s.Update(msg))
	}
	return tea.Batch(cmds...)
}

// View draws the topmost screen over the whole terminal.
func (w *window) View() tea.View {
	if !w.painted || w.width == 0 || len(w.stack) == 0 || w.empty() {
		return tea.View{}
	}
	f := w.top().View()
	mouse := tea.MouseModeCellMotion
	if w.noMouse {
		mouse = tea.MouseModeNone
	}
	if !w.clusters {
		f = fitted(f, w.width)
	}
	return tea.View{
		Content:     f.Content,
		Cursor:      f.Cursor,
		WindowTitle: f.Title,
		AltScreen:   true,
		MouseMode:   mouse,
	}
}

// opener is a screen that may turn out to have nothing to show.
type opener interface {
	opened() bool
}

// empty reports whether the only screen has nothing to show, so far: a program
// that ends like that never touched the person's screen.
func (w *window) empty() bool {
	o, ok := w.stack[0].(opener)
	return ok && !o.opened() && len(w.stack) == 1
}

func (w *window) top() screen { return w.stack[len(w.stack)-1] }

func (w *window) resize(width, height int) {
	w.width, w.height = width, height
	for _, s := range w.stack {
		s.Resize(width, height)
	}
}

func (w *window) setBackground(dark bool) {
	w.painted = true
	if !w.chosen && dark != w.theme.Dark {
		w.setTheme(themes.Default(dark))
	}
}

func (w *window) setTheme(theme themes.Theme) {
	w.theme = theme
	w.look = w.look.with(theme.Palette)
	for _, s := range w.stack {
		s.Retheme(w.look)
	}
}

// otherTheme is the default of the other brightness. Without colours there is
// nothing to switch.
func otherTheme(theme themes.Theme) themes.Theme {
	if theme.Palette.Colorless() {
		return theme
	}
	return themes.Default(!theme.Dark)
}

func (w *window) push(s screen) tea.Cmd {
	if w.ending {
		return nil
	}
	s.Retheme(w.look)
	if w.width > 0 {
		s.Resize(w.width, w.height)
	}
	w.stack = append(w.stack, s)
	return s.Init()
}

func (w *window) index(s screen) int {
	for i, other := range w.stack {
		if other == s {
			return i
		}
	}
	return -1
}

// closeFrom closes the screen at i and those over it. Without a screen left
// the program ends; the last one stays on the stack for whoever ran the
// program to close.
func (w *window) closeFrom(i int) tea.Cmd {
	if i < 0 {
		return nil
	}
	if i == 0 {
		return w.end()
	}
	var cmds []tea.Cmd
	for _, s := range w.stack[i:] {
		if c, ok := s.(closer); ok {
			cmds = append(cmds, func() tea.Msg {
				ctx, cancel := context.WithTimeout(context.Background(), closePatience)
				defer cancel()
				parting, err := c.close(ctx)
				return screenClosed{parting, err}
			})
		}
	}
	w.stack = w.stack[:i]
	return tea.Batch(cmds...)
}

func (w *window) end() tea.Cmd {
	w.ending = true
	if w.asking { // the answer, or the end of patience, ends it
		return nil
	}
	return tea.Quit
}

// isInput reports whether msg is what the person does, as opposed to what a
// command found out.
func isInput(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, tea.PasteMsg, tea.PasteStartMsg, tea.PasteEndMsg:
		return true
	}
	return false
}
