package retro

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/store/search"
	"planb/store/timeline"
	"planb/tui/compare"
	"planb/tui/keymap"
	"planb/tui/markdown"
	"planb/tui/screen"
)

// Store is what the screens of past sessions read of the store.
type Store interface {
	screen.Watcher
	timeline.Source
	timeline.Texts
	search.Source
	compare.Store
	Ask(ctx context.Context, id string) (store.Ask, error)
	Drafts() *runs.Store
}

// Deps is what the screens of past sessions are given.
type Deps struct {
	Store   Store
	Keys    keymap.Keys
	Environ []string // for the person's pager and editor
	Now     func() time.Time
	// OpenForm makes the screen of an ask: to be answered if it can be, else to be read.
	OpenForm func(Form) screen.Screen
	// After sends a message in some time: screen.After, but not in tests.
	After func(time.Duration, tea.Msg) tea.Cmd
}

func (d Deps) comparing() compare.Deps {
	return compare.Deps{Store: d.Store, Keys: d.Keys, Environ: d.Environ, Now: d.Now,
		Cited: func(ctx context.Context, session string, texts map[int]safe.Text) markdown.Cited {
			return ReadCited(ctx, d.Store, session, texts)
		}}
}

// Form is an ask whose form is to be opened, and what is shown of it first.
type Form struct {
	Ask      store.Ask
	Question string // the id of the question that gets the focus; empty for none
	Found    string // the text of a review that was searched for; the comment with it gets the cursor
	Others   int    // how many other forms wait for the person
}
