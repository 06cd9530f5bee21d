package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/store"
)

// splitPause is how long a moved border waits for the next move before it is
// remembered.
const splitPause = 500 * time.Millisecond

// askSplits remembers how the person divided a form.
type askSplits interface {
	Split(ctx context.Context) (store.Split, error)
	KeepSplit(ctx context.Context, split store.Split) error
}

// splitDue says that it is time to remember how the person divided the form.
type splitDue struct{ fromIO }

// splitMoved notes how the person divided the form, for the next one and, soon,
// for every other. It notes what the form holds now: messages of commands may
// overtake one another.
func (h *askScreen) splitMoved(id string) tea.Cmd {
	if h.form == nil || id != h.ask.ID {
		return nil
	}
	split := store.Split(h.form.split)
	h.split = &split
	if h.splitting {
		return nil
	}
	h.splitting = true
	return tea.Tick(splitPause, func(time.Time) tea.Msg { return splitDue{fromIO{h.io}} })
}

func (h *askScreen) keepSplit() tea.Cmd {
	if !h.splitting {
		return nil
	}
	h.splitting = false
	split := *h.split
	return func() tea.Msg {
		ctx, cancel := h.io.step()
		defer cancel()
		h.io.keepSplit(ctx, split)
		return nil
	}
}

// keepSplit remembers it for later forms. A store that cannot is no trouble to
// the person: this form and those after it here are divided as they want.
func (a *askIO) keepSplit(ctx context.Context, split store.Split) { _ = a.KeepSplit(ctx, split) }

// split is how the person divided a form before, if this one has illustrations.
// Without an answer from the store the form comes as it does to everybody.
func (a *askIO) split(ctx context.Context, ask store.Ask) store.Split {
	for _, q := range ask.Spec.Questions {
		for _, o := range q.Options {
			if !o.Markdown.IsZero() {
				split, _ := a.Split(ctx)
				return split
			}
		}
	}
	return store.Split{}
}
