package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/keymap"
)

// pickScreen is a list over a screen, of places to go to from there.
type pickScreen struct {
	name  string
	about string // at the right of the header
	rows  []pickRow
	list  pickList
	page  page
	keys  []keymap.Binding
}

// pickRow is a place to go to.
type pickRow struct {
	text    string
	right   string
	indent  int
	damaged bool
	open    func(from screen) tea.Cmd
}

// newPickScreen lists rows, of which there is at least one, with the cursor on
// the row at.
func newPickScreen(keys keymap.Keys, name, about string, rows []pickRow, at int) *pickScreen {
	s := &pickScreen{name: name, about: about, rows: rows, keys: keys.On(keymap.OfPick, append(keymap.List(), keymap.Common()...))}
	heights := make([]int, len(rows))
	for i := range heights {
		heights[i] = 1
	}
	s.list.setRows(heights, at)
	return s
}

// Init starts nothing: the places are known.
func (s *pickScreen) Init() tea.Cmd { return nil }

// Resize lays the list out.
func (s *pickScreen) Resize(width, height int) {
	s.page.width, s.page.height = width, height
	s.list.setLines(s.page.bodyLines())
}

// Retheme takes the look.
func (s *pickScreen) Retheme(look *look) { s.page.look = look }

// Update moves in the list and goes where the person chooses.
func (s *pickScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return escapeFirst(msg, s.press)
	case tea.MouseWheelMsg:
		s.list.move(wheelSteps(msg.Mouse()))
	case tea.MouseClickMsg:
		if row, ok := s.list.rowAt(msg.Mouse().Y - pageHeaderLines); ok && msg.Mouse().Button == tea.MouseLeft {
			s.list.moveTo(row)
			return s.rows[row].open(s)
		}
	}
	return nil
}

func (s *pickScreen) press(msg tea.KeyPressMsg) tea.Cmd {
	act := keymap.ActionOf(s.keys, msg)
	if moveList(&s.list, act) {
		return nil
	}
	switch act {
	case keymap.Enter:
		return s.rows[s.list.cursor].open(s)
	case keymap.Escape:
		return send(closeScreen{s})
	case keymap.Theme:
		return send(switchTheme{})
	case keymap.Themes:
		return send(chooseTheme{})
	case keymap.Help:
		return send(pushScreen{newKeysScreen(s.name, s.keys), s})
	case keymap.Quit:
		return send(quitProgram{})
	}
	return nil
}

// View draws the list.
func (s *pickScreen) View() frame {
	return frame{Title: "planb: " + s.name, Content: s.page.draw(
		s.page.header(s.name, s.about), s.body(),
		s.page.footer(s.keys, []keymap.Action{keymap.Enter, keymap.Escape, keymap.Help, keymap.Theme, keymap.Quit}, ""))}
}

func (s *pickScreen) body() []string {
	st := &s.page.look.styles
	var lines []string
	for i := s.list.top; i < min(len(s.rows), s.list.top+s.list.lines); i++ {
		row := s.rows[i]
		cursor, style := "  ", st.text
		if i == s.list.cursor {
			cursor, style = st.cursor.Render("▸ "), st.cursor
		}
		if row.damaged {
			style = st.danger
		}
		room := s.page.width - 4
		right := cells.Cut(row.right, room/2)
		text := strings.Repeat("  ", min(row.indent, room/4)) + row.text
		if right == "" {
			lines = append(lines, " "+cursor+style.Render(cells.Cut(text, room)))
			continue
		}
		width := room - 2 - ansi.StringWidth(right)
		lines = append(lines, " "+cursor+style.Render(cells.Pad(text, width))+"  "+st.faint.Render(right))
	}
	return lines
}
