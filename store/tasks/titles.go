package tasks

import (
	"context"

	"planb/plans/tasks"
	"planb/questions/safe"
)

// titles reads the titles of a plan's tasks when they are needed.
type titles struct {
	s    *Store
	ctx  context.Context
	w    Whole
	list []tasks.Task // of the leaf that was read last
	err  error        // the first failure; titles are the nodeKeys from then on
}

func (s *Store) titles(ctx context.Context, w Whole) *titles { return &titles{s: s, ctx: ctx, w: w} }

// of returns the title of task n. It is a tasks.Names.
func (t *titles) of(n int) safe.Text {
	if title, ok := t.find(n); ok {
		return title
	}
	if l, ok := t.w.content.leafOf(n); ok && t.err == nil {
		t.list, t.err = t.s.leaf(t.ctx, l)
	}
	if title, ok := t.find(n); ok {
		return title
	}
	return safe.New(t.w.Graph.Key(n))
}

func (t *titles) find(n int) (safe.Text, bool) {
	if len(t.list) == 0 || n < t.list[0].Number || n >= t.list[0].Number+len(t.list) {
		return safe.Text{}, false
	}
	return t.list[n-t.list[0].Number].Title, true
}
