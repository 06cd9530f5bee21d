package store_test

import (
	"errors"
	"testing"
	"time"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/tasks"
)

// agentOf is an agent that works in a project.
func agentOf(dir string) tasks.Caller {
	return tasks.Caller{Actor: rules.Agent, Name: "Claude Code", Dir: dir}
}

// proposeTasks proposes a plan of tasks in a session, which each depend on the one
// before.
func proposeTasks(t tester, s *store.Store, session, replaces string, keys ...string) tasks.Proposed {
	t.Helper()
	by := agentOf("/p")
	if _, err := s.Tasks().Resolve(t.Context(), by, ""); err != nil {
		if _, err := s.Tasks().CreateProject(t.Context(), by, "Shop", ""); err != nil {
			t.Fatal(err)
		}
	}
	p := tasks.Proposal{Session: session, Replaces: replaces, Proposal: rules.Proposal{Title: safe.New("Auth")}}
	for i, key := range keys {
		item := rules.Item{Seed: rules.Seed{
			Key: key, Title: safe.New("Write " + key),
			Execution: rules.Execution{Kind: rules.Unblocked}, Verification: rules.Verification{Kind: rules.None},
			Priority: rules.DefaultPriority, Minutes: rules.DefaultMinutes,
		}}
		if i > 0 {
			item.DependsOn = []string{keys[i-1]}
		}
		p.Items = append(p.Items, item)
	}
	made, err := s.Tasks().Propose(t.Context(), by, p)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// TestASessionWithAnOpenPlanOfTasksIsNotPruned proposes a plan before a Prune, and
// between its looking and its deleting.
func TestASessionWithAnOpenPlanOfTasksIsNotPruned(t *testing.T) {
	overEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		engine := &meddler{Engine: open()}
		s := store.New(engine, store.Options{By: "person@desk"})
		before, between, without := newSession(t, s, "/p"), newSession(t, s, "/p"), newSession(t, s, "/p")
		proposeTasks(t, s, before.ID, "", "a")
		future := time.Now().Add(time.Hour)
		listed, err := s.Prunable(ctx, future)
		if err != nil || len(listed.Sessions) != 2 {
			t.Fatalf("to be pruned: %+v, %v", listed.Sessions, err)
		}
		other := store.New(open(), store.Options{By: "person@desk"})
		engine.beforeCommit(func() { proposeTasks(t, other, between.ID, "", "a", "b") })
		done, err := s.Prune(ctx, listed, nil)
		if err != nil || done.Sessions != 1 || done.Stayed != 1 {
			t.Errorf("pruned %+v, %v", done, err)
		}
		for id, want := range map[string]bool{before.ID: true, between.ID: true, without.ID: false} {
			if _, err := s.Session(ctx, id); (err == nil) != want {
				t.Errorf("%s: %v", id, err)
			}
		}
		p := tasks.Proposal{Session: without.ID, Proposal: rules.Proposal{Title: safe.New("Late"), Items: []rules.Item{{Seed: rules.Seed{Key: "a", Title: safe.New("A")}}}}}
		if _, err := s.Tasks().Propose(ctx, agentOf("/p"), p); !errors.As(err, new(*store.UnknownError)) {
			t.Errorf("a plan in a session that is gone: %v", err)
		}
		session, err := s.Session(ctx, before.ID)
		if err == nil {
			err = s.Delete(ctx, session, nil)
		}
		if left := all(t, engine, tasks.OpenOf(before.ID)); err != nil || len(left) != 0 {
			t.Errorf("a session that a person deletes leaves %v, %v", left, err)
		}
	})
}
