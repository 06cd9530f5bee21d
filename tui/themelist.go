package tui

import (
	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// themeList is the list of all themes: it is moved through and filtered, shows
// at once what is under its cursor, and keeps what is chosen.
type themeList struct {
	keeper screen.ThemeKeeper
	plain  bool // no colours can be shown
	state  themesState
	keys   []keymap.Binding
	typing []keymap.Binding
	saving bool
	status string // why saving failed
}

// themeSaved says what became of saving.
type themeSaved struct {
	list   *themeList
	choice themes.Choice
	where  string
	err    error
}

// newThemeList has the cursor on the theme that counts so far.
func newThemeList(t screen.Terminal, current string, keys []keymap.Binding) themeList {
	return themeList{
		keeper: t.Keeper, plain: t.NoColor, state: newThemesState(t.Themes.Choices(), current),
		keys: t.Keys.On(keymap.OfThemes, keys), typing: t.Keys.On(keymap.OfFilter, keymap.Filtering()),
	}
}

// press does a key. What is left for its screen to do is returned as an action:
// keymap.Next, keymap.Help, keymap.Escape, once no filter is left to be taken away, or keymap.Quit.
func (l *themeList) press(msg tea.KeyPressMsg) (rest keymap.Action, cmd tea.Cmd) {
	l.status = ""
	keys := l.keys
	if l.state.filtering {
		keys = l.typing
	}
	act := keymap.ActionOf(keys, msg)
	if l.state.list.Act(act) {
		return keymap.None, l.show()
	}
	switch act {
	case keymap.Enter:
		return keymap.None, l.save()
	case keymap.Filter:
		l.state.filtering = true
	case keymap.Backspace:
		return keymap.None, l.filter(l.state.text[:cells.LastCluster(l.state.text)])
	case keymap.DeleteToStart:
		return keymap.None, l.filter("")
	case keymap.Escape:
		if l.state.filtering || l.state.text != "" {
			l.state.filtering = false
			return keymap.None, l.filter("")
		}
		return keymap.Escape, nil
	case keymap.Next, keymap.Help, keymap.Quit:
		return act, nil
	case keymap.None:
		if l.state.filtering && msg.Text != "" {
			return keymap.None, l.filter(l.state.text + safe.New(msg.Text).Line())
		}
	}
	return keymap.None, nil
}

// paste adds to the filter that is being typed.
func (l *themeList) paste(text string) tea.Cmd {
	if !l.state.filtering {
		return nil
	}
	return l.filter(l.state.text + safe.New(text).Line())
}

func (l *themeList) filter(text string) tea.Cmd {
	l.state.filter(text)
	return l.show()
}

// mouse turns the wheel, or clicks on a line of the list.
func (l *themeList) mouse(msg tea.MouseMsg, line int) tea.Cmd {
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		l.state.list.Move(screen.WheelSteps(msg.Mouse()))
		return l.show()
	case tea.MouseClickMsg:
		if row, ok := l.state.list.RowAt(line); ok && msg.Mouse().Button == tea.MouseLeft {
			l.state.list.MoveTo(row)
			return l.show()
		}
	}
	return nil
}

// show draws everything in the theme under the cursor. Without colours there is
// nothing to be shown.
func (l *themeList) show() tea.Cmd {
	choice, ok := l.state.chosen()
	if !ok || l.plain {
		return nil
	}
	return screen.Send(screen.ShowTheme{Choice: choice})
}

func (l *themeList) save() tea.Cmd {
	choice, ok := l.state.chosen()
	if !ok || l.saving {
		return nil
	}
	l.saving = true
	save := l.keeper.Save
	return func() tea.Msg {
		where, err := save(choice.Name)
		return themeSaved{l, choice, where, err}
	}
}

// saved takes what became of saving, and reports whether it is done.
func (l *themeList) saved(msg themeSaved) bool {
	l.saving = false
	if msg.err != nil {
		l.status = wording.Sentence(msg.err)
	}
	return msg.err == nil
}

// filtered reports whether the line with the filter is there.
func (l *themeList) filtered() bool { return l.state.filtering || l.state.text != "" }

// drawFilter draws that line.
func (l *themeList) drawFilter(st *screen.Styles, width int) string {
	caret := ""
	if l.state.filtering {
		caret = st.Accent.Render("▏")
	}
	return " " + st.Muted.Render("filter ") + st.Input.Render(cells.Cut(l.state.text, width-10)) + caret
}

// themeListWidth is the cells of a row and the line beside it.
const themeListWidth = 26

// draw draws the rows that are in view.
func (l *themeList) draw(st *screen.Styles) []string {
	return l.state.list.Visible(func(i int) []string { return []string{l.drawRow(st, i)} })
}

// drawRow is as wide as the list: where the cursor is, the name, for which
// background it is, and a mark at the one that counted so far.
func (l *themeList) drawRow(st *screen.Styles, i int) string {
	row := l.state.rows[i]
	cursor, style := "  ", st.Text
	if i == l.state.list.Cursor {
		cursor, style = st.Cursor.Render("▸ "), st.Cursor
	}
	name, ground := row.short, row.ground()
	if row.within {
		name = "  " + name
	} else if row.choice.Follows {
		ground = "both"
	}
	mark := " "
	if row.choice.Name == l.state.saved {
		mark = st.Success.Render("✓")
	}
	const width = themeListWidth - 1 - 2 - 2 - 5 - 2
	return " " + cursor + style.Render(cells.Pad(name, width)) + " " + st.Faint.Render(cells.Pad(ground, 5)) + " " + mark + " "
}

// at is where in the list its window is, if it does not show all.
func (l *themeList) at() string {
	return cells.Position(l.state.list.Top, l.state.list.Lines, len(l.state.rows))
}
