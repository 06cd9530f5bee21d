package screen

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"
)

// Writes are a person's decisions on their way into the store. A person may leave a screen
// right after a decision, so its Close waits for them. The zero value is ready.
type Writes struct{ under []*writing }

type writing struct {
	done chan struct{}
	err  error // once done is closed
}

// Begin makes the command that runs work. The command returns what work says to the screen.
func (w *Writes) Begin(work func(ctx context.Context) (said tea.Msg, err error)) tea.Cmd {
	begun := &writing{done: make(chan struct{})}
	w.under = append(w.under, begun)
	return Within(func(ctx context.Context) tea.Msg {
		defer close(begun.done)
		said, err := work(ctx)
		begun.err = err
		return said
	})
}

// Told forgets the decisions that are written: the screen has shown what became of them.
func (w *Writes) Told() {
	w.under = slices.DeleteFunc(w.under, func(begun *writing) bool {
		select {
		case <-begun.done:
			return true
		default:
			return false
		}
	})
}

// Wait returns once every decision is written, with the errors that no screen has shown. It
// fails when ctx ends.
func (w *Writes) Wait(ctx context.Context) (untold []error, err error) {
	for _, begun := range w.under {
		select {
		case <-begun.done:
			if begun.err != nil {
				untold = append(untold, begun.err)
			}
		case <-ctx.Done():
			return untold, ctx.Err()
		}
	}
	return untold, nil
}
