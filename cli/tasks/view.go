package tasks

import (
	"context"
	"slices"
	"time"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
	"planb/tui/wording"
)

// view is a plan as a command shows it: the stored plan, the states that follow from it
// now, and the texts of its tasks, if they were read.
type view struct {
	kept.Whole
	*rules.View
	texts map[int]rules.Task
	// changes wait for the person's approval, beside the tasks that do themselves.
	changes []kept.WaitingChange
	// unreported wait for the person without a report.
	unreported map[int]kept.Attempt
}

func (d desk) look(w kept.Whole) view {
	return view{Whole: w, View: rules.Look(w.Situation(d.now)), texts: map[int]rules.Task{}}
}

// read finds what a name stands for, and reads the whole plan with its texts.
func (d desk) read(ctx context.Context, name string) (target, view, error) {
	t, err := d.find(ctx, name)
	if err != nil {
		return target{}, view{}, err
	}
	v, err := d.judge(ctx, t.Whole)
	if err != nil {
		return target{}, view{}, err
	}
	return t, v, d.readTexts(ctx, v)
}

// judge is look with the changes that wait for the person's approval.
func (d desk) judge(ctx context.Context, w kept.Whole) (v view, err error) {
	v = d.look(w)
	if v.unreported, err = d.Tasks().Unreported(ctx, w); err != nil {
		return v, err
	}
	v.changes, err = d.Tasks().Waiting(ctx, w, v.View)
	return v, err
}

// needing is how many things of an active plan need the person, as on the board.
func (v view) needing() int { return v.Counts()[rules.NeedsReview] + len(v.changes) }

// readTexts reads the texts of tasks; of all of them without numbers.
func (d desk) readTexts(ctx context.Context, v view, numbers ...int) error {
	list, err := d.Tasks().Tasks(ctx, v.Whole, numbers...)
	for _, t := range list {
		v.texts[t.Number] = t
	}
	return err
}

// names gives titles for words; a task whose text was not read has its nodeKey.
func (v view) names(n int) safe.Text {
	if t, ok := v.texts[n]; ok {
		return t.Title
	}
	return safe.New(v.Graph.Key(n))
}

// why says why agents cannot have a task; empty if one can, and if it has ended.
func (v view) why(n int) string {
	if v.State(n).Final() {
		return ""
	}
	if v.unanswered(n) {
		return wording.Unreported(v.unreported[n])
	}
	return wording.WhyNot(v.View, n, v.names)
}

// unanswered reports whether a task waits for the person without a report.
func (v view) unanswered(n int) bool {
	_, unreported := v.unreported[n]
	return unreported && v.State(n) == rules.NeedsReview
}

// shownPlan is a plan as --json prints it.
type shownPlan struct {
	ID       string              `json:"planId"`
	Short    string              `json:"short"`
	Title    safe.Text           `json:"title,omitzero"`
	Status   rules.Status        `json:"status,omitempty"`
	Paused   bool                `json:"paused,omitempty"`
	Hash     string              `json:"hash,omitempty"`
	Project  string              `json:"projectId,omitempty"`
	Session  string              `json:"sessionId,omitempty"`
	Count    int                 `json:"taskCount"`
	Counts   map[rules.State]int `json:"counts,omitempty"`
	Approval *kept.Approval      `json:"approval,omitempty"`
	Created  time.Time           `json:"created,omitzero"`
	Updated  time.Time           `json:"updated,omitzero"`
	// Changes wait for the person's approval, beside locked tasks.
	Changes    []kept.WaitingChange `json:"changes,omitempty"`
	Unreadable string               `json:"unreadable,omitempty"` // why the record cannot be read
}

func unreadable(plan kept.Plan, err error) shownPlan {
	return shownPlan{ID: plan.ID, Short: rules.Short(plan.ID), Title: plan.Title, Status: plan.Status, Unreadable: err.Error()}
}

func (v view) plan() shownPlan {
	p := v.Whole.Plan
	return shownPlan{
		ID: p.ID, Short: rules.Short(p.ID), Title: p.Title, Status: p.Status, Paused: p.Paused, Hash: v.Graph.Hash().String(),
		Project: p.Project, Session: p.Session, Count: p.Tasks, Counts: v.Counts(), Approval: p.Approval, Created: p.Created, Updated: p.Updated, Changes: v.changes,
	}
}

// shownTask is a task in a list as --json prints it.
type shownTask struct {
	ID        string      `json:"taskId"`
	Short     string      `json:"short"`
	Key       string      `json:"nodeKey"`
	Title     safe.Text   `json:"title"`
	State     rules.State `json:"state"`
	Locked    bool        `json:"locked,omitempty"` // no person approved it as it is
	Human     bool        `json:"human,omitempty"`  // only a person can do it
	Priority  int         `json:"priority"`         // with those of the tasks that wait for it
	Minutes   int         `json:"estimateMinutes"`
	Path      int         `json:"pathMinutes,omitempty"` // of the longest chain that begins with it
	Unblocks  int         `json:"unblocks,omitempty"`    // tasks that wait for it
	DependsOn []string    `json:"dependsOn,omitempty"`   // all that it waits for, by nodeKey
	Why       string      `json:"why,omitempty"`         // why agents cannot have it
	open      []string    // the tasks in DependsOn that have not ended
}

func (v view) task(n int) shownTask {
	g := v.Graph
	t := shownTask{
		ID: taskID(v.ID, n), Short: shortTask(v.ID, n), Key: g.Key(n), Title: v.names(n), State: v.State(n),
		Locked: !v.Unlocked[n-1], Human: g.Human(n), Minutes: g.Minutes(n), Priority: v.Marks.Priority(n), Why: v.why(n),
	}
	if !t.State.Final() {
		t.Priority, t.Path, t.Unblocks = v.Priority(n), v.PathMinutes(n), v.Unblocks(n)
	}
	for _, e := range g.Edges(n) {
		if e.Kind.Hard() {
			t.DependsOn = append(t.DependsOn, g.Key(e.On))
			if !t.State.Final() && !v.State(e.On).Final() {
				t.open = append(t.open, g.Key(e.On))
			}
		}
	}
	return t
}

// all returns the tasks that no amendment dropped.
func (v view) all() (numbers []int) {
	for n := 1; n <= v.Graph.Len(); n++ {
		if !v.Graph.Dropped(n) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// byTurn orders the states as a person looks at them: needs them, in work, ready, waiting,
// ended.
func byTurn(s rules.State) int {
	return slices.Index([]rules.State{
		rules.NeedsReview, rules.InProgress, rules.Claimed, rules.Ready, rules.Blocked, rules.Done, rules.Cancelled,
	}, s)
}

// inTurn returns the tasks in that order, as the board has them. Among the ready tasks the best
// comes first; among the waiting ones, the one that begins the longest chain.
func (v view) inTurn() []int {
	list := v.all()
	slices.SortStableFunc(list, func(a, b int) int {
		if by := byTurn(v.Shown(a)) - byTurn(v.Shown(b)); by != 0 || v.State(a).Final() {
			return by
		}
		ca := rules.Candidate{Number: a, Priority: v.Priority(a), Minutes: v.PathMinutes(a)}
		cb := rules.Candidate{Number: b, Priority: v.Priority(b), Minutes: v.PathMinutes(b)}
		return ca.Compare(cb)
	})
	return list
}
