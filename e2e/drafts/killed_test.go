package drafts_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"planb/drafts/draftstest"
	"planb/e2e/rig"
	"planb/questions"
	"planb/store"
	"planb/store/runs"
)

// opens waits for a gate, and returns the id of its ask.
func opens(t *testing.T, s *store.Store) string {
	t.Helper()
	var open []store.Ask
	rig.Until(t, "a gate is open", func() bool {
		var err error
		open, err = s.Waiting(t.Context())
		return err == nil && len(open) == 1
	})
	return open[0].ID
}

// decide takes what is proposed at the gate that is open.
func decide(t *testing.T, s *store.Store) {
	t.Helper()
	ask, err := s.Ask(t.Context(), opens(t, s))
	if err != nil {
		t.Fatal(err)
	}
	reply := questions.Reply{Answers: map[string]questions.Value{}}
	for _, q := range ask.Spec.Questions {
		if q.Default != nil {
			reply.Answers[q.ID] = *q.Default
		}
	}
	if _, err := s.Settle(context.Background(), ask.ID, questions.Outcome{State: questions.Answered, Reply: reply}); err != nil {
		t.Fatal(err)
	}
}

// TestAKilledServerCostsOnlyTheStepUnderWay kills the server with -9 after it gave out a
// step, and after it accepted the next one, whose reply nobody read; while a gate is open, and
// right after the person answered one. Each time another server goes on, and the plan is the
// same as that of a server that lived.
// V26: the same answers give the same plan, wherever its writers end.
func TestAKilledServerCostsOnlyTheStepUnderWay(t *testing.T) {
	t.Parallel()
	write := func(kill bool) runs.Whole {
		data := t.TempDir()
		start := func() *rig.Agent { return rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"}, "--toolsets", "drafts") }
		m := &model{t: t, agent: start()}
		begun := m.agent.Call("plan_create", map[string]any{"prompt": string(draftstest.File(t, "prompt.txt")), "start_date": "2026-12-01"})
		m.plan, _ = begun.Data["plan_id"].(string)
		s := rig.OpenStoreAsUser(t, data)
		die := func() {
			if kill {
				if err := m.agent.Process.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				m.agent = start()
			}
		}
		// given returns the step that a reply gives, and its lease; nil if the draft is done. A server
		// that was killed may not have ended yet. Then its step is asked for again.
		given := func(call *rig.Pending) []string {
			for {
				told := call.Reply().Texts[0]
				if step := stepLine.FindStringSubmatch(told); step != nil || !strings.Contains(told, " is being written by ") {
					return step
				}
				call = m.start("step_next", map[string]any{"wait_seconds": 1})
			}
		}
		for n := 0; ; n++ {
			call := m.start("step_next", map[string]any{})
			now, err := s.Drafts().Plan(t.Context(), m.plan)
			if err != nil {
				t.Fatal(err)
			}
			switch ready := now.Draft.ReadySteps(); {
			case len(ready) > 0 && ready[0].ID == "choose":
				opens(t, s)
				die()
				decide(t, s)
				if kill {
					call = m.start("step_next", map[string]any{})
				}
			case len(ready) > 0 && ready[0].ID == "confirm":
				decide(t, s)
				die()
				if kill {
					call = m.start("step_next", map[string]any{})
				}
			}
			step := given(call)
			if step == nil {
				break
			}
			if n%2 == 0 {
				die()
			}
			if again := given(m.start("step_next", map[string]any{})); !slices.Equal(again, step) {
				t.Errorf("given was %q, and after a death %q", step, again)
			}
			submit := func() *rig.Pending {
				return m.start("step_submit", map[string]any{"step": step[1], "lease": step[2], "output": string(draftstest.File(t, step[1]+".json")), "next": false})
			}
			call = submit()
			if !kill || n%2 == 0 {
				call.Reply()
				continue
			}
			rig.Until(t, "the step is accepted", func() bool {
				now, err := s.Drafts().Plan(t.Context(), m.plan)
				return err == nil && now.Draft.Standings()[step[1]].Done()
			})
			die()
			if again := submit().Reply(); !strings.HasPrefix(again.Texts[0], "ALREADY DONE: "+step[1]+" ") {
				t.Errorf("who hands %s in once more is told %q", step[1], again.Texts[0])
			}
		}
		done, err := s.Drafts().Plan(t.Context(), m.plan)
		if err != nil || done.State != runs.Completed {
			t.Fatalf("the plan is %s, %v", done.State, err)
		}
		if found, err := s.Audit(t.Context()); err != nil || len(found.Problems) > 0 {
			t.Errorf("the audit finds %v, %v", found.Problems, err)
		}
		return done
	}
	lived, killed := write(false), write(true)
	for step, r := range lived.Draft.Records {
		if got := killed.Draft.Records[step]; got.SHA256 != r.SHA256 {
			t.Errorf("%s differs", step)
		}
	}
}
