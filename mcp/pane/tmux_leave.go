package pane

import (
	"context"
	"errors"
	"os"
)

// Leave gives the focus back and shows the receipt; see Leaver.
func (t *Tmux) Leave(ctx context.Context, receipt string) error {
	var problems []error
	if t.agent != "" {
		problems = append(problems, t.giveBack(ctx))
	}
	if receipt != "" {
		problems = append(problems, t.show(ctx, receipt))
	}
	return errors.Join(problems...)
}

// giveBack selects the agent's pane, if the person is still in this one.
func (t *Tmux) giveBack(ctx context.Context) error {
	gave, err := t.tmux(ctx, giveBackArgs(t.own, t.agent, t.zoomed)...)
	if err != nil || gave == "" || !t.zoomed {
		return err
	}
	_, err = t.tmux(ctx, rezoomArgs(t.agent)...)
	return err
}

// Close closes the pane of this process; see Closer. tmux 3.3 misses now and then that the
// command in a pane has ended, until another child of tmux ends. A pane that tmux is to
// keep (remain-on-exit) stays.
func (t *Tmux) Close(ctx context.Context) error {
	if t.agent == "" {
		return nil
	}
	_, err := t.tmux(ctx, closeArgs(t.own, os.Getpid())...)
	return err
}
