package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// StaleAfter is the interval at which a screen that says "5 min ago" is drawn again.
const StaleAfter = 20 * time.Second

// ClosePatience bounds the time to save things when a program ends: an entry and a few
// claims.
const ClosePatience = 5 * time.Second

// StorePatience bounds one step of work on the store.
const StorePatience = 30 * time.Second

// Within makes a command that does one step of work on the store, within StorePatience.
func Within(work func(ctx context.Context) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), StorePatience)
		defer cancel()
		return work(ctx)
	}
}

// Quiet is how long no key may come before a new screen accepts one. An earlier key may be
// meant for the screen before.
const Quiet = 425 * time.Millisecond

// RefreshPause is the least time between two reads of the store, so that writers have room
// while many asks come and go. The screen reads the first change after a pause at once.
const RefreshPause = 25 * time.Millisecond
