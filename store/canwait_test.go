package store_test

import (
	"context"
	"crypto/rand"
	"sync/atomic"
	"testing"

	"planb/plans/review"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/tasks"
)

// sorter counts the commits that can wait and those that cannot.
type sorter struct {
	kv.Engine
	canWait, cannot atomic.Int64 // a held claim is renewed beside the test
}

func (s *sorter) Commit(ctx context.Context, b kv.Batch) error {
	if b.CanWait {
		s.canWait.Add(1)
	} else {
		s.cannot.Add(1)
	}
	return s.Engine.Commit(ctx, b)
}

// Commits with which an agent begins something can wait for room on the disk. Commits of
// a person's answer, and those that bring it to the agent, cannot. The same holds for
// texts that are written ahead.
func TestWhatAnAgentBeginsCanWait(t *testing.T) {
	engine := &sorter{Engine: kvtest.NewMap()}
	s := newStore(t, engine)
	if err := s.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	long := func() string { // longer than what rides in a commit
		var text []byte
		for len(text) < 600<<10 {
			text = append(text, rand.Text()...)
			text = append(text, ' ')
		}
		return string(text)
	}
	var session store.Session
	var ask store.Ask
	var held *store.Held
	sorts(t, engine, []waitingStep{
		{"a session", true, func() (err error) {
			session, err = s.CreateSession(t.Context(), store.Session{Title: safe.New("One")})
			return err
		}},
		{"an ask", true, func() (err error) {
			spec := form("Tell")
			spec.Intro = safe.New(long())
			ask, _, err = s.OpenAsk(t.Context(), store.Ask{Session: session.ID, Spec: spec})
			return err
		}},
		{"a plan", true, func() error {
			_, _, err := s.SavePlan(t.Context(), session.ID, "", long())
			return err
		}},
		{"a plan's file", true, func() error {
			_, _, err := s.SaveFilePlan(t.Context(), store.FilePlan{Path: planFile, Name: "a", Text: long()})
			return err
		}},
		{"a claim", false, func() (err error) {
			held, err = s.Hold(t.Context(), store.ShowClaim(ask.ID, "me"), "")
			return err
		}},
		{"an entry", false, func() error {
			return s.SaveEntry(t.Context(), ask.ID, questions.Entry{Note: safe.New(long())})
		}},
		{"a person's version", false, func() error {
			_, _, err := s.SavePlanEdit(t.Context(), store.PlanID{Session: session.ID, Number: 1}, long())
			return err
		}},
		{"an answer", false, func() error {
			_, err := s.Settle(t.Context(), ask.ID, answered(long()))
			return err
		}},
		{"a late answer", false, func() error {
			if _, err := s.Settle(t.Context(), ask.ID, answered(long())); err == nil {
				t.Error("the second answer was no late one")
			}
			return nil
		}},
		{"a delivery", false, func() error { return s.Deliver(t.Context(), ask.ID) }},
		{"a claim's end", false, func() error { return held.Release(t.Context()) }},
	})
}

// waitingStep is something that is done to the store, and whether it can wait for room.
type waitingStep struct {
	name    string
	canWait bool
	do      func() error
}

func sorts(t *testing.T, engine *sorter, steps []waitingStep) {
	t.Helper()
	for _, step := range steps {
		engine.canWait.Store(0)
		engine.cannot.Store(0)
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if canWait, cannot := engine.canWait.Load(), engine.cannot.Load(); canWait > 0 != step.canWait || cannot > 0 == step.canWait {
			t.Errorf("%s: %d commits can wait, %d cannot", step.name, canWait, cannot)
		}
	}
}

// Of tasks, what an agent plans and the work that it begins can wait. What it has done
// cannot, nor what a person decides.
func TestWhatAnAgentBeginsOfTasksCanWait(t *testing.T) {
	engine := &sorter{Engine: kvtest.NewMap()}
	s := approvingStore(engine)
	if err := s.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	work, by, session := s.Tasks(), agentOf("/p"), newSession(t, s, "/p")
	worker, err := work.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var plan tasks.Proposed
	var claimed tasks.Claimed
	var ask store.Ask
	var text safe.Text
	claim := func() (err error) {
		claimed, err = worker.Claim(t.Context(), by, tasks.ClaimRequest{Plan: plan.ID})
		return err
	}
	update := func(status rules.State) error {
		_, err := worker.Update(t.Context(), by, tasks.Progress{Task: claimed.ID, ClaimID: claimed.ClaimID, Status: status})
		return err
	}
	sorts(t, engine, []waitingStep{
		{"a project", true, func() error {
			_, err := work.CreateProject(t.Context(), by, "Shop", "")
			return err
		}},
		{"a plan of tasks", true, func() error {
			plan = proposeTasks(t, s, session.ID, "", "a")
			return nil
		}},
		{"the plan, changed", true, func() error {
			plan = proposeTasks(t, s, session.ID, plan.ID, "a", "b")
			return nil
		}},
		{"its review", true, func() error {
			ask, text = askApproval(t, s, plan)
			return nil
		}},
		{"the verdict", false, func() error {
			_, err := s.Settle(t.Context(), ask.ID, says(t, review.Review{Verdict: review.Approve}, text, safe.Text{}))
			return err
		}},
		{"a task more", true, func() error {
			_, err := work.Add(t.Context(), by, tasks.Addition{Plan: plan.ID, Seed: taskSeed("c")})
			return err
		}},
		{"a dependency", true, func() error {
			_, err := work.SetDependency(t.Context(), by, tasks.Dependency{Task: plan.TaskID(3), DependsOn: plan.TaskID(1)})
			return err
		}},
		{"a dependency, taken back", true, func() error {
			_, err := work.SetDependency(t.Context(), by, tasks.Dependency{Task: plan.TaskID(3), DependsOn: plan.TaskID(1), Remove: true})
			return err
		}},
		{"an amendment", true, func() error {
			reworded := taskSeed("a")
			reworded.Title = safe.New("Write a well")
			_, err := work.Propose(t.Context(), by, tasks.Proposal{Replaces: plan.ID, Proposal: rules.Proposal{Items: []rules.Item{{Seed: reworded}}}})
			return err
		}},
		{"a task that is claimed", true, claim},
		{"a task that is begun", false, func() error { return update(rules.InProgress) }},
		{"a claim that is resumed", false, func() error {
			_, err := worker.Claim(t.Context(), by, tasks.ClaimRequest{Task: claimed.ID, ClaimID: claimed.ClaimID})
			return err
		}},
		{"a task that is given back", false, func() error { return update(rules.Ready) }},
		{"a task that is claimed again", true, claim},
		{"a report", false, func() error {
			_, err := worker.Complete(t.Context(), by, tasks.Completion{Task: claimed.ID, ClaimID: claimed.ClaimID, Report: rules.Report{Summary: safe.New("Done")}})
			return err
		}},
		{"the end of the connection", false, func() error { return worker.Close(t.Context()) }},
	})
}
