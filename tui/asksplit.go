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

// Messages about what is to be remembered.
type (
	splitDue  struct{ fromIO }
	splitKept struct {
		fromIO
		split store.Split
	}
)

// noteSplit notes how the form is divided, for the next one, and reports whether the
// person changed that. It is asked of the form itself: what the form tells may come
// when it is no longer there.
func (h *askScreen) noteSplit() bool {
	if h.form == nil {
		return false
	}
	now, was := store.Split(h.form.split), h.form.in.Split
	if h.split != nil {
		was = *h.split
	}
	if now == was {
		return false
	}
	h.split = &now
	return true
}

// splitMoved has it remembered soon if the person divided the form otherwise.
func (h *askScreen) splitMoved() tea.Cmd {
	if !h.noteSplit() || h.splitting {
		return nil
	}
	return h.keepSplitSoon()
}

func (h *askScreen) keepSplitSoon() tea.Cmd {
	h.splitting = true
	return tea.Tick(splitPause, func(time.Time) tea.Msg { return splitDue{fromIO{h.io}} })
}

func (h *askScreen) keepSplit() tea.Cmd {
	split := *h.split
	return func() tea.Msg {
		ctx, cancel := h.io.step()
		defer cancel()
		h.io.keepSplit(ctx, split)
		return splitKept{fromIO{h.io}, split}
	}
}

// splitKept goes on with what was moved meanwhile.
func (h *askScreen) splitKept(split store.Split) tea.Cmd {
	h.splitting = false
	if split != *h.split {
		return h.keepSplitSoon()
	}
	return nil
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
