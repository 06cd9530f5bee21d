package screen

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// StaleAfter is how often a screen that says "5 min ago" is drawn anew.
const StaleAfter = 20 * time.Second

// ClosePatience bounds what is put away when a program ends: an entry and a few claims.
const ClosePatience = 5 * time.Second

// StorePatience bounds one step of work on the store.
const StorePatience = 30 * time.Second

// Within is a command that does one step of work on the store, within StorePatience.
func Within(work func(ctx context.Context) tea.Msg) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), StorePatience)
		defer cancel()
		return work(ctx)
	}
}

// Quiet is how long a person has to leave the keys alone before one counts that could have
// been meant for what stood on the screen before.
const Quiet = 425 * time.Millisecond

// RefreshPause is the least time between two reads. Where many asks come and go
// at once it leaves writers room; one alone is read at once.
const RefreshPause = 25 * time.Millisecond
