package tasks_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
	"planb/store/tasks"
)

// workModel is an active plan on which agents work, a person decides and time passes, and
// what it should be.
type workModel struct {
	*world
	store  *tasks.Store
	plan   string
	tasks  []*modelTask // task n at n-1
	agents []*tasks.Connection
	given  []modelClaim // all that were ever given
	paused bool
	ended  rules.Status // empty as long as the plan is active
}

// modelTask is a task as it should be.
type modelTask struct {
	key       string
	state     rules.State // as it is kept
	locked    bool
	kind      rules.VerificationKind
	human     bool
	waits     []int // for the tasks at these indices
	claim     modelClaim
	givenBack int
}

type modelClaim struct {
	task, agent int // indices
	id          string
	heard, gone time.Time
	lease       time.Duration
}

func (c modelClaim) silent(now time.Time) bool {
	return c.lease > 0 && !now.Before(c.heard.Add(c.lease))
}

func (c modelClaim) lapsed(now time.Time) bool {
	return c.silent(now) || !c.gone.IsZero() && !now.Before(c.gone.Add(rules.DefaultGrace))
}

func newWorkModel(t *testing.T, r *rapid.T) *workModel {
	m := &workModel{world: newWorld(t)}
	m.unlimited = true
	m.store = m.world.store()
	p := flat("t0", "t1", "t2", "t3", "t4")
	for i := range p.Items {
		task := &modelTask{key: p.Items[i].Key, state: rules.Open, kind: rules.None}
		task.kind = rapid.SampledFrom([]rules.VerificationKind{rules.None, rules.None, rules.Manual, rules.Evidence}).Draw(r, "kind")
		p.Items[i].Verification = rules.Verification{Kind: task.kind}
		if task.kind == rules.Evidence {
			p.Items[i].Verification.Criteria = rules.Execution{Files: []safe.Text{safe.New("it works")}}.Files
		}
		if task.human = rapid.IntRange(0, 5).Draw(r, "human") == 0; task.human {
			p.Items[i].Execution.Kind = rules.Human
		}
		for j := range i {
			if rapid.IntRange(0, 3).Draw(r, "edge") == 0 {
				p.Items[i].DependsOn = append(p.Items[i].DependsOn, p.Items[j].Key)
				task.waits = append(task.waits, j)
			}
		}
		m.tasks = append(m.tasks, task)
	}
	m.plan = m.approved(t, p)
	for range 3 {
		m.agents = append(m.agents, connect(t, m.store))
	}
	m.rows = 3 // project, proposal, approval
	return m
}

func (m *workModel) now() time.Time { return m.clock.Now() }

func (m *workModel) id(i int) string {
	id, err := rules.TaskID(m.plan, i+1)
	if err != nil {
		panic(err)
	}
	return id
}

// status is the state that everybody should see of a task.
func (m *workModel) status(i int) rules.State {
	task := m.tasks[i]
	if task.state != rules.Open && !(task.state.Held() && task.claim.lapsed(m.now())) {
		return task.state
	}
	if m.ended != "" || m.paused || task.locked {
		return rules.Blocked
	}
	for _, j := range task.waits {
		if !m.tasks[j].state.Final() {
			return rules.Blocked
		}
	}
	return rules.Ready
}

func (m *workModel) task(t *rapid.T) int { return rapid.IntRange(0, len(m.tasks)-1).Draw(t, "task") }

func (m *workModel) agent(t *rapid.T) int { return rapid.IntRange(0, len(m.agents)-1).Draw(t, "agent") }

// finish notes that the plan is done if all its tasks are.
func (m *workModel) finish() {
	for _, task := range m.tasks {
		if !task.state.Final() {
			return
		}
	}
	m.ended = rules.PlanDone
}

// settle notes a state that nobody holds.
func (m *workModel) settle(i int, state rules.State) {
	m.tasks[i].state, m.tasks[i].claim = state, modelClaim{}
	m.rows++
	if m.ended == "" {
		m.finish()
	}
}

// reclaim notes that the claim on a task has lapsed, and reports whether others may
// have it.
func (m *workModel) reclaim(i int) bool {
	task := m.tasks[i]
	if task.state == rules.Open {
		return true
	}
	if task.claim.gone.IsZero() || task.claim.silent(task.claim.gone) {
		task.givenBack++
	}
	if task.givenBack >= rules.MaxAttempts {
		m.settle(i, rules.NeedsReview)
		return false
	}
	return true
}

func (m *workModel) Claim(t *rapid.T) {
	agent := m.agent(t)
	r := tasks.ClaimRequest{Plan: m.plan, Lease: time.Duration(rapid.IntRange(0, 2).Draw(t, "lease")) * time.Hour}
	at := -1
	if rapid.Bool().Draw(t, "named") {
		at = m.task(t)
		r.Task = m.id(at)
	}
	got, err := m.agents[agent].Claim(m.ctx, m.by(), r)
	if at >= 0 {
		may := m.status(at) == rules.Ready && !m.tasks[at].human && m.reclaim(at)
		if may != (err == nil) {
			t.Fatalf("claiming %s, which is %s: %v", m.tasks[at].key, m.status(at), err)
		}
	} else {
		m.noteGivenUp(t)
		for i, task := range m.tasks {
			if m.status(i) == rules.Ready && !task.human && err != nil {
				t.Fatalf("%s is ready, and nothing was given: %v", task.key, err)
			}
		}
	}
	if err != nil {
		return
	}
	at = slices.IndexFunc(m.tasks, func(task *modelTask) bool { return task.key == got.Task.Key })
	if m.status(at) != rules.Ready || m.tasks[at].human {
		t.Fatalf("%s was given, which is %s", got.Task.Key, m.status(at))
	}
	if r.Task == "" {
		m.reclaim(at)
	}
	m.tasks[at].state = rules.Claimed
	m.tasks[at].claim = modelClaim{task: at, agent: agent, id: got.ClaimID, heard: m.now(), lease: r.Lease}
	m.given = append(m.given, m.tasks[at].claim)
	m.rows++
}

func (m *workModel) by() tasks.Caller { return agent() }

// noteGivenUp notes which tasks the search for the best one left to the person.
func (m *workModel) noteGivenUp(t *rapid.T) {
	got, err := m.store.Plan(m.ctx, person(), m.plan)
	if err != nil {
		t.Fatal(err)
	}
	for i, task := range m.tasks {
		if got.Marks.State(i+1) == rules.NeedsReview && task.state.Held() {
			if m.status(i) != rules.Ready || m.reclaim(i) {
				t.Fatalf("%s was left to the person", task.key)
			}
		}
	}
}

// Speak has the agent of a claim that was given once say something under it.
func (m *workModel) Speak(t *rapid.T) {
	if len(m.given) == 0 {
		return
	}
	claim := rapid.SampledFrom(m.given).Draw(t, "claim")
	agent, task := m.agent(t), m.tasks[claim.task]
	status := rapid.SampledFrom([]rules.State{rules.InProgress, rules.Ready, rules.NeedsReview}).Draw(t, "status")
	_, err := m.agents[agent].Update(m.ctx, m.by(), tasks.Progress{Task: m.id(claim.task), ClaimID: claim.id, Status: status, Note: safe.New("note")})
	if current := task.claim.id == claim.id; current != (err == nil) {
		t.Fatalf("%s under %s: %v", task.key, claim.id, err)
	} else if !current {
		return
	}
	switch status {
	case rules.InProgress:
		task.state = status
		task.claim.agent, task.claim.heard, task.claim.gone = agent, m.now(), time.Time{}
		m.rows++
	case rules.Ready:
		task.givenBack++
		m.settle(claim.task, rules.GivenBack(task.givenBack))
	default:
		m.settle(claim.task, rules.NeedsReview)
	}
}

// Resume has an agent come back with a claimId.
func (m *workModel) Resume(t *rapid.T) {
	if len(m.given) == 0 {
		return
	}
	claim := rapid.SampledFrom(m.given).Draw(t, "claim")
	agent, task := m.agent(t), m.tasks[claim.task]
	_, err := m.agents[agent].Claim(m.ctx, m.by(), tasks.ClaimRequest{Task: m.id(claim.task), ClaimID: claim.id})
	if current := task.claim.id == claim.id; current != (err == nil) {
		t.Fatalf("%s under %s: %v", task.key, claim.id, err)
	} else if current {
		task.claim.agent, task.claim.heard, task.claim.gone = agent, m.now(), time.Time{}
		m.rows++
	}
}

// Complete has the agent of a claim that was given once report.
func (m *workModel) Complete(t *rapid.T) {
	if len(m.given) == 0 {
		return
	}
	claim := rapid.SampledFrom(m.given).Draw(t, "claim")
	agent, task := m.agent(t), m.tasks[claim.task]
	said := report("done")
	if rapid.Bool().Draw(t, "evidence") {
		said.Evidence = []rules.Proof{{Criterion: "1", Text: safe.New("seen")}}
	}
	done, err := m.agents[agent].Complete(m.ctx, m.by(), tasks.Completion{Task: m.id(claim.task), ClaimID: claim.id, Report: said})
	switch {
	case task.claim.id != claim.id:
		m.noteLate(t, err)
	case task.kind == rules.Evidence && len(said.Evidence) == 0:
		wantCode(rapidTester{t, m.ctx}, err, rules.CodeVerificationUnmet, "criterion 1")
		task.claim.agent, task.claim.heard, task.claim.gone = agent, m.now(), time.Time{}
		m.rows++
	case err != nil:
		t.Fatal(err)
	default:
		before := map[string]bool{}
		for i := range m.tasks {
			before[m.id(i)] = m.status(i) == rules.Blocked
		}
		want := rules.Done
		if task.kind == rules.Manual {
			want = rules.NeedsReview
		}
		m.settle(claim.task, want)
		if done.State != want {
			t.Fatalf("%s is %s, want %s", task.key, done.State, want)
		}
		for i := range m.tasks {
			if readied := before[m.id(i)] && m.status(i) == rules.Ready && !m.tasks[i].human; readied != slices.Contains(done.Readied, m.id(i)) {
				t.Fatalf("%s is %s, and %v became ready", m.tasks[i].key, m.status(i), done.Readied)
			}
		}
	}
}

// noteLate notes a report that changes nothing but that it is kept, at most.
func (m *workModel) noteLate(t *rapid.T, err error) {
	rows := len(storetest.All(rapidTester{t, m.ctx}, m.engine, "wv/"))
	if kept := rows - m.rows; kept < 0 || kept > 1 || err == nil && kept > 0 {
		t.Fatalf("%d rows for a late report, %v", kept, err)
	}
	m.rows = rows
}

// Crash ends a server, whose place a new one takes.
func (m *workModel) Crash(t *rapid.T) {
	agent := m.agent(t)
	if err := m.agents[agent].Close(m.ctx); err != nil {
		t.Fatal(err)
	}
	c, err := m.store.Connect(m.ctx)
	if err != nil {
		t.Fatal(err)
	}
	m.agents[agent] = c
	lost := 0
	for _, task := range m.tasks {
		if task.state.Held() && task.claim.agent == agent && task.claim.gone.IsZero() {
			task.claim.gone = m.now()
			lost++
		}
		if task.claim.agent == agent {
			task.claim.agent = -1
		}
	}
	m.rows += min(lost, 1)
}

func (m *workModel) Minutes(t *rapid.T) {
	m.clock.set(m.now().Add(time.Duration(rapid.IntRange(1, 90).Draw(t, "minutes")) * time.Minute))
}

// Check compares the store with the model.
func (m *workModel) Check(t *rapid.T) {
	got, err := m.world.store().Plan(m.ctx, person(), m.plan)
	if err != nil {
		t.Fatal(err)
	}
	want := rules.PlanActive
	if m.ended != "" {
		want = m.ended
	}
	if got.Status != want || got.Paused != m.paused {
		t.Fatalf("the plan is %s, want %s", got.Status, want)
	}
	view := rules.Look(got.Situation(m.now()))
	for i, task := range m.tasks {
		if state := view.State(i + 1); state != m.status(i) {
			t.Fatalf("%s is %s, want %s: %+v", task.key, state, m.status(i), task)
		}
		if claim := got.Claims[i+1]; claim.ID != task.claim.id {
			t.Fatalf("%s has the claim %s, want %s", task.key, claim.ID, task.claim.id)
		}
	}
	if rows := len(storetest.All(rapidTester{t, m.ctx}, m.engine, "wv/")); rows != m.rows {
		t.Fatalf("%d rows for %d writes", rows, m.rows)
	}
	if found := audit(rapidTester{t, m.ctx}, m.store); found != "" {
		t.Fatalf("the audit finds: %s", found)
	}
}

// LoseAnswer has the engine give no answer to the commit of the next claim.
func (m *workModel) LoseAnswer(t *rapid.T) {
	m.engine.(*kvtest.Map).UnclearNextCommit(rapid.Bool().Draw(t, "applied"))
	m.Prioritize(t)
}

// TestWorkAsAModel has agents, a person and the clock work on a plan at random, and
// compares the store with the model after each step: states, claims, one row for each
// write, and a clean audit.
func TestWorkAsAModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := newWorkModel(t, r)
		defer func() {
			for _, c := range m.agents {
				if err := c.Close(m.ctx); err != nil {
					t.Error(err)
				}
			}
		}()
		r.Repeat(map[string]func(*rapid.T){
			"": m.Check, "claim": m.Claim, "speak": m.Speak, "resume": m.Resume, "complete": m.Complete, "report": m.Complete,
			"crash": m.Crash, "minutes": m.Minutes, "decide": m.Decide, "pause": m.Pause, "prioritize": m.Prioritize,
			"add": m.Add, "depend": m.Depend, "amend": m.Amend, "unlock": m.Unlock, "lose": m.LoseAnswer,
		})
	})
}
