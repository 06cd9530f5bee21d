package tasks

import (
	"fmt"
	"slices"

	"planb/questions/lenient"
)

// Amend returns the plan after a proposal has changed it. Tasks that the proposal does not
// name stay as they are. It rewords those whose nodeKey it names, but for the fields that
// the item keeps, and adds the others, with new numbers. A cancelled or split task is
// dropped: tasks that waited for it wait for its parts instead. A part that names no task to
// wait for waits for the tasks that the whole one waited for.
//
// marks say what was begun, which no amendment can take away. The error is a *Error
// with all problems at once. Build finds cycles and unknown keys.
func (p Plan) Amend(change Proposal, marks Marks) (Plan, error) {
	a := amendment{plan: p, marks: marks, keys: map[string]int{}, parts: map[string][]string{}}
	a.plan.Tasks = slices.Clone(p.Tasks)
	for _, t := range p.Kept() {
		a.keys[t.Key] = t.Number
	}
	if !change.Title.IsZero() {
		a.plan.Title = change.Title
	}
	if !change.Description.IsZero() {
		a.plan.Description = change.Description
	}
	for i, item := range change.Items {
		a.item(fmt.Sprintf("tasks[%d]", i), item)
	}
	if len(a.problems) > 0 {
		return Plan{}, Invalid(a.problems)
	}
	a.redirect()
	return a.plan, nil
}

// amendment is a plan that is being changed.
type amendment struct {
	plan     Plan
	marks    Marks
	keys     map[string]int      // kept tasks of the plan before
	parts    map[string][]string // the parts of each split task
	problems lenient.Problems
}

func (a *amendment) item(at string, item Item) {
	n := a.keys[item.Key]
	if item.Cancel {
		a.drop(at, n, "cancelled")
		return
	}
	if item.SplitFrom != "" {
		a.split(at, item)
	}
	if n == 0 {
		if len(a.plan.Tasks) == MaxTasks {
			a.problems.Add(at, "one more task", fmt.Sprintf("at most %d in a plan, dropped ones included", MaxTasks), "")
			return
		}
		a.plan.Tasks = append(a.plan.Tasks, Task{Number: len(a.plan.Tasks) + 1, Seed: item.Seed, SplitFrom: item.SplitFrom, Done: item.Done})
		return
	}
	before := a.plan.Tasks[n-1]
	if before.Dropped {
		a.problems.Say(at, lenient.Quote(item.Key)+" is split or cancelled by the same proposal")
		return
	}
	t := before.reworded(item)
	if t.Hash() != before.Hash() && a.state(n).Final() {
		a.problems.Say(at, fmt.Sprintf("%s is %s and stays as it is; add another task", lenient.Quote(t.Key), a.state(n)))
		return
	}
	a.plan.Tasks[n-1] = t
}

// reworded returns the task as an item changes it.
func (t Task) reworded(item Item) Task {
	after := Task{Number: t.Number, Seed: item.Seed.keeping(item.Keeps, t.Seed), SplitFrom: item.SplitFrom, Done: t.Done}
	if after.SplitFrom == "" {
		after.SplitFrom = t.SplitFrom
	}
	after.Edges = after.Edges.With(t.Edges)
	return after
}

// With returns the edges with those that agents had added before.
func (e Edges) With(before Edges) Edges {
	add := func(list, more []string) []string {
		list = slices.Clone(list)
		for _, key := range more {
			if !slices.Contains(e.DependsOn, key) && !slices.Contains(e.AlsoAfter, key) && !slices.Contains(e.Soft, key) {
				list = append(list, key)
			}
		}
		return list
	}
	return Edges{e.DependsOn, add(e.AlsoAfter, before.AlsoAfter), add(e.Soft, before.Soft)}
}

func (a *amendment) split(at string, item Item) {
	from := a.keys[item.SplitFrom]
	switch {
	case from == 0:
		a.problems.Say(lenient.Join(at, "splitFrom"), lenient.Quote(item.SplitFrom)+" is no task of this plan")
		return
	case item.Key == item.SplitFrom:
		a.problems.Say(lenient.Join(at, "splitFrom"), "a part needs a nodeKey of its own")
		return
	}
	a.drop(at, from, "split")
	a.parts[item.SplitFrom] = append(a.parts[item.SplitFrom], item.Key)
}

// drop takes task n out of the plan, unless it was begun.
func (a *amendment) drop(at string, n int, how string) {
	switch {
	case n == 0:
		a.problems.Say(at, "there is no such task to be "+how)
	case a.state(n) != Open:
		a.problems.Say(at, fmt.Sprintf("%s is %s; only your user can cancel what was begun", lenient.Quote(a.plan.Tasks[n-1].Key), a.state(n)))
	default:
		a.plan.Tasks[n-1].Dropped = true
	}
}

func (a *amendment) state(n int) State {
	if n > a.marks.Len() {
		return Open
	}
	return a.marks.State(n)
}

// redirect changes edges to a dropped task into edges to its parts, and removes them if it
// has no parts. A new part that then waits for nothing waits for what the whole task waited
// for. The edges must be in the plan itself: a review shows them, and its reader must see
// what they mean.
func (a *amendment) redirect() {
	for i := range a.plan.Tasks {
		t := &a.plan.Tasks[i]
		if t.Dropped {
			continue
		}
		seen := map[string]bool{t.Key: true}
		t.DependsOn = a.led(t.DependsOn, seen)
		if whole := a.keys[t.SplitFrom]; len(t.DependsOn) == 0 && whole != 0 && a.plan.Tasks[whole-1].Dropped && a.isNew(*t) {
			t.DependsOn = a.led(a.plan.Tasks[whole-1].DependsOn, seen)
		}
		t.AlsoAfter = a.led(t.AlsoAfter, seen)
		t.Soft = a.led(t.Soft, seen)
	}
	for i := range a.plan.Tasks {
		if t := &a.plan.Tasks[i]; t.Dropped {
			t.Edges = Edges{}
		}
	}
}

// isNew reports whether the amendment added the task.
func (a *amendment) isNew(t Task) bool { return a.keys[t.Key] != t.Number }

// led returns where edges lead, each task once.
func (a *amendment) led(keys []string, seen map[string]bool) (led []string) {
	for _, key := range keys {
		to := []string{key}
		if n := a.keys[key]; n != 0 && a.plan.Tasks[n-1].Dropped {
			to = a.parts[key]
		}
		for _, key := range to {
			if !seen[key] {
				led = append(led, key)
			}
			seen[key] = true
		}
	}
	return led
}

// Changes are the tasks in which one version of a plan differs from another, in
// ascending order.
type Changes struct {
	Added, Reworded, Cancelled []int
}

// None reports whether nothing that a person approves has changed in any task.
func (c Changes) None() bool { return c.Count() == 0 }

// Count is how many tasks a person is asked about.
func (c Changes) Count() int { return len(c.Added) + len(c.Reworded) + len(c.Cancelled) }

// Compare returns what changed between two graphs of a plan. Priorities and edges
// of agents do not count.
func Compare(before, after *Graph) (c Changes) {
	for n := 1; n <= after.Len(); n++ {
		switch {
		case n > before.Len() || before.Dropped(n):
			if !after.Dropped(n) {
				c.Added = append(c.Added, n)
			}
		case after.Dropped(n):
			c.Cancelled = append(c.Cancelled, n)
		case before.TaskHash(n) != after.TaskHash(n):
			c.Reworded = append(c.Reworded, n)
		}
	}
	return c
}

// Amendment returns the proposal that makes this plan of the one before: what the
// review of an amendment shows.
func (p Plan) Amendment(c Changes) Proposal {
	change := Proposal{Title: p.Title, Description: p.Description}
	for n := 1; n <= len(p.Tasks); n++ {
		t := p.Tasks[n-1]
		switch {
		case slices.Contains(c.Cancelled, n):
			change.Items = append(change.Items, Item{Seed: Seed{Key: t.Key, Title: t.Title}, Cancel: true})
		case slices.Contains(c.Added, n):
			change.Items = append(change.Items, t.item())
		case slices.Contains(c.Reworded, n):
			item := t.item()
			item.SplitFrom = "" // it was split before
			change.Items = append(change.Items, item)
		}
	}
	return change
}

// keepable is a field that an agent may leave out when it rewords a task.
type keepable struct {
	names []string // in JSON; the first one is the field's own
	keep  func(after *Seed, before Seed)
}

func keepables() []keepable {
	return []keepable{
		{[]string{"description", "details"}, func(after *Seed, before Seed) { after.Description = before.Description }},
		{[]string{"executionContract"}, func(after *Seed, before Seed) { after.Execution = before.Execution }},
		{[]string{"verificationContract", "acceptanceCriteria", "testStrategy"}, func(after *Seed, before Seed) { after.Verification = before.Verification }},
		{[]string{"dependsOn"}, func(after *Seed, before Seed) { after.DependsOn = before.DependsOn }},
		{[]string{"estimateMinutes"}, func(after *Seed, before Seed) { after.Minutes = before.Minutes }},
	}
}

// leftOut returns the fields that an item does not give. A model that fills in each field of
// the schema writes "" or {} for what it leaves out; but an empty list says that the task waits
// for none.
func leftOut(o *lenient.Object) (fields []string) {
	for _, k := range keepables() {
		if !slices.ContainsFunc(k.names, func(name string) bool {
			n, ok := o.Get(name)
			return ok && (!n.Blank() || n.Kind == lenient.ListNode)
		}) {
			fields = append(fields, k.names[0])
		}
	}
	return fields
}

// keeping returns the seed with some fields as they were before.
func (s Seed) keeping(fields []string, before Seed) Seed {
	for _, k := range keepables() {
		if slices.Contains(fields, k.names[0]) {
			k.keep(&s, before)
		}
	}
	return s
}
