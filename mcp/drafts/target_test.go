package drafts_test

import (
	"fmt"
	"strings"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
)

// V16, V33; INVALID_TARGET and content_unavailable.
func TestV16Targets(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	person(t, w)
	c := connect(t, w, "codex")
	build := c.Tool("plan_create", map[string]any{"prompt": prompt(t), "start_date": "2026-12-01", "target": "build_plan"})
	if !strings.Contains(build.Text(), "you write it in 8 answers; ") {
		t.Errorf("plan_create: %s", build.Text())
	}
	parent := build.Data["plan_id"].(string)
	validate := func(more ...any) mcptest.Answer {
		args := map[string]any{"target": "validate_plan"}
		for i := 0; i < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		return c.Tool("plan_create", args)
	}
	wantCode(t, validate(), "INVALID_ARGUMENT")
	wantCode(t, validate("parent_plan_id", "nothing"), "PLAN_NOT_FOUND")
	wantCode(t, validate("parent_plan_id", parent), "INVALID_ARGUMENT")
	if n := plans(t, w); n != 1 {
		t.Errorf("after bad requests there are %d plans", n)
	}
	done := (&model{t: t, c: c, plan: parent}).follow(build.Text(), "")
	if !strings.Contains(done, "DONE: 10 of 10; ") {
		t.Errorf("the end is %s", done)
	}
	wantCode(t, c.Tool("plan_file_info", map[string]any{"plan_id": parent, "artifact": "steps/22-summary.json"}), "content_unavailable")
	wantCode(t, validate("parent_plan_id", parent, "prompt", prompt(t)), "INVALID_ARGUMENT")
	child := validate("parent_plan_id", parent)
	if !strings.Contains(child.Text(), "you write it in 3 answers; ") {
		t.Fatalf("plan_create: %s", child.Text())
	}
	id := child.Data["plan_id"].(string)
	if got := c.Tool("plan_status", map[string]any{"plan_id": id}); got.Data["progress_percentage"] != 0.0 || got.Data["state"] != "processing" {
		t.Errorf("at first %s", got.Text())
	}
	done = (&model{t: t, c: c, plan: id}).follow(child.Text(), "")
	if !strings.Contains(done, "DONE: 2 of 2; ") {
		t.Errorf("the end is %s", done)
	}
	for _, artifact := range []string{"report", "zip", "steps/07-facts.json", "steps/22-summary.json"} {
		if got := c.Tool("plan_file_info", map[string]any{"plan_id": id, "artifact": artifact}); got.IsError || got.Data["ready"] == false {
			t.Errorf("%s: %s", artifact, got.Text())
		}
	}
}

// V3, V7: the runs of a plan as resources; RUN_NOT_FOUND.
func TestV7RunsAsResources(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	c := connect(t, w, "codex")
	id := create(t, c)
	c.Tool("plan_stop", map[string]any{"plan_id": id, "reason": "lunch"})
	c.Tool("plan_retry", map[string]any{"plan_id": id})
	for number, state := range map[int]string{1: "stopped", 2: "pending"} {
		uri := fmt.Sprintf("planb://drafts/%s/runs/%d", id, number)
		if r := c.Request("resources/read", map[string]any{"uri": uri}); r.Error != nil || !strings.Contains(string(r.Result), fmt.Sprintf(`\"state\": \"%s\"`, state)) {
			t.Errorf("%s: %s, %+v", uri, r.Result, r.Error)
		}
	}
	for _, number := range []string{"3", "0", "x"} {
		r := c.Request("resources/read", map[string]any{"uri": "planb://drafts/" + id + "/runs/" + number})
		if r.Error == nil || !strings.Contains(r.Error.Message, "RUN_NOT_FOUND") {
			t.Errorf("run %s: %+v", number, r)
		}
	}
}

// X7: all lists the plans of other projects only where the user allows it.
func TestX7AllPlans(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	create(t, connect(t, w, "codex"))
	for _, allowed := range []bool{false, true} {
		elsewhere := mcptest.WorldOver(t, w.Store, func(cfg *mcp.Config) {
			cfg.Toolsets, cfg.WorkingDir, cfg.AllProjects = []string{"drafts"}, t.TempDir(), allowed
		})
		c := connect(t, elsewhere, "codex")
		if list := c.Tool("plan_list", nil).Data["plans"].([]any); len(list) != 0 {
			t.Errorf("allowed %v: without all there are %v", allowed, list)
		}
		got := c.Tool("plan_list", map[string]any{"all": true})
		if n := len(got.Data["plans"].([]any)); n != map[bool]int{true: 1}[allowed] {
			t.Errorf("allowed %v: %s", allowed, got.Text())
		}
		if told := strings.Contains(got.Data["message"].(string), "--all-projects"); told == allowed {
			t.Errorf("allowed %v: told was %s", allowed, got.Text())
		}
	}
}
