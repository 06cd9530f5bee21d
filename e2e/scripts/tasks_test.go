package scripts_test

import (
	"encoding/json"

	"github.com/rogpeppe/go-internal/testscript"
)

// planID puts the short id of the newest plan of tasks with a title into a variable:
// planid PLAN 'Auth rewrite'.
func planID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: planid VARIABLE TITLE")
	}
	ts.Check(ts.Exec("planb", "tasks", "--json", "--all-projects", "--ended"))
	var plans []struct{ Short, Title string }
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &plans))
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
