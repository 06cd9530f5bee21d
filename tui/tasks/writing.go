package tasks

import (
	"context"

	tea "charm.land/bubbletea/v2"

	rules "planb/plans/tasks"
	"planb/tui/screen"
	"planb/tui/wording"
)

// writing is a decision on its way into the store.
type writing struct {
	done chan struct{}
	err  error // once done is closed
}

func (w *writing) over() bool {
	select {
	case <-w.done:
		return true
	default:
		return false
	}
}

// write makes the command that writes a decision. A person may leave the screen right after
// their answer, so close waits for it.
func (d *decider) write(work func(ctx context.Context) decided) tea.Cmd {
	w := &writing{done: make(chan struct{})}
	d.writes = append(d.writes, w)
	return screen.Within(func(ctx context.Context) tea.Msg {
		defer close(w.done)
		said := work(ctx)
		w.err = said.err
		return said
	})
}

// close waits for the decisions that are being written, and says which of them failed that
// no screen can tell any more.
func (d *decider) close(ctx context.Context) (parting []string, err error) {
	for _, w := range d.writes {
		select {
		case <-w.done:
			if w.err != nil {
				parting = append(parting, undone(w.err))
			}
		case <-ctx.Done():
			return parting, ctx.Err()
		}
	}
	return parting, nil
}

func undone(err error) string {
	return "That could not be done: " + wording.Sentence(rules.Plainly(err))
}
