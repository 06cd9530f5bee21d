package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"planb/plans"
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

// agentOf is an agent that works in a project.
func agentOf(dir string) tasks.Caller {
	return tasks.Caller{Actor: rules.Agent, Name: "Claude Code", Dir: dir}
}

// proposeTasks proposes a plan of tasks in a session, which each depend on the one
// before.
func proposeTasks(t storetest.Tester, s *store.Store, session, replaces string, keys ...string) tasks.Proposed {
	t.Helper()
	by := agentOf("/p")
	if _, err := s.Tasks().Resolve(t.Context(), by, ""); err != nil {
		if _, err := s.Tasks().CreateProject(t.Context(), by, "Shop", ""); err != nil {
			t.Fatal(err)
		}
	}
	p := tasks.Proposal{Session: session, Replaces: replaces, Proposal: rules.Proposal{Title: safe.New("Auth")}}
	for i, key := range keys {
		p.Items = append(p.Items, rules.Item{Seed: taskSeed(key)})
		if i > 0 {
			p.Items[i].DependsOn = []string{keys[i-1]}
		}
	}
	made, err := s.Tasks().Propose(t.Context(), by, p)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func taskSeed(key string) rules.Seed {
	return rules.Seed{
		Key: key, Title: safe.New("Write " + key),
		Execution: rules.Execution{Kind: rules.Unblocked}, Verification: rules.Verification{Kind: rules.None},
		Priority: rules.DefaultPriority, Minutes: rules.DefaultMinutes,
	}
}

// A session may come back after it was deleted: from an export, by its id.
func TestAnImportedSessionFindsItsOpenPlanOfTasksAgain(t *testing.T) {
	t.Parallel()
	s := store.New(kvtest.NewMap(), store.Options{By: "person@desk"})
	in := foreign(1, 0)
	bring := func() {
		t.Helper()
		if _, err := s.Import(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	bring()
	plan := proposeTasks(t, s, in.Session.ID, "", "a", "b")
	session, err := s.Session(t.Context(), in.Session.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), session, nil); err != nil {
		t.Fatal(err)
	}
	bring()
	bring()
	if audit, err := s.Audit(t.Context()); err != nil || len(audit.Problems) > 0 {
		t.Errorf("the records of plan %s: %q, %v", plan.ID, audit.Problems, err)
	}
	if listed, err := s.Prunable(t.Context(), time.Now().Add(time.Hour)); err != nil || len(listed.Sessions) != 0 {
		t.Errorf("although its plan is open, the session may be pruned: %v, %v", listed.Sessions, err)
	}
}

// TestASessionWithAnOpenPlanOfTasksIsNotPruned proposes a plan before a Prune, and
// between its looking and its deleting.
func TestASessionWithAnOpenPlanOfTasksIsNotPruned(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
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
		p := tasks.Proposal{Session: without.ID, Proposal: rules.Proposal{Title: safe.New("Late"), Items: []rules.Item{{Seed: taskSeed("a")}}}}
		if _, err := s.Tasks().Propose(ctx, agentOf("/p"), p); !errors.As(err, new(*store.UnknownError)) {
			t.Errorf("a plan in a session that is gone: %v", err)
		}
		session, err := s.Session(ctx, before.ID)
		if err == nil {
			err = s.Delete(ctx, session, nil)
		}
		if left := storetest.All(t, engine, tasks.OpenOf(before.ID)); err != nil || len(left) != 0 {
			t.Errorf("a session that a person deletes leaves %v, %v", left, err)
		}
	})
}

// TestAPlanOfTasksOutlivesItsSession deletes the session of a plan, which then goes on in
// another one.
func TestAPlanOfTasksOutlivesItsSession(t *testing.T) {
	t.Parallel()
	for name, active := range map[string]bool{"proposed": false, "active": true} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			s := approvingStore(kvtest.NewMap())
			gone := newSession(t, s, "/p")
			plan := proposeTasks(t, s, gone.ID, "", "a")
			if active {
				approve(t, s, plan)
			}
			seen, err := s.Session(ctx, gone.ID)
			if err == nil {
				err = s.Delete(ctx, seen, nil)
			}
			if err != nil {
				t.Fatal(err)
			}
			proposeTasks(t, s, "", plan.ID, "a", "b")
			var made []string
			asked := func() store.Ask {
				t.Helper()
				ask, err := s.ReviewTasks(ctx, agentOf("/p"), plan.ID, store.TaskReview{NewSession: func(context.Context) (string, error) {
					made = append(made, newSession(t, s, "/p").ID)
					return made[len(made)-1], nil
				}})
				if err != nil {
					t.Fatal(err)
				}
				return ask
			}
			ask := asked()
			if again := asked(); len(made) != 1 || ask.Session != made[0] || again.Session != made[0] {
				t.Errorf("reviewed in %s, then in %s; made were %s", ask.Session, again.Session, made)
			}
			opened, _, err := s.OpenAsk(ctx, ask)
			if err != nil {
				t.Fatal(err)
			}
			text, err := s.PlanText(ctx, opened.Session, opened.Spec.Plan.Number)
			if err == nil {
				_, err = s.Settle(ctx, opened.ID, says(t, review.Review{Verdict: review.Approve}, text, safe.Text{}))
			}
			if err != nil {
				t.Fatal(err)
			}
			if w, err := s.Tasks().Plan(ctx, agentOf("/p"), plan.ID); err != nil || w.Status != rules.PlanActive || w.Graph.Len() != 2 || w.Session != made[0] {
				t.Errorf("it is %+v, %v", w.Plan, err)
			}
			if audit, err := s.Audit(ctx); err != nil || len(audit.Problems) > 0 {
				t.Errorf("%q, %v", audit.Problems, err)
			}
		})
	}
}

// approvingStore is a store that can read reviews of tasks.
func approvingStore(engine kv.Engine) *store.Store {
	return store.New(engine, store.Options{By: "person@desk", Tasks: tasks.Options{Verdict: taskVerdict}})
}

func taskVerdict(answer string) (tasks.Verdict, error) {
	said, err := review.Parse([]byte(answer))
	return tasks.Verdict{Digest: said.Digest, Approves: said.Verdict.Approves(), Withheld: said.Withheld, Edited: said.Edited}, err
}

// approve has the person approve a plan of tasks, and returns the review.
func approve(t storetest.Tester, s *store.Store, plan tasks.Proposed) store.Ask {
	t.Helper()
	ask, text := askApproval(t, s, plan)
	if _, err := s.Settle(t.Context(), ask.ID, says(t, review.Review{Verdict: review.Approve}, text, safe.Text{})); err != nil {
		t.Fatal(err)
	}
	return ask
}

// work completes the first task of a plan with a long report, and begins the second. It
// returns the id of the first.
func work(t storetest.Tester, s *store.Store, plan tasks.Proposed) string {
	t.Helper()
	c, err := s.Tasks().Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first, err := c.Claim(t.Context(), agentOf("/p"), tasks.ClaimRequest{Plan: plan.ID})
	if err != nil {
		t.Fatal(err)
	}
	report := rules.Report{Summary: safe.New("done")}
	for range 5 {
		report.Evidence = append(report.Evidence, rules.Proof{Text: safe.New(strings.Repeat("long ", 600))})
	}
	done := tasks.Completion{Task: first.ID, ClaimID: first.ClaimID, Report: report}
	if _, err := c.Complete(t.Context(), agentOf("/p"), done); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Claim(t.Context(), agentOf("/p"), tasks.ClaimRequest{Plan: plan.ID}); err != nil {
		t.Fatal(err)
	}
	return first.ID
}

// askApproval opens the review that approves the plan, as approve_plan does.
func askApproval(t storetest.Tester, s *store.Store, plan tasks.Proposed) (store.Ask, safe.Text) {
	t.Helper()
	text, err := s.Tasks().Text(t.Context(), plan.Whole)
	if err != nil {
		t.Fatal(err)
	}
	return openTaskReview(t, s, plan.Session, "tasks/"+plan.ID, tasks.SubjectOf(plan.Whole), text), text
}

// openReview asks for a review of a text, with a plan of tasks as its subject.
func openTaskReview(t storetest.Tester, s *store.Store, session, name, subject string, text safe.Text) store.Ask {
	t.Helper()
	version, _, err := s.SavePlan(t.Context(), session, "", text.Raw())
	if err != nil {
		t.Fatal(err)
	}
	spec := questions.ReviewOf(safe.New("Auth"), questions.PlanRef{Name: name, Number: version.Number, Digest: version.Digest})
	ask, _, err := s.OpenAsk(t.Context(), store.Ask{Session: session, Spec: spec, Subject: store.Subject{Kind: tasks.SubjectKind, ID: subject}})
	if err != nil {
		t.Fatal(err)
	}
	return ask
}

// says is the outcome of a review of the text.
func says(t storetest.Tester, said review.Review, text, edited safe.Text) questions.Outcome {
	t.Helper()
	said.Digest = plans.Digest(text)
	done, err := said.Complete(text, edited)
	if err != nil {
		t.Fatal(err)
	}
	data, err := done.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(data))}}}
}

func readTasks(t storetest.Tester, s *store.Store, id string) tasks.Whole {
	t.Helper()
	w, err := s.Tasks().Plan(t.Context(), tasks.Caller{}, id)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// states are the states of a plan's tasks, by nodeKey.
func states(w tasks.Whole) string {
	view, list := rules.Look(w.Situation(time.Now())), []string{}
	for n := 1; n <= w.Graph.Len(); n++ {
		list = append(list, w.Graph.Key(n)+" "+string(view.State(n)))
	}
	return strings.Join(list, ", ")
}

// TestApprovingTasks covers T19, T23 and T24: the outcome of the review, the plan and
// the audit row are one commit, and only roots are ready.
func TestApprovingTasks(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		engine := open()
		s := approvingStore(engine)
		made := proposeTasks(t, s, newSession(t, s, "/p").ID, "", "schema", "api")
		ask, text := askApproval(t, s, made)
		second := openTaskReview(t, s, made.Session, "second", tasks.SubjectOf(made.Whole), safe.New(text.Raw()+"\n"))
		if _, err := s.Settle(ctx, ask.ID, says(t, review.Review{Verdict: review.Approve}, text, safe.Text{})); err != nil {
			t.Fatal(err)
		}
		w := readTasks(t, s, made.ID)
		if w.Status != rules.PlanActive || w.Approval == nil || w.Approval.Hash != made.Graph.Hash() || w.Approval.By != "person@desk" || w.Approval.Ask != ask.ID {
			t.Errorf("approved: %+v, %+v", w.Plan, w.Approval)
		}
		if got := states(w); got != "schema ready, api blocked" {
			t.Errorf("the tasks: %s", got)
		}
		records, err := engine.Get(ctx, store.AskKey(ask.ID), "wp/"+kv.Key(made.ID))
		rows := storetest.All(t, engine, "wv/"+kv.Key(made.ID))
		if err != nil || records[0].Op != records[1].Op || rows[0].Op != records[0].Op {
			t.Errorf("outcome, plan and row have the operations %v, %v and %v, %v", records[0].Op, records[1].Op, rows[0].Op, err)
		}
		events, err := s.Tasks().History(ctx, made.ID, 10)
		if err != nil || len(events) != 2 || events[0].Action != tasks.PlanApproved || events[0].Actor != "user" || events[0].By != "person@desk" || events[0].From != string(rules.PlanProposed) || events[0].To != string(rules.PlanActive) || events[0].Ask != ask.ID {
			t.Errorf("the rows: %+v, %v", events, err)
		}
		before := rows[0].Rev
		_, err = s.Settle(ctx, second.ID, says(t, review.Review{Verdict: review.Approve}, safe.New(text.Raw()+"\n"), safe.Text{}))
		if rules.CodeOf(err) != rules.CodeConflict || !strings.HasPrefix(err.Error(), "cannot-approve-active: ") {
			t.Errorf("a second approval: %v", err)
		}
		if rows := storetest.All(t, engine, "wv/"+kv.Key(made.ID)); len(rows) != 2 || rows[0].Rev != before {
			t.Error("a second approval changed something")
		}
	})
}

// TestOnlyAnApprovalActivates holds that no other outcome touches the plan.
func TestOnlyAnApprovalActivates(t *testing.T) {
	read := func(said review.Review) func(text safe.Text) questions.Outcome {
		return func(text safe.Text) questions.Outcome { return says(t, said, text, safe.Text{}) }
	}
	as := func(outcome questions.Outcome) func(safe.Text) questions.Outcome {
		return func(safe.Text) questions.Outcome { return outcome }
	}
	for name, outcome := range map[string]func(text safe.Text) questions.Outcome{
		"declined": as(questions.Outcome{State: questions.Declined}), "withdrawn": as(questions.Outcome{State: questions.Withdrawn}),
		"discuss": as(questions.Outcome{State: questions.Discuss, Message: safe.New("why?")}),
		"changes": read(review.Review{Verdict: review.RequestChanges, Note: safe.New("no")}),
		"reject":  read(review.Review{Verdict: review.Reject}),
	} {
		engine := kvtest.NewMap()
		s := approvingStore(engine)
		made := proposeTasks(t, s, newSession(t, s, "/p").ID, "", "a", "b")
		ask, text := askApproval(t, s, made)
		before := dumpUnder(t, engine, "wp/") + dumpUnder(t, engine, "wv/")
		if _, err := s.Settle(t.Context(), ask.ID, outcome(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if dumpUnder(t, engine, "wp/")+dumpUnder(t, engine, "wv/") != before {
			t.Errorf("%s changed the plan", name)
		}
	}
}

// TestAnApprovalIsBoundToWhatWasRead covers T22: another hash, another text and a
// text that is no plan approve nothing, and the review stays open.
func TestAnApprovalIsBoundToWhatWasRead(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		engine := open()
		s := approvingStore(engine)
		made := proposeTasks(t, s, newSession(t, s, "/p").ID, "", "a", "b")
		old, text := askApproval(t, s, made)
		now := proposeTasks(t, s, made.Session, made.ID, "a", "b", "sneaked")
		other := openTaskReview(t, s, made.Session, "other", tasks.SubjectOf(now.Whole), text)
		prose := openTaskReview(t, s, made.Session, "prose", tasks.SubjectOf(now.Whole), safe.New("Just prose"))
		before := dumpUnder(t, engine, "wp/")
		for _, c := range []struct {
			ask  store.Ask
			text safe.Text
			want string
		}{
			{old, text, "proposed anew since you opened this review"},
			{other, text, "not that of the tasks it is to approve"},
			{prose, safe.New("Just prose"), ""},
		} {
			_, err := s.Settle(ctx, c.ask.ID, says(t, review.Review{Verdict: review.Approve}, c.text, safe.Text{}))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if read, err := s.Ask(ctx, c.ask.ID); err != nil || !read.Open() {
				t.Errorf("the review is %v, %v", read.Outcome.State, err)
			}
		}
		if dumpUnder(t, engine, "wp/") != before {
			t.Error("the plan was changed")
		}
		ask, text := askApproval(t, s, now)
		if _, err := s.Settle(ctx, ask.ID, says(t, review.Review{Verdict: review.Approve}, text, safe.Text{})); err != nil {
			t.Error(err)
		}
		if got := states(readTasks(t, s, made.ID)); got != "a ready, b blocked, sneaked blocked" {
			t.Errorf("the tasks: %s", got)
		}
	})
}

// TestWhatIsHeldBackStaysLocked covers T22: held tasks are locked, and what depends on
// them waits.
func TestWhatIsHeldBackStaysLocked(t *testing.T) {
	s := approvingStore(kvtest.NewMap())
	made := proposeTasks(t, s, newSession(t, s, "/p").ID, "", "a", "b")
	ask, text := askApproval(t, s, made)
	line := 0
	for _, section := range plans.Outline(text) {
		if strings.Contains(section.Title.Raw(), "{#a}") {
			line = section.Line
		}
	}
	if _, err := s.Settle(t.Context(), ask.ID, says(t, review.Review{Verdict: review.Approve, Withheld: []int{line}}, text, safe.Text{})); err != nil {
		t.Fatal(err)
	}
	w := readTasks(t, s, made.ID)
	if got := states(w); w.Status != rules.PlanActive || len(w.Held) != 1 || w.Held[0] != 1 || got != "a blocked, b blocked" {
		t.Errorf("held %v: %s", w.Held, got)
	}
}

// TestAPersonsEditIsApprovedAsEdited covers T22: the edit becomes the plan, in the same
// commit. An edit that is no plan any more approves nothing, and the error names its line.
func TestAPersonsEditIsApprovedAsEdited(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		s := approvingStore(open())
		made := proposeTasks(t, s, newSession(t, s, "/p").ID, "", "a", "b")
		ask, text := askApproval(t, s, made)
		settle := func(edited string) error {
			if _, _, err := s.SavePlan(ctx, made.Session, "", edited); err != nil {
				t.Fatal(err)
			}
			_, err := s.Settle(ctx, ask.ID, says(t, review.Review{Verdict: review.Approve}, text, safe.New(edited)))
			return err
		}
		err := settle(strings.Replace(text.Raw(), "after: a", "after: z", 1))
		if err == nil || !strings.Contains(err.Error(), `"z"`) {
			t.Errorf("an edit that is no plan: %v", err)
		}
		if w := readTasks(t, s, made.ID); w.Status != rules.PlanProposed || w.Approval != nil {
			t.Errorf("it approved %+v", w.Plan)
		}
		if err := settle(strings.Replace(text.Raw(), "Write b", "Write b well", 1)); err != nil {
			t.Fatal(err)
		}
		w := readTasks(t, s, made.ID)
		list, err := s.Tasks().Tasks(ctx, w)
		if err != nil || w.Status != rules.PlanActive || list[1].Title.Raw() != "Write b well" || w.Approval.Hash != w.Graph.Hash() || w.Graph.Hash() == made.Graph.Hash() {
			t.Errorf("approved as edited: %+v, %v, %v", w.Plan, list, err)
		}
		if got := states(w); got != "a ready, b blocked" {
			t.Errorf("the tasks: %s", got)
		}
	})
}

// TestAnUnclearApproval settles with commits whose outcome is unclear, and while the tasks
// are proposed anew between reading and writing.
func TestAnUnclearApproval(t *testing.T) {
	for _, applied := range []bool{true, false} {
		engine := kvtest.NewMap()
		s := approvingStore(engine)
		made := proposeTasks(t, s, newSession(t, s, "/p").ID, "", "a")
		ask, text := askApproval(t, s, made)
		engine.UnclearNextCommit(applied)
		_, err := s.Settle(t.Context(), ask.ID, says(t, review.Review{Verdict: review.Approve}, text, safe.Text{}))
		if w := readTasks(t, s, made.ID); err != nil || w.Status != rules.PlanActive || len(storetest.All(t, engine, "wv/"+kv.Key(made.ID))) != 2 {
			t.Errorf("applied %v: %+v, %v", applied, w.Plan, err)
		}
	}
	engine := &meddler{Engine: kvtest.NewMap()}
	s := approvingStore(engine)
	made := proposeTasks(t, s, newSession(t, s, "/p").ID, "", "a")
	ask, text := askApproval(t, s, made)
	other := approvingStore(engine.Engine)
	engine.beforeCommit(func() { proposeTasks(t, other, made.Session, made.ID, "a", "sneaked") })
	_, err := s.Settle(t.Context(), ask.ID, says(t, review.Review{Verdict: review.Approve}, text, safe.Text{}))
	if err == nil || !strings.Contains(err.Error(), "proposed anew") || readTasks(t, s, made.ID).Status != rules.PlanProposed {
		t.Errorf("proposed anew while it was approved: %v", err)
	}
}

// TestAPlanWithoutOpenTasksIsDone approves an imported plan whose tasks were all done.
func TestAPlanWithoutOpenTasksIsDone(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	s := approvingStore(engine)
	session := newSession(t, s, "/p")
	first := proposeTasks(t, s, session.ID, "", "a")
	list, err := s.Tasks().Tasks(ctx, first.Whole)
	if err != nil {
		t.Fatal(err)
	}
	done, err := s.Tasks().Propose(ctx, agentOf("/p"), tasks.Proposal{Session: session.ID, Proposal: rules.Proposal{
		Title: safe.New("Imported"), Items: []rules.Item{{Seed: list[0].Seed, Done: safe.New("long ago")}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	ask, text := askApproval(t, s, done)
	if _, err := s.Settle(ctx, ask.ID, says(t, review.Review{Verdict: review.Approve}, text, safe.Text{})); err != nil {
		t.Fatal(err)
	}
	if w := readTasks(t, s, done.ID); w.Status != rules.PlanDone || states(w) != "a done" {
		t.Errorf("%s: %s", w.Status, states(w))
	}
	if open := storetest.All(t, engine, tasks.OpenOf(session.ID)); len(open) != 1 {
		t.Errorf("%d plans count as open", len(open))
	}
}

// dumpUnder is everything under a prefix, to be compared.
func dumpUnder(t storetest.Tester, engine kv.Engine, prefix kv.Key) string {
	t.Helper()
	var text strings.Builder
	for _, r := range storetest.All(t, engine, prefix) {
		text.WriteString(string(r.Key) + " " + string(r.Value) + "\n")
	}
	return text.String()
}
