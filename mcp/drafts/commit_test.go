package drafts_test

import (
	"context"
	"sync/atomic"
	"testing"

	"planb/drafts/draftstest"
	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// counting counts commits.
type counting struct {
	kv.Engine
	commits atomic.Int32
}

func (e *counting) Commit(ctx context.Context, b kv.Batch) error {
	e.commits.Add(1)
	return e.Engine.Commit(ctx, b)
}

// Section 3: accepting is one commit. It also gives the step back and claims the next one.
func TestSubmittingIsOneCommit(t *testing.T) {
	t.Parallel()
	engine := &counting{Engine: kvtest.NewMap()}
	w := mcptest.WorldOver(t, store.New(engine, store.Options{By: "you@example"}), func(cfg *mcp.Config) {
		cfg.Toolsets, cfg.WorkingDir = []string{"drafts"}, t.TempDir()
	})
	c := connect(t, w, "codex")
	id := create(t, c)
	step := stepLine.FindStringSubmatch(c.Tool("step_next", map[string]any{"plan_id": id}).Text())
	submit := func(more map[string]any) mcptest.Answer {
		args := map[string]any{"plan_id": id, "step": step[1], "lease": step[2], "output": string(draftstest.File(t, step[1]+".json"))}
		for name, value := range more {
			args[name] = value
		}
		return c.Tool("step_submit", args)
	}
	before := engine.commits.Load()
	got := submit(nil)
	if n := engine.commits.Load() - before; n != 1 {
		t.Errorf("accepting took %d commits: %s", n, got.Text())
	}
	step = stepLine.FindStringSubmatch(got.Text())
	writers, err := w.Store.Drafts().Writers(t.Context(), id)
	if _, claimed := writers[step[1]]; err != nil || !claimed || len(writers) != 1 {
		t.Errorf("the step %s is given, and claimed are %v, %v", step[1], writers, err)
	}
	before = engine.commits.Load()
	submit(map[string]any{"next": false})
	if n := engine.commits.Load() - before; n != 1 {
		t.Errorf("accepting without a next step took %d commits", n)
	}
	if writers, err := w.Store.Drafts().Writers(t.Context(), id); err != nil || len(writers) != 0 {
		t.Errorf("afterwards claimed are %v, %v", writers, err)
	}
}
