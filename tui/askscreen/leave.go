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
func (h *Screen) later(msg form.LaterRequested) tea.Cmd {
	if msg.AskID != h.Ask.ID || h.phase != phaseOpen {
		return nil
	}
	if !h.Answerable() {
		if h.options.Place != "" {
			return h.goOn()
		}
		return h.move()
	}
	h.phase = phaseMoving
	return h.leaveWithEntry(msg, h.saving || h.unsaved())
}

// left goes on after the entry was saved. If that failed, the form comes back, asks what to
// do, and tries again.
func (h *Screen) left(msg leftWithEntry) tea.Cmd {
	if msg.id != h.Ask.ID || h.phase != phaseMoving {
		return nil
	}
	h.saving = false
	if msg.err != nil {
		h.phase, h.saving = phaseOpen, true
		return tea.Batch(h.form.Update(form.LeaveFailed{Asked: msg.asked, Err: msg.err}), h.entrySoon(ask.RetryPause))
	}
	if msg.asked.All {
		h.host.PutOffAgent(h.Ask.Client)
	}
	h.parting = append(h.parting, wording.WayBack(h.options.Command, h.PutOff()))
	return h.move()
}

// move goes on to what waits next, or ends.
func (h *Screen) move() tea.Cmd {
	h.phase = phaseMoving
	h.Closed++
	if h.options.Place == "" {
		return tea.Sequence(h.release(), h.end())
	}
	return h.openNext(h.Ask.ID)
}

func (h *Screen) end() tea.Cmd {
	h.phase = phaseOver
	return tea.Sequence(
		screen.Send(ask.Ended{Receipt: h.receipt, Parting: h.parting, Lost: h.lost, Failure: h.failure}),
		screen.Send(screen.Close{Screen: h}))
}

// Close saves what is unsaved, gives back the claims, and says how to come
// back; it runs when the screen is off the stack, or the program has ended.
func (h *Screen) Close(ctx context.Context) (parting []string, err error) {
	h.bell.Stop()
	parting = h.parting
	if h.phase != phaseOver { // else its end has told
		parting = append(h.lost, parting...)
	}
	if h.receipt != "" && !h.options.Quiet {
		parting = append(parting, h.receiptLines()...)
	}
	if h.form == nil || h.phase == phaseMoving || h.phase == phaseOver || !h.Answerable() {
		return parting, errors.Join(h.keepUnsent(), h.host.Close(ctx, ask.EndingOf(h.failure, h.options.TerminalDied)))
	}
	settled := false
	h.form.TakeReturned()
	if entry := h.form.Entry(); h.saving || h.unsaved() {
		if settled, err = h.host.SaveLast(ctx, h.EntryOf(), entry); err != nil {
			parting = append(parting, wording.LostEntry(h.Ask, entry, err)...)
		}
		if _, ended := errors.AsType[*questions.SettledError](err); ended {
			// What is printed in a pane is gone when the pane closes.
			settled, err = true, h.host.KeepLate(h.Ask, entry)
		}
	}
	if !settled {
		kept := h.Ask
		kept.ID = h.EntryOf()
		parting = append(parting, wording.WayBack(h.options.Command, kept))
	}
	return parting, errors.Join(err, h.host.Close(ctx, ask.EndingOf(h.failure, h.options.TerminalDied)))
}

// receiptLines break the receipt between words. The terminal would break it anywhere.
func (h *Screen) receiptLines() []string {
	if h.width < 2 {
		return []string{h.receipt}
	}
	return cells.Lines(h.receipt, h.width-1)
}

// keepUnsent stores what was entered into a form that ended elsewhere on the record of its
// ask, if the program ends before the person closed that form.
func (h *Screen) keepUnsent() error {
	if h.phase != phaseOpen || h.Answerable() || h.options.ReadOnly || h.tooLate || !h.Unkept(h.form.Entry()) {
		return nil
	}
	return h.host.KeepLate(h.Ask, h.form.Entry())
}
