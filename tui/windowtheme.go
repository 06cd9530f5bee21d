package tui

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/screen"
	"planb/tui/themepicker"
)

// chooseTheme lays the list of themes over the topmost screen.
func (w *window) chooseTheme() tea.Cmd {
	if _, open := w.top().(*themepicker.Picker); open || w.terminal.Keeper.Save == nil {
		return nil
	}
	opened := tea.Batch(w.push(themepicker.New(w.terminal, w.top(), w.choice)), w.tell(screen.Relaid{})) // the screen below has less room
	if w.asked || w.ask == nil {
		return opened
	}
	// A theme that was named by itself needed no asking; families do.
	return tea.Batch(opened, w.askBackground())
}

// closeThemes closes the list of themes, and tells the screen below which theme was kept.
func (w *window) closeThemes(msg themepicker.Chosen) tea.Cmd {
	at := w.index(msg.Picker)
	if at < 1 {
		return nil
	}
	w.choice = msg.Choice
	cmds := []tea.Cmd{w.closeFrom(at), w.setLook()}
	if !w.tooSmall() {
		w.top().Resize(w.width, w.height) // the list had left it less room
	}
	w.top().Retheme(w.look) // and had taken its focus
	cmds = append(cmds, w.tell(screen.Relaid{}))
	if _, sample := w.top().(*themeSample); sample {
		w.notice = msg.Notice
		return w.end()
	}
	if msg.Notice != "" {
		cmds = append(cmds, w.top().Update(screen.ThemeKept{Notice: msg.Notice}))
	}
	return tea.Batch(cmds...)
}
