package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/store"
)

// lookPause is between two steps through what older planbs left: nobody should
// notice them.
const lookPause = 100 * time.Millisecond

// Messages about what was answered before.
type (
	// askRecalled brings it for the form that is open.
	askRecalled struct {
		fromHost
		id      string
		earlier map[string]store.Earlier
	}
	// lookedBack says that a step was made.
	lookedBack struct {
		fromHost
		found int
		more  bool
	}
	lookDue struct{ fromHost }
)

// recalled waits for what came too late for the form's first picture.
func (h *askScreen) recalled(found <-chan map[string]store.Earlier) tea.Cmd {
	if found == nil {
		return nil
	}
	host, id := h.host, h.Ask.ID
	return func() tea.Msg {
		select {
		case earlier := <-found:
			return askRecalled{fromHost{host}, id, earlier}
		case <-host.Life().Done():
			return nil
		}
	}
}

// lookBack makes one step through what older planbs left.
func (h *askScreen) lookBack() tea.Cmd {
	host := h.host
	return func() tea.Msg {
		found, more, err := host.LookBack()
		if err != nil {
			return nil // the next form tries again
		}
		return lookedBack{fromHost{host}, found, more}
	}
}

// beginLook begins to look back, once, when the first form that can be answered
// is up.
func (h *askScreen) beginLook() tea.Cmd {
	if h.lookingBack || !h.Answerable() {
		return nil
	}
	h.lookingBack = true
	return h.lookBack()
}

// remember follows the memory's messages.
func (h *askScreen) remember(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case askRecalled:
		if msg.id == h.Ask.ID && h.form != nil {
			return h.form.Update(earlierFound{AskID: msg.id, Earlier: msg.earlier})
		}
	case lookDue:
		return h.lookBack()
	case lookedBack:
		var cmds []tea.Cmd
		if msg.more {
			cmds = append(cmds, tea.Tick(lookPause, func(time.Time) tea.Msg { return lookDue{msg.fromHost} }))
		}
		if msg.found > 0 && h.Answerable() && h.phase == phaseOpen && h.Ask.Spec.Plan == nil {
			cmds = append(cmds, h.recalled(h.host.Recall(h.Ask)))
		}
		return tea.Batch(cmds...)
	}
	return nil
}
