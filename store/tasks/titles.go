package tasks

import (
	"context"

	"planb/questions/safe"
)

// titles reads the titles of a plan's tasks when they are needed.
type titles struct {
	s    *Store
	ctx  context.Context
	w    Whole
	read map[int]safe.Text
	err  error // the first failure; titles are the nodeKeys then
}

func (s *Store) titles(ctx context.Context, w Whole) *titles {
	return &titles{s: s, ctx: ctx, w: w, read: map[int]safe.Text{}}
}

// of returns the title of task n. It is a tasks.Names.
func (t *titles) of(n int) safe.Text {
	if title, ok := t.read[n]; ok {
		return title
	}
	if t.err == nil {
		list, err := t.s.Tasks(t.ctx, t.w, n)
		t.err = err
		for _, task := range list {
			t.read[task.Number] = task.Title
		}
	}
	if title, ok := t.read[n]; ok {
		return title
	}
	return safe.New(t.w.Graph.Key(n))
}
