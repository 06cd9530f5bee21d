package budgets_test

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"os/user"
	"strings"
	"testing"
	"time"

	"planb/e2e/rig"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store"
	"planb/store/home"
	"planb/store/tasks"
)

// measureTaskCommands measures with an open plan of 10,000 tasks how long the commands of
// planb tasks take that people type and that scripts and hooks run, beyond the start of the
// program.
func measureTaskCommands(t testing.TB) []figure {
	const count, rounds, most = 10_000, 20, 25
	dir := t.TempDir()
	startInbox(t, dir, 0)
	st := taskStore(t, dir)
	by := tasks.Caller{Actor: rules.User, Name: "person"} // of no directory: --all-projects finds it
	if _, err := st.Tasks().CreateProject(t.Context(), by, "Large", ""); err != nil {
		t.Fatal(err)
	}
	proposal := rules.Proposal{Title: safe.New("Large")}
	for i := range count {
		item := rules.Item{Seed: rules.Seed{
			Key: fmt.Sprintf("task-%d", i), Title: safe.New(fmt.Sprintf("Write the part %d of the whole", i)), Minutes: rules.DefaultMinutes,
			Execution: rules.Execution{Kind: rules.Unblocked}, Verification: rules.Verification{Kind: rules.None},
		}}
		if i > 2 {
			item.DependsOn = []string{fmt.Sprintf("task-%d", i/2), fmt.Sprintf("task-%d", i/2+1)}
		}
		proposal.Items = append(proposal.Items, item)
	}
	session, err := st.CreateSession(t.Context(), store.Session{Title: safe.New("Large")})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := st.Tasks().Propose(t.Context(), by, tasks.Proposal{Proposal: proposal, Session: session.ID})
	if err == nil {
		err = rig.ApproveTasks(t.Context(), st.Store, session.ID, plan.Whole)
	}
	if err != nil {
		t.Fatal(err)
	}
	var figures []figure
	for _, command := range []string{"list", "ready", "prime", "help"} {
		p := pairs(rounds, runningTasks(t, dir, command), running(t, dir, "version"))
		figures = append(figures, figure{
			what: fmt.Sprintf("%d tasks: planb tasks, %s, beyond planb version", count, command), metric: command + "-ms", unit: "ms", most: most,
			got: p.ours.median() - p.floor.median(), floor: fmt.Sprintf("planb version: %s ms", digits(p.floor.median())),
		})
	}
	return figures
}

// taskStore opens the store as the screens do: it can read the reviews of tasks.
func taskStore(t testing.TB, dir string) home.Store {
	t.Helper()
	person, err := user.Current() // the commands find the plans of their user
	if err != nil {
		t.Fatal(err)
	}
	st, err := home.At(dir, home.Options{By: person.Username + "@desk", Env: func(string) string { return "" }}).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return st
}

// runningTasks is running for a command below planb tasks; list and help are the ways that
// planb tasks itself is called.
func runningTasks(t testing.TB, dir, command string) func() float64 {
	t.Helper()
	return func() float64 {
		arguments := map[string][]string{"list": {"tasks"}, "help": {"tasks", "--help"}}[command]
		if arguments == nil {
			arguments = []string{"tasks", command}
		}
		cmd := exec.Command(rig.Planb(t), append(arguments, "--all-projects")...)
		cmd.Env = serverVariables(dir)
		begun := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil || len(out) == 0 {
			t.Fatalf("planb tasks %s: %v %s", command, err, out)
		}
		return rig.Milliseconds(time.Since(begun))
	}
}

// measureTaskVerdict measures how long the agent waits for the result after the person has
// approved a plan of 500 tasks, beyond one commit.
func measureTaskVerdict(t testing.TB) []figure {
	const count, rounds, most = 500, 20, 5
	dir := t.TempDir()
	w := rig.StartTimedClient(t, serverVariables(dir, "ASK_NO_OPEN=1"), rig.Planb(t), "mcp", "--toolsets", "session,tasks", "--wait", "1h")
	w.Initialize()
	session := w.Session("Verdicts")
	w.Result(w.CallTool("create_project", map[string]any{"name": "Shop"}))
	st := taskStore(t, dir)
	round := 0
	verdict := func() float64 {
		round++
		seeds := make([]any, count)
		for i := range seeds {
			seeds[i] = map[string]any{"nodeKey": fmt.Sprintf("task-%d", i), "title": fmt.Sprintf("Write the part %d of the whole", i), "description": "As the others."}
		}
		var plan struct{ PlanID string }
		made := w.Result(w.CallTool("propose_plan", map[string]any{"title": fmt.Sprintf("Plan %d", round), "sessionId": session, "tasks": seeds}))
		if err := json.NewDecoder(strings.NewReader(made.Text())).Decode(&plan); err != nil {
			t.Fatalf("%v: %s", err, made.Text())
		}
		result := w.CallTool("approve_plan", map[string]any{"planId": plan.PlanID})
		var asks []store.Ask
		rig.Until(t, "the review waits", func() bool {
			var err error
			if asks, err = st.Waiting(t.Context()); err != nil {
				t.Fatal(err)
			}
			return len(asks) == 1
		})
		text, err := st.PlanText(t.Context(), asks[0].Session, asks[0].Spec.Plan.Number)
		if err != nil {
			t.Fatal(err)
		}
		said, err := rig.Approval(text)
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if _, err := st.Settle(t.Context(), asks[0].ID, said); err != nil {
			t.Fatal(err)
		}
		return rig.Milliseconds(w.Result(result).At.Sub(begun))
	}
	commit := func() float64 {
		begun := time.Now()
		if _, err := st.CreateSession(t.Context(), store.Session{Title: safe.New("One commit")}); err != nil {
			t.Fatal(err)
		}
		return rig.Milliseconds(time.Since(begun))
	}
	p := pairs(rounds, verdict, commit)
	return []figure{{
		what: fmt.Sprintf("%d tasks: verdict to the agent's result, beyond one commit", count), metric: "verdict-ms", unit: "ms", most: most,
		got: p.ours.median() - p.floor.median(), floor: fmt.Sprintf("one commit: %s ms", digits(p.floor.median())),
	}}
}
