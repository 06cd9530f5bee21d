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
	news, err := w.hears(c)
	if err == nil || len(news) != 1 || news[0].TaskID != a.ID || news[0].What != tasks.NewsReleased {
		t.Errorf("told %+v, %v", news, err)
	}
	engine.to = ""
	news, err = w.hears(c)
	if err != nil || len(news) != 1 || news[0].TaskID != b.ID {
		t.Errorf("later told %+v, %v", news, err)
	}
}

// hears returns the news of a connection, which is written to its client.
func (w *world) hears(c *tasks.Connection) ([]tasks.News, error) {
	news, err := c.News(w.ctx)
	for _, n := range news {
		c.Telling(n)(nil)
	}
	return news, err
}

// TestNewsIsToldUntilItIsWritten covers T27: news that was read, or could not be written,
// is read again; what is written is told once, although two replies have it.
func TestNewsIsToldUntilItIsWritten(t *testing.T) {
	w := newWorld(t)
	id := w.approved(t, flat("a", "b"))
	c := connect(t, w.store())
	a, b := w.claim(t, c, id, "a"), w.claim(t, c, id, "b")
	release := func(got tasks.Claimed) {
		t.Helper()
		if _, err := w.store().Release(w.ctx, person(), got.ID); err != nil {
			t.Fatal(err)
		}
	}
	want := func(want ...tasks.Claimed) []tasks.News {
		t.Helper()
		news, err := c.News(w.ctx)
		var got, ids []string
		for _, n := range news {
			got = append(got, n.TaskID)
		}
		for _, task := range want {
			ids = append(ids, task.ID)
		}
		if err != nil || !slices.Equal(got, ids) {
			t.Fatalf("told of %v, want %v, %v", got, ids, err)
		}
		return news
	}
	release(b)
	want(b)
	release(a)
	news := want(b, a)
	unwritten := c.Telling(news[0])
	want(a)
	unwritten(errors.New("the client reads no more"))
	want(b, a)
	c.Telling(news[0])(nil)
	want(a)
	c.Telling(news[0])(errors.New("the client reads no more")) // another reply has told it
	want(a)
	c.Telling(news[1])(nil)
	want()
}
