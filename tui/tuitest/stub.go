package tuitest

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/screen"
)

// FormStub stands for the form of an ask in tests of the rooms that open forms.
type FormStub struct {
	With  string        // what it was opened with
	Text  func() string // what it shows of its ask
	Heard func(tea.Msg) // gets every message; nil for none
}

// Init starts nothing.
func (s *FormStub) Init() tea.Cmd { return nil }

// Resize changes nothing.
func (s *FormStub) Resize(int, int) {}

// Retheme changes nothing.
func (s *FormStub) Retheme(*screen.Look) {}

// Update closes the form with Esc.
func (s *FormStub) Update(msg tea.Msg) tea.Cmd {
	if s.Heard != nil {
		s.Heard(msg)
	}
	if key, ok := msg.(tea.KeyPressMsg); ok && key.String() == "esc" {
		return screen.Send(screen.Close{Screen: s})
	}
	return nil
}

// View shows the text.
func (s *FormStub) View() screen.Frame {
	return screen.Frame{Title: s.With, Content: "Form " + s.With + "\n" + s.Text()}
}
