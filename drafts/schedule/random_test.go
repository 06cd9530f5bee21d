package schedule_test

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"planb/drafts/schedule"
)

// generated is any valid plan: its links lead to earlier ids, so that it has no
// cycle.
func generated(t *rapid.T) schedule.Plan {
	start, _ := schedule.ParseDate("2027-01-31")
	p := schedule.Plan{Start: start, Flags: schedule.Flags{
		PhaseOrder: rapid.Bool().Draw(t, "phase order"), Edges: rapid.Bool().Draw(t, "edges"),
		Parallel: rapid.IntRange(1, 4).Draw(t, "parallel"),
	}}
	lag := func() int { return rapid.IntRange(-4, 6).Draw(t, "lag") }
	estimate := func() schedule.Days {
		n := rapid.IntRange(1, 9).Draw(t, "days")
		return schedule.Days{Min: max(1, n-2), Likely: n, Max: n + 3}
	}
	relations := []schedule.Relation{"FS", "SS", "FF", "SF"}
	var tasks []string
	for i := range rapid.IntRange(1, 4).Draw(t, "phases") {
		phase := schedule.Phase{ID: fmt.Sprint(i + 1)}
		var leaves []string
		for j := range rapid.IntRange(0, 4).Draw(t, "tasks") {
			task := schedule.Task{ID: fmt.Sprintf("%d.%d", i+1, j+1), Days: estimate(), Wait: rapid.Bool().Draw(t, "wait")}
			if len(tasks) > 0 && rapid.Bool().Draw(t, "after") {
				task.After = []string{schedule.Link{ID: rapid.SampledFrom(tasks).Draw(t, "task"), Relation: "FS", Lag: lag()}.String()}
			}
			if rapid.Bool().Draw(t, "bound") {
				task.NotBefore = start.AddDays(rapid.IntRange(-5, 40).Draw(t, "not before"))
			}
			for k := range rapid.IntRange(0, 3).Draw(t, "subtasks") {
				s := schedule.Subtask{ID: fmt.Sprintf("%s.%d", task.ID, k+1), Days: estimate(), Wait: rapid.Bool().Draw(t, "wait")}
				if len(leaves) > 0 && rapid.Bool().Draw(t, "link") {
					s.After = []string{schedule.Link{ID: rapid.SampledFrom(leaves).Draw(t, "leaf"), Relation: rapid.SampledFrom(relations).Draw(t, "relation"), Lag: lag()}.String()}
				}
				leaves = append(leaves, s.ID)
				task.Subtasks = append(task.Subtasks, s)
			}
			if len(task.Subtasks) == 0 {
				leaves = append(leaves, task.ID)
			}
			tasks = append(tasks, task.ID)
			phase.Tasks = append(phase.Tasks, task)
		}
		p.Phases = append(p.Phases, phase)
	}
	return p
}

// Section 7, 4 and 5: in any plan, no leaf is placed before its bounds, at most as many
// leaves run as the limit allows, floats are not negative without due dates, and some
// leaf is critical. The same plan has the same schedule.
func TestEveryScheduleKeepsItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := generated(t)
		s, err := schedule.Make(p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := schedule.Make(p)
		if err != nil || !reflect.DeepEqual(s, again) {
			t.Fatalf("another schedule for the same plan (%v)", err)
		}
		checkLinks(t, p, s)
		load := map[int]int{}
		critical, end := 0, 0
		for _, l := range s.Leaves {
			if l.ES < 0 || l.Float() < 0 || l.Placed < l.ES {
				t.Fatalf("%+v", l)
			}
			if l.Critical() {
				critical++
			}
			end = max(end, l.End())
			for day := l.Placed; day < l.End() && !l.Wait; day++ {
				if load[day]++; load[day] > p.Flags.Parallel {
					t.Fatalf("%d leaves run on day %d", load[day], day)
				}
			}
		}
		if end != s.End.Likely || len(s.Leaves) > 0 && critical == 0 {
			t.Fatalf("the end is %d and said to be %d; %d critical", end, s.End.Likely, critical)
		}
	})
}

// checkLinks checks each rule of the plan against the schedule, leaf by leaf.
func checkLinks(t *rapid.T, p schedule.Plan, s schedule.Schedule) {
	leaves := map[string][]schedule.Leaf{} // by the id of the leaf, its task and its phase
	phase := map[int][]schedule.Leaf{}
	for _, l := range s.Leaves {
		leaves[l.ID] = append(leaves[l.ID], l)
		phase[l.Phase] = append(phase[l.Phase], l)
	}
	of := func(task schedule.Task) (list []schedule.Leaf) {
		if len(task.Subtasks) == 0 {
			return leaves[task.ID]
		}
		for _, s := range task.Subtasks {
			list = append(list, leaves[s.ID]...)
		}
		return list
	}
	byID := map[string]schedule.Task{}
	before := -1
	for i, ph := range p.Phases {
		if p.Flags.PhaseOrder && before >= 0 {
			for _, a := range phase[before] {
				for _, b := range phase[i] {
					holds(t, "phases", a, b, "FS", 0)
				}
			}
		}
		if len(phase[i]) > 0 {
			before = i
		}
		for _, task := range ph.Tasks {
			byID[task.ID] = task
			for _, l := range of(task) {
				if !task.NotBefore.IsZero() && l.ES < p.Start.DaysUntil(task.NotBefore) {
					t.Fatalf("%+v starts before %s", l, task.NotBefore)
				}
			}
			for _, after := range task.After {
				link, _ := schedule.ParseLink(after)
				for _, a := range of(byID[link.ID]) {
					for _, b := range of(task) {
						if p.Flags.Edges {
							holds(t, after, a, b, link.Relation, link.Lag)
						}
					}
				}
			}
			for _, sub := range task.Subtasks {
				for _, after := range sub.After {
					link, _ := schedule.ParseLink(after)
					holds(t, after, leaves[link.ID][0], leaves[sub.ID][0], link.Relation, link.Lag)
				}
			}
		}
	}
}

func holds(t *rapid.T, why string, a, b schedule.Leaf, relation schedule.Relation, lag int) {
	for _, start := range [][2]int{{a.ES, b.ES}, {a.LS, b.LS}, {a.Placed, b.Placed}} {
		from, to := start[0], start[1]
		if relation[0] == 'F' {
			from += a.Days
		}
		if relation[1] == 'F' {
			to += b.Days
		}
		if to < from+lag {
			t.Fatalf("%s: %+v does not hold for %+v", why, a, b)
		}
	}
}

// sized is a plan of n leaves in phases of 10 tasks with 5 subtasks each.
func sized(b *testing.B, n int) schedule.Plan {
	p := schedule.Plan{Start: date(b, "2027-01-31"), Flags: schedule.Flags{PhaseOrder: true, Edges: true, Parallel: 3}}
	for i := 0; n > 0; i++ {
		phase := schedule.Phase{ID: fmt.Sprint(i + 1)}
		for j := 0; j < 10 && n > 0; j++ {
			task := schedule.Task{ID: fmt.Sprintf("%d.%d", i+1, j+1)}
			if j > 1 {
				task.After = []string{fmt.Sprintf("%d.%d+2", i+1, j-1)}
			}
			for k := 0; k < 5 && n > 0; k++ {
				d := 1 + (i+3*j+7*k)%23
				task.Subtasks = append(task.Subtasks, schedule.Subtask{
					ID: fmt.Sprintf("%s.%d", task.ID, k+1), Days: schedule.Days{Min: d, Likely: 2 * d, Max: 4 * d}, Wait: k == 3,
				})
				n--
			}
			phase.Tasks = append(phase.Tasks, task)
		}
		p.Phases = append(p.Phases, phase)
	}
	return p
}

// Section 10: 240 leaves ≤ 5 ms, 2,000 ≤ 100 ms.
func BenchmarkMake(b *testing.B) {
	for _, n := range []int{240, 2000} {
		for name, order := range map[string]bool{"in phases": true, "all at once": false} {
			p := sized(b, n)
			p.Flags.PhaseOrder = order
			b.Run(fmt.Sprintf("%d leaves %s", n, name), func(b *testing.B) {
				for b.Loop() {
					if _, err := schedule.Make(p); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
