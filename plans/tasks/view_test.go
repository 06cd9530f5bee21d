package tasks_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"planb/plans/tasks"
	"planb/questions/safe"
)

func now() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) }

const grace = 2 * time.Minute

// situation is an active plan of which everything is approved.
func situation(g *tasks.Graph, seeds []tasks.Seed) tasks.Situation {
	return tasks.Situation{
		Graph: g, Marks: tasks.NewMarks(plan(seeds...).Tasks), Unlocked: g.Unlocked(g, nil),
		Status: tasks.PlanActive, Claims: map[int]tasks.Claim{}, Now: now(), Grace: grace,
	}
}

func namesOf(seeds []tasks.Seed) tasks.Names {
	return func(n int) safe.Text { return seeds[n-1].Title }
}

// Readiness, order and paths are those of a model made from the texts alone, after
// each of many random steps (5.1, 5.3, 5.4).
func TestReadinessIsTheModels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seeds := drawSeeds(t, 9)
		g := build(t, seeds...)
		s := situation(g, seeds)
		states := []tasks.State{tasks.Open, tasks.Open, tasks.Claimed, tasks.InProgress, tasks.NeedsReview, tasks.Done, tasks.Cancelled}
		for n := 1; n <= g.Len(); n++ {
			state := rapid.SampledFrom(states).Draw(t, "state")
			s.Marks.Set(n, state)
			if s.Unlocked[n-1] = rapid.IntRange(0, 4).Draw(t, "unlocked") > 0; !s.Unlocked[n-1] && rapid.Bool().Draw(t, "held back") {
				s.HeldBack = append(s.HeldBack, n)
			}
			if state.Held() {
				claim := tasks.Claim{ID: "1-00000000", Worker: "agent", At: now().Add(-time.Hour)}
				switch rapid.IntRange(0, 3).Draw(t, "claim") {
				case 0:
					claim.Gone = now().Add(-time.Duration(rapid.IntRange(0, 240).Draw(t, "gone")) * time.Second)
				case 1:
					claim.Lease = time.Duration(rapid.IntRange(1, 120).Draw(t, "lease")) * time.Minute
				}
				s.Claims[n] = claim
			}
		}
		s.Paused = rapid.IntRange(0, 9).Draw(t, "paused") == 0
		if rapid.IntRange(0, 9).Draw(t, "proposed") == 0 {
			s.Status = tasks.PlanProposed
		}
		for range 4 {
			m := model{s, seeds}
			v := tasks.Look(s)
			m.check(t, v)
			n := rapid.IntRange(1, g.Len()).Draw(t, "settled")
			before := m.states()
			readied := v.Settle(n, tasks.Done)
			var want []int
			for i, state := range m.states() {
				if state == tasks.Ready && before[i] == tasks.Blocked {
					want = append(want, i+1)
				}
			}
			slices.SortFunc(want, m.compare)
			if !slices.Equal(readied, want) {
				t.Fatalf("done %d readied %v, want %v", n, readied, want)
			}
			if got := v.Counts(); !reflect.DeepEqual(got, m.inStates()) {
				t.Fatalf("after %d was done the counts are %v, want %v", n, got, m.inStates())
			}
		}
	})
}

// model answers like a View, from seeds and stored states, without any cleverness.
type model struct {
	tasks.Situation
	seeds []tasks.Seed
}

func (m model) number(key string) int {
	return 1 + slices.IndexFunc(m.seeds, func(s tasks.Seed) bool { return s.Key == key })
}

func (m model) open(n int) bool { return !m.Marks.State(n).Final() }

func (m model) waitsFor(n int) (list []int) {
	for _, key := range append(slices.Clone(m.seeds[n-1].DependsOn), m.seeds[n-1].AlsoAfter...) {
		if m.open(m.number(key)) {
			list = append(list, m.number(key))
		}
	}
	return list
}

func (m model) waiting(n int) (list []int) {
	for other := range m.seeds {
		if m.open(other+1) && slices.Contains(m.waitsFor(other+1), n) {
			list = append(list, other+1)
		}
	}
	return list
}

func (m model) lapsed(n int) bool {
	c := m.Claims[n]
	return !c.Gone.IsZero() && !now().Before(c.Gone.Add(grace)) || c.Lease > 0 && !now().Before(c.At.Add(c.Lease))
}

func (m model) state(n int) tasks.State {
	stored := m.Marks.State(n)
	if stored.Held() && !m.lapsed(n) || stored == tasks.NeedsReview || stored.Final() {
		return stored
	}
	if m.Status != tasks.PlanActive || m.Paused || !m.Unlocked[n-1] || len(m.waitsFor(n)) > 0 {
		return tasks.Blocked
	}
	return tasks.Ready
}

func (m model) states() (list []tasks.State) {
	for i := range m.seeds {
		list = append(list, m.state(i+1))
	}
	return list
}

func (m model) inStates() map[tasks.State]int {
	counts := map[tasks.State]int{}
	for i, state := range m.states() {
		if m.Status == tasks.PlanActive && m.wants(i+1) != tasks.WantsNothing {
			state = tasks.NeedsReview
		}
		counts[state]++
	}
	return counts
}

// wants is what a task wants of the person.
func (m model) wants(n int) tasks.Want {
	state := m.state(n)
	free := state == tasks.Ready || state == tasks.Blocked
	switch {
	case m.Status == tasks.PlanProposed && (free || state == tasks.NeedsReview):
		return tasks.WantsApproval
	case state == tasks.NeedsReview:
		return tasks.WantsAcceptance
	case m.Status == tasks.PlanActive && free && !m.Unlocked[n-1] && !slices.Contains(m.HeldBack, n):
		return tasks.WantsApproval
	case state == tasks.Ready && m.seeds[n-1].Execution.Kind == tasks.Human:
		return tasks.WantsDoing
	}
	return tasks.WantsNothing
}

// counts reports whether a task makes those that it waits for more urgent.
func (m model) counts(n int) bool {
	return m.open(n) && (m.Status != tasks.PlanActive || m.Unlocked[n-1])
}

// counting are the tasks that wait for n and count.
func (m model) counting(n int) (list []int) {
	for _, other := range m.waiting(n) {
		if m.counts(other) {
			list = append(list, other)
		}
	}
	return list
}

func (m model) priority(n int) int {
	least := m.seeds[n-1].Priority
	for _, other := range m.counting(n) {
		least = min(least, m.priority(other))
	}
	return least
}

func (m model) path(n int) int {
	longest := 0
	for _, other := range m.counting(n) {
		longest = max(longest, m.path(other))
	}
	return longest + m.seeds[n-1].Minutes
}

func (m model) compare(a, b int) int {
	return slices.Compare([]int{m.priority(a), -m.path(a), a}, []int{m.priority(b), -m.path(b), b})
}

// offered reports whether an agent that asks for any task may get n.
func (m model) offered(n int) bool {
	if m.state(n) != tasks.Ready || m.seeds[n-1].Execution.Kind == tasks.Human {
		return false
	}
	for other := range m.seeds {
		if state := m.state(other + 1); state != tasks.Claimed && state != tasks.InProgress {
			continue
		}
		for _, a := range m.seeds[n-1].Execution.Files {
			for _, b := range m.seeds[other].Execution.Files {
				if inside(a.Raw(), b.Raw()) || inside(b.Raw(), a.Raw()) {
					return false
				}
			}
		}
	}
	return true
}

func inside(file, folder string) bool {
	return file == folder || strings.HasSuffix(folder, "/") && strings.HasPrefix(file, folder)
}

func (m model) check(t *rapid.T, v *tasks.View) {
	t.Helper()
	var offered []int
	for i := range m.seeds {
		n := i + 1
		if v.State(n) != m.state(n) {
			t.Fatalf("task %d is %s, want %s: %v", n, v.State(n), m.state(n), v.Obstacles(n))
		}
		if m.offered(n) {
			offered = append(offered, n)
		}
		if v.Wants(n) != m.wants(n) {
			t.Fatalf("task %d, which is %s, wants %d of the person, want %d", n, v.State(n), v.Wants(n), m.wants(n))
		}
		if m.offered(n) != (len(v.Obstacles(n)) == 0) || m.offered(n) != (v.Why(n, namesOf(m.seeds)) == "") {
			t.Fatalf("task %d is offered: %v, but %v", n, m.offered(n), v.Obstacles(n))
		}
		if m.open(n) && (v.Priority(n) != m.priority(n) || v.PathMinutes(n) != m.path(n) || v.Unblocks(n) != len(m.waiting(n))) {
			t.Fatalf("task %d has priority %d, a path of %d and unblocks %d, want %d, %d, %d", n,
				v.Priority(n), v.PathMinutes(n), v.Unblocks(n), m.priority(n), m.path(n), len(m.waiting(n)))
		}
	}
	slices.SortFunc(offered, m.compare)
	for _, limit := range []int{0, 1, 3, 20} {
		var got []int
		for _, c := range v.Next(limit) {
			got = append(got, c.Number)
		}
		if want := offered[:min(limit, len(offered))]; !slices.Equal(got, want) {
			t.Fatalf("next %d are %v, want %v", limit, got, want)
		}
	}
	if got := v.Counts(); !reflect.DeepEqual(got, m.inStates()) {
		t.Fatalf("the counts are %v, want %v", got, m.inStates())
	}
	m.checkPath(t, v.CriticalPath())
}

func (m model) checkPath(t *rapid.T, path []int) {
	t.Helper()
	longest, minutes := 0, 0
	for i := range m.seeds {
		if m.counts(i + 1) {
			longest = max(longest, m.path(i+1))
		}
	}
	for i, n := range path {
		minutes += m.seeds[n-1].Minutes
		if i > 0 && !slices.Contains(m.waitsFor(n), path[i-1]) {
			t.Fatalf("in the critical path %v %d does not wait for %d", path, n, path[i-1])
		}
	}
	if minutes != longest {
		t.Fatalf("the critical path %v takes %d minutes, want %d", path, minutes, longest)
	}
}

// T29: one function decides and words why a task is not ready.
func TestT29WordsOfReadiness(t *testing.T) {
	seeds := []tasks.Seed{
		seed("schema"), seed("api", "schema"), seed("parser"), seed("docs"), seed("review"), seed("lost"), seed("late"), seed("gate"), seed("after", "lost"),
		seed("beside"),
	}
	seeds[5].Execution.Files, seeds[9].Execution.Files = tasks.Texts("lib/"), tasks.Texts("lib/a.go")
	seeds[2].Execution.Files = tasks.Texts("src/")
	seeds[3].Execution.Files = tasks.Texts("src/doc.go")
	seeds[7].Execution.Kind = tasks.Human
	s := situation(build(t, seeds...), seeds)
	s.Unlocked[6] = false
	for n, state := range map[int]tasks.State{1: tasks.InProgress, 3: tasks.Claimed, 5: tasks.NeedsReview, 6: tasks.Claimed} {
		s.Marks.Set(n, state)
	}
	s.Claims[1] = tasks.Claim{Worker: "Claude Code", At: now().Add(-12 * time.Minute)}
	s.Claims[3] = tasks.Claim{Worker: "Codex\x1b[2J", At: now().Add(-3 * time.Hour)}
	s.Claims[6] = tasks.Claim{Worker: "Codex", At: now().Add(-time.Hour), Gone: now().Add(-25 * time.Second)}
	v := tasks.Look(s)
	var got strings.Builder
	for n := range seeds {
		fmt.Fprintf(&got, "%s %s\n", seeds[n].Key, v.Why(n+1, namesOf(seeds)))
	}
	want := `schema is in work (Claude Code, 12 min)
api waits for "SCHEMA" (in work: Claude Code, 12 min)
parser is in work (Codex␛[2J, 3 h)
docs touches src/doc.go, as "PARSER" does (in work: Codex␛[2J, 3 h)
review waits for your user
lost was in work; its agent is gone; planb keeps the task for it for another 95 s
late waits for your user's approval
gate is for your user to do
after waits for "LOST" (was in work; its agent is gone; planb keeps the task for it for another 95 s)
beside touches lib/a.go, as "LOST" does (was in work; its agent is gone; planb keeps the task for it for another 95 s)
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	if got, want := v.NothingReady(namesOf(seeds)), `Nothing is ready: "SCHEMA" is in work (Claude Code, 12 min), "PARSER" is in work (Codex␛[2J, 3 h), `+
		`"DOCS" touches src/doc.go, as "PARSER" does (in work: Codex␛[2J, 3 h), "REVIEW" waits for your user, 4 more for such reasons, 2 for those. Do not start them.`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	list, rest := v.Explain(namesOf(seeds), 8<<10)
	if len(list) != 10 || rest != 0 || list[1].Why != `waits for "SCHEMA" (in work: Claude Code, 12 min)` {
		t.Errorf("explained are %v, and %d more", list, rest)
	}
	if list, rest := v.Explain(namesOf(seeds), 100); len(list) != 2 || rest != 8 {
		t.Errorf("in 100 bytes explained are %v, and %d more", list, rest)
	}
	many := []tasks.Seed{seed("last", "a", "b", "c", "d", "e", "f")}
	for _, key := range many[0].DependsOn {
		many = append(many, seed(key))
	}
	for _, more := range []int{2, 1} {
		many[0].DependsOn = many[0].DependsOn[:4+more]
		if got, want := tasks.Look(situation(build(t, many...), many)).Why(1, namesOf(many)),
			fmt.Sprintf(`waits for "A" (ready); waits for "B" (ready); waits for "C" (ready); waits for "D" (ready); and %d more`, more); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	s.Paused = true
	if got := tasks.Look(s).Why(2, namesOf(seeds)); got != `waits until your user lets the plan go on; waits for "SCHEMA" (in work: Claude Code, 12 min)` {
		t.Errorf("paused: %s", got)
	}
	if got := tasks.Look(s).NothingReady(namesOf(seeds)); got != "Nothing is ready: the plan waits until your user lets it go on. Do not start it." {
		t.Errorf("paused: %s", got)
	}
	s.Paused, s.Status = false, tasks.PlanProposed
	if got := tasks.Look(s).NothingReady(namesOf(seeds)); got != "Nothing is ready: the plan waits until your user approves it. Do not start it." {
		t.Errorf("proposed: %s", got)
	}
	if got := tasks.Look(s).Why(4, namesOf(seeds)); !strings.HasPrefix(got, "waits until your user approves the plan; touches") {
		t.Errorf("proposed: %s", got)
	}
}

// T28, T29: what the caller's own connection holds is told as its own, and not among what it is
// not to start.
func TestT28T29TheCallersOwnTasksAreToldAsItsOwn(t *testing.T) {
	seeds := []tasks.Seed{seed("mine"), seed("next", "mine"), seed("theirs")}
	s := situation(build(t, seeds...), seeds)
	s.Marks.Set(1, tasks.InProgress)
	s.Claims[1] = tasks.Claim{Worker: "Claude Code", At: now().Add(-12 * time.Minute), Own: true}
	s.Marks.Set(3, tasks.Done)
	if got, want := tasks.Look(s).NothingReady(namesOf(seeds)), `Nothing is ready: "MINE" is in work (this connection, 12 min), 1 for those. Do not start the others.`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := tasks.Look(s).Why(2, namesOf(seeds)), `waits for "MINE" (in work: this connection, 12 min)`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got, want := tasks.Look(s).NotActionable(2, namesOf(seeds)).Message, `"NEXT" cannot be claimed: it waits for "MINE" (in work: this connection, 12 min). No other task of its plan can be claimed now.`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	s.Marks.Set(2, tasks.Done)
	if got, want := tasks.Look(s).NothingReady(namesOf(seeds)), `Nothing is ready: "MINE" is in work (this connection, 12 min).`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	s.Marks.Set(3, tasks.Claimed)
	s.Claims[3] = tasks.Claim{Worker: "Claude Code", At: now().Add(-3 * time.Minute)}
	if got, want := tasks.Look(s).NothingReady(namesOf(seeds)), `Nothing is ready: "MINE" is in work (this connection, 12 min), "THEIRS" is in work (Claude Code, 3 min). Do not start the others.`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// T29, T30: a refused claim says each reason once, and sends an agent to another task only
// where one can be claimed.
func TestT29T30ARefusedClaimNamesNoOtherTaskInVain(t *testing.T) {
	seeds := []tasks.Seed{seed("schema"), seed("api", "schema"), seed("b")}
	s := situation(build(t, seeds...), seeds)
	refused := func(n int) string { return tasks.Look(s).NotActionable(n, namesOf(seeds)).Message }
	const none = " No other task of its plan can be claimed now."
	if got := refused(2); got != `"API" cannot be claimed: it waits for "SCHEMA" (ready). Claim another.` {
		t.Errorf("others are ready: %s", got)
	}
	s.Marks.Set(1, tasks.NeedsReview)
	s.Marks.Set(3, tasks.Done)
	if got := refused(2); got != `"API" cannot be claimed: it waits for "SCHEMA" (waits for your user).`+none {
		t.Errorf("no other is ready: %s", got)
	}
	s = situation(s.Graph, seeds)
	s.Paused = true
	if got := refused(1); got != `"SCHEMA" cannot be claimed: it waits until your user lets the plan go on.`+none {
		t.Errorf("paused: %s", got)
	}
	s.Paused, s.Status, s.Unlocked = false, tasks.PlanProposed, s.Graph.Unlocked(nil, nil)
	if got := refused(1); got != `"SCHEMA" cannot be claimed: it waits until your user approves the plan.`+none {
		t.Errorf("proposed: %s", got)
	}
	if got, want := tasks.Look(s).Why(2, namesOf(seeds)), `waits until your user approves the plan; waits for "SCHEMA" (blocked)`; got != want {
		t.Errorf("explained: %s, want %s", got, want)
	}
}

// T13, T23: of a proposed plan all tasks are blocked; of an active one only those
// without an open hard dependency are ready.
func TestT13T23OnlyRootsBecomeReady(t *testing.T) {
	seeds := []tasks.Seed{seed("root"), seed("api", "root"), seed("also"), seed("soft")}
	seeds[2].AlsoAfter = []string{"api"}
	seeds[3].Soft = []string{"api"}
	s := situation(build(t, seeds...), seeds)
	s.Status = tasks.PlanProposed
	if got := tasks.Look(s).Counts(); !reflect.DeepEqual(got, map[tasks.State]int{tasks.Blocked: 4}) {
		t.Errorf("proposed: %v", got)
	}
	s.Status = tasks.PlanActive
	if got, human := tasks.Look(s).Readied(); !slices.Equal(got, []int{1, 4}) || human != nil {
		t.Errorf("active: %v, %v", got, human)
	}
	// T26: a cancelled prerequisite does not block.
	v := tasks.Look(s)
	if got := v.Settle(1, tasks.Cancelled); !slices.Equal(got, []int{2}) || v.State(2) != tasks.Ready {
		t.Errorf("after the root was cancelled: %v", got)
	}
}

// T28, 5.4: a task that gates an urgent one leads, then the longer path, the smaller
// number and the older plan.
func TestT28Order(t *testing.T) {
	seeds := []tasks.Seed{seed("small"), seed("long"), seed("gate"), seed("urgent", "gate"), seed("low")}
	seeds[1].Minutes = 90
	seeds[3].Priority = 0
	seeds[4].Priority = 4
	v := tasks.Look(situation(build(t, seeds...), seeds))
	var got []string
	for _, c := range v.Next(20) {
		got = append(got, fmt.Sprintf("%s %d %d", seeds[c.Number-1].Key, c.Priority, c.Minutes))
	}
	if want := []string{"gate 0 60", "long 2 90", "small 2 30", "low 4 30"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	old, young := tasks.Candidate{Plan: "01890a5d", Number: 1}, tasks.Candidate{Plan: "01890a5e", Number: 1}
	if old.Compare(young) >= 0 || young.Compare(old) <= 0 || old.Compare(old) != 0 {
		t.Error("of two plans the younger comes first")
	}
}

// T27: what an agent adds makes nothing more urgent before a person approves it.
func TestT27WhatIsLockedPrioritizesNothing(t *testing.T) {
	seeds := []tasks.Seed{seed("first"), seed("gate"), seed("added", "gate")}
	seeds[2].Priority, seeds[2].Minutes = 0, 1000
	s := situation(build(t, seeds...), seeds)
	s.Unlocked[2] = false
	if v := tasks.Look(s); v.Next(1)[0].Number != 1 || v.Priority(2) != tasks.DefaultPriority || v.PathMinutes(2) != tasks.DefaultMinutes || v.Unblocks(2) != 1 || !slices.Equal(v.CriticalPath(), []int{1}) {
		t.Errorf("locked: %+v, the path is %v", v.Next(2), v.CriticalPath())
	}
	s.Unlocked[2] = true
	if v := tasks.Look(s); v.Next(1)[0].Number != 2 || v.Priority(2) != 0 || !slices.Equal(v.CriticalPath(), []int{2, 3}) {
		t.Errorf("approved: %+v, the path is %v", v.Next(2), v.CriticalPath())
	}
}

// T33: until the grace is over the claim can be resumed; needs_review never lapses.
// T32: a lease limits silence since the last call.
func TestT33T32Lapsing(t *testing.T) {
	for name, c := range map[string]struct {
		claim tasks.Claim
		want  bool
	}{
		"alive":                                  {tasks.Claim{At: now().Add(-100 * time.Hour)}, false},
		"just gone":                              {tasks.Claim{Gone: now().Add(-grace + time.Second)}, false},
		"gone":                                   {tasks.Claim{Gone: now().Add(-grace)}, true},
		"in its lease":                           {tasks.Claim{At: now().Add(-time.Minute), Lease: time.Hour}, false},
		"silent":                                 {tasks.Claim{At: now().Add(-time.Hour), Lease: time.Hour}, true},
		"heard of":                               {tasks.Claim{At: now().Add(-2 * time.Hour), Heard: now().Add(-time.Minute), Lease: time.Hour}, false},
		"gone before the clock was set back":     {tasks.Claim{At: now().Add(time.Hour), Gone: now().Add(time.Hour)}, true},
		"gone by a clock that is a little ahead": {tasks.Claim{At: now().Add(-time.Hour), Gone: now().Add(time.Minute)}, false},
		"claimed before the clock was set back":  {tasks.Claim{At: now().Add(2 * time.Hour), Lease: time.Hour}, true},
		"heard of after the clock was set back":  {tasks.Claim{At: now().Add(2 * time.Hour), Heard: now().Add(-time.Minute), Lease: time.Hour}, false},
		"without a lease, the clock set back":    {tasks.Claim{At: now().Add(2 * time.Hour)}, false},
		"gone and leased":                        {tasks.Claim{At: now().Add(-2 * time.Hour), Gone: now(), Lease: time.Hour}, true},
	} {
		if got := c.claim.Lapsed(now(), grace); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// T36: files overlap if they are equal, or one is a folder that has the other, whether
// agents write them as on Windows or not.
func TestT36Overlaps(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a.go", "a.go", true}, {"a.go", "b.go", false}, {"src/", "src/a.go", true}, {"src/a.go", "src/", true},
		{"src/", "src/deep/", true}, {"src/deep/x/y.go", "src/deep/", true}, {"src", "src/a.go", false},
		{"src/", "srcs/a.go", false}, {"src/", "src/", true}, {"src/a", "src/ab", false},
		{`src\a.go`, "src/a.go", true}, {"src/a.go", `src\a.go`, true}, {`src\deep\`, "src/deep/a.go", true},
		{"src/", `src\deep\a.go`, true}, {`.\src\a.go`, "src/a.go", true}, {`src\`, `srcs\a.go`, false},
	} {
		seeds := []tasks.Seed{seed("a"), seed("b")}
		seeds[0].Execution.Files, seeds[1].Execution.Files = tasks.Texts(c.a), tasks.Texts("other", c.b)
		s := situation(build(t, seeds...), seeds)
		s.Marks.Set(1, tasks.Claimed)
		v := tasks.Look(s)
		why := v.Obstacles(2)
		if got := len(why) > 0; got != c.want {
			t.Errorf("%s and %s overlap: %v", c.a, c.b, got)
		}
		if len(why) > 0 && why[0].File != c.b {
			t.Errorf("%s and %s: the file is called %s", c.a, c.b, why[0].File)
		}
		if v.State(2) != tasks.Ready {
			t.Errorf("%s and %s: the task is %s", c.a, c.b, v.State(2))
		}
	}
}

// The folder of the whole project has every file of it.
func TestTheWholeProjectOverlapsWithEachFile(t *testing.T) {
	for _, root := range []string{"./", `.\`} {
		for file, want := range map[string]bool{"a.go": true, "src/": true, `.\src\a.go`: true, root: true, "/etc/hosts": false} {
			for _, pair := range [][2]string{{root, file}, {file, root}} {
				seeds := []tasks.Seed{seed("a"), seed("b")}
				seeds[0].Execution.Files, seeds[1].Execution.Files = tasks.Texts(pair[0]), tasks.Texts(pair[1])
				s := situation(build(t, seeds...), seeds)
				s.Marks.Set(1, tasks.Claimed)
				if got := tasks.Look(s).Offered(2); got == want {
					t.Errorf("with %s in work, %s is offered: %v", pair[0], pair[1], got)
				}
			}
		}
	}
}

// What waits for a task of the person says so: no agent gets that task ready.
func TestATaskThatWaitsForThePersonsOwn(t *testing.T) {
	seeds := []tasks.Seed{seed("legal"), seed("release", "legal")}
	seeds[0].Execution.Kind = tasks.Human
	if got := tasks.Look(situation(build(t, seeds...), seeds)).Why(2, namesOf(seeds)); got != `waits for "LEGAL" (for your user to do)` {
		t.Errorf("got %s", got)
	}
}
