package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// themesOver is the list of all themes in a box over another screen, which goes
// on and is drawn in whatever theme is under the cursor. Keys come to the box, so
// nothing on that screen changes, and on leaving it stands as it did.
type themesOver struct {
	themeList
	under  screen.Screen
	before themes.Choice // what to go back to
	done   tea.Msg       // closes the box
	page   screen.Page
	box    themeBox
}

// themeBox is where the box is: beside what matters most of the screen, which is
// at its left and at its top.
type themeBox struct{ left, top, width, lines int }

// Messages between the box and the window.
type (
	// themeChosen closes it, with a theme to go on with.
	themeChosen struct {
		over   *themesOver
		choice themes.Choice
		notice string // for the screen below; empty: nothing was kept
	}
)

func newThemesOver(t screen.Terminal, under screen.Screen, now themes.Choice) *themesOver {
	return &themesOver{themeList: newThemeList(t, now.Name, keymap.ThemesOver()), under: under, before: now}
}

// asksBackground makes the window find out what families would follow.
func (*themesOver) asksBackground() {}

// Init starts nothing: what is below has started.
func (s *themesOver) Init() tea.Cmd { return nil }

// Resize lays out the box.
func (s *themesOver) Resize(width, height int) {
	s.page.Width, s.page.Height = width, height
	s.layOut()
}

// Retheme takes the look.
func (s *themesOver) Retheme(look *screen.Look) { s.page.Look = look }

// Update moves through the themes, and saves.
func (s *themesOver) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return screen.EscapeFirst(msg, s.press)
	case tea.PasteMsg:
		defer s.layOut()
		return s.paste(msg.Content)
	case tea.MouseMsg:
		return s.mouse(msg, msg.Mouse().Y-s.listTop())
	case themeSaved:
		if msg.list == &s.themeList && s.saved(msg) {
			return screen.Send(themeChosen{s, msg.choice, strings.TrimSpace("Kept in your settings: " + msg.choice.Name + ". " + s.keeper.Overruled())})
		}
		s.layOut()
	}
	return nil
}

func (s *themesOver) press(msg tea.KeyPressMsg) tea.Cmd {
	rest, cmd := s.themeList.press(msg)
	s.layOut()
	switch rest {
	case keymap.Help:
		return screen.Send(screen.Push{Screen: screen.NewHelp("Themes", s.keys), Over: s})
	case keymap.Escape, keymap.Quit:
		s.done = themeChosen{s, s.before, ""}
	}
	return cmd
}

// Wants closes the box before the next key, which is for the screen below.
func (s *themesOver) Wants() tea.Msg {
	done := s.done
	s.done = nil
	return done
}

// said is what stands over the list.
func (s *themesOver) said() (lines []string, style lipgloss.Style) {
	st := &s.page.Look.Styles
	text, style := s.keeper.Overruled(), st.Warning
	if s.status != "" {
		text, style = s.status, st.Danger
	}
	if text == "" {
		return nil, style
	}
	lines = cells.Lines(text, s.box.width-4)
	if room := max(s.box.lines-leastThemeRows, 1); len(lines) > room {
		lines = lines[:room]
		if s.status == "" {
			lines = []string{s.keeper.Stronger + " is stronger."}
		}
	}
	return lines, style
}

// layOut puts the box to the right, as high as the screen, and where there is no
// room beside it to the bottom.
func (s *themesOver) layOut() {
	if s.page.Look == nil || s.page.Width == 0 {
		return
	}
	const borders = 2
	lines := max(min(s.page.Height-screen.FooterLines-borders, len(s.state.all)+2), 1)
	width := min(themeListWidth+borders, s.page.Width)
	s.box = themeBox{left: s.page.Width - width, top: 1, width: width, lines: lines}
	if s.page.Width < 2*width {
		s.box.lines = min(lines, max(leastThemeRows, s.page.Height/2-borders))
		s.box.top = max(s.page.Height-1-borders-s.box.lines, 0)
	}
	s.state.list.SetLines(max(s.box.lines-s.aboveList(), 1))
}

func (s *themesOver) aboveList() int {
	said, _ := s.said()
	if s.filtered() {
		return len(said) + 1
	}
	return len(said)
}

func (s *themesOver) listTop() int { return s.box.top + 1 + s.aboveList() }

// View draws the box over the screen, and its keys in the last line.
func (s *themesOver) View() screen.Frame {
	f := s.under.View()
	f.Cursor = nil
	lines := strings.Split(f.Content, "\n")
	for len(lines) < s.page.Height {
		lines = append(lines, "")
	}
	for i, piece := range s.drawBox() {
		if at := s.box.top + i; at < s.page.Height-1 {
			lines[at] = cells.Overlay(lines[at], piece, s.box.left, s.box.width, s.page.Width)
		}
	}
	lines[s.page.Height-1] = " " + s.page.Look.Styles.KeyLine(s.hints(), s.page.Width-2)
	f.Content = strings.Join(lines[:s.page.Height], "\n")
	return f
}

func (s *themesOver) drawBox() []string {
	st := &s.page.Look.Styles
	inner := s.box.width - 2
	var body []string
	said, style := s.said()
	for _, line := range said {
		body = append(body, " "+style.Render(line))
	}
	if s.filtered() {
		body = append(body, s.drawFilter(st, inner))
	}
	body = append(body, s.draw(st)...)
	if len(s.state.rows) == 0 {
		body = append(body, " "+st.Faint.Render(cells.Cut("no theme is called so", inner-2)))
	}
	box := []string{edgeLine(st, "╭", " Themes ", "╮", s.box.width)}
	for i := range s.box.lines {
		line := ""
		if i < len(body) {
			line = body[i]
		}
		box = append(box, st.Frame.Render("│")+cells.Fill(ansi.Truncate(line, inner, "…"), inner)+st.Frame.Render("│"))
	}
	at := s.at()
	if at != "" {
		at = " " + at + " "
	}
	return append(box, edgeLine(st, "╰", at, "╯", s.box.width))
}

// edgeLine is a border with a few words in it.
func edgeLine(st *screen.Styles, left, words, right string, width int) string {
	words = cells.Cut(words, width-4)
	return st.Frame.Render(left+"─") + st.Title.Render(words) +
		st.Frame.Render(strings.Repeat("─", max(width-3-ansi.StringWidth(words), 0))+right)
}

func (s *themesOver) hints() []screen.Hint {
	if s.state.filtering {
		return []screen.Hint{
			{Label: keymap.Label(s.typing, keymap.Enter), Does: "keep"},
			{Label: keymap.Label(s.typing, keymap.Escape), Does: "show all"},
		}
	}
	return []screen.Hint{
		{Label: keymap.Label(s.keys, keymap.Enter), Does: "keep"},
		{Label: keymap.Label(s.keys, keymap.Escape), Does: "as it was"},
		{Label: keymap.Label(s.keys, keymap.Filter), Does: "filter"},
		{Label: keymap.Label(s.keys, keymap.Help), Does: "help", Kept: true},
	}
}
