package tasks_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/storetest"
	"planb/store/tasks"
)

// TestFirstClaimTellsThatItsHolderLives checks that one commit says who has a task and that
// the holder lives, for calls at once, too, and that a call that gets no task says neither.
func TestFirstClaimTellsThatItsHolderLives(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "schema", "api")
	c := connect(t, w.store())
	claims := make(chan error, 3)
	for range cap(claims) {
		go func() {
			_, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: id})
			claims <- err
		}()
	}
	got := 0
	for range cap(claims) {
		if err := <-claims; err == nil {
			got++
		} else if rules.CodeOf(err) != rules.CodeTaskNotActionable {
			t.Error(err)
		}
	}
	held, lives := storetest.All(t, w.engine, "wp/"+kv.Key(id)+"/c/"), storetest.All(t, w.engine, "k/agent/")
	if got != 1 || len(held) != 1 || len(lives) != 1 || held[0].Op != lives[0].Op {
		t.Errorf("%d calls got a task; it is held by %+v, who lives by %+v", got, held, lives)
	}
	other := connect(t, w.store())
	if _, err := other.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: id}); rules.CodeOf(err) != rules.CodeTaskNotActionable {
		t.Error(err)
	}
	if lives := storetest.All(t, w.engine, "k/agent/"); len(lives) != 1 {
		t.Errorf("a connection without a task lives: %+v", lives)
	}
}

// slowReturn returns late from the commit that writes a record with the prefix.
type slowReturn struct {
	kv.Engine
	prefix    kv.Key
	committed chan struct{} // closed by then
	goOn      chan struct{}
}

func (s *slowReturn) Commit(ctx context.Context, batch kv.Batch) error {
	err := s.Engine.Commit(ctx, batch)
	if slices.ContainsFunc(batch.Puts, func(put kv.Put) bool { return strings.HasPrefix(string(put.Key), string(s.prefix)) }) {
		close(s.committed)
		<-s.goOn
	}
	return err
}

// TestACallBesideTheFirstClaim makes a call while the first claim of the connection, which
// says that it lives, is committed and has not returned yet.
func TestACallBesideTheFirstClaim(t *testing.T) {
	slow := &slowReturn{Engine: kvtest.NewMap(), prefix: "k/agent/", committed: make(chan struct{}), goOn: make(chan struct{})}
	w := newWorldOver(t, slow)
	id := w.active(t, "schema")
	c := connect(t, w.store())
	next, err := c.Next(w.ctx, agent(), tasks.Query{Plan: id})
	if err != nil || len(next.Tasks) != 1 {
		t.Fatalf("%+v, %v", next, err)
	}
	claimed, updated := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: id})
		claimed <- err
	}()
	<-slow.committed
	go func() {
		_, err := c.Update(w.ctx, agent(), tasks.Progress{Task: next.Tasks[0].ID, ClaimID: "1-00000000", Status: rules.InProgress})
		updated <- err
	}()
	for !c.Busy() {
		runtime.Gosched()
	}
	close(slow.goOn)
	if err := <-claimed; err != nil {
		t.Error(err)
	}
	if err := <-updated; err == nil || !strings.Contains(err.Error(), "is no claim on this task") {
		t.Error(err)
	}
}

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

// TestWhatACrowdWaitsFor counts what a claim and a completion ask of the engine: in a crowd
// of processes each call waits in one queue for the calls of all others.
func TestWhatACrowdWaitsFor(t *testing.T) {
	w := newWorld(t)
	plan := w.approved(t, flat("a", "b", "c"))
	other := connect(t, w.store())
	m := &meddler{Engine: w.engine, prefix: "wp/"}
	calls := &counter{Engine: m}
	mine := connect(t, newStore(calls, tasks.Options{}))
	others, held := w.claim(t, other, plan, "a"), w.claim(t, mine, plan, "b")
	meet := func() error {
		_, err := other.Complete(w.ctx, agent(), tasks.Completion{Task: others.ID, ClaimID: others.ClaimID, Report: report("done")})
		return err
	}
	asked := func(do func() error) (reads, commits, queued int) {
		calls.reads, calls.commits, calls.queued = 0, 0, 0
		if err := do(); err != nil {
			t.Fatal(err)
		}
		return calls.reads, calls.commits, calls.queued
	}
	claim := func() error {
		_, err := mine.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: plan})
		return err
	}
	complete := func() error {
		_, err := mine.Complete(w.ctx, agent(), tasks.Completion{Task: held.ID, ClaimID: held.ClaimID, Report: report("done")})
		return err
	}
	if reads, commits, queued := asked(claim); reads != 2 || commits != 1 || queued != 1 {
		t.Errorf("a claim: %d reads and %d commits, and it queued up %d times; want the plan, the task, and 1 commit, all in one turn", reads, commits, queued)
	}
	after := flat("d", "e")
	after.Items[1].DependsOn = []string{"d"}
	next := w.approved(t, after)
	first := w.claim(t, other, next, "d")
	if _, err := other.Complete(w.ctx, agent(), tasks.Completion{Task: first.ID, ClaimID: first.ClaimID, Report: report("done")}); err != nil {
		t.Fatal(err)
	}
	waited := func() error {
		got, err := mine.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: next})
		if err == nil && len(got.Done) != 1 {
			err = fmt.Errorf("it tells of %d tasks before it", len(got.Done))
		}
		return err
	}
	if _, commits, queued := asked(waited); commits != 1 || queued != 1 {
		t.Errorf("a claim of a task that waited for another: %d commits, and it queued up %d times; want 1, and what its holder is told in the same turn", commits, queued)
	}
	m.before = meet
	if reads, commits, queued := asked(complete); reads != 4 || commits != 2 || queued != 2 {
		t.Errorf("a completion that met another: %d reads and %d commits, and it queued up %d times; want the task and the claims twice, and 2 commits, in two turns", reads, commits, queued)
	}
}

// TestAClaimOfWhatCannotBeRead checks that nobody holds a task without its text, and that an
// earlier report that cannot be read keeps nobody from the task.
func TestAClaimOfWhatCannotBeRead(t *testing.T) {
	engine := kvtest.NewMap()
	w := newWorldOver(t, engine)
	plan := w.approved(t, flat("a", "b"))
	record := struct {
		Content struct{ Leaves []struct{ Text ledger.Ref } }
	}{}
	decode(t, engine, "wp/"+kv.Key(plan), &record)

	c := connect(t, w.store())
	got := w.claim(t, c, plan, "a")
	if _, err := w.store().Release(w.ctx, person(), got.ID); err != nil {
		t.Fatal(err)
	}
	late := tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report(strings.Repeat("It went well. ", 1000))}
	if _, err := c.Complete(w.ctx, agent(), late); err == nil {
		t.Fatal("a late report was taken")
	}
	past := struct{ Late []struct{ Long *ledger.Ref } }{}
	decode(t, engine, "wr/"+kv.Key(plan)+"/1", &past)
	if len(past.Late) != 1 || past.Late[0].Long == nil {
		t.Fatalf("the report is no text of its own: %+v", past)
	}
	engine.Damage("x/" + kv.Key(past.Late[0].Long.Digest))
	if again := w.claim(t, connect(t, w.store()), plan, "a"); again.Attempt != 2 || len(again.Earlier) != 0 {
		t.Errorf("claimed as %+v", again)
	}

	engine.Damage("x/" + kv.Key(record.Content.Leaves[0].Text.Digest))
	for _, task := range []string{w.task(t, plan, "b"), ""} {
		_, err := connect(t, w.store()).Claim(w.ctx, agent(), tasks.ClaimRequest{Task: task, Plan: plan})
		if !ledger.AboutOne(err) {
			t.Errorf("claiming %q: %v", task, err)
		}
	}
	if now, err := w.store().Plan(w.ctx, agent(), plan); err != nil || len(now.Claims) != 1 {
		t.Errorf("%d tasks are held, %v", len(now.Claims), err)
	}
}
