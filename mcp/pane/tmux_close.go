package pane

import (
	"context"
	"fmt"
	"os"
)

// Close closes the pane of this process; see Closer. tmux 3.3 misses now and then that the
// command in a pane has ended, until another child of tmux ends. A pane that tmux is to
// keep (remain-on-exit) stays.
func (t *Tmux) Close(ctx context.Context) error {
	if t.agent == "" {
		return nil
	}
	said, err := t.tmux(ctx, "display-message", "-p", "-t", t.own, "#{pane_pid} #{remain-on-exit}")
	if err != nil || said != fmt.Sprintf("%d off", os.Getpid()) {
		return err
	}
	_, err = t.tmux(ctx, "kill-pane", "-t", t.own)
	return err
}
