package screen

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Watcher tells that something in the store may have changed.
type Watcher interface {
	Watch(ctx context.Context) (<-chan struct{}, error)
}

// Bell tells one screen of changes in the store.
type Bell struct {
	store Watcher
	life  context.Context
	Stop  context.CancelFunc
	rings <-chan struct{}
}

// Messages of a bell to its screen; heard takes them.
type (
	Hung struct {
		bell  *Bell
		rings <-chan struct{}
	}
	Rang struct{ bell *Bell }
)

// NewBell is a bell of that store. It is silent until Start.
func NewBell(store Watcher) *Bell {
	life, stop := context.WithCancel(context.Background())
	return &Bell{store: store, life: life, Stop: stop}
}

// Start subscribes. A store that cannot be watched is still read: whoever
// needs to be current looks again from time to time.
func (b *Bell) Start() tea.Cmd {
	return func() tea.Msg {
		rings, err := b.store.Watch(b.life)
		if err != nil {
			return nil
		}
		return Hung{b, rings}
	}
}

// Heard does what is to be done when msg says that the store may have changed,
// and waits for the next time.
func (b *Bell) Heard(msg tea.Msg, do func() tea.Cmd) tea.Cmd {
	switch msg := msg.(type) {
	case Hung:
		if msg.bell != b {
			return nil
		}
		b.rings = msg.rings
		return b.wait()
	case Rang:
		if msg.bell == b {
			return tea.Batch(b.wait(), do())
		}
	}
	return nil
}

func (b *Bell) wait() tea.Cmd {
	rings := b.rings
	return func() tea.Msg {
		if _, ok := <-rings; !ok {
			return nil
		}
		return Rang{b}
	}
}

// BEL rings a terminal's bell.
const BEL = "\a"
