package tasks_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/tasks"
)

// deaf is an engine that does not give the record of one key.
type deaf struct {
	kv.Engine
	to kv.Key
}

func (d *deaf) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	if slices.Contains(keys, d.to) {
		return nil, errors.New("the disk is busy")
	}
	return d.Engine.Get(ctx, keys...)
}

// TestNewsThatCouldBeReadIsTold covers T27: what happened to one task is told although
// another task cannot be read at that moment, whose news comes later.
func TestNewsThatCouldBeReadIsTold(t *testing.T) {
	engine := &deaf{Engine: kvtest.NewMap()}
	w := newWorldOver(t, engine)
	id := w.approved(t, flat("a", "b"))
	c := connect(t, w.store())
	a, b := w.claim(t, c, id, "a"), w.claim(t, c, id, "b")
	for _, got := range []tasks.Claimed{a, b} {
		if _, err := w.store().Release(w.ctx, person(), got.ID); err != nil {
			t.Fatal(err)
		}
	}
	engine.to = kv.Key("wr/" + id + "/2")
	news, err := c.News(w.ctx)
	if err == nil || len(news) != 1 || news[0].TaskID != a.ID || news[0].What != tasks.NewsReleased {
		t.Errorf("told %+v, %v", news, err)
	}
	engine.to = ""
	news, err = c.News(w.ctx)
	if err != nil || len(news) != 1 || news[0].TaskID != b.ID {
		t.Errorf("later told %+v, %v", news, err)
	}
}
