package tui

import (
	"context"
	"slices"
	"time"

	"planb/store"
	"planb/tui/ask"
)

// plainWatch looks at an ask while it is being answered in plain lines, and tells
// the person what happens to it.
type plainWatch struct {
	host     *plainHost
	ask      string
	who      string // the agent
	waits    bool   // its call is there to take the answer
	ended    store.Ask
	onRecord bool // what was entered is on the ask's record already
}

// start tells of the ask until ctx ends.
func (w *plainWatch) start(ctx context.Context) <-chan func() error {
	aside := slices.Clone(w.host.aside)
	return watchForNews(ctx, func() []func() error {
		seen, err := w.host.host.Glance(store.Ask{ID: w.ask}, ask.Newer{}, aside)
		if err != nil {
			return nil // the next look comes within a second
		}
		return []func() error{func() error { return w.heard(seen) }}
	})
}

// watchForNews looks once a second until ctx ends. What it returns tells what was
// seen, each in the conversation's own goroutine.
func watchForNews(ctx context.Context, look func() []func() error) <-chan func() error {
	news := make(chan func() error)
	go func() {
		tick := time.NewTicker(glancePause)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			for _, tell := range look() {
				select {
				case news <- tell:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return news
}

// gaveWay reports whether another ask has taken this one's place.
func (w *plainWatch) gaveWay() bool { return w.ended.Outcome.Next != "" }

// heard says what has changed.
func (w *plainWatch) heard(seen ask.Seen) error {
	if next := seen.Ask.Outcome.Next; next != "" {
		if w.ended.ID != "" {
			return nil // it was said, and waits for the line that is being typed
		}
		w.ended = seen.Ask
		return w.host.talk.say("\nThe plan was submitted again: that comes up when you have answered this.")
	}
	if !seen.Ask.Open() {
		w.ended = seen.Ask
		return errEnded
	}
	left := w.waits && !seen.Waits
	w.waits = seen.Waits
	if left {
		return w.host.talk.say("\n%s stopped waiting; your answer will be kept.", capital(w.who))
	}
	return nil
}
