package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/store"
)

// askMemory is what is asked of the store about answers that were given before.
type askMemory interface {
	Earlier(ctx context.Context, ask store.Ask) (map[string]store.Earlier, error)
	LookBack(ctx context.Context) (found int, more bool, err error)
}

const (
	// recallPatience is how long a form waits for what was answered before, after
	// it has everything else; what takes longer comes later.
	recallPatience = 5 * time.Millisecond
	// lookPause is between two steps through what older planbs left: nobody should
	// notice them.
	lookPause = 100 * time.Millisecond
)

// Messages about what was answered before.
type (
	// askRecalled brings it for the form that is open.
	askRecalled struct {
		fromIO
		id      string
		earlier map[string]store.Earlier
	}
	// lookedBack says that a step was made.
	lookedBack struct {
		fromIO
		found int
		more  bool
	}
	lookDue struct{ fromIO }
)

// recall looks up what was answered before, beside what else is read for a
// form. A failure is as if nothing was.
func (a *askIO) recall(ask store.Ask) <-chan map[string]store.Earlier {
	found := make(chan map[string]store.Earlier, 1)
	go func() {
		ctx, cancel := a.step()
		defer cancel()
		earlier, _ := a.Earlier(ctx, ask)
		found <- earlier
	}()
	return found
}

// recalledSoon waits a little for what was looked up, and leaves it with the
// input otherwise.
func recalledSoon(input *formInput, found <-chan map[string]store.Earlier) {
	soon := time.NewTimer(recallPatience)
	defer soon.Stop()
	select {
	case input.Earlier = <-found:
	case <-soon.C:
		input.recalling = found
	}
}

// recalled waits for what came too late for the form's first picture.
func (a *askIO) recalled(id string, found <-chan map[string]store.Earlier) tea.Cmd {
	if found == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case earlier := <-found:
			return askRecalled{fromIO{a}, id, earlier}
		case <-a.life.Done():
			return nil
		}
	}
}

// lookBack makes one step through what older planbs left. Nothing is written
// where things are kept only for a while.
func (a *askIO) lookBack() tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := a.step()
		defer cancel()
		if a.elsewhere(ctx) != "" {
			return nil
		}
		found, more, err := a.LookBack(ctx)
		if err != nil {
			return nil // the next form tries again
		}
		return lookedBack{fromIO{a}, found, more}
	}
}

// beginLook begins to look back, once, when the first form that can be answered
// is up.
func (h *askScreen) beginLook() tea.Cmd {
	if h.lookingBack || !h.answerable() {
		return nil
	}
	h.lookingBack = true
	return h.io.lookBack()
}

// remember follows the memory's messages.
func (h *askScreen) remember(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case askRecalled:
		if msg.id == h.ask.ID && h.form != nil {
			return h.form.Update(earlierFound{AskID: msg.id, Earlier: msg.earlier})
		}
	case lookDue:
		return h.io.lookBack()
	case lookedBack:
		var cmds []tea.Cmd
		if msg.more {
			cmds = append(cmds, tea.Tick(lookPause, func(time.Time) tea.Msg { return lookDue{msg.fromIO} }))
		}
		if msg.found > 0 && h.answerable() && h.phase == phaseOpen && h.ask.Spec.Plan == nil {
			cmds = append(cmds, h.io.recalled(h.ask.ID, h.io.recall(h.ask)))
		}
		return tea.Batch(cmds...)
	}
	return nil
}
