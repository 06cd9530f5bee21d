package wait_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// counting is an engine that counts what it is asked for.
type counting struct {
	kv.Engine
	reads, commits atomic.Int64
}

func (c *counting) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	c.reads.Add(1)
	return c.Engine.Get(ctx, keys...)
}

func (c *counting) Scan(ctx context.Context, prefix, after kv.Key, limit int) (kv.Page, error) {
	c.reads.Add(1)
	return c.Engine.Scan(ctx, prefix, after, limit)
}

func (c *counting) Commit(ctx context.Context, batch kv.Batch) error {
	c.commits.Add(1)
	return c.Engine.Commit(ctx, batch)
}

// costOfWaiting is what a server asks of the engine in a minute while so many asks
// wait in the queue of a pane.
func costOfWaiting(t *testing.T, asks int) (reads, commits int64) {
	t.Helper()
	engine := &counting{Engine: kvtest.NewMap()}
	s := &mcptest.Screen{}
	w := mcptest.WorldOver(t, store.New(engine, store.Options{By: "you@example"}), func(cfg *mcp.Config) {
		cfg.NoOpen, cfg.Opener, cfg.Wait = false, s, time.Hour
	})
	show, leave := w.ServePlace(t, "window-1")
	defer leave()
	s.Shows = show
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	var session string
	for i := range asks {
		if i%store.MaxOpen == 0 {
			session = c.Session()
		}
		c.StartTool("ask_user", mcptest.Titled(session, fmt.Sprint("Question ", i)))
	}
	w.Opened(asks)
	time.Sleep(10 * time.Second)
	synctest.Wait()
	reads, commits = engine.reads.Load(), engine.commits.Load()
	time.Sleep(time.Minute)
	synctest.Wait()
	reads, commits = engine.reads.Load()-reads, engine.commits.Load()-commits
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	return reads, commits
}

// However many asks wait, one look in two seconds sees whether their pane is there.
func TestManyAsksWaitAtTheCostOfFew(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "a minute", func(t *testing.T) {
		few, _ := costOfWaiting(t, 20)
		many, commits := costOfWaiting(t, 120)
		if many > few+100 || commits > 100 {
			t.Errorf("a minute takes %d reads with 20 asks, %d and %d commits with 120", few, many, commits)
		}
	})
}
