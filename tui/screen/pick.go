package screen

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/keymap"
)

// Pick is a list over a screen, from which the person goes to another place.
type Pick struct {
	name  string
	about string // at the right of the header
	rows  []Row
	list  List
	page  Page
	keys  []keymap.Binding
}

// Row is a place to go to.
type Row struct {
	Text    string
	Right   string
	Indent  int
	Damaged bool
	Open    func(from Screen) tea.Cmd
}

// NewPick returns a list of rows with the cursor on the row at. There must be at least one row.
func NewPick(keys keymap.Keys, name, about string, rows []Row, at int) *Pick {
	s := &Pick{name: name, about: about, rows: rows, keys: keys.On(keymap.OfPick, append(keymap.List(), keymap.Common()...))}
	heights := make([]int, len(rows))
	for i := range heights {
		heights[i] = 1
	}
	s.list.SetRows(heights, at)
	return s
}

// Init starts nothing: the places are known.
func (s *Pick) Init() tea.Cmd { return nil }

// Resize lays the list out.
func (s *Pick) Resize(width, height int) {
	s.page.Width, s.page.Height = width, height
	s.list.SetLines(s.page.BodyLines())
}

// Retheme takes the look.
func (s *Pick) Retheme(look *Look) { s.page.Look = look }

// Update moves in the list and goes where the person chooses.
func (s *Pick) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return EscapeFirst(msg, s.press)
	case tea.MouseWheelMsg:
		s.list.Move(WheelSteps(msg.Mouse()))
	case tea.MouseClickMsg:
		if hit, _ := s.list.Click(msg.Mouse(), HeaderLines); hit {
			return s.rows[s.list.Cursor].Open(s)
		}
	}
	return nil
}

func (s *Pick) press(msg tea.KeyPressMsg) tea.Cmd {
	act := keymap.ActionOf(s.keys, msg)
	if s.list.Act(act) {
		return nil
	}
	if act == keymap.Enter {
		return s.rows[s.list.Cursor].Open(s)
	}
	return ActCommon(act, s, s.name, s.keys)
}

// View draws the list.
func (s *Pick) View() Frame {
	return Frame{Title: "planb: " + s.name, Content: s.page.Draw(
		s.page.Header(s.name, s.about), s.body(),
		s.page.Footer(s.keys, []keymap.Action{keymap.Enter, keymap.Escape, keymap.Help, keymap.Theme, keymap.Quit}, ""))}
}

func (s *Pick) body() []string { return s.list.Visible(s.row) }

func (s *Pick) row(i int) []string {
	st := &s.page.Look.Styles
	row := s.rows[i]
	style := st.ItemTitle(i == s.list.Cursor)
	if row.Damaged {
		style = st.Danger
	}
	room := s.page.Width - 4
	text := cells.Cut(strings.Repeat("  ", min(row.Indent, room/4))+row.Text, room)
	line := "  " + style.Render(text)
	if right := cells.Cut(row.Right, room/2); right != "" {
		width := room - 2 - ansi.StringWidth(right)
		line = "  " + style.Render(cells.Pad(text, width)) + "  " + st.Faint.Render(right)
	}
	if i == s.list.Cursor {
		line = st.Focused(line, s.page.Width)
	}
	return []string{line}
}
