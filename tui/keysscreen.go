package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
)

// keysScreen is the help over a screen: all its keys, from the same bindings
// that the screen reads them with.
type keysScreen struct {
	name  string
	keys  []keymap.Binding
	page  page
	top   int
	lines []string
}

func newKeysScreen(name string, keys []keymap.Binding) *keysScreen {
	return &keysScreen{name: name, keys: keys}
}

// Init starts nothing.
func (k *keysScreen) Init() tea.Cmd { return nil }

// Resize lays the help out.
func (k *keysScreen) Resize(width, height int) {
	k.page.width, k.page.height = width, height
	k.layOut()
}

// Retheme takes the look.
func (k *keysScreen) Retheme(look *look) {
	k.page.look = look
	k.layOut()
}

// Update scrolls; any key that does not scroll closes the help.
func (k *keysScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return escapeFirst(msg, k.press)
	case tea.MouseWheelMsg:
		k.scroll(wheelSteps(msg.Mouse()))
	}
	return nil
}

func (k *keysScreen) press(msg tea.KeyPressMsg) tea.Cmd {
	switch keymap.ActionOf(k.keys, msg) {
	case keymap.Up, keymap.ScrollUp:
		k.scroll(-1)
	case keymap.Down, keymap.ScrollDown:
		k.scroll(1)
	case keymap.PageUp:
		k.scroll(-k.page.bodyLines())
	case keymap.PageDown:
		k.scroll(k.page.bodyLines())
	case keymap.Theme:
		return send(switchTheme{})
	case keymap.Themes:
		return send(chooseTheme{})
	default:
		return send(closeScreen{k})
	}
	return nil
}

func (k *keysScreen) scroll(by int) {
	k.top = max(min(k.top+by, len(k.lines)-k.page.bodyLines()), 0)
}

func (k *keysScreen) layOut() {
	k.lines = nil
	if k.page.look == nil || k.page.unsized() {
		return
	}
	st := k.page.look.styles
	width := 0
	for _, bound := range k.keys {
		width = max(width, ansi.StringWidth(bound.Key.Help().Key))
	}
	for _, group := range []string{keymap.GroupMove, keymap.GroupWaits, keymap.GroupTidy, keymap.GroupLook} {
		if !slices.ContainsFunc(k.keys, func(bound keymap.Binding) bool { return bound.Group == group }) {
			continue
		}
		if len(k.lines) > 0 {
			k.lines = append(k.lines, "")
		}
		k.lines = append(k.lines, " "+st.title.Render(group))
		for _, bound := range k.keys {
			if bound.Group == group {
				help := bound.Key.Help()
				key := st.keycap.Render(cells.Pad(help.Key, width))
				for _, line := range markdown.Plain(safe.New(help.Desc), max(k.page.width-width-6, 1)).Lines {
					k.lines = append(k.lines, "   "+key+"  "+st.muted.Render(line))
					key = strings.Repeat(" ", width)
				}
			}
		}
	}
	k.scroll(0)
}

// View draws the help.
func (k *keysScreen) View() frame {
	leave := "any key goes back"
	if k.top+k.page.bodyLines() < len(k.lines) {
		leave = "↓ shows more, any other key goes back"
	}
	return frame{Title: "planb", Content: k.page.draw(
		k.page.header("Keys", k.name),
		k.lines[min(k.top, len(k.lines)):],
		[]string{k.page.rule(), " " + k.page.look.styles.muted.Render(cells.Cut(leave, k.page.width-2))},
	)}
}
