package tasks_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/bolt"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/tasks"
)

// childEnv makes this test binary a worker instead: a process that works off a plan.
const childEnv = "PLANB_TASKS_TEST_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) == "" {
		kvtest.RunCases(m, "25") // each step of a model looks through the whole store
	}
	if err := work(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// workerGrace is short: workers are killed.
const workerGrace = 200 * time.Millisecond

func workerStore(engine *bolt.Engine) *tasks.Store {
	return tasks.New(ledger.New(engine, ledger.Options{}), owned(tasks.Options{Grace: workerGrace}))
}

// smallWrites instead of a plan makes a worker do small writes: as many as each of a crowd
// does claims and completions.
const (
	smallWrites      = "small writes"
	writesOfOne      = 2 * tasksOfCrowd / processesOfCrowd
	processesOfCrowd = 16
	tasksOfCrowd     = 1000
	// apartInCrowd leaves each of a crowd a task at any time.
	apartInCrowd = 4 * processesOfCrowd
)

// work claims and completes tasks until the plan is done. It prints a line before and
// after each completion, and how many microseconds each claim, completion and small write
// took.
func work(path, plan string) error {
	ctx := context.Background()
	engine, err := bolt.Open(ctx, path, bolt.Options{})
	if err != nil {
		return err
	}
	timed := func(begin time.Time) { fmt.Println("took", time.Since(begin).Microseconds()) }
	if plan == smallWrites {
		w := &world{ctx: ctx, engine: engine, clock: &clock{now: testDay()}}
		for l, i := w.ledger(), 0; i < writesOfOne; i++ {
			begin := time.Now()
			if err := w.write(l, kv.Key(fmt.Sprintf("t/%d", os.Getpid()))); err != nil {
				return err
			}
			timed(begin)
		}
		return engine.Close()
	}
	s := workerStore(engine)
	c, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	for {
		begin := time.Now()
		got, err := c.Claim(ctx, agent(), tasks.ClaimRequest{Plan: plan})
		if rules.CodeOf(err) == rules.CodeTaskNotActionable {
			w, err := s.Plan(ctx, agent(), plan)
			if err != nil || w.Status == rules.PlanDone {
				return errors.Join(err, c.Close(ctx), engine.Close())
			}
			time.Sleep(5 * time.Millisecond) // others have what is left
			continue
		}
		if err != nil {
			return err
		}
		timed(begin)
		fmt.Println("claimed", got.ID, got.ClaimID)
		begin = time.Now()
		_, err = c.Complete(ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report(got.ClaimID)})
		if err != nil {
			return err
		}
		timed(begin)
		fmt.Println("completed", got.ID, got.ClaimID)
	}
}

// crew are workers on one plan.
type crew struct {
	t         testing.TB
	w         *world
	path      string
	plan      string
	completed map[string]string // claimIds of the completions that were acknowledged, by task
	lines     chan line
}

type line struct {
	worker *exec.Cmd
	text   string // empty at the end of the worker
	err    error
}

// newCrew makes a plan of that many tasks. Every fourth waits for the one that is so many
// before it.
func newCrew(t testing.TB, count, apart int) *crew {
	t.Helper()
	k := &crew{t: t, path: filepath.Join(t.TempDir(), "planb.db"), completed: map[string]string{}, lines: make(chan line)}
	engine, err := bolt.Open(t.Context(), k.path, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	k.w = &world{ctx: t.Context(), engine: engine, clock: &clock{now: testDay()}, texts: map[string]safe.Text{}, used: map[string]int{}, unlimited: true}
	create(t, k.w.store(), agent(), "Shop", "")
	p := many(count, 100)
	for i := range p.Items {
		p.Items[i].DependsOn = nil
		if i >= apart && i%4 == 0 {
			p.Items[i].DependsOn = []string{p.Items[i-apart].Key}
		}
	}
	k.plan = k.w.approved(t, p)
	return k
}

// hire starts a worker, whose lines are passed on.
func (k *crew) hire() *exec.Cmd {
	k.t.Helper()
	worker := exec.CommandContext(k.t.Context(), os.Args[0], k.path, k.plan)
	worker.Env = append(os.Environ(), childEnv+"=1", "GORACE=atexit_sleep_ms=0")
	var said strings.Builder
	worker.Stderr = &said
	out, err := worker.StdoutPipe()
	if err == nil {
		err = worker.Start()
	}
	if err != nil {
		k.t.Fatal(err)
	}
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			k.lines <- line{worker: worker, text: lines.Text()}
		}
		err := worker.Wait()
		if err != nil && said.Len() > 0 {
			err = fmt.Errorf("%w: %s", err, said.String())
		}
		k.lines <- line{worker: worker, err: err}
	}()
	return worker
}

// note notes a completion that was acknowledged.
func (k *crew) note(text string) {
	if fields := strings.Fields(text); len(fields) == 3 && fields[0] == "completed" {
		if before, twice := k.completed[fields[1]]; twice {
			k.t.Errorf("%s was completed by %s and by %s", fields[1], before, fields[2])
		}
		k.completed[fields[1]] = fields[2]
	}
}

// check compares what was acknowledged with what is kept.
func (k *crew) check(count int) {
	k.t.Helper()
	s := k.w.store()
	plan, err := s.Plan(k.w.ctx, agent(), k.plan)
	if err != nil || plan.Status != rules.PlanDone || len(plan.Claims) != 0 {
		k.t.Fatalf("the plan is %s with %d claims, %v", plan.Status, len(plan.Claims), err)
	}
	for n := 1; n <= count; n++ {
		past, err := s.Past(k.w.ctx, agent(), plan.TaskID(n))
		if err != nil {
			k.t.Fatal(err)
		}
		var done []string
		for _, a := range past.Attempts {
			switch a.End {
			case tasks.EndedDone:
				done = append(done, a.ClaimID)
			case tasks.EndedByExit:
			default:
				k.t.Errorf("task %d has an attempt that ended %q", n, a.End)
			}
		}
		if len(done) != 1 {
			k.t.Errorf("task %d was done %d times: %+v", n, len(done), past.Attempts)
			continue
		}
		if told := k.completed[plan.TaskID(n)]; told != "" && told != done[0] {
			k.t.Errorf("task %d was acknowledged for %s and is kept for %s", n, told, done[0])
		}
	}
	k.w.sound(k.t)
}

// fromEnv is a count that a longer run raises.
func fromEnv(t *testing.T, name string, usual int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	count, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return count
}

// TestManyProcessesWorkOffAPlan covers T30: each task is done once, and no claim is given
// twice. PLANB_WORK_TASKS=1000 makes it sixteen processes and that many tasks.
func TestManyProcessesWorkOffAPlan(t *testing.T) {
	t.Parallel()
	count, workers := fromEnv(t, "PLANB_WORK_TASKS", 40), 4
	if os.Getenv("PLANB_WORK_TASKS") != "" {
		workers = processesOfCrowd
	}
	k := newCrew(t, count, 8)
	for range workers {
		k.hire()
	}
	claimed := map[string]string{}
	for working := workers; working > 0; {
		switch l := <-k.lines; {
		case l.text == "" && l.err != nil:
			t.Fatal(l.err)
		case l.text == "":
			working--
		case strings.HasPrefix(l.text, "claimed "):
			fields := strings.Fields(l.text)
			if other := claimed[fields[1]]; other != "" {
				t.Errorf("%s was claimed by %s and by %s", fields[1], other, fields[2])
			}
			claimed[fields[1]] = fields[2]
		default:
			k.note(l.text)
		}
	}
	if len(k.completed) != count {
		t.Errorf("%d of %d tasks were acknowledged", len(k.completed), count)
	}
	k.check(count)
}

// TestKilledWorkers covers T33: workers are killed at any moment, and others do their
// tasks; nothing that was acknowledged is lost. PLANB_KILL_ROUNDS=200 kills so many.
func TestKilledWorkers(t *testing.T) {
	t.Parallel()
	rounds := fromEnv(t, "PLANB_KILL_ROUNDS", 5)
	k := newCrew(t, 8*rounds, 8)
	const workers = 3
	for range workers {
		k.hire()
	}
	next := 1 + rand.N(10)
	for working := workers; working > 0; {
		l := <-k.lines
		switch {
		case l.text != "":
			k.note(l.text)
			if next--; next == 0 && rounds > 0 {
				rounds--
				next = 1 + rand.N(10)
				// It may have ended by itself meanwhile.
				if err := l.worker.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
					t.Fatal(err)
				}
			}
		case l.err == nil:
			working--
		case l.worker.ProcessState.Exited():
			t.Fatal(l.err)
		default:
			k.hire() // in the place of the one that was killed
		}
	}
	k.check(8 * fromEnv(t, "PLANB_KILL_ROUNDS", 5))
}
