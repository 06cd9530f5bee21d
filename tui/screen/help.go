package screen

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/keymap"
)

// Help is the help over a screen. It lists all keys, from the same bindings with which
// the screen reads them.
type Help struct {
	name  string
	keys  []keymap.Binding
	page  Page
	top   int
	lines []string
}

// NewHelp is the help of a screen with that name, with its keys.
func NewHelp(name string, keys []keymap.Binding) *Help {
	return &Help{name: name, keys: keys}
}

// HelpHead returns both sides of the header of a screen's help, for width cells.
func HelpHead(name string, width int) (title, about string) {
	title = cells.Join("Keys", name)
	const keys, colours = "other keys: planb config", "other colours: planb tui themes"
	room := min(width-ansi.StringWidth(title), width-max(width/3, 10)) - 2 // as Page.Header cuts it
	return title, cells.Longest(room, keys+"   "+colours, keys, "")
}

// Init starts nothing.
func (k *Help) Init() tea.Cmd { return nil }

// Resize lays the help out.
func (k *Help) Resize(width, height int) {
	k.page.Width, k.page.Height = width, height
	k.layOut()
}

// Retheme takes the look.
func (k *Help) Retheme(look *Look) {
	k.page.Look = look
	k.layOut()
}

// Update scrolls; any key that does not scroll closes the help.
func (k *Help) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return EscapeFirst(msg, k.press)
	case tea.MouseWheelMsg:
		k.scroll(WheelSteps(msg.Mouse()))
	}
	return nil
}

func (k *Help) press(msg tea.KeyPressMsg) tea.Cmd {
	switch keymap.ActionOf(k.keys, msg) {
	case keymap.Up, keymap.ScrollUp:
		k.scroll(-1)
	case keymap.Down, keymap.ScrollDown:
		k.scroll(1)
	case keymap.PageUp:
		k.scroll(-k.page.BodyLines())
	case keymap.PageDown:
		k.scroll(k.page.BodyLines())
	case keymap.Theme:
		return Send(SwitchTheme{})
	case keymap.Themes:
		return Send(ChooseTheme{})
	default:
		return Send(Close{k})
	}
	return nil
}

func (k *Help) scroll(by int) {
	k.top = max(min(k.top+by, len(k.lines)-k.page.BodyLines()), 0)
}

func (k *Help) layOut() {
	k.lines = nil
	if k.page.Look == nil || k.page.Unsized() {
		return
	}
	groups := keymap.HelpPage(keymap.Map{OutsideText: k.keys}, []string{keymap.GroupMove, keymap.GroupWaits, keymap.GroupTasks, keymap.GroupTidy, keymap.GroupLook})
	for _, line := range k.page.Look.Styles.KeyPage(groups, min(k.page.Width-2, KeyPageCells), k.page.BodyLines()) {
		k.lines = append(k.lines, " "+line)
	}
	k.scroll(0)
}

// View draws the help.
func (k *Help) View() Frame {
	leave := []Hint{{Label: "esc", Does: "close"}}
	if k.top+k.page.BodyLines() < len(k.lines) {
		leave = append(leave, Hint{Label: "↓", Does: "scroll"})
	}
	return Frame{Title: "planb", Content: k.page.Draw(
		k.page.Header(HelpHead(k.name, k.page.Width-2)),
		k.lines[min(k.top, len(k.lines)):],
		[]string{k.page.Rule(), " " + k.page.Look.Styles.KeyLine(leave, k.page.Width-2)},
	)}
}
