package drafts_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"planb/drafts/draftstest"
	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/store"
	"planb/store/bolt"
)

// benchWorld is a server over a file, with so many drafts that nobody wrote a step of.
func benchWorld(b *testing.B, drafts int) (*mcptest.World, *mcptest.Client) {
	b.Helper()
	engine, err := bolt.Open(b.Context(), filepath.Join(b.TempDir(), "planb.db"), bolt.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := engine.Close(); err != nil {
			b.Error(err)
		}
	})
	w := mcptest.WorldOver(b, store.New(engine, store.Options{By: "you@example"}), func(cfg *mcp.Config) {
		cfg.Toolsets, cfg.WorkingDir = []string{"session", "drafts"}, b.TempDir()
	})
	c := mcptest.Connect(b, w.Server)
	c.Initialize("codex")
	session := c.Session()
	for n := range drafts {
		c.Tool("plan_create", map[string]any{"sessionId": session, "prompt": fmt.Sprintf("%d: a prompt that is long enough.", n)})
	}
	return w, c
}

// begin begins a draft of the workshop and accepts so many answers before the first gate.
func begin(b *testing.B, c *mcptest.Client, n, accepted int) (id, lease string) {
	b.Helper()
	made := c.Tool("plan_create", map[string]any{"prompt": fmt.Sprintf("%s\n%d", draftstest.File(b, "prompt.txt"), n), "start_date": "2026-12-01"})
	id = made.Data["plan_id"].(string)
	given := stepLine.FindStringSubmatch(c.Tool("step_next", map[string]any{"plan_id": id}).Text())
	for range accepted {
		given = stepLine.FindStringSubmatch(submitted(b, c, id, given[1], given[2]))
	}
	return id, given[2]
}

func submitted(b *testing.B, c *mcptest.Client, id, step, lease string) string {
	b.Helper()
	a := c.Tool("step_submit", map[string]any{"plan_id": id, "step": step, "lease": lease, "output": string(draftstest.File(b, step+".json"))})
	if a.IsError {
		b.Fatal(a.Text())
	}
	return a.Text()
}

// Section 10, V22: 5 ms at the median.
func BenchmarkPlanStatusOf1000(b *testing.B) {
	_, c := benchWorld(b, 1000)
	id, _ := begin(b, c, 0, 1)
	for b.Loop() {
		if a := c.Tool("plan_status", map[string]any{"plan_id": id}); a.IsError {
			b.Fatal(a.Text())
		}
	}
}

// Section 10: 20 ms.
func BenchmarkStepNext(b *testing.B) {
	_, c := benchWorld(b, 0)
	id, _ := begin(b, c, 0, 1)
	for b.Loop() {
		if a := c.Tool("step_next", map[string]any{"plan_id": id}); a.IsError {
			b.Fatal(a.Text())
		}
	}
}

// Section 10: a commit and 10 ms. The result has the next step, which is claimed in the same
// commit.
func BenchmarkStepSubmit(b *testing.B) {
	_, c := benchWorld(b, 0)
	for n := 0; b.Loop(); n++ {
		b.StopTimer()
		id, lease := begin(b, c, n, 0)
		b.StartTimer()
		submitted(b, c, id, "brief", lease)
	}
}

// BenchmarkCommit is what one commit costs here, with the call around it.
func BenchmarkCommit(b *testing.B) {
	_, c := benchWorld(b, 0)
	for b.Loop() {
		c.Session()
	}
}
