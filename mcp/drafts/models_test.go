package drafts_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"planb/drafts/draftstest"
	"planb/mcp"
	"planb/mcp/drafts"
	"planb/mcp/mcptest"
)

// starter notes which plans models were to write.
type starter struct {
	mu      sync.Mutex
	started []string
	err     error
}

func (s *starter) start(_ context.Context, plan string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started = append(s.started, plan)
	return s.err
}

func withModels(s *starter, sets ...string) func(*mcp.Config) {
	return func(cfg *mcp.Config) {
		cfg.Toolsets = sets
		cfg.DraftModels = drafts.Models{Start: s.start, Profiles: []drafts.Profile{{Name: "baseline", Models: []string{"model-a", "model-b"}}, {Name: "custom", Models: []string{"mine"}}}}
	}
}

// T5, T6, T11; black box 23: profiles, and plans that models write.
func TestT5Profiles(t *testing.T) {
	t.Parallel()
	s := &starter{}
	w := world(t, withModels(s, "drafts"))
	c := connect(t, w, "codex")
	list := c.Tool("model_profiles", nil)
	isJSON(t, list)
	if got := list.Texts()[0]; got != `{"default_profile":"baseline","profiles":[`+
		`{"profile":"baseline","title":"Baseline","summary":"model-a writes; where it fails, the next of 2.","model_count":2,"models":[`+
		`{"key":"model-a","provider_class":"openai-compatible","model":"model-a","priority":0},{"key":"model-b","provider_class":"openai-compatible","model":"model-b","priority":1}]},`+
		`{"profile":"custom","title":"Custom","summary":"mine writes.","model_count":1,"models":[{"key":"mine","provider_class":"openai-compatible","model":"mine","priority":0}]}]}` {
		t.Errorf("got %s", got)
	}
	create := func(profile string) mcptest.Answer {
		return c.Tool("plan_create", map[string]any{"prompt": prompt(t), "model_profile": profile})
	}
	wantCode(t, create("premium"), "MODEL_PROFILES_UNAVAILABLE")
	wantCode(t, create("cheap"), "INVALID_ARGUMENT")
	made := create("baseline")
	id, _ := made.Data["plan_id"].(string)
	if !strings.Contains(made.Text(), `the models of the profile baseline write it, not you`) || len(s.started) != 1 || s.started[0] != id {
		t.Fatalf("%s; started was %v", made.Text(), s.started)
	}
	if again := create("baseline"); again.Data["plan_id"] != id || len(s.started) != 1 {
		t.Errorf("the same again: %s; started was %v", again.Text(), s.started)
	}
	if next := c.Tool("step_next", map[string]any{"plan_id": id}); !strings.HasPrefix(next.Text(), "A WORKER writes this plan. ") {
		t.Errorf("step_next: %s", next.Text())
	}
	c.Tool("plan_stop", map[string]any{"plan_id": id})
	if got := c.Tool("plan_retry", map[string]any{"plan_id": id}); got.Data["model_profile"] != "baseline" || len(s.started) != 2 {
		t.Errorf("a retry by who thought before: %s; started was %v", got.Text(), s.started)
	}
	c.Tool("plan_stop", map[string]any{"plan_id": id})
	if got := c.Tool("plan_resume", map[string]any{"plan_id": id}); got.Data["model_profile"] != nil || len(s.started) != 2 || !strings.Contains(got.Text(), "Call step_next") {
		t.Errorf("a resume by the agent: %s; started was %v", got.Text(), s.started)
	}
	c.Tool("plan_stop", map[string]any{"plan_id": id})
	wantCode(t, c.Tool("plan_resume", map[string]any{"plan_id": id, "detail": "full", "model_profile": "custom"}), "INVALID_ARGUMENT")
	if got := c.Tool("plan_resume", map[string]any{"plan_id": id, "model_profile": "custom"}); got.Data["model_profile"] != "custom" || len(s.started) != 3 {
		t.Errorf("a resume by models: %s; started was %v", got.Text(), s.started)
	}
}

// An agent's answer to a draft that models write is kept. The agent gets no next step, and so
// has none.
func TestAnAnswerToADraftThatModelsWrite(t *testing.T) {
	t.Parallel()
	c := connect(t, world(t, withModels(&starter{}, "drafts")), "codex")
	id := c.Tool("plan_create", map[string]any{"prompt": prompt(t), "model_profile": "baseline"}).Data["plan_id"]
	got := c.Tool("step_submit", map[string]any{"plan_id": id, "step": "brief", "output": string(draftstest.File(t, "brief.json"))})
	if !strings.HasPrefix(got.Text(), "ACCEPTED brief ") || !strings.Contains(got.Text(), "\nA WORKER writes this plan. ") {
		t.Errorf("step_submit: %s", got.Text())
	}
	if got := c.Tool("plan_status", map[string]any{"plan_id": id}); len(got.Data["writing"].([]any)) != 0 {
		t.Errorf("the agent has %v", got.Data["writing"])
	}
}

// T8: a worker that cannot be started fails its plan, and the user is told what to run.
func TestT8AWorkerThatDoesNotStart(t *testing.T) {
	t.Parallel()
	w := world(t, withModels(&starter{err: errors.New("no room")}, "drafts"))
	c := connect(t, w, "codex")
	id := c.Tool("plan_create", map[string]any{"prompt": prompt(t), "model_profile": "baseline"}).Data["plan_id"].(string)
	got := c.Tool("plan_status", map[string]any{"plan_id": id})
	failure, _ := got.Data["error"].(map[string]any)
	if got.Data["state"] != "failed" || failure["failure_reason"] != "worker_error" || failure["recoverable"] != true || len(failure) != 4 ||
		!strings.Contains(fmt.Sprint(failure["message"]), "planb draft run "+id) {
		t.Errorf("got %s", got.Text())
	}
}

// V11: under the old names the default profile writes.
func TestV11TheOldNamesTakeTheDefaultProfile(t *testing.T) {
	t.Parallel()
	s := &starter{}
	c := connect(t, world(t, withModels(s, "drafts-v1")), "codex")
	if got := c.Tool("task_create", map[string]any{"prompt": prompt(t)}); got.IsError || len(s.started) != 1 || s.started[0] != got.Data["task_id"] {
		t.Errorf("%s; started was %v", got.Text(), s.started)
	}
}
