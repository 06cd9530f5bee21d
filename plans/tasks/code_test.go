package tasks_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"planb/plans/tasks"
	"planb/questions/safe"
)

// Every code has its words and details: T2, T3, T8, T9, T11, T15, T17, T18, T24, T25,
// T26, T30, T31, T34, T37.
func TestCodes(t *testing.T) {
	seeds := []tasks.Seed{seed("schema"), seed("api", "schema"), seed("b")}
	s := situation(build(t, seeds...), seeds)
	s.Marks.Set(1, tasks.InProgress)
	claim := tasks.Claim{Worker: "Claude Code", At: now().Add(-3 * time.Minute)}
	s.Claims[1] = claim
	_, cycle := tasks.Build(plan(seed("a", "b"), seed("b", "a")))
	_, unknown := tasks.Build(plan(seed("schema"), seed("a"), seed("b"), seed("api", "schma")))
	two := tasks.Verification{Kind: tasks.Command, Commands: tasks.Texts("go test ./..."), Criteria: tasks.Texts("a", "b")}
	r, err := tasks.ReadReport([]byte(`{"summary":"s","evidence":[{"criterion":1,"text":"x"},{"command":"go test ./...","exitCode":1,"output":""}]}`))
	if err != nil {
		t.Fatal(err)
	}
	_, unmet := two.Check(r)
	_, unreported := two.Check(tasks.Report{})
	chain := []tasks.Seed{seed("t0", "t19")}
	for i := range 19 {
		chain = append(chain, seed("t"+string(rune('a'+i)), chain[i].Key))
	}
	chain[0].DependsOn = []string{chain[19].Key}
	_, long := tasks.Build(plan(chain...))
	_, softened := build(t, seeds...).AgentEdge(2, 1, false)
	_, removed := build(t, seeds...).AgentRemoves(2, 1)
	month := tasks.Quota{Name: "tasks.monthly_limit", What: "tasks of 2026-11", Used: 198, Limit: 200, Reset: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)}
	var out strings.Builder
	for _, err := range []error{
		tasks.Forbidden("tasks:write"),
		tasks.CrossOrg(`Template "x"`, "anna@desk"),
		unknown,
		tasks.NameTaken(tasks.Project{ID: "p1", Name: safe.New("Shop")}),
		tasks.NameTakenElsewhere(tasks.Project{ID: "p1", Name: safe.New("Shop")}),
		tasks.SlugTaken("shop", "shop-2"),
		tasks.ProjectNotFound("x"),
		tasks.ProjectNotFound(""),
		month.Exceeded(5),
		tasks.Quota{Name: "tasks.projects_limit", What: "projects", Used: 3, Limit: 3}.Exceeded(1),
		tasks.Missing("plan", "x", []string{"3f9a1c"}),
		tasks.Missing("task", "x\x1b", []string{"schema", "api"}),
		tasks.Missing("template", "x", nil),
		tasks.RequiresApproval(safe.New("Shop"), tasks.PlanProposed),
		tasks.RequiresApproval(safe.New("Shop"), tasks.PlanDone),
		tasks.CannotApprove(safe.New("Shop"), tasks.PlanDone),
		tasks.CannotPropose(safe.New("Shop"), tasks.PlanCancelled),
		tasks.Conflict("instantiate", "draft", `template "x" is a draft.`),
		softened,
		removed,
		cycle,
		long,
		tasks.CrossPlan("01890a5d-ac96-774b-bcce-b3023f9a000c"),
		tasks.Look(s).NotActionable(2, namesOf(seeds)),
		claim.AlreadyClaimed(now(), false),
		claim.AlreadyClaimed(now(), true),
		claim.LeaseExpired(),
		unmet,
		unreported,
	} {
		e, ok := errors.AsType[*tasks.Error](err)
		if !ok {
			t.Fatalf("%v has no code", err)
		}
		details, _ := json.Marshal(e.Details)
		out.WriteString(string(e.Code) + "\n  " + strings.ReplaceAll(e.Error(), "\n", "\n  ") + "\n  " + string(details) + "\n")
	}
	golden.RequireEqual(t, []byte(out.String()))
}

// The table of states: who may do what, and nothing else (2.4).
func TestStateMachine(t *testing.T) {
	states := []tasks.State{tasks.Blocked, tasks.Ready, tasks.Claimed, tasks.InProgress, tasks.NeedsReview, tasks.Done, tasks.Cancelled}
	allowed := map[string]tasks.State{}
	for _, row := range tasks.Transitions() {
		for _, from := range row.From {
			allowed[string(from)+" "+string(row.Action)] = row.To
			for _, other := range []tasks.Actor{tasks.Agent, tasks.User, tasks.Planb} {
				if to, ok := from.After(row.Action, other); ok != (other == row.By) || ok && to != row.To {
					t.Errorf("%s after %s by %d is %s, %v", from, row.Action, other, to, ok)
				}
			}
		}
	}
	want := map[string]tasks.State{
		"ready claim": tasks.Claimed, "ready finish": tasks.Done,
		"claimed begin": tasks.InProgress, "in_progress begin": tasks.InProgress,
		"claimed give_back": tasks.Open, "in_progress give_back": tasks.Open,
		"claimed lapse": tasks.Open, "in_progress lapse": tasks.Open,
		"claimed release": tasks.Open, "in_progress release": tasks.Open,
		"claimed stuck": tasks.NeedsReview, "in_progress stuck": tasks.NeedsReview,
		"claimed complete": tasks.Done, "in_progress complete": tasks.Done,
		"claimed report": tasks.NeedsReview, "in_progress report": tasks.NeedsReview,
		"needs_review accept": tasks.Done, "needs_review send_back": tasks.Open,
		"blocked cancel": tasks.Cancelled, "ready cancel": tasks.Cancelled, "claimed cancel": tasks.Cancelled,
		"in_progress cancel": tasks.Cancelled, "needs_review cancel": tasks.Cancelled,
	}
	for key, to := range want {
		if allowed[key] != to {
			t.Errorf("%s leads to %s, want %s", key, allowed[key], to)
		}
	}
	if len(allowed) != len(want) {
		t.Errorf("there are %d transitions, want %d", len(allowed), len(want))
	}
	for _, state := range states {
		if _, ok := state.After("unknown", tasks.User); ok {
			t.Errorf("%s knows every action", state)
		}
	}
	// T35: the third attempt given back needs a person.
	for attempts, want := range map[int]tasks.State{1: tasks.Open, 2: tasks.Open, 3: tasks.NeedsReview, 4: tasks.NeedsReview} {
		if got := tasks.GivenBack(attempts); got != want {
			t.Errorf("after %d attempts: %s", attempts, got)
		}
	}
	for from, to := range map[tasks.Status][]tasks.Status{
		tasks.PlanProposed: {tasks.PlanActive, tasks.PlanCancelled}, tasks.PlanActive: {tasks.PlanDone, tasks.PlanCancelled},
		tasks.PlanDone: nil, tasks.PlanCancelled: nil,
	} {
		var got []tasks.Status
		for _, next := range []tasks.Status{tasks.PlanProposed, tasks.PlanActive, tasks.PlanDone, tasks.PlanCancelled} {
			if from.Leads(next) {
				got = append(got, next)
			}
		}
		if len(got) != len(to) || len(to) > 0 && (got[0] != to[0] || got[1] != to[1]) || from.Final() != (len(to) == 0) {
			t.Errorf("%s leads to %v, want %v", from, got, to)
		}
	}
}

// T26: an agent only makes tasks wait, and takes back only its own edges.
func TestT26AgentEdges(t *testing.T) {
	g := build(t, seed("a"), seed("b", "a"), seed("c"))
	edges := func(g *tasks.Graph, err error) string {
		if err != nil {
			return string(tasks.CodeOf(err))
		}
		var list []string
		for n := 1; n <= g.Len(); n++ {
			for _, e := range g.Edges(n) {
				list = append(list, g.Key(n)+">"+g.Key(e.On)+[]string{"!", "+", "~"}[e.Kind])
			}
		}
		return strings.Join(list, " ")
	}
	hard, err := g.AgentEdge(3, 2, true)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ got, want string }{
		"hard":              {edges(hard, nil), "b>a! c>b+"},
		"soft":              {edges(g.AgentEdge(3, 2, false)), "b>a! c>b~"},
		"softened":          {edges(hard.AgentEdge(3, 2, false)), "b>a! c>b~"},
		"again":             {edges(hard.AgentEdge(3, 2, true)), "b>a! c>b+"},
		"approved already":  {edges(g.AgentEdge(2, 1, true)), "b>a!"},
		"approved, soft":    {edges(g.AgentEdge(2, 1, false)), "conflict"},
		"a cycle":           {edges(hard.AgentEdge(1, 3, true)), "dependency.cycle"},
		"soft, no cycle":    {edges(hard.AgentEdge(1, 3, false)), "a>c~ b>a! c>b+"},
		"itself":            {edges(g.AgentEdge(1, 1, false)), "dependency.cycle"},
		"taken back":        {edges(hard.AgentRemoves(3, 2)), "b>a!"},
		"taken back twice":  {edges(g.AgentRemoves(3, 2)), "b>a!"},
		"approved, removed": {edges(hard.AgentRemoves(2, 1)), "conflict"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
}
