package tasks_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/tasks"
)

// Decide has the person decide about a task.
func (m *workModel) Decide(t *rapid.T) {
	i := m.task(t)
	task := m.tasks[i]
	now := m.status(i)
	if task.state.Held() {
		now = task.state // a lapsed claim can be released as well
	}
	decide := rapid.SampledFrom([]struct {
		action rules.Action
		do     func() (tasks.Completed, error)
	}{
		{rules.ActAccept, func() (tasks.Completed, error) { return m.store.Accept(m.ctx, person(), m.id(i), safe.Text{}) }},
		{rules.ActSendBack, func() (tasks.Completed, error) { return m.store.SendBack(m.ctx, person(), m.id(i), safe.New("more")) }},
		{rules.ActFinish, func() (tasks.Completed, error) { return m.store.Finish(m.ctx, person(), m.id(i), safe.Text{}) }},
		{rules.ActCancel, func() (tasks.Completed, error) { return m.store.Cancel(m.ctx, person(), m.id(i)) }},
		{rules.ActRelease, func() (tasks.Completed, error) { return m.store.Release(m.ctx, person(), m.id(i)) }},
	}).Draw(t, "decision")
	_, err := decide.do()
	to, ok := now.After(decide.action, rules.User)
	ok = ok && m.ended == "" && (decide.action != rules.ActFinish || task.human)
	if ok != (err == nil) {
		t.Fatalf("%s of %s, which is %s: %v", decide.action, task.key, now, err)
	}
	if ok {
		if decide.action != rules.ActRelease {
			task.givenBack = 0
		}
		m.settle(i, to)
	}
}

func (m *workModel) Pause(t *rapid.T) {
	paused := rapid.Bool().Draw(t, "paused")
	err := m.store.Pause(m.ctx, person(), m.plan, paused)
	if (m.ended == "") != (err == nil) {
		t.Fatal(err)
	}
	if err == nil && paused != m.paused {
		m.paused = paused
		m.rows++
	}
}

func (m *workModel) Prioritize(t *rapid.T) {
	i, priority := m.task(t), rapid.IntRange(0, rules.MaxPriority).Draw(t, "priority")
	before, err := m.store.SetPriority(m.ctx, person(), m.id(i), priority)
	if may := m.ended == "" && !m.tasks[i].state.Final(); may != (err == nil) {
		t.Fatal(err)
	}
	if err == nil && before != priority {
		m.rows++
	}
}

// Add has an agent add a task, which stays locked.
func (m *workModel) Add(t *rapid.T) {
	if len(m.tasks) > 8 {
		return
	}
	key, on := fmt.Sprint("t", len(m.tasks)), m.task(t)
	_, err := m.store.Add(m.ctx, m.by(), tasks.Addition{Plan: m.plan, Seed: seedOf(key, m.tasks[on].key)})
	if (m.ended == "") != (err == nil) {
		t.Fatal(err)
	}
	if err == nil {
		m.tasks = append(m.tasks, &modelTask{key: key, state: rules.Open, locked: true, kind: rules.None, waits: []int{on}})
		m.rows++
	}
}

// Depend has an agent make a task wait for an earlier one.
func (m *workModel) Depend(t *rapid.T) {
	i, j := m.task(t), m.task(t)
	_, err := m.store.SetDependency(m.ctx, m.by(), tasks.Dependency{Task: m.id(i), DependsOn: m.id(j)})
	cycle := m.reaches(j, i)
	if may := m.ended == "" && !cycle; may != (err == nil) {
		t.Fatalf("%d waits for %d: %v", i, j, err)
	}
	if err == nil && !slices.Contains(m.tasks[i].waits, j) {
		m.tasks[i].waits = append(m.tasks[i].waits, j)
		m.rows++
	}
}

// reaches reports whether a task waits for another, directly or not, or is it.
func (m *workModel) reaches(from, to int) bool {
	return from == to || slices.ContainsFunc(m.tasks[from].waits, func(next int) bool { return m.reaches(next, to) })
}

// Unlock has the person approve what waits for them.
func (m *workModel) Unlock(t *rapid.T) {
	var locked []*modelTask
	for _, task := range m.tasks {
		if task.locked && !task.state.Final() {
			locked = append(locked, task)
		}
	}
	p, err := m.store.Pending(m.ctx, m.by(), m.plan)
	if may := m.ended == "" && len(locked) > 0; may != (err == nil) {
		t.Fatalf("%d are locked: %v", len(locked), err)
	}
	if err != nil {
		return
	}
	if err := m.verdict(rapidTester{t, m.ctx}, p, tasks.Verdict{}, ""); err != nil {
		t.Fatal(err)
	}
	for _, task := range locked {
		task.locked = false
	}
	m.rows++
}

// Amend has an agent reword a task and add one, and the person approve that while others
// work on. The person may have cancelled the task meanwhile.
func (m *workModel) Amend(t *rapid.T) {
	i := m.task(t)
	if len(m.tasks) > 8 || m.tasks[i].state.Final() || m.tasks[i].human || m.ended != "" {
		return
	}
	current, err := m.store.Plan(m.ctx, person(), m.plan)
	if err != nil {
		t.Fatal(err)
	}
	list, err := m.store.Tasks(m.ctx, current, i+1)
	if err != nil {
		t.Fatal(err)
	}
	seed, key := list[0].Seed, fmt.Sprint("t", len(m.tasks))
	seed.Title = safe.New(fmt.Sprint("Reworded ", len(m.tasks)))
	if _, err := m.store.Propose(m.ctx, m.by(), amendment(m.plan, rules.Item{Seed: seed}, rules.Item{Seed: seedOf(key, m.tasks[i].key)})); err != nil {
		t.Fatal(err)
	}
	m.tasks = append(m.tasks, &modelTask{key: key, state: rules.Open, kind: rules.None, waits: []int{i}, locked: true})
	if rapid.Bool().Draw(t, "cancelled") {
		if _, err := m.store.Cancel(m.ctx, person(), m.id(i)); err != nil {
			t.Fatal(err)
		}
		m.tasks[i].givenBack = 0
		m.settle(i, rules.Cancelled)
	}
	p, err := m.store.Pending(m.ctx, m.by(), m.plan)
	if err == nil {
		err = m.verdict(rapidTester{t, m.ctx}, p, tasks.Verdict{}, "")
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range m.tasks {
		if !task.state.Final() {
			task.locked = false
		}
	}
	m.rows += 2
}
