package scripts_test

import (
	"context"
	"encoding/json"
	"os/user"

	"github.com/rogpeppe/go-internal/testscript"

	"planb/drafts"
	"planb/e2e/rig"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store"
	"planb/store/home"
	"planb/store/runs"
	"planb/store/tasks"
)

// planID puts the short id of the newest plan of tasks with a title into a variable:
// planid PLAN 'Auth rewrite'.
func (p inProcess) planID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: planid VARIABLE TITLE")
	}
	var plans []struct{ Short, Title string }
	p.list(ts, &plans, "tasks", "--json", "--all-projects", "--ended")
	for _, plan := range plans {
		if plan.Title == args[1] {
			ts.Setenv(args[0], plan.Short)
			return
		}
	}
	ts.Fatalf("there is no plan %q among %v", args[1], plans)
}

// sameHash requires that JSON files name the same hash of a plan.
func sameHash(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: samehash FILE FILE...")
	}
	hash := func(file string) string {
		var plan struct{ Hash string }
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(file)), &plan))
		if plan.Hash == "" {
			ts.Fatalf("%s names no hash", file)
		}
		return plan.Hash
	}
	for _, file := range args[1:] {
		if got, want := hash(file), hash(args[0]); got != want {
			ts.Fatalf("%s has the hash %s, %s has %s", file, got, args[0], want)
		}
	}
}

// worked fills the store with a plan that is worked on; see workedPlan. Its short id is in
// $PLAN.
func worked(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: worked")
	}
	st, made, end := workedPlan(ts.Getenv("PLANB_DATA_DIR"), ts.MkAbs("."), ts.Check)
	ts.Defer(func() {
		end()
		ts.Check(st.Close())
	})
	ts.Setenv("PLAN", rules.Short(made.ID))
}

// workedPlan makes a store with an approved plan of a directory, on which Claude Code
// has done "schema", works on "api" and has reported "text", which waits for the person;
// "sign" is for the person to do, and "docs" waits for "api". end ends Claude Code.
func workedPlan(data, dir string, check func(error)) (st home.Store, made tasks.Proposed, end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	person, err := user.Current()
	check(err)
	st, err = home.At(data, home.Options{By: person.Username + "@desk", Env: func(string) string { return "" }}).Open(ctx)
	check(err)
	by := tasks.Caller{Actor: rules.Agent, Name: "Claude Code", Dir: dir}
	_, err = st.Tasks().CreateProject(ctx, by, "Shop", "")
	check(err)
	proposal, err := rules.ReadProposal([]byte(`{"title":"Release","tasks":[
		{"nodeKey":"schema","title":"Write the schema","priority":1},
		{"nodeKey":"api","title":"Write the API","dependsOn":["schema"],"executionContract":{"files":["api/"]},
		 "verificationContract":{"kind":"command","commands":["go test ./..."],"criteria":["It answers"]},"priority":1},
		{"nodeKey":"text","title":"Write the text","verificationContract":{"kind":"manual"},"priority":0},
		{"nodeKey":"sign","title":"Sign it","executionContract":{"kind":"human"}},
		{"nodeKey":"docs","title":"Write the docs","dependsOn":["api"]}]}`), nil)
	check(err)
	session, err := st.CreateSession(ctx, store.Session{Title: safe.New("Release"), Project: safe.New(dir)})
	check(err)
	made, err = st.Tasks().Propose(ctx, by, tasks.Proposal{Proposal: proposal, Session: session.ID})
	check(err)
	check(rig.ApproveTasks(ctx, st.Store, session.ID, made.Whole))
	agent, err := st.Tasks().Connect(ctx)
	check(err)
	claim := func(n int) tasks.Claimed {
		claimed, err := agent.Claim(ctx, by, tasks.ClaimRequest{Task: made.TaskID(n)})
		check(err)
		return claimed
	}
	for n, summary := range map[int]string{1: "Two tables", 3: "A page"} {
		claimed := claim(n)
		_, err := agent.Complete(ctx, by, tasks.Completion{Task: claimed.ID, ClaimID: claimed.ClaimID, Report: rules.Report{Summary: safe.New(summary)}})
		check(err)
	}
	claimed := claim(2)
	_, err = agent.Update(ctx, by, tasks.Progress{Task: claimed.ID, ClaimID: claimed.ClaimID, Status: rules.InProgress})
	check(err)
	return st, made, cancel
}

// drafted begins a draft of a plan in this directory.
func drafted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: drafted")
	}
	ctx := context.Background()
	person, err := user.Current()
	ts.Check(err)
	st, err := home.At(ts.Getenv("PLANB_DATA_DIR"), home.Options{By: person.Username + "@desk", Env: ts.Getenv}).Open(ctx)
	ts.Check(err)
	session, err := st.CreateSession(ctx, store.Session{Title: safe.New("Draft"), Project: safe.New(ts.MkAbs("."))})
	ts.Check(err)
	_, _, err = st.Drafts().Create(ctx, runs.Caller{Name: "Claude Code"}, runs.Request{
		Prompt: "A bakery", Session: session.ID, Detail: drafts.Full, Start: st.Drafts().Today(),
	})
	ts.Check(err)
	ts.Check(st.Close())
}
