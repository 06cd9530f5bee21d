package tui

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/screen"
)

// screen.ChooseTheme lays the list of themes over the topmost screen.
func (w *window) chooseTheme() tea.Cmd {
	if _, open := w.top().(*themesOver); open || w.terminal.Keeper.Save == nil {
		return nil
	}
	opened := w.push(newThemesOver(w.terminal, w.top(), w.choice))
	if w.asked || w.ask == nil {
		return opened
	}
	// A theme that was named by itself needed no asking; families do.
	return tea.Batch(opened, w.askBackground())
}

// takeTheme closes that list, and tells the screen below what was kept.
func (w *window) takeTheme(msg themeChosen) tea.Cmd {
	at := w.index(msg.over)
	if at < 1 {
		return nil
	}
	w.choice = msg.choice
	cmds := []tea.Cmd{w.closeFrom(at), w.setLook()}
	if msg.notice != "" {
		cmds = append(cmds, w.top().Update(screen.ThemeKept{Notice: msg.notice}))
	}
	return tea.Batch(cmds...)
}
