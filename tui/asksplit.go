package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/store"
)

// splitPause is how long a moved border waits for the next move before it is
// remembered.
const splitPause = 500 * time.Millisecond

// Messages about what is to be remembered.
type (
	splitDue  struct{ fromHost }
	splitKept struct {
		fromHost
		split store.Split
	}
)

// noteSplit notes how the form is divided, for the next one, and reports whether the
// person changed that. It is asked of the form itself: what the form tells may come
// when it is no longer there.
func (h *askScreen) noteSplit() bool {
	if h.form == nil {
		return false
	}
	now, was := h.form.Divided(), h.form.Input().Split
	if h.split != nil {
		was = *h.split
	}
	if now == was {
		return false
	}
	h.split = &now
	return true
}

// splitMoved has it remembered soon if the person divided the form otherwise.
func (h *askScreen) splitMoved() tea.Cmd {
	if !h.noteSplit() || h.splitting {
		return nil
	}
	return h.keepSplitSoon()
}

func (h *askScreen) keepSplitSoon() tea.Cmd {
	h.splitting = true
	return tea.Tick(splitPause, func(time.Time) tea.Msg { return splitDue{fromHost{h.host}} })
}

func (h *askScreen) keepSplit() tea.Cmd {
	host, split := h.host, *h.split
	return func() tea.Msg {
		host.KeepSplit(host.Life(), split)
		return splitKept{fromHost{host}, split}
	}
}

// splitKept goes on with what was moved meanwhile.
func (h *askScreen) splitKept(split store.Split) tea.Cmd {
	h.splitting = false
	if split != *h.split {
		return h.keepSplitSoon()
	}
	return nil
}
