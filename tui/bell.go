package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"
)

// watcher tells that something in the store may have changed.
type watcher interface {
	Watch(ctx context.Context) (<-chan struct{}, error)
}

// bell tells one screen of changes in the store.
type bell struct {
	store watcher
	life  context.Context
	stop  context.CancelFunc
	rings <-chan struct{}
}

// Messages of a bell to its screen; heard takes them.
type (
	bellHung struct {
		bell  *bell
		rings <-chan struct{}
	}
	bellRang struct{ bell *bell }
)

func newBell(store watcher) *bell {
	life, stop := context.WithCancel(context.Background())
	return &bell{store: store, life: life, stop: stop}
}

// start subscribes. A store that cannot be watched is still read: whoever
// needs to be current looks again from time to time.
func (b *bell) start() tea.Cmd {
	return func() tea.Msg {
		rings, err := b.store.Watch(b.life)
		if err != nil {
			return nil
		}
		return bellHung{b, rings}
	}
}

// heard does what is to be done when msg says that the store may have changed,
// and waits for the next time.
func (b *bell) heard(msg tea.Msg, do func() tea.Cmd) tea.Cmd {
	switch msg := msg.(type) {
	case bellHung:
		if msg.bell != b {
			return nil
		}
		b.rings = msg.rings
		return b.wait()
	case bellRang:
		if msg.bell == b {
			return tea.Batch(b.wait(), do())
		}
	}
	return nil
}

func (b *bell) wait() tea.Cmd {
	rings := b.rings
	return func() tea.Msg {
		if _, ok := <-rings; !ok {
			return nil
		}
		return bellRang{b}
	}
}
