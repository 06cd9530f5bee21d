package askscreen

import (
	tea "charm.land/bubbletea/v2"

	"planb/store"
	"planb/tui/form"
)

// askRecalled brings what was answered before to the form that is open.
type askRecalled struct {
	fromHost
	id      string
	earlier map[string]store.EarlierAnswer
}

// recalled waits for earlier answers that were not read in time for the first frame.
func (s *Screen) recalled(found <-chan map[string]store.EarlierAnswer) tea.Cmd {
	if found == nil {
		return nil
	}
	host, id := s.host, s.state.Ask.ID
	return func() tea.Msg {
		select {
		case earlier := <-found:
			return askRecalled{fromHost{host}, id, earlier}
		case <-host.Life().Done():
			return nil
		}
	}
}

// remember hands the earlier answers to the form that they were read for.
func (s *Screen) remember(msg askRecalled) tea.Cmd {
	if msg.id != s.state.Ask.ID || s.form == nil {
		return nil
	}
	return s.form.Update(form.EarlierFound{AskID: msg.id, Answers: msg.earlier})
}
