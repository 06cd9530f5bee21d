package tasks_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/storetest"
	"planb/store/tasks"
)

// agents are the liveness claims of connections.
func (w *world) agents(t storetest.Tester) int { return len(storetest.All(t, w.engine, "k/agent/")) }

// TestAConnectionLivesWhileItHoldsATask covers T32: one liveness claim, and only as long
// as there is a task.
func TestAConnectionLivesWhileItHoldsATask(t *testing.T) {
	w := newWorld(t)
	id := w.approved(t, flat("a", "b"))
	c := connect(t, w.store())
	c.Linger(time.Millisecond)
	if _, err := c.Next(w.ctx, agent(), tasks.Query{}); err != nil || w.agents(t) != 0 {
		t.Errorf("looking: %d, %v", w.agents(t), err)
	}
	a, b := w.claim(t, c, id, "a"), w.claim(t, c, id, "b")
	if w.agents(t) != 1 {
		t.Errorf("%d liveness claims", w.agents(t))
	}
	for i, got := range []tasks.Claimed{a, b} {
		if _, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report("done")}); err != nil {
			t.Fatal(err)
		}
		if i == 0 && w.agents(t) != 1 {
			t.Error("it holds a task, and does not say that it lives")
		}
	}
	eventually(t, func() bool { return w.agents(t) == 0 })
}

// eventually polls until a condition holds.
func eventually(t storetest.Tester, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never came to be")
		}
	}
}

// TestQuietClaims covers T32: a holder that makes no call about its task is asked for it
// once, and a person sees it.
func TestQuietClaims(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a")
	c := connect(t, w.store())
	got := w.claim(t, c, id, "a")
	w.clock.set(w.clock.Now().Add(tasks.QuietAfter))
	for i, want := range []int{1, 0} {
		if news, err := w.hears(c); err != nil || len(news) != want || want == 1 && news[0].What != tasks.NewsQuiet {
			t.Errorf("%d: %+v, %v", i, news, err)
		}
	}
	plan, err := w.store().Plan(w.ctx, person(), id)
	if err != nil || !plan.Claims[1].Quiet(w.clock.Now()) {
		t.Errorf("%+v, %v", plan.Claims, err)
	}
	if _, err := c.Update(w.ctx, agent(), tasks.Progress{Task: got.ID, ClaimID: got.ClaimID, Status: rules.InProgress}); err != nil {
		t.Fatal(err)
	}
	plan, err = w.store().Plan(w.ctx, person(), id)
	if err != nil || plan.Claims[1].Quiet(w.clock.Now()) {
		t.Errorf("after a call: %+v, %v", plan.Claims, err)
	}
}

// TestClaimsLookForHoldersNowAndThen covers T33: a claim notices a holder that is gone, but
// need not look again shortly after, unless no task is ready.
func TestClaimsLookForHoldersNowAndThen(t *testing.T) {
	for every, noticed := range map[time.Duration]int{0: 2, time.Hour: 3} { // with which claim
		t.Run(every.String(), func(t *testing.T) {
			w := newWorld(t)
			id := w.approved(t, flat("a", "b", "c"))
			holder, other := connect(t, w.store()), connect(t, w.store())
			w.claim(t, holder, id, "a")
			alive := storetest.All(t, w.engine, "k/agent/")
			other.LookEvery(every)
			for i, want := range []string{"b", "c", ""} {
				got, err := other.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: id})
				if got.Task.Key != want || (err == nil) != (want != "") {
					t.Fatalf("claim %d is of %q, %v", i+1, got.Task.Key, err)
				}
				plan, err := w.store().Plan(w.ctx, person(), id)
				if err != nil || plan.Claims[1].Gone.IsZero() == (i+1 >= noticed) {
					t.Errorf("after claim %d its holder is gone since %v, %v", i+1, plan.Claims[1].Gone, err)
				}
				if i > 0 {
					continue
				}
				if err := w.engine.Commit(w.ctx, kv.Batch{Op: kv.OpID{9}, Deletes: []kv.Key{alive[0].Key}}); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestAHolderThatIsGone covers T33: a server that ended, and one whose claim is lost;
// the claimId resumes within the grace.
func TestAHolderThatIsGone(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, w *world, c *tasks.Connection) error{
		"its server ended": func(_ *testing.T, w *world, c *tasks.Connection) error { return c.Close(w.ctx) },
		"it is found dead": func(t *testing.T, w *world, _ *tasks.Connection) error {
			keys := storetest.All(t, w.engine, "k/agent/")
			return w.engine.Commit(w.ctx, kv.Batch{Op: kv.OpID{9}, Deletes: []kv.Key{keys[0].Key}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.active(t, "a")
			c, other := connect(t, w.store()), connect(t, w.store())
			got := w.claim(t, c, id, "a")
			if err := end(t, w, c); err != nil {
				t.Fatal(err)
			}
			_, err := other.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: got.ID})
			wantCode(t, err, rules.CodeTaskNotActionable, "its agent is gone; planb keeps the task for it for another 2 min")
			back, err := other.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: got.ID, ClaimID: got.ClaimID})
			if err != nil || back.Attempt != 1 {
				t.Fatalf("%+v, %v", back, err)
			}
			third := connect(t, w.store())
			_, err = third.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: got.ID})
			wantCode(t, err, rules.CodeTaskAlreadyClaimed, "")
			if err := other.Close(w.ctx); err != nil {
				t.Fatal(err)
			}
			w.clock.set(w.clock.Now().Add(rules.DefaultGrace))
			if got := w.states(t, id); got != "a ready" {
				t.Error(got)
			}
			w.sound(t)
			second := w.claim(t, third, id, "a")
			if second.Attempt != 2 || len(second.Earlier) != 1 || second.Earlier[0].End != tasks.EndedByExit {
				t.Errorf("%+v", second)
			}
			_, err = c.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: got.ID, ClaimID: got.ClaimID})
			wantCode(t, err, rules.CodeTaskLeaseExpired, "Another agent has it")
			w.sound(t)
		})
	}
}

// TestAClosedClientGivesNothingBack covers T35: a client that was closed within its lease is no
// attempt, also if another agent comes only after the lease.
func TestAClosedClientGivesNothingBack(t *testing.T) {
	for within, want := range map[time.Duration]int{30 * time.Second: 0, 2 * time.Minute: 1} {
		w := newWorld(t)
		id := w.active(t, "a")
		c := connect(t, w.store())
		got, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: w.task(t, id, "a"), Lease: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		w.clock.set(w.clock.Now().Add(within))
		if err := c.Close(w.ctx); err != nil {
			t.Fatal(err)
		}
		w.clock.set(w.clock.Now().Add(time.Hour))
		w.claim(t, connect(t, w.store()), id, "a")
		if past, err := w.store().Past(w.ctx, person(), got.ID); err != nil || past.GivenBack != want {
			t.Errorf("closed after %s: %+v, %v", within, past, err)
		}
	}
}

// TestALiveHolderComesBackByItself covers T32 and T33: who was believed dead and lives says so
// without a call of its agent, which may work for hours before the next one. A connection that
// was closed does not come back.
func TestALiveHolderComesBackByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.approved(t, flat("a", "b"))
	c, other := connect(t, w.storeOf(ledger.ClaimOptions{TTL: 30 * time.Millisecond})), connect(t, w.store())
	a, b := w.claim(t, c, id, "a"), w.claim(t, c, id, "b")
	lose := func() {
		t.Helper()
		for n := 1; n <= 2; n++ {
			claim := storetest.All(t, w.engine, kv.Key(fmt.Sprintf("wp/%s/c/%d", id, n)))
			if len(claim) != 1 {
				t.Fatalf("task %d has %d claims", n, len(claim))
			}
			var fields map[string]any
			decode(t, w.engine, claim[0].Key, &fields)
			fields["gone"] = w.clock.Now()
			storetest.PutRecord(t, w.engine, claim[0].Key, fields)
		}
		for _, alive := range storetest.All(t, w.engine, "k/agent/") {
			if err := w.engine.Commit(w.ctx, kv.Batch{Op: kv.OpID{9}, Deletes: []kv.Key{alive.Key}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	lose()
	eventually(t, func() bool {
		plan, err := w.store().Plan(w.ctx, person(), id)
		return err == nil && plan.Claims[1].Gone.IsZero() && plan.Claims[2].Gone.IsZero()
	})
	for _, claimed := range []tasks.Claimed{a, b} {
		_, err := other.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: claimed.ID})
		wantCode(t, err, rules.CodeTaskAlreadyClaimed, "")
	}
	if err := c.Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	time.Sleep(60 * time.Millisecond) // of the renewals that do not come
	if plan, err := w.store().Plan(w.ctx, person(), id); err != nil || plan.Claims[1].Gone.IsZero() || w.agents(t) != 0 {
		t.Errorf("after its end the connection has %+v, %v", plan.Claims, err)
	}
	w.sound(t)
}

// TestAnUnmetReportBringsItsHolderBack covers T33 and T37: a holder whose report falls short
// still has the task, as it is told, also if it was thought gone.
func TestAnUnmetReportBringsItsHolderBack(t *testing.T) {
	w := newWorld(t)
	p := flat("a")
	p.Items[0].Verification = rules.Verification{Kind: rules.Command, Commands: []safe.Text{safe.New("go test ./...")}}
	id := w.approved(t, p)
	before, holder, other := connect(t, w.store()), connect(t, w.store()), connect(t, w.store())
	got := w.claim(t, before, id, "a")
	if err := before.Close(w.ctx); err != nil {
		t.Fatal(err)
	}
	_, err := holder.Complete(w.ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report("done")})
	wantCode(t, err, rules.CodeVerificationUnmet, "You still hold it")
	w.clock.set(w.clock.Now().Add(rules.DefaultGrace))
	_, err = other.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: got.ID})
	wantCode(t, err, rules.CodeTaskAlreadyClaimed, "")
	if got := w.states(t, id); got != "a claimed" {
		t.Error(got)
	}
	w.sound(t)
}

// TestAHolderOnAnotherMachine covers T32 and T33: where no process can be looked at, one
// call of another agent is enough to find a counter that stands still. A machine that is
// too busy to look often enough needs another call.
func TestAHolderOnAnotherMachine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.active(t, "a")
	ctx, stop := context.WithCancel(w.ctx)
	far, err := w.store().Connect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	got := w.claim(t, far, id, "a")
	stop() // its counter stands still, and the process of the test lives on
	claim := storetest.All(t, w.engine, "k/agent/")[0]
	var fields map[string]any
	decode(t, w.engine, claim.Key, &fields)
	fields["boot"], fields["ttl"] = "another system", 300*time.Millisecond
	storetest.PutRecord(t, w.engine, claim.Key, fields)
	near := connect(t, w.store())
	ask := func() {
		_, err := near.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: got.ID})
		if code := rules.CodeOf(err); code != rules.CodeTaskAlreadyClaimed && code != rules.CodeTaskNotActionable {
			t.Errorf("%v", err)
		}
	}
	ask()
	asked := time.Now()
	eventually(t, func() bool {
		if time.Since(asked) > 3*time.Second {
			asked = time.Now()
			ask()
		}
		plan, err := w.store().Plan(w.ctx, person(), id)
		return err == nil && !plan.Claims[1].Gone.IsZero()
	})
}
