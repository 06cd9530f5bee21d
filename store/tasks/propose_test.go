package tasks_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"planb/plans"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/storetest"
	"planb/store/tasks"
)

// proposal is one of tasks that each depend on the one before.
func proposal(keys ...string) tasks.Proposal {
	p := tasks.Proposal{Proposal: rules.Proposal{Title: safe.New("Auth rewrite")}}
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
	return p
}

// many is a proposal of count tasks, each with a description of so many bytes that
// does not compress well.
func many(count, size int) tasks.Proposal {
	keys := make([]string, count)
	for i := range keys {
		keys[i] = fmt.Sprint("t", i+1)
	}
	p := proposal(keys...)
	for i := range p.Items {
		var text strings.Builder
		for n := uint64(i + 1); text.Len() < size; n = n*6364136223846793005 + 1442695040888963407 {
			fmt.Fprintf(&text, "%016x", n)
		}
		p.Items[i].Description = safe.New(text.String()[:size])
	}
	return p
}

func propose(t storetest.Tester, s *tasks.Store, p tasks.Proposal) tasks.Proposed {
	t.Helper()
	got, err := s.Propose(t.Context(), agent(), p)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestT13T16Proposing covers T13 and T16: all tasks are there from one commit on, and none
// can be claimed.
func TestT13T16Proposing(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		engine := open()
		s, other := newStore(engine, tasks.Options{}), newStore(open(), tasks.Options{})
		project := create(t, s, agent(), "Shop", "")
		for _, size := range []int{0, 1000, 2000} { // riding along, and written before
			p := many(500, size)
			made := propose(t, s, p)
			got, err := other.Plan(ctx, agent(), made.ID)
			if err != nil || got.Status != rules.PlanProposed || got.Tasks != 500 || got.Graph.Len() != 500 || got.Project != project.ID || made.Unchanged {
				t.Fatalf("%d bytes each: %+v, %v", size, got.Plan, err)
			}
			if !reflect.DeepEqual(made.Plan, got.Plan) || made.Graph.Hash() != got.Graph.Hash() || !bytes.Equal(made.Marks, got.Marks) {
				t.Errorf("%d bytes each: returned as %+v, kept as %+v", size, made.Plan, got.Plan)
			}
			list, err := other.Tasks(ctx, got)
			if err != nil || len(list) != 500 || list[499].Description != p.Items[499].Description || strings.Join(list[499].DependsOn, " ") != "t499" {
				t.Errorf("%d bytes each: %d tasks, %v", size, len(list), err)
			}
			if some, err := other.Tasks(ctx, got, 3, 300); err != nil || len(some) != 2 || some[0].Key != "t3" || some[1].Key != "t300" {
				t.Errorf("two tasks: %v, %v", some, err)
			}
			view := rules.Look(got.Situation(time.Now()))
			if counts := view.Counts(); counts[rules.Blocked] != 500 {
				t.Errorf("the tasks are %v", counts)
			}
			if chunks, _, err := ledger.New(engine, ledger.Options{}).Sweep(ctx); err != nil || chunks != 0 {
				t.Errorf("%d chunks in use were swept away, %v", chunks, err)
			}
			if _, err := other.Tasks(ctx, got); err != nil {
				t.Errorf("after a sweep: %v", err)
			}
		}
		list, err := other.Plans(ctx, agent())
		projects, _ := other.Projects(ctx, agent())
		if err != nil || len(list) != 3 || projects[0].Tasks != 1500 {
			t.Errorf("%d plans, %+v, %v", len(list), projects, err)
		}
	})
}

// TestWhatIsRefusedIsNotStored covers T3, T11, T14 and T24.
func TestWhatIsRefusedIsNotStored(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	s := newStore(engine, tasks.Options{})
	_, err := s.Propose(ctx, agent(), proposal("a"))
	wantCode(t, err, rules.CodeProjectNotFound, "no project yet")
	create(t, s, agent(), "Shop", "")
	made := propose(t, s, proposal("a", "b"))
	cycle := proposal("a", "b")
	cycle.Items[0].DependsOn = []string{"b"}
	itself := proposal("a")
	itself.Items[0].DependsOn = []string{"a"}
	unknown := proposal("schema", "b")
	unknown.Items[1].DependsOn = []string{"schma"}
	lost, away := proposal("a"), proposal("a")
	lost.Replaces = strings.Replace(made.ID, made.ID[:4], "ffff", 1)
	away.Replaces = made.ID
	noProject := proposal("a")
	noProject.Project = lost.Replaces
	elsewhere := agent()
	elsewhere.Dir = "/elsewhere"
	before := storetest.Dump(t, engine)
	for _, c := range []struct {
		by   tasks.Caller
		p    tasks.Proposal
		code rules.Code
		want string
	}{
		{agent(), cycle, rules.CodeDependencyCycle, "a → b → a is a cycle. Nothing was stored."},
		{agent(), itself, rules.CodeDependencyCycle, "a → a"},
		{agent(), unknown, rules.CodeValidationInvalidInput, `did you mean "schema"?`},
		{agent(), proposal("a", "a"), rules.CodeValidationInvalidInput, "nodeKey"},
		{agent(), lost, rules.CodePlanNotFound, made.ID},
		{elsewhere, away, rules.CodePlanNotFound, made.ID},
		{agent(), noProject, rules.CodeProjectNotFound, noProject.Project},
	} {
		_, err := s.Propose(ctx, c.by, c.p)
		wantCode(t, err, c.code, c.want)
	}
	stranger := newStore(engine, tasks.Options{Owner: "stranger"})
	_, err = stranger.Plan(ctx, agent(), made.ID)
	wantCode(t, err, rules.CodePlanNotFound, "")
	_, err = s.Plan(ctx, agent(), "shop")
	wantCode(t, err, rules.CodePlanNotFound, "There are: \""+made.ID)
	if _, err := s.Plan(ctx, tasks.Caller{}, made.ID); err != nil {
		t.Errorf("a caller without a directory: %v", err)
	}
	if now := storetest.Dump(t, engine); now != before {
		t.Errorf("something was written:\n%s", now)
	}
}

// TestT15TheMonthsQuota covers T15: the gate runs before any chunk is written.
// No text of a plan may end a line of the review as the line does that parts a plan from its tasks.
func TestTextsWithTheLineAboveTheTasks(t *testing.T) {
	for name, write := range map[string]func(p *tasks.Proposal){
		"done":  func(p *tasks.Proposal) { p.Items[0].Done = safe.New(rules.TasksBelow) },
		"title": func(p *tasks.Proposal) { p.Title = safe.New("Shop " + rules.TasksBelow) },
	} {
		s := newStore(kvtest.NewMap(), tasks.Options{})
		create(t, s, agent(), "Shop", "")
		p := proposal("a", "b")
		p.Items[0].Description = safe.New("How.")
		write(&p)
		if _, err := s.Propose(t.Context(), agent(), p); err == nil || !strings.Contains(err.Error(), "separates a plan from its tasks") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestT15TheMonthsQuota(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	now := &clock{now: time.Date(2026, 11, 30, 23, 59, 0, 0, time.UTC)}
	s := tasks.New(ledger.New(engine, ledger.Options{Now: now.Now}), owned(tasks.Options{MonthlyLimit: 10}))
	create(t, s, agent(), "Shop", "")
	first := propose(t, s, many(8, 10))
	before := storetest.Dump(t, engine)
	_, err := s.Propose(ctx, agent(), many(500, 2000))
	wantCode(t, err, rules.CodeQuotaExceeded, "8 of 10 tasks of 2026-11 are used, 500 asked for. Your user can raise tasks.monthly_limit.")
	if e, _ := errors.AsType[*rules.Error](err); e.Details["reset_at"] != "2026-12-01T00:00:00Z" {
		t.Errorf("details %v", e.Details)
	}
	if storetest.Dump(t, engine) != before {
		t.Error("something was written")
	}
	more := many(11, 10)
	more.Replaces = first.ID
	_, err = s.Propose(ctx, agent(), more)
	wantCode(t, err, rules.CodeQuotaExceeded, "8 of 10 tasks of 2026-11 are used, 3 asked for.")
	less := many(5, 10)
	less.Replaces = first.ID
	propose(t, s, less)
	if list, err := s.Projects(ctx, agent()); err != nil || list[0].Tasks != 5 {
		t.Errorf("the project has %+v, %v", list, err)
	}
	propose(t, s, many(2, 10))
	_, err = s.Propose(ctx, agent(), many(1, 10))
	wantCode(t, err, rules.CodeQuotaExceeded, "10 of 10")
	now.set(now.Now().Add(time.Minute))
	propose(t, s, many(10, 10))
}

// TestReplacingAProposal covers T17 as far as it is about proposed plans.
func TestReplacingAProposal(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		engine := open()
		s := newStore(engine, tasks.Options{})
		create(t, s, agent(), "Shop", "")
		made := propose(t, s, many(300, 2000))
		again := many(300, 2000)
		again.Replaces = made.ID
		before := storetest.Dump(t, engine)
		if got := propose(t, s, again); !got.Unchanged || got.ID != made.ID || storetest.Dump(t, engine) != before {
			t.Errorf("the same again: unchanged %v", got.Unchanged)
		}
		again.Items[299].Title = safe.New("Reworded")
		got := propose(t, s, again)
		if got.Unchanged || got.ID != made.ID || got.Graph.Hash() == made.Graph.Hash() || got.Status != rules.PlanProposed || !got.Created.Equal(made.Created) {
			t.Errorf("a reworded task: %+v", got.Plan)
		}
		again.Title = safe.New("Another title")
		if got := propose(t, s, again); got.Title.Raw() != "Another title" || got.Graph.Title() != got.Title {
			t.Errorf("another title: %+v", got.Plan)
		}
		events, err := s.History(ctx, made.ID, 10)
		if err != nil || len(events) != 3 || events[0].From != string(rules.PlanProposed) || events[2].From != "" || events[0].Hash == events[1].Hash || events[0].Action != tasks.PlanProposed {
			t.Errorf("the rows are %+v, %v", events, err)
		}
		// What was replaced is swept away, what is used stays.
		if chunks, _, err := ledger.New(engine, ledger.Options{}).Sweep(ctx); err != nil || chunks != 3 {
			t.Errorf("%d chunks were swept away, %v", chunks, err)
		}
		read, err := s.Plan(ctx, agent(), made.ID)
		if err != nil {
			t.Fatal(err)
		}
		if list, err := s.Tasks(ctx, read); err != nil || list[299].Title.Raw() != "Reworded" {
			t.Errorf("after the sweep: %v", err)
		}
	})
}

// TestT16KilledBetweenChunksAndCommit holds that chunks without their commit make no
// plan, and go with the next sweep.
func TestT16KilledBetweenChunksAndCommit(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		engine := open()
		s := newStore(engine, tasks.Options{})
		create(t, s, agent(), "Shop", "")
		killed := errors.New("killed")
		m := &meddler{Engine: engine, prefix: "wp/", before: func() error { return killed }}
		if _, err := newStore(m, tasks.Options{}).Propose(ctx, agent(), many(300, 2000)); !errors.Is(err, killed) {
			t.Fatal(err)
		}
		chunks := len(storetest.All(t, engine, "x/"))
		if chunks == 0 {
			t.Fatal("it was killed before the chunks were written")
		}
		if list, err := s.Plans(ctx, agent()); err != nil || len(list) != 0 || len(storetest.All(t, engine, "wq/2")) != 0 {
			t.Errorf("there are plans: %+v, %v", list, err)
		}
		if swept, _, err := ledger.New(engine, ledger.Options{}).Sweep(ctx); err != nil || swept != chunks {
			t.Errorf("%d of %d chunks were swept away, %v", swept, chunks, err)
		}
	})
}

// TestAnUnclearProposal holds that a commit of which nothing is heard makes one plan.
func TestAnUnclearProposal(t *testing.T) {
	for name, hurt := range map[string]func(m *meddler, inner *kvtest.Map){
		"applied":     func(_ *meddler, inner *kvtest.Map) { inner.UnclearNextCommit(true) },
		"not applied": func(_ *meddler, inner *kvtest.Map) { inner.UnclearNextCommit(false) },
		"late":        func(m *meddler, _ *kvtest.Map) { m.late = true },
	} {
		t.Run(name, func(t *testing.T) {
			inner := kvtest.NewMap()
			m := &meddler{Engine: inner, prefix: "wp/"}
			s := newStore(m, tasks.Options{})
			create(t, s, agent(), "Shop", "")
			hurt(m, inner)
			made := propose(t, s, proposal("a", "b"))
			next := proposal("a", "b", "c")
			next.Replaces = made.ID
			hurt(m, inner)
			if got := propose(t, s, next); got.Tasks != 3 {
				t.Errorf("replaced: %+v", got.Plan)
			}
			list, err := s.Projects(t.Context(), agent())
			if err != nil || list[0].Tasks != 3 || len(storetest.All(t, inner, "wl/")) != 1 || len(storetest.All(t, inner, "wv/"+kv.Key(made.ID))) != 2 {
				t.Errorf("counted %+v, %v", list, err)
			}
		})
	}
}

// TestSixteenProposeAtOnce holds that the counters agree with what was kept.
func TestSixteenProposeAtOnce(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		const limit, writers = 50, 16
		s := newStore(open(), tasks.Options{})
		create(t, s, agent(), "Shop", "")
		var wait sync.WaitGroup
		errs := make([]error, writers)
		for i := range writers {
			s := newStore(open(), tasks.Options{MonthlyLimit: limit})
			wait.Go(func() { _, errs[i] = s.Propose(context.WithoutCancel(ctx), agent(), many(5, 100+i)) })
		}
		wait.Wait()
		made := 0
		for _, err := range errs {
			if err == nil {
				made++
				continue
			}
			wantCode(t, err, rules.CodeQuotaExceeded, "50 of 50")
		}
		list, err := s.Projects(ctx, agent())
		plans, _ := s.Plans(ctx, agent())
		if err != nil || made != limit/5 || len(plans) != made || list[0].Tasks != limit {
			t.Errorf("%d were kept, %d listed, %+v, %v", made, len(plans), list, err)
		}
	})
}

// TestAnApprovalIsOfTheTextThatWasRead holds that an approval makes the plan active only
// with a text of exactly this plan.
func TestAnApprovalIsOfTheTextThatWasRead(t *testing.T) {
	other := proposal("a", "b")
	other.Items[1].Title = safe.New("Delete everything")
	for name, c := range map[string]struct {
		read   func(text string) string
		digest func(text string) string
		damage bool // what is kept of the tasks
		refuse string
	}{
		"as it is kept":           {},
		"as an older planb wrote": {read: func(text string) string { return strings.ReplaceAll(text, "after:", "priority: 2\nafter:") }},
		"beside damage":           {damage: true},
		"another text":            {read: func(string) string { return rules.Render(other.Proposal).Raw() }, refuse: "is not that of the tasks"},
		"another digest":          {digest: func(text string) string { return text + "\n" }, refuse: "is not that of the tasks"},
	} {
		t.Run(name, func(t *testing.T) {
			engine := kvtest.NewMap()
			w := newWorldOver(t, engine)
			made := propose(t, w.store(), proposal("a", "b"))
			text, err := w.store().Text(w.ctx, made.Whole)
			if err != nil {
				t.Fatal(err)
			}
			if c.damage {
				record := struct {
					Content struct{ Leaves []struct{ Text ledger.Ref } }
				}{}
				decode(t, engine, "wp/"+kv.Key(made.ID), &record)
				engine.Damage("x/" + kv.Key(record.Content.Leaves[0].Text.Digest))
			}
			read, digested := text.Raw(), text.Raw()
			if c.read != nil {
				if read = c.read(read); read == text.Raw() {
					t.Fatalf("the text is the same: %s", read)
				}
				digested = read
			}
			if c.digest != nil {
				digested = c.digest(read)
			}
			err = w.settle(made.Whole, safe.New(read), tasks.Verdict{Digest: plans.Digest(safe.New(digested)), Approves: true})
			got, failed := w.store().Plan(w.ctx, agent(), made.ID)
			if failed != nil {
				t.Fatal(failed)
			}
			if c.refuse != "" {
				if err == nil || !strings.Contains(err.Error(), c.refuse) || got.Status != rules.PlanProposed || got.Approved != nil {
					t.Errorf("the plan is %s, %v", got.Status, err)
				}
				return
			}
			if err != nil || got.Status != rules.PlanActive || got.Approval.Hash != made.Graph.Hash() || got.Approved.Hash() != made.Graph.Hash() {
				t.Errorf("the plan is %s, approved %+v, %v", got.Status, got.Approval, err)
			}
		})
	}
}

// TestDamagedPlans holds that a plan that cannot be read hides no other, and says so.
func TestDamagedPlans(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	s := newStore(engine, tasks.Options{})
	create(t, s, agent(), "Shop", "")
	var made []tasks.Proposed
	for i := range 4 {
		made = append(made, propose(t, s, many(3, 100+i)))
	}
	storetest.PutRecord(t, engine, "wp/"+kv.Key(made[0].ID), "nonsense")
	storetest.PutRecord(t, engine, "wp/"+kv.Key(made[1].ID)+"/s", map[string]any{"v": 1, "marks": "o2"})
	graph := struct {
		Content struct{ Graph ledger.Ref }
	}{}
	decode(t, engine, "wp/"+kv.Key(made[2].ID), &graph)
	engine.Damage("x/" + kv.Key(graph.Content.Graph.Digest))
	s = newStore(engine, tasks.Options{}) // one that has read nothing yet
	for i := range 3 {
		if _, err := s.Plan(ctx, agent(), made[i].ID); !ledger.AboutOne(err) {
			t.Errorf("damaged plan %d: %v", i, err)
		}
	}
	if _, err := s.Plan(ctx, agent(), made[3].ID); err != nil {
		t.Errorf("the whole one: %v", err)
	}
	list, err := s.Plans(ctx, agent())
	if err != nil || len(list) != 4 || list[0].ID != made[0].ID || list[0].Err == nil || list[3].Err != nil {
		t.Errorf("listed %+v, %v", list, err)
	}
	again := many(3, 102)
	again.Replaces = made[2].ID
	again.Title = safe.New("Proposed anew")
	if got := propose(t, s, again); got.Title.Raw() != "Proposed anew" {
		t.Errorf("a plan whose graph was damaged is proposed anew as %+v", got.Plan)
	}
}

// TestADamagedPlanStopsNoOther holds that agents work on the other plans of a project, and that a
// task of these is found by its nodeKey, while one plan cannot be read.
func TestADamagedPlanStopsNoOther(t *testing.T) {
	w := newWorld(t)
	bad, good := w.active(t, "a"), w.active(t, "b")
	storetest.PutRecord(t, w.engine, "wp/"+kv.Key(bad)+"/s", map[string]any{"v": 1, "marks": "nonsense"})
	c := connect(t, w.store())
	next, err := c.Next(w.ctx, agent(), tasks.Query{})
	if err != nil || len(next.Tasks) != 1 || next.Tasks[0].Key != "b" {
		t.Errorf("next is %+v, %v", next, err)
	}
	got, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{})
	if err != nil || got.ID != w.task(t, good, "b") {
		t.Errorf("claimed %+v, %v", got, err)
	}
	if _, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: bad}); !ledger.AboutOne(err) {
		t.Errorf("of the damaged plan: %v", err)
	}
	if err := w.store().CancelPlan(w.ctx, person(), good); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Next(w.ctx, agent(), tasks.Query{}); !ledger.AboutOne(err) {
		t.Errorf("with the damaged plan alone: %v", err)
	}
}

// TestNothingButADamagedPlan holds that an agent is not told that no task is open, if that cannot be
// known: a plan of its project cannot be read. It learns nothing of a plan of another project.
func TestNothingButADamagedPlan(t *testing.T) {
	w := newWorld(t)
	storetest.PutRecord(t, w.engine, "wp/"+kv.Key(w.active(t, "a")), "nonsense")
	c := connect(t, w.store())
	if next, err := c.Next(w.ctx, agent(), tasks.Query{}); !ledger.AboutOne(err) {
		t.Errorf("next is %+v, %v", next, err)
	}
	if got, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{}); !ledger.AboutOne(err) {
		t.Errorf("claimed %+v, %v", got, err)
	}
	elsewhere := agent()
	elsewhere.Dir = t.TempDir()
	if list, err := w.store().Plans(w.ctx, elsewhere); err != nil || len(list) > 0 {
		t.Errorf("plans elsewhere are %+v, %v", list, err)
	}
	if next, err := c.Next(w.ctx, elsewhere, tasks.Query{}); err != nil {
		t.Errorf("next elsewhere is %+v, %v", next, err)
	}
}
