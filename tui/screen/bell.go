package screen

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// Watcher tells that something in the store may have changed.
type Watcher interface {
	Watch(ctx context.Context) (<-chan struct{}, error)
}

// Bell tells one screen that the store may have changed.
type Bell struct {
	store Watcher
	life  context.Context
	Stop  context.CancelFunc
	rings <-chan struct{}
}

// Messages of a bell to its screen. The screen gives them to Heard.
type (
	Hung struct {
		bell  *Bell
		rings <-chan struct{}
	}
	Rang struct{ bell *Bell }
)

// NewBell returns a bell of a store. It is silent until Start.
func NewBell(store Watcher) *Bell {
	life, stop := context.WithCancel(context.Background())
	return &Bell{store: store, life: life, Stop: stop}
}

// Start subscribes to the store. If the store cannot be watched, the bell stays silent, and
// the screen has to read it from time to time.
func (b *Bell) Start() tea.Cmd {
	return func() tea.Msg {
		rings, err := b.store.Watch(b.life)
		if err != nil {
			return nil
		}
		return Hung{b, rings}
	}
}

// Heard calls do if msg says that the store may have changed, and waits for the next change.
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
