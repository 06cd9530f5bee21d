package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
)

// themesOver is the list of all themes in a box over another screen, which goes
// on and is drawn in whatever theme is under the cursor. Keys come to the box, so
// nothing on that screen changes, and on leaving it stands as it did.
type themesOver struct {
	themeList
	under  screen
	before themes.Choice // what to go back to
	done   tea.Msg       // closes the box
	page   page
	box    themeBox
}

// themeBox is where the box is: beside what matters most of the screen, which is
// at its left and at its top.
type themeBox struct{ left, top, width, lines int }

// Messages between the box and the window.
type (
	// chooseTheme opens the box over the topmost screen.
	chooseTheme struct{}
	// themeChosen closes it, with a theme to go on with.
	themeChosen struct {
		over   *themesOver
		choice themes.Choice
		notice string // for the screen below; empty: nothing was kept
	}
	// themeKept tells a screen what to say of it.
	themeKept struct{ notice string }
)

func newThemesOver(t Terminal, under screen, now themes.Choice) *themesOver {
	return &themesOver{themeList: newThemeList(t, now.Name, keymap.ThemesOver()), under: under, before: now}
}

// asksBackground makes the window find out what families would follow.
func (*themesOver) asksBackground() {}

// Init starts nothing: what is below has started.
func (s *themesOver) Init() tea.Cmd { return nil }

// Resize lays out the box.
func (s *themesOver) Resize(width, height int) {
	s.page.width, s.page.height = width, height
	s.layOut()
}

// Retheme takes the look.
func (s *themesOver) Retheme(look *look) { s.page.look = look }

// Update moves through the themes, and saves.
func (s *themesOver) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return escapeFirst(msg, s.press)
	case tea.PasteMsg:
		defer s.layOut()
		return s.paste(msg.Content)
	case tea.MouseMsg:
		return s.mouse(msg, msg.Mouse().Y-s.listTop())
	case themeSaved:
		if msg.list == &s.themeList && s.saved(msg) {
			return send(themeChosen{s, msg.choice, strings.TrimSpace("Kept in your settings: " + msg.choice.Name + ". " + s.keeper.overruled())})
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
		return send(pushScreen{newKeysScreen("Themes", s.keys), s})
	case keymap.Escape, keymap.Quit:
		s.done = themeChosen{s, s.before, ""}
	}
	return cmd
}

// wants closes the box before the next key, which is for the screen below.
func (s *themesOver) wants() tea.Msg {
	done := s.done
	s.done = nil
	return done
}

// said is what stands over the list.
func (s *themesOver) said() (lines []string, style lipgloss.Style) {
	st := &s.page.look.styles
	text, style := s.keeper.overruled(), st.warning
	if s.status != "" {
		text, style = s.status, st.danger
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
	if s.page.look == nil || s.page.width == 0 {
		return
	}
	const borders = 2
	lines := max(min(s.page.height-pageFooterLines-borders, len(s.state.all)+2), 1)
	width := min(themeListWidth+borders, s.page.width)
	s.box = themeBox{left: s.page.width - width, top: 1, width: width, lines: lines}
	if s.page.width < 2*width {
		s.box.lines = min(lines, max(leastThemeRows, s.page.height/2-borders))
		s.box.top = max(s.page.height-1-borders-s.box.lines, 0)
	}
	s.state.list.setLines(max(s.box.lines-s.aboveList(), 1))
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
func (s *themesOver) View() frame {
	f := s.under.View()
	f.Cursor = nil
	lines := strings.Split(f.Content, "\n")
	for len(lines) < s.page.height {
		lines = append(lines, "")
	}
	for i, piece := range s.drawBox() {
		if at := s.box.top + i; at < s.page.height-1 {
			lines[at] = cells.Overlay(lines[at], piece, s.box.left, s.box.width, s.page.width)
		}
	}
	lines[s.page.height-1] = " " + s.page.look.styles.keyLine(s.hints(), s.page.width-2)
	f.Content = strings.Join(lines[:s.page.height], "\n")
	return f
}

func (s *themesOver) drawBox() []string {
	st := &s.page.look.styles
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
		body = append(body, " "+st.faint.Render(cells.Cut("no theme is called so", inner-2)))
	}
	box := []string{edgeLine(st, "╭", " Themes ", "╮", s.box.width)}
	for i := range s.box.lines {
		line := ""
		if i < len(body) {
			line = body[i]
		}
		box = append(box, st.frame.Render("│")+cells.Fill(ansi.Truncate(line, inner, "…"), inner)+st.frame.Render("│"))
	}
	at := s.at()
	if at != "" {
		at = " " + at + " "
	}
	return append(box, edgeLine(st, "╰", at, "╯", s.box.width))
}

// edgeLine is a border with a few words in it.
func edgeLine(st *styles, left, words, right string, width int) string {
	words = cells.Cut(words, width-4)
	return st.frame.Render(left+"─") + st.title.Render(words) +
		st.frame.Render(strings.Repeat("─", max(width-3-ansi.StringWidth(words), 0))+right)
}

func (s *themesOver) hints() []keyHint {
	if s.state.filtering {
		return []keyHint{
			{label: keymap.Label(s.typing, keymap.Enter), does: "keep"},
			{label: keymap.Label(s.typing, keymap.Escape), does: "show all"},
		}
	}
	return []keyHint{
		{label: keymap.Label(s.keys, keymap.Enter), does: "keep"},
		{label: keymap.Label(s.keys, keymap.Escape), does: "as it was"},
		{label: keymap.Label(s.keys, keymap.Filter), does: "filter"},
		{label: keymap.Label(s.keys, keymap.Help), does: "help", kept: true},
	}
}
