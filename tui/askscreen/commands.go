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

// Store is what a Screen needs of the store.
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

// start opens the first ask.
func (s *Screen) start() tea.Cmd {
	host := s.host
	return func() tea.Msg { return open(host, host.Start) }
}

// openNext opens what waits after an ask that is done.
func (s *Screen) openNext(done string) tea.Cmd {
	host, aside := s.host, slices.Clone(s.state.Aside)
	return func() tea.Msg {
		return open(host, func() (ask.Opened, error) { return host.Next(done, aside) })
	}
}

func (s *Screen) reread(id string) tea.Cmd {
	host, aside := s.host, slices.Clone(s.state.Aside)
	return func() tea.Msg {
		return askReread{open(host, func() (ask.Opened, error) { return host.Reread(id, aside) })}
	}
}

func (s *Screen) openFollowed(from, next string) tea.Cmd {
	host, entry, aside := s.host, s.form.Entry(), slices.Clone(s.state.Aside)
	return func() tea.Msg {
		return askFollowed{open(host, func() (ask.Opened, error) { return host.Follow(from, next, entry, aside) }), from}
	}
}

func (s *Screen) markShown() tea.Cmd {
	host, shown := s.host, s.state.Ask
	return func() tea.Msg {
		host.MarkShown(shown)
		return nil
	}
}

func (s *Screen) release() tea.Cmd {
	host, id := s.host, s.state.Ask.ID
	return func() tea.Msg {
		host.Release(id)
		return nil
	}
}

// storeEntry saves what was entered, as the entry of the ask or of the ask that took its
// place.
func (s *Screen) storeEntry() tea.Cmd {
	host, id, entry := s.host, s.state.Ask.ID, s.form.Entry()
	return func() tea.Msg {
		_, err := host.Save(id, entry)
		return entryStored{fromHost{host}, id, entry, err}
	}
}

func (s *Screen) leaveWithEntry(asked form.LaterRequested, unsaved bool) tea.Cmd {
	host, id, entry := s.host, s.state.Ask.ID, s.form.Entry()
	return func() tea.Msg {
		if !unsaved {
			return leftWithEntry{fromHost{host}, asked, id, entry, nil}
		}
		_, err := host.Save(id, entry)
		return leftWithEntry{fromHost{host}, asked, id, entry, err}
	}
}

func (s *Screen) writeOutcome(outcome questions.Outcome, edited safe.Text) tea.Cmd {
	host, settles := s.host, s.state.Ask
	return func() tea.Msg {
		now, err := host.Settle(settles, outcome, edited)
		return settleDone{fromHost{host}, settles.ID, now, err}
	}
}

// keepLate stores what was entered and never sent on the record of an ask that ended
// elsewhere.
func (s *Screen) keepLate() tea.Cmd {
	host, ended, entry := s.host, s.state.Ask, s.form.Entry()
	return func() tea.Msg { return keptLate{fromHost{host}, ended, host.KeepLate(ended, entry)} }
}

// lookAtStore reads what may have changed about the ask.
func (s *Screen) lookAtStore() tea.Cmd {
	known := review.Newer{}
	if s.review != nil {
		known = s.review.Newer()
	}
	host, shown, aside := s.host, s.state.Ask, slices.Clone(s.state.Aside)
	return func() tea.Msg {
		seen, err := host.Glance(shown, known, aside)
		return glanced{fromHost{host}, seen, err}
	}
}

func (s *Screen) settleSoon() tea.Cmd {
	due := settleDue{fromHost{s.host}, s.state.Ask.ID, s.tries}
	return tea.Tick(ask.RetryPause, func(time.Time) tea.Msg { return due })
}

// unsettled goes on after an outcome could not be stored. If the fault may pass, it tries
// again. If the ask keeps no more replies, what was entered is printed at the end.
func (s *Screen) unsettled(msg settleDone) tea.Cmd {
	switch {
	case kv.Passing(msg.err):
		return tea.Batch(s.entryChanged(msg.id), s.settleSoon())
	case form.TooLateToKeep(msg.err):
		s.tooLate = true
		s.lost = append(s.lost, wording.Overtaken(s.state.Ask, s.form.Entry()))
		return nil
	}
	return s.entryChanged(msg.id)
}

// resettle tries the failed write once more, unless the person has tried since or went
// back to the form.
func (s *Screen) resettle(msg settleDue) tea.Cmd {
	if msg.id != s.state.Ask.ID || msg.tries != s.tries || s.phase != phaseOpen {
		return nil
	}
	return s.form.Resend()
}

func (s *Screen) glanceSoon() tea.Cmd {
	due := glanceDue{fromHost{s.host}}
	return tea.Tick(ask.GlancePause, func(time.Time) tea.Msg { return due })
}

func (s *Screen) entrySoon(pause time.Duration) tea.Cmd {
	due := entryDue{fromHost{s.host}, s.state.Ask.ID}
	return tea.Tick(pause, func(time.Time) tea.Msg { return due })
}
