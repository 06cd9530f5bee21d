package drafts_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"planb/drafts/draftstest"
	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/store"
	"planb/store/kv/kvtest"
	"planb/store/runs"
)

// servers are processes over one store, an agent at each.
func servers(t *testing.T, n int) (*mcptest.World, []*mcptest.Client) {
	t.Helper()
	engine, dir := kvtest.NewMap(), t.TempDir()
	var first *mcptest.World
	var agents []*mcptest.Client
	for i := range n {
		w := mcptest.WorldOver(t, store.New(engine, store.Options{By: "you@example"}), func(cfg *mcp.Config) {
			cfg.Toolsets, cfg.WorkingDir = []string{"drafts"}, dir
		})
		if first == nil {
			first = w
		}
		agents = append(agents, connect(t, w, fmt.Sprint("agent-", i)))
	}
	return first, agents
}

// TestEightAgentsWriteOnePlan has each agent do what its texts say. Each step is accepted
// once.
func TestEightAgentsWriteOnePlan(t *testing.T) {
	t.Parallel()
	w, agents := servers(t, 8)
	person(t, w)
	id := create(t, agents[0])
	var wait sync.WaitGroup
	for _, c := range agents {
		wait.Go(func() {
			text := ""
			for !strings.Contains(text, "DONE: ") {
				step := stepLine.FindStringSubmatch(text)
				if step == nil {
					text = c.Tool("step_next", map[string]any{"plan_id": id, "wait_seconds": 1}).Text()
					continue
				}
				text = c.Tool("step_submit", map[string]any{"plan_id": id, "step": step[1], "lease": step[2], "output": string(draftstest.File(t, step[1]+".json"))}).Text()
			}
		})
	}
	wait.Wait()
	got, err := w.Store.Drafts().Plan(t.Context(), id)
	if err != nil || got.State != runs.Completed {
		t.Fatalf("the plan is %s, %v", got.State, err)
	}
	events, err := w.Store.Drafts().Events(t.Context(), got.Summary, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	accepted := map[string]int{}
	for _, e := range events {
		if e.Action == runs.StepAccepted {
			accepted[e.Step]++
		}
	}
	if len(accepted) != 14 {
		t.Errorf("accepted were %v", slices.Sorted(maps.Keys(accepted)))
	}
	for step, n := range accepted {
		if n != 1 {
			t.Errorf("%s was accepted %d times", step, n)
		}
	}
}

var busyText = regexp.MustCompile(`^BUSY: brief is being written by agent-0 \(\d+ s\)\. Nothing else is ready\. Call step_next `)

// TestWhatTwoAgentsAreTold goes through the outcomes of a step that two agents meet at.
func TestWhatTwoAgentsAreTold(t *testing.T) {
	t.Parallel()
	w, agents := servers(t, 2)
	one, two := agents[0], agents[1]
	id := create(t, one)
	next := func(c *mcptest.Client, more ...any) mcptest.Answer {
		args := map[string]any{"plan_id": id}
		for i := 0; i < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		return c.Tool("step_next", args)
	}
	submit := func(c *mcptest.Client, step, lease, output string, more ...any) mcptest.Answer {
		args := map[string]any{"plan_id": id, "step": step, "lease": lease, "output": output}
		for i := 0; i < len(more); i += 2 {
			args[more[i].(string)] = more[i+1]
		}
		return c.Tool("step_submit", args)
	}
	given := stepLine.FindStringSubmatch(next(one).Text())
	if again := next(one).Text(); !strings.HasPrefix(again, given[0][:10]) {
		t.Errorf("the same agent asks again: %.60s", again)
	}
	for _, busy := range []mcptest.Answer{next(two), next(two, "step", "brief")} {
		if text := busy.Text(); !busyText.MatchString(text) || busy.Data["outcome"] != "busy" {
			t.Errorf("the other agent: %s", text)
		}
	}
	wantCode(t, next(two, "step", "breef"), "STEP_NOT_FOUND")
	if got := next(two, "step", "breef"); got.Text() != `NO SUCH STEP "breef"; nearest: brief.` {
		t.Errorf("told was %s", got.Text())
	}
	wantCode(t, next(two, "step", "facts"), "STEP_NOT_READY")
	wantCode(t, submit(two, "facts", "", "{}"), "STEP_NOT_READY")
	wantCode(t, submit(two, "choose", "", "{}"), "PERMISSION_DENIED")

	brief := string(draftstest.File(t, "brief.json"))
	for n := 1; n <= 6; n++ {
		got := submit(one, "brief", given[2], `{"verdict":"maybe"}`)
		wantCode(t, got, "STEP_INVALID")
		if !strings.HasPrefix(got.Text(), "NOT ACCEPTED: ") || strings.Contains(got.Text(), "give_up") != (n > 4) {
			t.Errorf("refused %d times: %s", n, got.Text())
		}
	}
	// Whoever is quicker: a lease is courtesy.
	first := submit(two, "brief", given[2], brief, "next", false)
	if !strings.HasPrefix(first.Text(), "ACCEPTED brief (1 of 12), sha256 ") || !strings.HasSuffix(first.Text(), " Ready: scenarios.1.") {
		t.Errorf("accepted: %s", first.Text())
	}
	if got := submit(one, "brief", given[2], brief).Text(); !strings.HasPrefix(got, "ALREADY DONE: brief came from agent-1 ") || !strings.Contains(got, "STEP 2/12 scenarios.1") {
		t.Errorf("the slower one: %.200s", got)
	}

	// A sub-agent's reply names ids, and its step is not given to others.
	sub := stepLine.FindStringSubmatch(next(one, "step", "scenarios.1").Text())
	read, err := w.Store.Drafts().Plan(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	changed := read.Draft.Output("brief")
	changed["goal"] = "Open a workshop that is smaller."
	person := runs.Caller{Name: "you@example", Person: true}
	if _, _, err := w.Store.Drafts().Edit(t.Context(), person, runs.Edit{Plan: id, Step: "brief", SHA256: read.Draft.Records["brief"].SHA256, Output: changed}); err != nil {
		t.Fatal(err)
	}
	stale := submit(one, "scenarios.1", sub[2], string(draftstest.File(t, "scenarios.1.json")))
	wantCode(t, stale, "CONFLICT")
	anew := stepLine.FindStringSubmatch(stale.Text())
	if !strings.HasPrefix(stale.Text(), "STALE: brief was changed by you@example after you got this step. Yours is kept in its history. The step as it is now:\nSTEP 2/12 scenarios.1") || anew[2] == sub[2] {
		t.Errorf("stale: %.300s", stale.Text())
	}
	if got := submit(one, "scenarios.1", anew[2], string(draftstest.File(t, "scenarios.1.json"))).Text(); !strings.HasPrefix(got, "ACCEPTED scenarios.1 (1 of 12), sha256 ") || strings.Contains(got, "STEP ") {
		t.Errorf("a sub-agent is told %s", got)
	}
}

// TestAnAgentWaitsForAnother has one agent wait until the other has written its step.
func TestAnAgentWaitsForAnother(t *testing.T) {
	t.Parallel()
	_, agents := servers(t, 2)
	id := create(t, agents[0])
	given := stepLine.FindStringSubmatch(agents[0].Tool("step_next", map[string]any{"plan_id": id}).Text())
	waits := agents[1].StartTool("step_next", map[string]any{"plan_id": id, "wait_seconds": 600})
	watched := agents[1].StartTool("plan_status", map[string]any{"plan_id": id, "wait_seconds": 2})
	agents[0].Tool("step_submit", map[string]any{"plan_id": id, "step": "brief", "lease": given[2], "output": string(draftstest.File(t, "brief.json")), "next": false})
	if got := agents[1].Answer(waits).Text(); !strings.HasPrefix(got, "STEP 2/12 scenarios.1") {
		t.Errorf("who waited is told %.100s", got)
	}
	if got := agents[1].Answer(watched); got.Data["steps_completed"] != 1.0 {
		t.Errorf("who watched is told %s", got.Text())
	}
}

// V24: a call that waits for another agent reports progress, to a client that wants it.
func TestV24ProgressWhileAnotherWrites(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "with a token", func(t *testing.T) {
		_, agents := servers(t, 2)
		writer, waiter := agents[0], agents[1]
		id := create(t, writer)
		given := stepLine.FindStringSubmatch(writer.Tool("step_next", map[string]any{"plan_id": id}).Text())
		call := waiter.CallTool("step_next", map[string]any{"plan_id": id, "wait_seconds": 45}, "mine")
		if got, took := waiter.Later(call); !strings.HasPrefix(got.Text(), "BUSY: ") || took != 45*time.Second {
			t.Errorf("after %v told %.100s", took, got.Text())
		}
		sent := waiter.Notifications("notifications/progress")
		if len(sent) < 3 || len(sent) > 4 {
			t.Errorf("%d progress notifications in 45 s, want one every 10 to 15 s", len(sent))
		}
		for _, m := range sent {
			var params struct{ ProgressToken, Message string }
			if err := json.Unmarshal(m.Params, &params); err != nil || params.ProgressToken != "mine" || params.Message != "0 of 12 steps, writing Initial Prompt Vetted, Brief" {
				t.Errorf("progress %s, %v", m.Params, err)
			}
		}
		writer.Tool("step_submit", map[string]any{"plan_id": id, "step": given[1], "lease": given[2], "output": string(draftstest.File(t, "brief.json")), "next": false})
	})
}
