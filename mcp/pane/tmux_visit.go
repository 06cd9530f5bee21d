package pane

import (
	"context"
	"errors"
	"strings"
)

// Visit makes the window of a place the current one of the terminal that shows this pane;
// see Visitor.
func (t *Tmux) Visit(ctx context.Context, place string) error {
	listed, err := t.tmux(ctx, "list-windows", "-a", "-F", "#{window_id}")
	if err != nil {
		return err
	}
	for window := range strings.Lines(listed) {
		window = strings.TrimSpace(window)
		if window != "" && placeName(t.Name(), t.server, window) == place {
			return t.switchTo(ctx, window)
		}
	}
	return errors.New("its window is gone, or not in this tmux")
}

// switchTo shows a window in the terminals that show this pane's session.
func (t *Tmux) switchTo(ctx context.Context, window string) error {
	clients, err := t.tmux(ctx, "list-clients", "-t", t.own, "-F", "#{client_name}")
	if err != nil {
		return err
	}
	var problems []error
	for client := range strings.Lines(clients) {
		if client = strings.TrimSpace(client); client != "" {
			_, err := t.tmux(ctx, "switch-client", "-c", client, "-t", window)
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}
