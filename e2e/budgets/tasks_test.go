package budgets_test

import (
	"fmt"
	"os/exec"
	"os/user"
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
// planb tasks take that scripts and hooks run, beyond the start of the program.
func measureTaskCommands(t testing.TB) []figure {
	const count, rounds, most = 10_000, 20, 25
	dir := t.TempDir()
	startInbox(t, dir, 0)
	person, err := user.Current() // the commands find the plans of their user
	if err != nil {
		t.Fatal(err)
	}
	st, err := home.At(dir, home.Options{By: person.Username + "@desk", Env: func(string) string { return "" }}).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
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
	for _, command := range []string{"ready", "prime"} {
		p := pairs(rounds, runningTasks(t, dir, command), running(t, dir, "version"))
		figures = append(figures, figure{
			what: fmt.Sprintf("%d tasks: planb tasks %s, beyond planb version", count, command), metric: command + "-ms", unit: "ms", most: most,
			got: p.ours.median() - p.floor.median(), floor: fmt.Sprintf("planb version: %s ms", digits(p.floor.median())),
		})
	}
	return figures
}

// runningTasks is running for a command below planb tasks.
func runningTasks(t testing.TB, dir, command string) func() float64 {
	t.Helper()
	return func() float64 {
		cmd := exec.Command(rig.Planb(t), "tasks", command, "--all-projects")
		cmd.Env = serverVariables(dir)
		begun := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil || len(out) == 0 {
			t.Fatalf("planb tasks %s: %v %s", command, err, out)
		}
		return rig.Milliseconds(time.Since(begun))
	}
}
