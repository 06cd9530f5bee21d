package inbox

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/store"
	"planb/tui/drafts"
	"planb/tui/keymap"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/tasks"
)

// Store is what the inbox needs of the store.
type Store interface {
	retro.Store
	waitingReader
	tidier
	Settle(ctx context.Context, id string, outcome questions.Outcome) (store.Ask, error)
	Snooze(ctx context.Context, id string, until time.Time) error
	Entry(ctx context.Context, askID string) (questions.Entry, bool, error)
}

// Deps is what the inbox is given.
type Deps struct {
	Store   Store
	Keys    keymap.Keys
	Environ []string // for the person's pager and editor, and which terminal they have
	By      string   // names the person, user@host
	Now     func() time.Time
	Answers bool // what waits is listed and can be answered; else only sessions are listed
	// Tasks opens plans of tasks; without a Store the inbox lists none.
	Tasks tasks.Deps
	// Drafts opens drafts; without a Store the inbox lists none.
	Drafts drafts.Deps
	// OpenForm makes the screen of an ask: to be answered if it can be, else to be read.
	OpenForm func(retro.Form) screen.Screen
	Copies   Copies // nil if there are none
	Rings    Rings
	// Announce shows a line to the person outside of this program, for Rings.Message. It is
	// nil if nothing can show one.
	Announce func(ctx context.Context, text string) error
	// After sends a message in some time: screen.After, but not in tests.
	After func(time.Duration, tea.Msg) tea.Cmd
}

// Past is what the screens of the past are given.
func (d Deps) Past() retro.Deps {
	return retro.Deps{Store: d.Store, Keys: d.Keys, Environ: d.Environ, Now: d.Now, OpenForm: d.OpenForm, After: d.After}
}
