package tui

import (
	"context"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/ask"
	"planb/tui/screen"
	"planb/tui/themepicker"
)

// backgroundPatience is how long the first paint waits for the terminal to tell its
// background. A terminal that knows the question answers within its round trip. A
// terminal that does not know it answers the next question, which planb asks right after
// it.
const backgroundPatience = 100 * time.Millisecond

// window is the one Bubble Tea model: it owns the terminal's size, the theme
// and the stack of screens, and nothing else.
type window struct {
	stack  []screen.Screen
	width  int
	height int

	choice  themes.Choice // what the person wants
	bright  bool          // the terminal's background is light, as far as is known
	told    bool          // by the terminal
	profile colorprofile.Profile
	look    *screen.Look
	ground  ground
	// painted turns true when the theme is known; nothing is drawn before.
	painted bool
	// clusters says that the terminal counts the cells of whole clusters, as the
	// layouts do; see package cells.
	clusters bool
	// asking is true until the terminal has answered all it was asked. A
	// program that ends sooner leaves the answers to the next program that reads.
	asking bool
	asked  bool

	terminal screen.Terminal
	// ask writes the questions to the terminal whose answers say its
	// background. nil asks nothing.
	ask    func() error
	notice string   // to be printed after the end
	lost   []string // lines to print before those: texts that are stored nowhere else
	// closings are of the screens that are being closed, or have lines to print or an error.
	closings []*closing
	ending   bool
	pastes   pasteGuard
}

// backgroundOverdue says that the terminal's time to tell its background is over.
type backgroundOverdue struct{}

// closing closes a screen that has left the stack, once: in a command, or when the program has
// ended before that command came to it.
type closing struct {
	screen  screen.Closer
	once    sync.Once
	parting []string
	err     error
}

func (c *closing) run(ctx context.Context) {
	c.once.Do(func() { c.parting, c.err = c.screen.Close(ctx) })
}

// screenClosed says that a screen is closed while the program goes on.
type screenClosed struct{ closing *closing }

func newWindow(root screen.Screen, choice themes.Choice) *window {
	w := &window{stack: []screen.Screen{root}, choice: choice}
	w.setLook()
	return w
}

// Init asks the terminal for its background and starts the first screen.
func (w *window) Init() tea.Cmd {
	w.painted = !w.asks() || w.ask == nil
	start := w.top().Init()
	if w.ask == nil || w.painted && !w.groundless() {
		return start
	}
	return tea.Batch(start, w.askBackground())
}

// askBackground asks the terminal for its background. If the first paint waits for the
// answer, it asks at once. Otherwise it asks through the program, so that the question
// does not get into a frame.
func (w *window) askBackground() tea.Cmd {
	w.asked, w.asking = true, true
	question := tea.Raw(backgroundQuestion)
	if !w.painted {
		ask := w.ask
		question = func() tea.Msg {
			if ask() != nil {
				return backgroundOverdue{}
			}
			return nil
		}
	}
	return tea.Batch(question, tea.Tick(backgroundPatience, func(time.Time) tea.Msg { return backgroundOverdue{} }))
}

// Update handles the messages for the window and hands on the others.
func (w *window) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		again := w.drawAgain(msg.Width)
		w.resize(msg.Width, msg.Height)
		return w, tea.Batch(w.tell(screen.Relaid{}), again)
	case widerRested:
		return w, w.rested(msg)
	case tea.BackgroundColorMsg:
		w.painted, w.bright, w.told = true, !msg.IsDark(), true
		return w, w.setLook()
	case tea.ColorProfileMsg:
		w.profile = msg.Profile
		return w, w.setLook()
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
		return w, w.setLook()
	case pasteRested:
		w.pastes.rested(msg)
		return w, nil
	case screen.SwitchTheme:
		w.turn()
		return w, w.setLook()
	case screen.ShowTheme:
		w.choice = msg.Choice
		return w, w.setLook()
	case screen.ChooseTheme:
		return w, w.chooseTheme()
	case themepicker.Chosen:
		return w, w.closeThemes(msg)
	case screen.Push:
		if msg.Over != nil && msg.Over != w.top() {
			return w, nil
		}
		return w, w.push(msg.Screen)
	case screen.Pop:
		return w, w.closeFrom(len(w.stack) - 1)
	case screen.Close:
		return w, w.closeFrom(w.index(msg.Screen))
	case screenClosed:
		if c := msg.closing; len(c.parting) == 0 && c.err == nil {
			w.closings = slices.DeleteFunc(w.closings, func(other *closing) bool { return other == c })
		}
		return w, nil
	case ask.Ended:
		w.lost = append(w.lost, msg.Lost...)
	case screen.Quit:
		w.notice = msg.Notice
		return w, w.end()
	}
	if len(w.stack) == 0 {
		return w, nil
	}
	if w.blind(msg) {
		return w, nil
	}
	if screen.IsInput(msg) {
		return w, w.hand(msg)
	}
	return w, w.tell(msg)
}

// hand gives input to the topmost screen. What the screen wants before the next key
// (screen.Hasty) is done at once.
func (w *window) hand(msg tea.Msg) tea.Cmd {
	counts, rest := w.pastes.lets(msg)
	if !counts {
		return rest
	}
	top := w.top()
	cmd := tea.Batch(rest, top.Update(msg))
	if h, ok := top.(screen.Hasty); ok {
		if wanted := h.Wants(); wanted != nil {
			_, more := w.Update(wanted)
			return tea.Batch(cmd, more)
		}
	}
	return cmd
}

// tell gives a message to every screen.
func (w *window) tell(msg tea.Msg) tea.Cmd {
	cmds := make([]tea.Cmd, 0, len(w.stack))
	for _, s := range w.stack {
		cmds = append(cmds, s.Update(msg))
	}
	return tea.Batch(cmds...)
}

// view returns the frame of the topmost screen, or the reason why it draws nothing.
func (w *window) view() screen.Frame {
	if w.tooSmall() {
		leave := "ctrl+c twice leaves."
		if w.shut() {
			leave = "↓, a pause and ctrl+c twice leave."
		}
		return screen.Frame{Content: tooSmallText(w.width, w.height, leave), Title: "planb"}
	}
	return w.top().View()
}

// View draws the topmost screen over the whole terminal.
func (w *window) View() tea.View {
	if !w.painted || w.width == 0 || len(w.stack) == 0 || w.empty() {
		return tea.View{}
	}
	f := w.view()
	mouse := tea.MouseModeCellMotion
	if w.terminal.NoMouse {
		mouse = tea.MouseModeNone
	}
	if !w.clusters {
		f = fitted(f, w.width)
	}
	if f.Cursor != nil && w.ground.palette.Painted() {
		// The terminal's own may not be seen on this ground.
		f.Cursor.Color = screen.Color(w.ground.palette.Text)
	}
	return tea.View{
		Content:     w.ground.paint(f.Content, w.width, w.height),
		Cursor:      f.Cursor,
		WindowTitle: f.Title,
		AltScreen:   true,
		MouseMode:   mouse,
	}
}

// opener is a screen that may turn out to have nothing to show.
type opener interface {
	Opened() bool
}

// empty reports whether the only screen has nothing to show so far. A program that ends
// like that has drawn nothing.
func (w *window) empty() bool {
	o, ok := w.stack[0].(opener)
	return ok && !o.Opened() && len(w.stack) == 1
}

func (w *window) top() screen.Screen { return w.stack[len(w.stack)-1] }

func (w *window) resize(width, height int) {
	w.width, w.height = width, height
	if w.tooSmall() {
		return
	}
	for _, s := range w.stack {
		s.Resize(width, height)
	}
}

// asks reports whether the first paint depends on the terminal's background.
func (w *window) asks() bool {
	_, wants := w.top().(backgroundAsker)
	return w.choice.Follows || wants
}

// groundless reports whether the theme may need a background of its own once the
// terminal's is known. The first paint does not wait for that.
func (w *window) groundless() bool {
	return !w.choice.Follows && w.choice.Theme.WithBackground().Palette != w.choice.Theme.Palette
}

// backgroundAsker is a screen that needs the terminal's background even if its own theme
// does not follow it.
type backgroundAsker interface{ asksBackground() }

// wanted is the theme to draw with, on a terminal with enough colours.
func (w *window) wanted() themes.Choice {
	if w.profile == colorprofile.ANSI {
		return themes.Sixteen(w.choice)
	}
	return w.choice
}

// turn switches to the theme of the other brightness. From then on the theme does not
// follow the terminal.
func (w *window) turn() {
	choice := w.wanted()
	now, other := choice.On(!w.bright), choice.Other
	if now.Name == other.Name {
		other = choice.Theme
	}
	w.choice = themes.Choice{Name: other.Name, Theme: other, Other: now}
}

// palette returns the colours of the wanted theme, as far as the terminal has them.
func (w *window) palette() themes.Palette {
	theme := w.wanted().On(!w.bright)
	silent := w.asked && !w.asking                    // a terminal that does not answer counts as dark
	if (w.told || silent) && theme.Dark == w.bright { // it could not be read there
		theme = theme.WithBackground()
	}
	switch w.profile {
	case colorprofile.ASCII:
		return themes.None().Palette
	case colorprofile.ANSI256:
		return themes.Indexed(theme)
	}
	return theme.Palette
}

// setLook gives every screen the look of the palette, if the palette has changed.
func (w *window) setLook() tea.Cmd {
	palette := w.palette()
	if w.look != nil && w.look.Palette == palette {
		return nil
	}
	w.look = w.look.With(palette)
	w.ground = newGround(palette, w.ground.solid)
	for _, s := range w.stack {
		s.Retheme(w.look)
	}
	return w.tell(screen.Relaid{})
}

func (w *window) push(s screen.Screen) tea.Cmd {
	if w.ending {
		return nil
	}
	s.Retheme(w.look)
	if w.width > 0 && !w.tooSmall() {
		s.Resize(w.width, w.height)
	}
	w.stack = append(w.stack, s)
	return s.Init()
}

func (w *window) index(s screen.Screen) int {
	for i, other := range w.stack {
		if other == s {
			return i
		}
	}
	return -1
}

// closeFrom closes the screen at i and those over it. If no screen is left, the program
// ends, and its last screen stays on the stack for closeAll.
func (w *window) closeFrom(i int) tea.Cmd {
	if i < 0 {
		return nil
	}
	if i == 0 {
		return w.end()
	}
	var cmds []tea.Cmd
	for _, s := range w.stack[i:] {
		if c, ok := s.(screen.Closer); ok {
			closes := &closing{screen: c}
			w.closings = append(w.closings, closes)
			cmds = append(cmds, func() tea.Msg {
				ctx, cancel := context.WithTimeout(context.Background(), screen.ClosePatience)
				defer cancel()
				closes.run(ctx)
				return screenClosed{closes}
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
