package tasks_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"planb/mcp"
	"planb/plans/review"
)

// T1, T2: the guards are asked in this order: scope, organisation. A server with one scope and
// a store that names no user refuses the tools of other scopes for their scope, and lists none
// of them; only its own tools ask for the organisation.
func TestT1T2TheScopeIsAskedForBeforeTheOrganisation(t *testing.T) {
	t.Parallel()
	id := func(n int) string { return fmt.Sprintf("%s%d", noID[:35], n) }
	given := map[string]map[string]args{
		"plans:write": {
			"create_project": {"name": "Shop"}, "propose_plan": {"title": "a", "tasks": []any{"b"}},
			"instantiate_template": {"template": "x"}, "approve_plan": {"planId": id(0)},
		},
		"plans:read": {"list_projects": {}},
		"tasks:write": {
			"add_task": {"planId": id(0), "title": "a"}, "set_dependency": {"taskId": id(1), "dependsOn": id(2)},
			"claim_task": {}, "update_task_status": {"taskId": id(1), "claimId": "1-00000000", "status": "ready"},
			"complete_task": {"taskId": id(1), "claimId": "1-00000000", "summary": "a"},
		},
		"tasks:read": {"get_next_actionable": {}},
	}
	for _, own := range mcp.Scopes() {
		s := newScene(t, func(cfg *mcp.Config) { cfg.Store, cfg.Scopes = nobodys(), []string{own} })
		listed := string(s.Request("tools/list", nil).Result)
		for scope, tools := range given {
			for tool, given := range tools {
				want := `{"error":{"code":"auth.forbidden","message":"This server has no scope \"` + scope + `\". Tell your user; seek no other way.","details":{"scope":"` + scope + `"}}}`
				if scope == own {
					want = `{"error":{"code":"validation.invalid_input","message":"this store names no user, so planb does not know whose tasks these are. Tell your user"`
				}
				if got := s.Tool(tool, given); !strings.HasPrefix(got.Text(), want) {
					t.Errorf("scope %s: %s: %s\nwant %s", own, tool, got.Text(), want)
				}
				if lists := strings.Contains(listed, `"name":"`+tool+`"`); lists != (scope == own) {
					t.Errorf("scope %s: %s is listed: %v", own, tool, lists)
				}
			}
		}
	}
}

// T4: a result is content of texts alone, the first of them an object, and no
// structuredContent. A refusal is the same with isError.
func TestT4AResultIsTextsTheFirstAnObject(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	for _, call := range []struct {
		given   args
		refused bool
	}{{args{"name": "Shop"}, false}, {args{"name": "shop"}, true}} {
		raw := s.Request("tools/call", map[string]any{"name": "create_project", "arguments": call.given}).Result
		var fields map[string]json.RawMessage
		var result struct {
			Content []map[string]any
			IsError bool
		}
		for _, to := range []any{&fields, &result} {
			if err := json.Unmarshal(raw, to); err != nil {
				t.Fatal(err)
			}
		}
		for name := range fields {
			if !slices.Contains([]string{"content", "isError", "_meta"}, name) {
				t.Errorf("%v: the result has %s: %s", call.given, name, raw)
			}
		}
		for _, item := range result.Content {
			if item["type"] != "text" || len(item) != 2 {
				t.Errorf("%v: an item is %v", call.given, item)
			}
		}
		var first map[string]any
		text, _ := result.Content[0]["text"].(string)
		if err := json.Unmarshal([]byte(text), &first); err != nil || result.IsError != call.refused || (first["error"] != nil) != call.refused {
			t.Errorf("%v: %s, %v", call.given, raw, err)
		}
	}
}

// T28: without a limit the five best tasks are told.
func TestT28FiveTasksAreToldWithoutALimit(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	project(s)
	s.plan, _ = s.said("propose_plan", args{"title": "Many", "tasks": []any{"a", "b", "c", "d", "e", "f", args{"title": "g", "priority": 0}}})["planId"].(string)
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
	for _, row := range []struct {
		given args
		want  string
	}{{args{}, "gabcd"}, {args{"limit": 2}, "ga"}, {args{"limit": 20}, "gabcdef"}} {
		next := s.said("get_next_actionable", row.given)
		got := ""
		for _, task := range next["tasks"].([]any) {
			got += task.(map[string]any)["nodeKey"].(string)
		}
		if got != row.want || next["counts"].(map[string]any)["ready"] != 7.0 {
			t.Errorf("%v: %s of %v, want %s", row.given, got, next["counts"], row.want)
		}
	}
}
