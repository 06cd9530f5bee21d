package tasks_test

import (
	"encoding/json"
	"strings"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/plans/review"
	"planb/store"
)

// withTasks offers the tools of tasks.
func withTasks(cfg *mcp.Config) { cfg.Toolsets = []string{"tasks"} }

// object reads the object in the first item of a result.
func object(t *testing.T, got mcptest.Answer) map[string]any {
	t.Helper()
	var said map[string]any
	if err := json.Unmarshal([]byte(got.Texts()[0]), &said); err != nil {
		t.Fatalf("the result begins with no object: %q", got.Texts())
	}
	return said
}

// proposed has an agent propose three tasks: two wait for the first.
func proposed(t *testing.T, c *mcptest.Client) (plan string) {
	t.Helper()
	c.Tool("create_project", map[string]any{"name": "Shop"})
	got := c.Tool("propose_plan", map[string]any{"title": "Open the shop", "tasks": []any{
		map[string]any{"nodeKey": "schema", "title": "Write the schema"},
		map[string]any{"nodeKey": "api", "title": "Write the API", "dependsOn": []string{"schema"}},
		map[string]any{"nodeKey": "docs", "title": "Describe the API", "dependsOn": []string{"schema"}},
	}})
	plan, _ = object(t, got)["planId"].(string)
	return plan
}

// textOf is what the person reads in the review.
func textOf(t *testing.T, w *mcptest.World, ask store.Ask) string {
	t.Helper()
	text, err := w.Store.PlanText(t.Context(), ask.Session, ask.Spec.Plan.Number)
	if err != nil {
		t.Fatal(err)
	}
	return text.Raw()
}

func TestApproved(t *testing.T) {
	w := mcptest.NewWorld(t, withTasks)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	plan := proposed(t, c)
	call := c.StartTool("approve_plan", map[string]any{"planId": plan})
	ask := w.Opened(1)[0]
	w.Settle(ask.ID, mcptest.Says(t, textOf(t, w, ask), review.Review{Verdict: review.Approve}))
	got := c.Answer(call)
	if !strings.Contains(got.Text(), "Approved exactly") {
		t.Errorf("%s", got.Text())
	}
}
