package store_test

import (
	"context"
	"fmt"
	"testing"

	"planb/plans/review"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
	"planb/store/tasks"
)

// askToCancel opens the form that asks whether to cancel a plan.
func askToCancel(t *testing.T, s *store.Store, session, plan string) store.Ask {
	t.Helper()
	ask, _, err := s.OpenAsk(t.Context(), store.Ask{
		Session: session, Own: true, Subject: store.Subject{Kind: tasks.CancelKind, ID: plan},
		Spec: questions.Spec{Title: safe.New("Cancel a plan"), Questions: []questions.Question{{
			ID: tasks.CancelQuestion, Kind: questions.Single, Label: safe.New("Cancel it?"), Required: true,
			Options: []questions.Option{{Value: safe.New("keep")}, {Value: safe.New(tasks.CancelAnswer)}},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return ask
}

func saidOfCancel(answer string) questions.Outcome {
	return questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{
		tasks.CancelQuestion: questions.TextValue(answer),
	}}}
}

// workedOn is an active plan with so many tasks, which agents have all claimed.
func workedOn(t *testing.T, s *store.Store, count int) tasks.Proposed {
	t.Helper()
	p := tasks.Proposal{Session: newSession(t, s, "/p").ID, Proposal: rules.Proposal{Title: safe.New("Auth")}}
	for i := range count {
		p.Items = append(p.Items, rules.Item{Seed: taskSeed(fmt.Sprint("t", i))})
	}
	proposeTasks(t, s, p.Session, "", "first") // makes the project, too
	made, err := s.Tasks().Propose(t.Context(), agentOf("/p"), p)
	if err != nil {
		t.Fatal(err)
	}
	ask, text := askApproval(t, s, made)
	if _, err := s.Settle(t.Context(), ask.ID, says(t, review.Review{Verdict: review.Approve}, text, safe.Text{})); err != nil {
		t.Fatal(err)
	}
	c, err := s.Tasks().Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range count {
		if _, err := c.Claim(t.Context(), agentOf("/p"), tasks.ClaimRequest{Plan: made.ID}); err != nil {
			t.Fatal(err)
		}
	}
	return made
}

// TestAFormCancelsAPlan holds that the answer itself cancels the plan, whoever shows the
// form, and that the claims of all its tasks end with it.
func TestAFormCancelsAPlan(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		s := approvingStore(engine)
		const holders = 20
		made := workedOn(t, s, holders)
		ask := askToCancel(t, s, made.Session, made.ID)
		if got := len(storetest.All(t, engine, kv.Key("wp/"+made.ID+"/c/"))); got != holders {
			t.Fatalf("%d claims", got)
		}
		if _, err := s.Settle(t.Context(), ask.ID, saidOfCancel(tasks.CancelAnswer)); err != nil {
			t.Fatal(err)
		}
		w := readTasks(t, s, made.ID)
		if w.Status != rules.PlanCancelled || len(w.Claims) != 0 || len(storetest.All(t, engine, kv.Key("wp/"+made.ID+"/c/"))) != 0 {
			t.Errorf("%s, %d claims", w.Status, len(w.Claims))
		}
		events, err := s.Tasks().History(t.Context(), made.ID, 1)
		if err != nil || len(events) != 1 || events[0].Action != tasks.PlanCancelled || events[0].Ask != ask.ID || events[0].By != "person@desk" || events[0].Actor != "user" {
			t.Errorf("%+v, %v", events, err)
		}
		found, err := s.Audit(t.Context())
		if err != nil || len(found.Problems) != 0 {
			t.Errorf("%v, %v", found.Problems, err)
		}
	})
}

// fullAfter finds the disk full after so many commits more; below 0 it does not.
type fullAfter struct {
	kv.Engine
	commits int
}

func (e *fullAfter) Commit(ctx context.Context, b kv.Batch) error {
	if e.commits == 0 {
		return &kv.Fault{Kind: kv.FaultFull, Path: "memory", What: "cannot be written, because its disk is full", Do: "free some space"}
	}
	e.commits--
	return e.Engine.Commit(ctx, b)
}

// A plan that is cancelled is told to be so, also where the claims that are left cannot be deleted.
func TestACancelledPlanWithClaimsThatStay(t *testing.T) {
	for name, cancel := range map[string]func(s *store.Store, ask, plan string) error{
		"form": func(s *store.Store, ask, plan string) error {
			settled, err := s.Settle(t.Context(), ask, saidOfCancel(tasks.CancelAnswer))
			if settled.Open() {
				t.Error("the form is open")
			}
			return err
		},
		"board": func(s *store.Store, ask, plan string) error {
			return s.Tasks().CancelPlan(t.Context(), tasks.Caller{Actor: rules.User}, plan)
		},
	} {
		engine := &fullAfter{Engine: kvtest.NewMap(), commits: -1}
		s := approvingStore(engine)
		made := workedOn(t, s, 100)
		ask := askToCancel(t, s, made.Session, made.ID)
		engine.commits = 1
		if err := cancel(s, ask.ID, made.ID); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if w := readTasks(t, s, made.ID); w.Status != rules.PlanCancelled || len(w.Claims) != 0 {
			t.Errorf("%s: %s, %d claims are read", name, w.Status, len(w.Claims))
		}
		if got := len(storetest.All(t, engine, kv.Key("wp/"+made.ID+"/c/"))); got == 0 {
			t.Errorf("%s: no claim had to be deleted later", name)
		}
		engine.commits = -1
		if err := s.Reindex(t.Context()); err != nil { // which a repair does
			t.Errorf("%s: %v", name, err)
		}
		if found, err := s.Audit(t.Context()); err != nil || len(found.Problems) > 0 {
			t.Errorf("%s: the deep check finds %q, %v", name, found.Problems, err)
		}
	}
}

func TestWhatCancelsNoPlan(t *testing.T) {
	for name, outcome := range map[string]questions.Outcome{
		"keep": saidOfCancel("keep"), "declined": {State: questions.Declined}, "withdrawn": {State: questions.Withdrawn},
		"talk": {State: questions.Discuss, Message: safe.New("why?"), Reply: saidOfCancel(tasks.CancelAnswer).Reply},
	} {
		engine := kvtest.NewMap()
		s := approvingStore(engine)
		made := proposeTasks(t, s, newSession(t, s, "/p").ID, "", "a", "b")
		ask := askToCancel(t, s, made.Session, made.ID)
		before := dumpUnder(t, engine, "wp/") + dumpUnder(t, engine, "wv/")
		if _, err := s.Settle(t.Context(), ask.ID, outcome); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if dumpUnder(t, engine, "wp/")+dumpUnder(t, engine, "wv/") != before {
			t.Errorf("%s changed the plan", name)
		}
	}
}

// TestCancellingAPlanThatEnded holds that a second answer changes nothing. If the plan was
// done meanwhile, the store refuses the answer, and the form stays open.
func TestCancellingAPlanThatEnded(t *testing.T) {
	s := approvingStore(kvtest.NewMap())
	made := workedOn(t, s, 1)
	first := askToCancel(t, s, made.Session, made.ID)
	person := tasks.Caller{Actor: rules.User}
	if err := s.Tasks().CancelPlan(t.Context(), person, made.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Settle(t.Context(), first.ID, saidOfCancel(tasks.CancelAnswer)); err != nil {
		t.Error(err)
	}
	made = workedOn(t, s, 1)
	late := askToCancel(t, s, made.Session, made.ID)
	w := readTasks(t, s, made.ID)
	c, err := s.Tasks().Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	done := tasks.Completion{Task: w.TaskID(1), ClaimID: w.Claims[1].ID, Report: rules.Report{Summary: safe.New("done")}}
	if _, err := c.Complete(t.Context(), agentOf("/p"), done); err != nil {
		t.Fatal(err)
	}
	_, err = s.Settle(t.Context(), late.ID, saidOfCancel(tasks.CancelAnswer))
	if now, _ := s.Ask(t.Context(), late.ID); rules.CodeOf(err) != rules.CodeConflict || !now.Open() {
		t.Errorf("%v; the form is %s", err, now.Outcome.State)
	}
}
