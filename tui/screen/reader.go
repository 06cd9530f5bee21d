package screen

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// Reader makes a screen read its data: at the start, when the store rings, and every
// StaleAfter. However often the store rings, one read comes after another, with a rest in
// between.
type Reader struct {
	bell     *Bell
	throttle Throttle
	after    func(time.Duration, tea.Msg) tea.Cmd
	read     func() tea.Cmd
}

// Messages of a reader to its screen. The screen gives them, as those of a bell, to Heard.
type (
	ReadDue   interface{ readDue() }
	readAgain struct{ reader *Reader } // the rest is over
	readStale struct{ reader *Reader } // what is shown has grown old
)

func (Hung) readDue()      {}
func (Rang) readDue()      {}
func (readAgain) readDue() {}
func (readStale) readDue() {}

// NewReader returns a reader of a store. read returns the command that reads; the screen calls
// Done when it has what was read.
func NewReader(store Watcher, after func(time.Duration, tea.Msg) tea.Cmd, read func() tea.Cmd) *Reader {
	return &Reader{bell: NewBell(store), after: after, read: read}
}

// Start begins the first read, and listens for changes until Stop.
func (r *Reader) Start() tea.Cmd { return tea.Batch(r.Read(), r.bell.Start(), r.staleSoon()) }

// Stop ends the listening.
func (r *Reader) Stop() { r.bell.Stop() }

// Read begins a read, or has one come after the read under way and its rest.
func (r *Reader) Read() tea.Cmd {
	if !r.throttle.Begin() {
		return nil
	}
	return r.read()
}

// Done notes the end of a read. The next one begins after that rest at the earliest.
func (r *Reader) Done(rest time.Duration) tea.Cmd {
	r.throttle.Rest()
	r.throttle.Ended() // no read begins before the rest is over
	return r.after(rest, readAgain{r})
}

// Heard begins a read if one is due.
func (r *Reader) Heard(msg ReadDue) tea.Cmd {
	switch msg := msg.(type) {
	case Hung, Rang:
		return r.bell.Heard(msg, r.Read)
	case readAgain:
		if msg.reader == r && r.throttle.Rested() {
			return r.Read()
		}
	case readStale:
		if msg.reader == r {
			return tea.Batch(r.Read(), r.staleSoon())
		}
	}
	return nil
}

func (r *Reader) staleSoon() tea.Cmd { return r.after(StaleAfter, readStale{r}) }
