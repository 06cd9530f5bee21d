package pane

import (
	"context"
	"errors"
	"strings"
)

// Seat names the pane of this process; see Resident.
func (t *Tmux) Seat() string { return placeName(t.Name(), t.server, t.own) }

// Visit makes the window or the pane of a place the current one of the terminal that shows
// this pane; see Visitor.
func (t *Tmux) Visit(ctx context.Context, place string) error {
	listed, err := t.tmux(ctx, "list-panes", "-a", "-F", "#{window_id} #{pane_id}")
	if err != nil {
		return err
	}
	for target := range strings.FieldsSeq(listed) {
		if placeName(t.Name(), t.server, target) == place {
			return t.switchTo(ctx, target)
		}
	}
	return errors.New("its pane is gone, or not in this tmux")
}

// switchTo shows a window, or a pane with the focus, in the terminals that show this pane's
// session.
func (t *Tmux) switchTo(ctx context.Context, target string) error {
	clients, err := t.tmux(ctx, "list-clients", "-t", t.own, "-F", "#{client_name}")
	if err != nil {
		return err
	}
	var problems []error
	for client := range strings.Lines(clients) {
		if client = strings.TrimSpace(client); client != "" {
			_, err := t.tmux(ctx, "switch-client", "-c", client, "-t", target)
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}
