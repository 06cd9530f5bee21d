package askscreen

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/tui/ask"
	"planb/tui/cells"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/wording"
)

// later saves the entry of an open ask and puts the ask off. It just leaves a closed one.
func (s *Screen) later(msg form.LaterRequested) tea.Cmd {
	if msg.AskID != s.state.Ask.ID || s.phase != phaseOpen {
		return nil
	}
	if !s.state.Answerable() {
		if s.options.Place != "" {
			return s.goOn()
		}
		return s.move()
	}
	s.phase = phaseMoving
	return s.leaveWithEntry(msg, s.saving || s.unsaved())
}

// left goes on after the entry was saved. If that failed, the form comes back, asks what to
// do, and tries again.
func (s *Screen) left(msg leftWithEntry) tea.Cmd {
	if msg.id != s.state.Ask.ID || s.phase != phaseMoving {
		return nil
	}
	s.saving = false
	if msg.err != nil {
		s.phase, s.saving = phaseOpen, true
		return tea.Batch(s.form.Update(form.LeaveFailed{Asked: msg.asked, Err: msg.err}), s.entrySoon(ask.RetryPause))
	}
	s.state.Saved(msg.entry)
	if msg.asked.All {
		s.host.PutOffAgent(s.state.Ask.Client)
	}
	s.parting = append(s.parting, wording.WayBack(s.options.Command, s.state.PutOff()))
	return s.move()
}

// move goes on to what waits next, or ends.
func (s *Screen) move() tea.Cmd {
	s.phase = phaseMoving
	s.state.Closed++
	if s.options.Place == "" {
		return tea.Sequence(s.release(), s.end())
	}
	return s.openNext(s.state.Ask.ID)
}

func (s *Screen) end() tea.Cmd {
	s.phase = phaseOver
	return tea.Sequence(
		screen.Send(ask.Ended{Receipt: s.receipt, Parting: s.parting, Lost: s.lost, Failure: s.failure}),
		screen.Send(screen.Close{Screen: s}))
}

// Close saves what is unsaved, gives back the claims, and says how to come
// back; it runs when the screen is off the stack, or the program has ended.
func (s *Screen) Close(ctx context.Context) (parting []string, err error) {
	s.bell.Stop()
	parting = s.parting
	if s.phase != phaseOver { // else its end has told
		parting = append(s.lost, parting...)
	}
	if s.receipt != "" && !s.options.Quiet {
		parting = append(parting, s.receiptLines()...)
	}
	if s.phase == phaseOver && s.options.Told {
		parting = nil
	}
	moved := s.phase == phaseMoving && !s.unsaved() // else what was entered is not saved yet
	if s.form == nil || moved || s.phase == phaseOver || !s.state.Answerable() {
		return parting, errors.Join(s.keepUnsent(), s.host.Close(ctx, ask.EndingOf(s.failure, s.options.TerminalDied)))
	}
	settled := false
	s.form.TakeReturned()
	if entry := s.form.Entry(); s.saving || s.unsaved() {
		if settled, err = s.host.SaveLast(ctx, s.state.Ask.ID, entry); err != nil {
			parting = append(parting, wording.LostEntry(s.state.Ask, entry, err)...)
		}
		if _, ended := errors.AsType[*questions.SettledError](err); ended {
			// A pane's output is gone when the pane closes, so printing would not keep it.
			settled, err = true, s.host.KeepLate(s.state.Ask, entry)
		}
	}
	if !settled {
		kept := s.state.Ask
		kept.ID = s.state.EntryOf()
		parting = append(parting, wording.WayBack(s.options.Command, kept))
	}
	return parting, errors.Join(err, s.host.Close(ctx, ask.EndingOf(s.failure, s.options.TerminalDied)))
}

// receiptLines break the receipt between words. The terminal would break it anywhere.
func (s *Screen) receiptLines() []string {
	if s.width < 2 {
		return []string{s.receipt}
	}
	return cells.Lines(s.receipt, s.width-1)
}

// keepUnsent stores what was entered into a form that ended elsewhere on the record of its
// ask, if the program ends before the person closed that form, or before it was stored there.
func (s *Screen) keepUnsent() error {
	if s.phase != phaseOpen && s.phase != phaseKeeping || s.state.Answerable() || s.options.ReadOnly || s.tooLate || !s.state.Unkept(s.form.Entry()) {
		return nil
	}
	return s.host.KeepLate(s.state.Ask, s.form.Entry())
}
