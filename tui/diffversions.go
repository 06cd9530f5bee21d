package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/store"
)

// versionChosen says which version a person chose to compare with.
type versionChosen struct {
	screen *diffScreen
	number int
}

// versionsScreen is the list of versions to compare one with, the newest first.
type versionsScreen struct {
	of       *diffScreen
	with     int // the version that is compared
	versions []store.Plan
	list     pickList
	page     page
	keys     []boundKey
}

// choose lets the person choose a version to compare the newer one with.
func (d *diffScreen) choose() tea.Cmd {
	s := &versionsScreen{of: d, with: d.newer, keys: append(listKeys(), commonKeys()...)}
	at := 0
	for i := len(d.versions) - 1; i >= 0; i-- {
		if d.versions[i].Number == d.older {
			at = len(s.versions)
		}
		if d.versions[i].Number != d.newer {
			s.versions = append(s.versions, d.versions[i])
		}
	}
	if len(s.versions) == 0 {
		d.status = "There is no other version to compare with."
		return nil
	}
	heights := make([]int, len(s.versions))
	for i := range heights {
		heights[i] = 1
	}
	s.list.setRows(heights, at)
	return send(pushScreen{s, d})
}

// Init starts nothing: the versions are known.
func (s *versionsScreen) Init() tea.Cmd { return nil }

// Resize lays the list out.
func (s *versionsScreen) Resize(width, height int) {
	s.page.width, s.page.height = width, height
	s.list.setLines(s.page.bodyLines())
}

// Retheme takes the look.
func (s *versionsScreen) Retheme(look *look) { s.page.look = look }

// Update moves in the list and takes the choice.
func (s *versionsScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return escapeFirst(msg, s.press)
	case tea.MouseWheelMsg:
		s.list.move(wheelSteps(msg.Mouse()))
	case tea.MouseClickMsg:
		if row, ok := s.list.rowAt(msg.Mouse().Y - pageHeaderLines); ok && msg.Mouse().Button == tea.MouseLeft {
			s.list.moveTo(row)
			return s.chosen()
		}
	}
	return nil
}

func (s *versionsScreen) press(msg tea.KeyPressMsg) tea.Cmd {
	act := actionOf(s.keys, msg)
	if moveList(&s.list, act) {
		return nil
	}
	switch act {
	case actEnter:
		return s.chosen()
	case actEscape:
		return send(closeScreen{s})
	case actTheme:
		return send(switchTheme{})
	case actHelp:
		return send(pushScreen{newKeysScreen("Compare", s.keys), s})
	case actQuit:
		return send(quitProgram{})
	}
	return nil
}

func (s *versionsScreen) chosen() tea.Cmd {
	number := s.versions[s.list.cursor].Number
	return tea.Batch(send(closeScreen{s}), send(versionChosen{s.of, number}))
}

// View draws the list.
func (s *versionsScreen) View() frame {
	return frame{Title: "planb: " + sessionTitle(s.of.session), Content: s.page.draw(
		s.page.header(fmt.Sprintf("Compare v%d with", s.with), count(len(s.versions), "version")),
		s.body(),
		s.page.footer(s.keys, []action{actEnter, actEscape, actHelp, actTheme, actQuit}, ""))}
}

func (s *versionsScreen) body() []string {
	if s.page.tooSmall() {
		return nil
	}
	st, now := &s.page.look.styles, s.of.browser.now()
	var lines []string
	for i := s.list.top; i < min(len(s.versions), s.list.top+s.list.lines); i++ {
		version := s.versions[i]
		cursor, style := "  ", st.text
		if i == s.list.cursor {
			cursor, style = st.cursor.Render("▸ "), st.cursor
		}
		title := version.Title.Line()
		switch {
		case version.Err != nil:
			title, style = "damaged: "+sentence(version.Err), st.danger
		case version.Title.Blank():
			title = untitled
		}
		when := ""
		if !version.Created.IsZero() {
			when = moment(version.Created, now)
		}
		room := s.page.width - 4 - len(when) - 2
		lines = append(lines, " "+cursor+style.Render(pad(fmt.Sprintf("v%-4d %s", version.Number, title), room))+"  "+st.faint.Render(when))
	}
	return lines
}
