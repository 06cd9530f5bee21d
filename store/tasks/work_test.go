package tasks_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/storetest"
	"planb/store/tasks"
)

// Which test holds which line of the promises of working with tasks:
//
//	T5   TestT5ARowGoesWithEachProject
//	T15  TestT15TheMonthsQuota, TestT15T25AdditionsCount
//	T16  TestT13T16Proposing, TestT16KilledBetweenChunksAndCommit
//	T17  TestAnAmendmentWaitsForItsVerdict, TestAReviewOfChangesKnowsWhatWasApproved, TestAnAmendmentOutlivesWhatItChanges, TestWhatAnAmendmentMayNot, TestAReviewOfChangesIsBoundToWhatWasRead
//	T20  TestPlanAndTasksInOneReview
//	T22  TestHeldBackChanges, TestAPersonsEditOfChanges
//	T25  TestAReviewOfChangesIsBoundToWhatWasRead, TestT15T25AdditionsCount
//	T26  TestDependenciesOfAgents
//	T27  TestWhatAPersonDoes
//	T28  TestWhatComesNext
//	T29  TestWhyATaskIsNotReady
//	T30  TestOneOfManyClaimsWins, TestManyProcessesWorkOffAPlan
//	T31  TestAClaimBelongsToItsClaimID
//	T32  TestAConnectionLivesWhileItHoldsATask, TestQuietClaims
//	T33  TestAHolderThatIsGone
//	T34  TestALateReport
//	T35  TestTheThirdAttempt, TestT35TheNewestTenAttemptsAreKept
//	T36  TestFilesThatOthersWorkOn
//	T37  TestCompleting

// TestWhatComesNext covers T28: order, limit, the caller's claims, and that it changes
// nothing.
func TestWhatComesNext(t *testing.T) {
	w := newWorld(t)
	p := flat("low", "high", "gate", "gated", "human")
	p.Items[0].Priority, p.Items[1].Priority, p.Items[3].Priority = 3, 1, 0
	p.Items[3].DependsOn = []string{"gate"}
	p.Items[4].Execution.Kind = rules.Human
	id := w.approved(t, p)
	c := connect(t, w.store())
	keys := func(q tasks.Query) string {
		t.Helper()
		next, err := c.Next(w.ctx, agent(), q)
		var list []string
		for _, task := range next.Tasks {
			list = append(list, fmt.Sprint(task.Key, " ", task.Priority, " ", task.PathMinutes, " ", task.Unblocks))
		}
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(list, ", ")
	}
	before := storetest.Dump(t, w.engine)
	if got := keys(tasks.Query{}); got != "gate 0 60 1, high 1 30 0, low 3 30 0" {
		t.Error(got)
	}
	if got := keys(tasks.Query{Plan: id, Limit: 1}); got != "gate 0 60 1" {
		t.Error(got)
	}
	if got := keys(tasks.Query{Task: w.task(t, id, "low")}); got != "low 3 30 0" {
		t.Error(got)
	}
	if storetest.Dump(t, w.engine) != before {
		t.Error("looking changed something")
	}
	for _, limit := range []int{-1, 21} {
		_, err := c.Next(w.ctx, agent(), tasks.Query{Limit: limit})
		wantCode(t, err, rules.CodeValidationInvalidInput, "1 to 20")
	}
	got := w.claim(t, c, id, "")
	next, err := c.Next(w.ctx, agent(), tasks.Query{})
	if err != nil || len(next.Held) != 1 || next.Held[0].ClaimID != got.ClaimID || next.Held[0].Title.Raw() != "Write gate" || next.Counts[rules.Claimed] != 1 {
		t.Errorf("%+v, %v", next, err)
	}
	other, err := connect(t, w.store()).Next(w.ctx, agent(), tasks.Query{})
	if err != nil || len(other.Held) != 0 {
		t.Errorf("another connection holds %+v, %v", other.Held, err)
	}
	away := agent()
	away.Dir = "/elsewhere"
	if next, err := c.Next(w.ctx, away, tasks.Query{}); err != nil || len(next.Tasks) != 0 {
		t.Errorf("in another project: %+v, %v", next, err)
	}
	_, err = c.Next(w.ctx, away, tasks.Query{Plan: id})
	wantCode(t, err, rules.CodePlanNotFound, "no plan")
	_, err = c.Next(w.ctx, away, tasks.Query{Task: w.task(t, id, "low")})
	wantCode(t, err, rules.CodeTaskNotFound, "no task")
	_, err = c.Claim(w.ctx, away, tasks.ClaimRequest{Task: w.task(t, id, "low")})
	wantCode(t, err, rules.CodeTaskNotFound, "no task")
	second := w.active(t, "other")
	for name, task := range map[string]string{"another plan's": w.task(t, second, "other"), "a nodeKey": "low", "the plan": id} {
		next, err := c.Next(w.ctx, agent(), tasks.Query{Plan: id, Task: task})
		if rules.CodeOf(err) != rules.CodeTaskNotFound {
			t.Errorf("%s as the task: %+v, %v", name, next, err)
		}
	}
}

// TestWhyATaskIsNotReady covers T29 for each reason.
func TestWhyATaskIsNotReady(t *testing.T) {
	w := newWorld(t)
	p := flat("a", "b", "human", "touches")
	p.Items[0].Execution.Files = rules.Execution{Files: []safe.Text{safe.New("api/")}}.Files
	p.Items[3].Execution.Files = []safe.Text{safe.New("api/x.go")}
	p.Items[1].DependsOn = []string{"a"}
	p.Items[2].Execution.Kind = rules.Human
	id := w.approved(t, p)
	if _, err := w.store().Add(w.ctx, agent(), tasks.Addition{Plan: id, Seed: seedOf("locked")}); err != nil {
		t.Fatal(err)
	}
	c := connect(t, w.store())
	w.claim(t, c, id, "a")
	next, err := w.store().Next(w.ctx, agent(), tasks.Query{Plan: id, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	why := map[string]string{}
	for _, e := range next.Blocked {
		why[e.Key] = e.Why
	}
	for key, want := range map[string]string{
		"a": "in work (Claude Code", "b": `waits for "Write a" (in work: Claude Code`, "human": "for your user to do",
		"touches": `touches api/x.go, as "Write a" does`, "locked": "waits for your user's approval",
	} {
		if !strings.Contains(why[key], want) {
			t.Errorf("%s: %q, want %q", key, why[key], want)
		}
	}
	if len(next.Tasks) != 0 || !strings.HasPrefix(next.Nothing, `Nothing is ready: "Write a" is in work (Claude Code`) {
		t.Errorf("%+v, %q", next.Tasks, next.Nothing)
	}
	one, err := w.store().Next(w.ctx, agent(), tasks.Query{Task: w.task(t, id, "b")})
	if err != nil || len(one.Blocked) != 1 || one.Blocked[0].Key != "b" {
		t.Errorf("%+v, %v", one, err)
	}
}

// TestOneOfManyClaimsWins covers T30 with sixteen calls at once, of one server and of
// sixteen.
func TestOneOfManyClaimsWins(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		w := newWorldOver(t, open())
		id := w.approved(t, flat("a", "b"))
		shared := connect(t, newStore(open(), tasks.Options{}))
		for i, key := range []string{"a", "b"} {
			var group sync.WaitGroup
			errs := make([]error, 16)
			for j := range errs {
				c := shared
				if i == 1 {
					c = connect(t, newStore(w.engine, tasks.Options{}))
				}
				group.Go(func() { _, errs[j] = c.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: w.task(t, id, key)}) })
			}
			group.Wait()
			won := 0
			for _, err := range errs {
				if err == nil {
					won++
				} else {
					wantCode(t, err, rules.CodeTaskAlreadyClaimed, "")
				}
			}
			if won != 1 {
				t.Errorf("%d of 16 claimed %s", won, key)
			}
		}
		w.sound(t)
	})
}

// TestAClaimBelongsToItsClaimID covers T31.
func TestAClaimBelongsToItsClaimID(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a", "b")
	c, other := connect(t, w.store()), connect(t, w.store())
	got := w.claim(t, c, id, "a")
	claim := func(c *tasks.Connection, claimID string) (tasks.Claimed, error) {
		return c.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: got.ID, ClaimID: claimID})
	}
	_, err := claim(c, "")
	wantCode(t, err, rules.CodeTaskAlreadyClaimed, "This connection holds it")
	_, err = claim(other, "")
	wantCode(t, err, rules.CodeTaskAlreadyClaimed, "Claude Code has had it for 0 s")
	_, err = claim(c, "1-00000000")
	wantCode(t, err, rules.CodeValidationInvalidInput, "no claim on this task")
	_, err = c.Claim(w.ctx, agent(), tasks.ClaimRequest{ClaimID: got.ClaimID})
	wantCode(t, err, rules.CodeValidationInvalidInput, "taskId")
	again, err := claim(other, got.ClaimID)
	if err != nil || again.ClaimID != got.ClaimID || again.Attempt != 1 || again.Task.Title.Raw() != "Write a" {
		t.Errorf("%+v, %v", again, err)
	}
	_, err = claim(c, "")
	wantCode(t, err, rules.CodeTaskAlreadyClaimed, "Claude Code has had it")
	for _, lease := range []time.Duration{time.Second, 25 * time.Hour} {
		_, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Lease: lease})
		wantCode(t, err, rules.CodeValidationInvalidInput, "leaseSec")
	}
	w.sound(t)
}

// TestALateReport covers T34: it counts if nobody else claimed the task, else it is kept.
func TestALateReport(t *testing.T) {
	w := newWorld(t)
	id := w.approved(t, flat("a", "b"))
	c, other := connect(t, w.store()), connect(t, w.store())
	claim := func(key string) tasks.Claimed {
		got, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: w.task(t, id, key), Lease: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	a, b := claim("a"), claim("b")
	w.clock.set(w.clock.Now().Add(time.Minute))
	if got := w.states(t, id); got != "a ready, b ready" {
		t.Error(got)
	}
	complete := func(got tasks.Claimed) (tasks.Completed, error) {
		return c.Complete(w.ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report("late")})
	}
	if done, err := complete(a); err != nil || done.State != rules.Done {
		t.Errorf("%+v, %v", done, err)
	}
	w.claim(t, other, id, "b")
	_, err := complete(b)
	wantCode(t, err, rules.CodeTaskLeaseExpired, "your report is kept")
	for range tasks.KeptLate + 2 {
		_, err = complete(b)
	}
	wantCode(t, err, rules.CodeTaskLeaseExpired, "Stop")
	past, err := w.store().Past(w.ctx, person(), b.ID)
	if err != nil || len(past.Late) != tasks.KeptLate || past.Late[0].Report.Summary.Raw() != "late" || past.Attempts[0].End != tasks.EndedByLease || past.GivenBack != 1 {
		t.Errorf("%+v, %v", past, err)
	}
	if news, err := w.hears(c); err != nil || len(news) != 1 || news[0].What != tasks.NewsTaken {
		t.Errorf("%+v, %v", news, err)
	}
	w.sound(t)
}

// TestTheThirdAttempt covers T35: given back three times, or silent three times, a task
// waits for the person; a client that was closed does not count, and taking a task from its
// holder changes no count.
func TestTheThirdAttempt(t *testing.T) {
	w := newWorld(t)
	id := w.approved(t, flat("a", "b"))
	for range 4 {
		c := connect(t, w.store())
		w.claim(t, c, id, "a")
		if err := c.Close(w.ctx); err != nil {
			t.Fatal(err)
		}
		w.clock.set(w.clock.Now().Add(rules.DefaultGrace))
	}
	c := connect(t, w.store())
	back := func(want rules.State) {
		t.Helper()
		got := w.claim(t, c, id, "a")
		up, err := c.Update(w.ctx, agent(), tasks.Progress{Task: got.ID, ClaimID: got.ClaimID, Status: rules.Ready, Note: safe.New("cannot")})
		if err != nil || up.State != want {
			t.Errorf("%+v, %v", up, err)
		}
	}
	back(rules.Ready)
	back(rules.Ready)
	if _, err := w.store().Release(w.ctx, person(), w.claim(t, c, id, "a").ID); err != nil { // a shell without a terminal can do that
		t.Fatal(err)
	}
	back(rules.NeedsReview)
	w.sound(t)
	if _, err := w.store().SendBack(w.ctx, person(), w.task(t, id, "a"), safe.New("try harder")); err != nil {
		t.Fatal(err)
	}
	back(rules.Ready)
	for range 3 {
		if _, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: w.task(t, id, "b"), Lease: time.Minute}); err != nil {
			t.Fatal(err)
		}
		w.clock.set(w.clock.Now().Add(time.Hour))
	}
	_, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: w.task(t, id, "b")})
	wantCode(t, err, rules.CodeTaskNotActionable, "given back too often")
	if got := w.states(t, id); got != "a ready, b needs_review" {
		t.Error(got)
	}
	w.sound(t)
}

// TestFilesThatOthersWorkOn covers T36.
func TestFilesThatOthersWorkOn(t *testing.T) {
	w := newWorld(t)
	p := flat("a", "b", "c")
	for i, file := range []string{"api/", "api/x.go", "web/"} {
		p.Items[i].Execution.Files = []safe.Text{safe.New(file)}
	}
	id := w.approved(t, p)
	c := connect(t, w.store())
	w.claim(t, c, id, "")
	if got := w.claim(t, c, id, ""); got.Task.Key != "c" || len(got.Overlaps) != 0 {
		t.Errorf("the next is %s, %q", got.Task.Key, got.Overlaps)
	}
	_, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: id})
	wantCode(t, err, rules.CodeTaskNotActionable, "touches api/x.go")
	if got := w.claim(t, c, id, "b"); len(got.Overlaps) != 1 || !strings.Contains(got.Overlaps[0], `It touches api/x.go, as "Write a" does`) {
		t.Errorf("%q", got.Overlaps)
	}
}

// TestFilesThatOthersWorkOnInAnotherPlan covers T36: files of other plans of the project
// count as well, and of no other project.
func TestFilesThatOthersWorkOnInAnotherPlan(t *testing.T) {
	w := newWorld(t)
	filed := func(title string, files ...string) tasks.Proposal {
		p := flat("a", "b")
		p.Title = safe.New(title)
		for i, file := range files {
			p.Items[i].Execution.Files = []safe.Text{safe.New(file)}
		}
		return p
	}
	first := w.approved(t, filed("First", `api\`, "web/x.go"))
	second := w.approved(t, filed("Second", "api/x.go", "docs/"))
	c := connect(t, w.store())
	held := w.claim(t, c, first, "a")
	if got := w.claim(t, c, second, ""); got.Task.Key != "b" || len(got.Overlaps) != 0 {
		t.Errorf("the next is %s, %q", got.Task.Key, got.Overlaps)
	}
	const why = `touches api/x.go, as "Write a" of the plan "First" does (in work: `
	_, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: second})
	wantCode(t, err, rules.CodeTaskNotActionable, why)
	if next, err := c.Next(w.ctx, agent(), tasks.Query{Plan: second, Explain: true}); err != nil || len(next.Tasks) != 0 || !strings.Contains(fmt.Sprint(next.Blocked), why) {
		t.Errorf("%+v, %v", next, err)
	}
	if got := w.claim(t, c, second, "a"); len(got.Overlaps) != 1 || !strings.Contains(got.Overlaps[0], "It "+why) {
		t.Errorf("%q", got.Overlaps)
	}
	if _, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: held.ID, ClaimID: held.ClaimID, Report: report("done")}); err != nil {
		t.Fatal(err)
	}
	other := create(t, w.store(), agent(), "Another", "")
	p := filed("Third", "api/", "web/")
	p.Project = other.ID
	if got := w.claim(t, c, w.approved(t, p), ""); got.Task.Key != "a" || len(got.Overlaps) != 0 {
		t.Errorf("in another project: %s, %q", got.Task.Key, got.Overlaps)
	}
	w.sound(t)
}

// TestCompleting covers T37: the contract is tested, what nobody typed stands beside the
// report, and a repeated completion changes nothing.
func TestCompleting(t *testing.T) {
	w := newWorld(t)
	p := proposal("a", "b")
	p.Items[0].Verification = rules.Verification{Kind: rules.Command, Commands: []safe.Text{safe.New("go test ./...")}}
	id := w.approved(t, p)
	c := connect(t, w.store())
	got, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Repository: tasks.Repository{Head: "abc", Branch: "main"}})
	if err != nil {
		t.Fatal(err)
	}
	one, zero, output := 1, 0, "ok"
	complete := func(exit *int) (tasks.Completed, error) {
		return c.Complete(w.ctx, agent(), tasks.Completion{
			Task: got.ID, ClaimID: got.ClaimID, Repository: tasks.Repository{Head: "def"},
			Report: rules.Report{Summary: safe.New("tests"), Evidence: []rules.Proof{{Command: safe.New("go test ./..."), ExitCode: exit, Output: &output}}},
		})
	}
	_, err = complete(&one)
	wantCode(t, err, rules.CodeVerificationUnmet, "exited 1. You still hold it")
	if got := w.states(t, id); got != "a claimed, b blocked" {
		t.Error(got)
	}
	done, err := complete(&zero)
	if err != nil || done.State != rules.Done || !slices.Equal(done.Readied, []string{w.task(t, id, "b")}) || done.Plan.Done != 1 || done.Plan.Of != 2 {
		t.Errorf("%+v, %v", done, err)
	}
	before := storetest.Dump(t, w.engine)
	if again, err := complete(&zero); err != nil || again.State != rules.Done || again.Plan.Done != 1 || storetest.Dump(t, w.engine) != before {
		t.Errorf("again: %+v, %v", again, err)
	}
	past, err := w.store().Past(w.ctx, person(), got.ID)
	if err != nil || past.Attempts[0].Claimed.Head != "abc" || past.Attempts[0].Completed.Head != "def" || past.Attempts[0].Report.Evidence[0].ExitCode == nil {
		t.Errorf("%+v, %v", past, err)
	}
	w.sound(t)
}

// T35: the newest ten attempts on a task are kept; the count goes on.
func TestT35TheNewestTenAttemptsAreKept(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a")
	c := connect(t, w.store())
	var claims []string
	for range 12 {
		got := w.claim(t, c, id, "a")
		claims = append(claims, got.ClaimID)
		if _, err := w.store().Release(w.ctx, person(), got.ID); err != nil {
			t.Fatal(err)
		}
	}
	past, err := w.store().Past(w.ctx, agent(), w.task(t, id, "a"))
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, attempt := range past.Attempts {
		kept = append(kept, attempt.ClaimID)
	}
	slices.Sort(claims[2:])
	slices.Sort(kept)
	if !slices.Equal(kept, claims[2:]) || past.Count != 12 {
		t.Errorf("kept are %v of %d, want %v", kept, past.Count, claims[2:])
	}
	if again := w.claim(t, c, id, "a"); again.Attempt != 13 {
		t.Errorf("the next attempt is %d", again.Attempt)
	}
}

// TestT15T25AdditionsCount covers T15 and T25: what agents add counts against the month.
func TestT15T25AdditionsCount(t *testing.T) {
	w := newWorld(t)
	id := w.approved(t, many(modelLimit-1, 0))
	add := func() error {
		_, err := w.store().Add(w.ctx, agent(), tasks.Addition{Plan: id, Seed: seedOf(fmt.Sprint("x", w.step))})
		w.step++
		return err
	}
	if err := add(); err != nil {
		t.Fatal(err)
	}
	before := storetest.Dump(t, w.engine)
	wantCode(t, add(), rules.CodeQuotaExceeded, "25 of 25")
	_, err := w.store().Propose(w.ctx, agent(), amendment(id, rules.Item{Seed: seedOf("y")}))
	wantCode(t, err, rules.CodeQuotaExceeded, "25 of 25")
	if storetest.Dump(t, w.engine) != before {
		t.Error("what was refused was stored")
	}
}

// TestLongReportsAreKeptInChunks holds that a record of a task stays small: each claim
// reads it.
func TestLongReportsAreKeptInChunks(t *testing.T) {
	w := newWorld(t)
	id := w.approved(t, flat("short", "long"))
	c := connect(t, w.store())
	for _, key := range []string{"short", "long"} {
		said := report("done")
		for range map[string]int{"short": 2, "long": 3}[key] {
			said.Evidence = append(said.Evidence, rules.Proof{Text: safe.New(strings.Repeat("e", 3000))})
		}
		got := w.claim(t, c, id, key)
		if _, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: said}); err != nil {
			t.Fatal(err)
		}
		past, err := w.store().Past(w.ctx, person(), got.ID)
		if err != nil || len(past.Attempts) != 1 || !reflect.DeepEqual(past.Attempts[0].Report, &said) {
			t.Errorf("%s: the report is read as %+v, %v", key, past, err)
		}
	}
	var sizes []int
	for _, r := range storetest.All(t, w.engine, "wr/") {
		sizes = append(sizes, len(r.Value))
	}
	if len(sizes) != 2 || sizes[0] < 6000 || sizes[1] > 2000 {
		t.Errorf("the records have %d bytes", sizes)
	}
}

// TestReadiedIsFree checks that a completion names no task as ready that somebody has: an
// agent may find out after its claim that its task must wait for another one.
func TestReadiedIsFree(t *testing.T) {
	w := newWorld(t)
	id := w.approved(t, flat("schema", "api", "screen"))
	c := connect(t, w.store())
	schema, api := w.claim(t, c, id, "schema"), w.claim(t, c, id, "api")
	for _, waiting := range []string{api.ID, w.task(t, id, "screen")} {
		if _, err := w.store().SetDependency(w.ctx, agent(), tasks.Dependency{Task: waiting, DependsOn: schema.ID}); err != nil {
			t.Fatal(err)
		}
	}
	done, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: schema.ID, ClaimID: schema.ClaimID, Report: report("done")})
	if err != nil || !slices.Equal(done.Keys, []string{"screen"}) {
		t.Errorf("%+v, %v", done, err)
	}
}
