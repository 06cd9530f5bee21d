package tasks_test

import (
	"testing"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/tasks"
)

// TestOneTaskIsWorkedOff goes the whole way through one connection.
func TestOneTaskIsWorkedOff(t *testing.T) {
	ctx := t.Context()
	w := newWorld(t)
	id := w.active(t, "schema", "api")
	s := w.store()
	c := connect(t, s)
	next, err := c.Next(ctx, agent(), tasks.Query{})
	if err != nil || len(next.Tasks) != 1 || next.Tasks[0].Key != "schema" || next.Counts[rules.Blocked] != 1 {
		t.Fatalf("%+v, %v", next, err)
	}
	got, err := c.Claim(ctx, agent(), tasks.ClaimRequest{})
	if err != nil || got.Task.Key != "schema" || got.Attempt != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if found := audit(t, s); found != "" {
		t.Errorf("while a task is claimed: %s", found)
	}
	next, err = c.Next(ctx, agent(), tasks.Query{Plan: id})
	if err != nil || len(next.Tasks) != 0 || len(next.Held) != 1 || next.Held[0].ClaimID != got.ClaimID || next.Nothing == "" {
		t.Fatalf("%+v, %v", next, err)
	}
	up, err := c.Update(ctx, agent(), tasks.Progress{Task: got.ID, ClaimID: got.ClaimID, Status: rules.InProgress, Note: safe.New("begun")})
	if err != nil || up.State != rules.InProgress {
		t.Fatalf("%+v, %v", up, err)
	}
	done, err := c.Complete(ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: rules.Report{Summary: safe.New("it is there")}})
	if err != nil || done.State != rules.Done || len(done.Readied) != 1 || done.Plan.Done != 1 || done.Plan.Of != 2 {
		t.Fatalf("%+v, %v", done, err)
	}
	second, err := c.Claim(ctx, agent(), tasks.ClaimRequest{Plan: id})
	if err != nil || second.ID != done.Readied[0] || len(second.Done) != 1 || second.Done[0].Summary.Raw() != "it is there" {
		t.Fatalf("%+v, %v", second, err)
	}
	if _, err := c.Claim(ctx, agent(), tasks.ClaimRequest{}); rules.CodeOf(err) != rules.CodeTaskNotActionable {
		t.Error(err)
	}
	done, err = c.Complete(ctx, agent(), tasks.Completion{Task: second.ID, ClaimID: second.ClaimID, Report: rules.Report{Summary: safe.New("done")}})
	if err != nil || done.Plan.Status != rules.PlanDone {
		t.Fatalf("%+v, %v", done, err)
	}
	if found := audit(t, s); found != "" {
		t.Error(found)
	}
}

// connect returns a connection of agents that ends with the test.
func connect(t *testing.T, s *tasks.Store) *tasks.Connection {
	t.Helper()
	c, err := s.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}
