package tui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// settle writes an outcome, and before it the plan as the person edited it, if
// they did.
func (a *askIO) settle(ask store.Ask, outcome questions.Outcome, edited safe.Text) tea.Cmd {
	return func() tea.Msg {
		a.writing.Lock()
		defer a.writing.Unlock()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(a.life), ioPatience)
		defer cancel()
		done := settleDone{fromIO: fromIO{a}, id: ask.ID}
		if done.err = a.keepEdit(ctx, ask, edited); done.err == nil {
			done.ask, done.err = a.Settle(ctx, ask.ID, outcome)
		}
		a.settled[ask.ID] = done.err == nil
		if done.err != nil && done.ask.ID == "" {
			if now, err := a.AsksNow(ctx, ask.ID); err == nil && len(now) == 1 {
				done.ask = now[0]
			}
		}
		return done
	}
}

// keepLate writes what was entered and never sent on the record of an ask that
// ended elsewhere, which a store does with every outcome that comes too late.
func (a *askIO) keepLate(ask store.Ask, draft questions.Draft) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(a.life), ioPatience)
		defer cancel()
		late := questions.Outcome{State: questions.Discuss, Reply: draft.Reply(ask.Spec), Message: draft.Message}
		if late.Message.Blank() {
			late.Message = safe.New("Entered, and not sent.")
		}
		_, err := a.Settle(ctx, ask.ID, late)
		if tooLate := new(questions.SettledError); errors.As(err, &tooLate) {
			err = nil
		}
		return keptLate{fromIO: fromIO{a}, ask: ask, err: err}
	}
}

func (a *askIO) settleSoon(id string, tries int) tea.Cmd {
	return tea.Tick(draftRetry, func(time.Time) tea.Msg { return settleDue{fromIO{a}, id, tries} })
}
