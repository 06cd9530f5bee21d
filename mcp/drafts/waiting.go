package drafts

import (
	"context"
	"time"

	"planb/mcp/tool"
	"planb/mcp/wire"
	"planb/store/runs"
)

// waitForChange waits until the plan or its writers change. It returns false if the
// time is over or the call ends first. Meanwhile the client is told that the call
// lives.
func (s *toolset) waitForChange(ctx context.Context, c *tool.Caller, w runs.Whole, most time.Duration) bool {
	defer c.Park()()
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	changed, err := s.Store.Watch(ctx)
	if err != nil {
		s.Log.Warn("a draft could not be watched", "plan", w.ID, "error", err)
		return false
	}
	busy := len(s.busy(ctx, w.ID))
	progress := time.NewTicker(wire.ProgressEvery)
	defer progress.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-c.Context().Done():
			return false
		case <-c.Agent.Closing():
			return false
		case <-progress.C:
			c.Progress(w.Label())
			if len(s.busy(ctx, w.ID)) < busy {
				return true // who wrote a step has ended
			}
		case _, open := <-changed:
			if !open {
				return false
			}
			now, err := s.Store.Drafts().Plan(ctx, w.ID)
			if err != nil || now.Cursor != w.Cursor || now.State != w.State || len(s.busy(ctx, w.ID)) < busy {
				return true // an error is met again, and told, by who reads next
			}
		}
	}
}
