package lines

import (
	"context"
	"slices"
	"time"

	"planb/plans/review"
	"planb/tui/ask"
	"planb/tui/wording"
)

// watch tells the person until ctx ends what happens to the ask while they answer it.
func (h *host) watch(ctx context.Context) <-chan func() error {
	shown, aside := h.Ask, slices.Clone(h.Aside)
	return watchForNews(ctx, func() []func() error {
		seen, err := h.host.Glance(shown, review.Newer{}, aside)
		if err != nil {
			return nil // the next look comes within a second
		}
		return []func() error{func() error { return h.heard(seen) }}
	})
}

// watchForNews calls look once a second until ctx ends. The functions that look returns
// run in the conversation's own goroutine.
func watchForNews(ctx context.Context, look func() []func() error) <-chan func() error {
	news := make(chan func() error)
	go func() {
		tick := time.NewTicker(ask.GlancePause)
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

// heard says what has changed.
func (h *host) heard(seen ask.Seen) error {
	told := h.Next() != ""
	news := h.Glanced(seen)
	switch {
	case news.Replaced && !h.entered:
		return errEnded
	case news.Replaced && !told:
		return h.talk.say("\nThe plan was submitted again: that comes up when you have answered this.")
	case news.Outcome && !h.Ask.Open():
		return errEnded
	case news.Waits && !h.Waits:
		return h.talk.say("\n%s stopped waiting; your answer will be kept.", wording.Capital(h.who()))
	}
	return nil
}
