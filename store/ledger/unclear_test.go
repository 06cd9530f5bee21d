package ledger_test

import (
	"context"
	"errors"
	"testing"

	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
)

// cutOff ends a context in the middle of a commit whose outcome stays unclear.
type cutOff struct {
	*kvtest.Map
	end context.CancelFunc
}

func (c *cutOff) Commit(ctx context.Context, batch kv.Batch) error {
	if c.end != nil {
		c.Map.UnclearNextCommit(true)
		c.end()
		ctx = context.WithoutCancel(ctx)
	}
	return c.Map.Commit(ctx, batch)
}

// A caller that gave up in the middle of a commit is told that it may have happened.
func TestACommitThatIsCutOffStaysUnclear(t *testing.T) {
	engine := &cutOff{Map: kvtest.NewMap()}
	l := ledger.New(engine, ledger.Options{})
	if err := l.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	engine.end = end
	err := l.Commit(ctx, func(c *ledger.Change) error { return c.Put("t/x", ledger.NewHeader()) })
	if !errors.Is(err, kv.ErrUnclear) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if r, err := l.Get(t.Context(), "t/x"); err != nil || !r[0].Exists() {
		t.Errorf("the commit happened, and its record is %+v, %v", r, err)
	}
}
