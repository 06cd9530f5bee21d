package askscreen

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/tui/ask"
	"planb/tui/editor/external"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Store is what showing and answering asks needs of the store.
type Store interface {
	ask.Store
	screen.Watcher
}

// fromHost is part of every message from a command of a Screen to that screen. It names
// the screen's host, because several screens may have been opened one after another.
type fromHost struct{ host *ask.Host }

func (f fromHost) source() *ask.Host { return f.host }

// Messages a Screen's commands answer with.
type (
	// askOpened brings the next ask.
	askOpened struct {
		fromHost
		ask.Opened
		left []string // files of the person's editor; see external.LeftBehind
		err  error
	}
	// askReread brings the ask that is open once more.
	askReread struct{ askOpened }
	entryDue  struct {
		fromHost
		id string
	}
	entryStored struct {
		fromHost
		id    string
		entry questions.Entry
		err   error
	}
	leftWithEntry struct {
		fromHost
		asked form.LaterRequested
		id    string
		entry questions.Entry
		err   error
	}
	settleDone struct {
		fromHost
		id  string
		ask store.Ask // what the store holds now, if it told
		err error
	}
	// settleDue says that it is time to try a failed write again.
	settleDue struct {
		fromHost
		id    string
		tries int // made by then
	}
	// keptLate says that an entry that came too late is on the ask's record, or why not.
	keptLate struct {
		fromHost
		ask store.Ask
		err error
	}
	glanceDue struct{ fromHost }
	glanced   struct {
		fromHost
		ask.Seen
		err error
	}
)

// open opens an ask, and looks for what the person's editor left of it.
func open(host *ask.Host, opens func() (ask.Opened, error)) askOpened {
	opened, err := opens()
	msg := askOpened{fromHost: fromHost{host}, Opened: opened, err: err}
	if err == nil && !opened.ReadOnly && !opened.Others { // or another pane's editor may be at work
		msg.left = external.LeftBehind(opened.Ask.ID)
	}
	return msg
}

// Start opens the first ask.
func (h *Screen) start() tea.Cmd {
	host := h.host
	return func() tea.Msg { return open(host, host.Start) }
}

// openNext opens what waits after an ask that is done.
func (h *Screen) openNext(done string) tea.Cmd {
	host, aside := h.host, slices.Clone(h.Aside)
	return func() tea.Msg {
		return open(host, func() (ask.Opened, error) { return host.Next(done, aside) })
	}
}

func (h *Screen) reread(id string) tea.Cmd {
	host, aside := h.host, slices.Clone(h.Aside)
	return func() tea.Msg {
		return askReread{open(host, func() (ask.Opened, error) { return host.Reread(id, aside) })}
	}
}

func (h *Screen) openFollowed(from, next string) tea.Cmd {
	host, aside := h.host, slices.Clone(h.Aside)
	return func() tea.Msg {
		return askFollowed{open(host, func() (ask.Opened, error) { return host.Follow(from, next, aside) }), from}
	}
}

func (h *Screen) markShown() tea.Cmd {
	host, shown := h.host, h.Ask
	return func() tea.Msg {
		host.MarkShown(shown)
		return nil
	}
}

func (h *Screen) release() tea.Cmd {
	host, id := h.host, h.Ask.ID
	return func() tea.Msg {
		host.Release(id)
		return nil
	}
}

// storeEntry saves what was entered, as the entry of the ask or of the ask that took its
// place.
func (h *Screen) storeEntry() tea.Cmd {
	host, id, to, entry := h.host, h.Ask.ID, h.EntryOf(), h.form.Entry()
	return func() tea.Msg {
		_, err := host.Save(to, entry)
		return entryStored{fromHost{host}, id, entry, err}
	}
}

func (h *Screen) leaveWithEntry(asked form.LaterRequested, unsaved bool) tea.Cmd {
	host, id, to, entry := h.host, h.Ask.ID, h.EntryOf(), h.form.Entry()
	return func() tea.Msg {
		if !unsaved {
			return leftWithEntry{fromHost: fromHost{host}, asked: asked, id: id}
		}
		_, err := host.Save(to, entry)
		return leftWithEntry{fromHost{host}, asked, id, entry, err}
	}
}

func (h *Screen) writeOutcome(outcome questions.Outcome, edited safe.Text) tea.Cmd {
	host, settles := h.host, h.Ask
	return func() tea.Msg {
		now, err := host.Settle(settles, outcome, edited)
		return settleDone{fromHost{host}, settles.ID, now, err}
	}
}

// keepLate stores what was entered and never sent on the record of an ask that ended
// elsewhere.
func (h *Screen) keepLate() tea.Cmd {
	host, ended, entry := h.host, h.Ask, h.form.Entry()
	return func() tea.Msg { return keptLate{fromHost{host}, ended, host.KeepLate(ended, entry)} }
}

// lookAtStore reads what may have changed about the ask.
func (h *Screen) lookAtStore() tea.Cmd {
	known := review.Newer{}
	if h.review != nil {
		known = h.review.Newer()
	}
	host, shown, aside := h.host, h.Ask, slices.Clone(h.Aside)
	return func() tea.Msg {
		seen, err := host.Glance(shown, known, aside)
		return glanced{fromHost{host}, seen, err}
	}
}

func (h *Screen) settleSoon() tea.Cmd {
	due := settleDue{fromHost{h.host}, h.Ask.ID, h.tries}
	return tea.Tick(ask.RetryPause, func(time.Time) tea.Msg { return due })
}

// unsettled goes on after an outcome could not be stored. If the fault may pass, it tries
// again. If the ask keeps no more replies, what was entered is printed at the end.
func (h *Screen) unsettled(msg settleDone) tea.Cmd {
	switch {
	case kv.Passing(msg.err):
		return tea.Batch(h.entryChanged(msg.id), h.settleSoon())
	case form.TooLateToKeep(msg.err):
		h.tooLate = true
		h.lost = append(h.lost, wording.Overtaken(h.Ask, h.form.Entry()))
		return nil
	}
	return h.entryChanged(msg.id)
}

// resettle tries the failed write once more, unless the person has tried since or went
// back to the form.
func (h *Screen) resettle(msg settleDue) tea.Cmd {
	if msg.id != h.Ask.ID || msg.tries != h.tries || h.phase != phaseOpen {
		return nil
	}
	return h.form.Resend()
}

func (h *Screen) glanceSoon() tea.Cmd {
	due := glanceDue{fromHost{h.host}}
	return tea.Tick(ask.GlancePause, func(time.Time) tea.Msg { return due })
}

func (h *Screen) entrySoon(pause time.Duration) tea.Cmd {
	due := entryDue{fromHost{h.host}, h.Ask.ID}
	return tea.Tick(pause, func(time.Time) tea.Msg { return due })
}
