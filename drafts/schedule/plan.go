package schedule

import "fmt"

// Plan is the work to be placed.
type Plan struct {
	Start      Date
	Phases     []Phase
	Milestones []Milestone
	Flags      Flags
}

// Flags are what a person may change about a schedule.
type Flags struct {
	PhaseOrder bool `json:"phase_order"` // a phase begins when the phase before it has ended
	Edges      bool `json:"edges"`       // tasks wait for the tasks in their After
	Parallel   int  `json:"parallel"`    // how many leaves run at once, 1 to MaxParallel
}

// String says in words what the flags mean.
func (f Flags) String() string {
	phases, tasks := "phases overlap", ""
	if f.PhaseOrder {
		phases = "phase by phase"
	}
	if !f.Edges {
		tasks = ", no task waits for another"
	}
	return fmt.Sprintf("at most %d at once, %s%s", f.Parallel, phases, tasks)
}

// DefaultFlags returns the flags of a plan for which nobody chose others. Phases overlap,
// because a plan of forty tasks has phases by topic: wood is dried while pipes are laid.
func DefaultFlags() Flags { return Flags{Edges: true, Parallel: 12} }

// Limits of a plan.
const (
	maxDays     = 3650 // days of one leaf, and of a lag
	MaxParallel = 20   // Flags.Parallel
)

// Phase is a part of the plan. Its id is one number: "2".
type Phase struct {
	ID, Name string
	Tasks    []Task
}

// Task is a piece of work. Its id continues the id of its phase: "2.1". If it has
// subtasks, they are placed instead of it, and its own Days and Wait do not count.
type Task struct {
	ID, Name  string
	Days      Days
	After     []string // ids of tasks, with a lag in days or without: "2.1", "2.1+3"
	NotBefore Date     // no leaf starts earlier; zero for none
	Due       Date     // the last day on which the task may end; zero for none
	Makes     string   // id of the milestone that is reached when the task ends
	Wait      bool     // takes time, but no worker: the answer of an office, a delivery
	Subtasks  []Subtask
}

// Subtask is a part of a task. Its id continues the id of its task: "2.1.3". The
// subtasks of a task follow each other if none of them has an After.
type Subtask struct {
	ID, Name string
	Days     Days
	After    []string // ids of subtasks of the same phase: "2.2.1", "2.2.1SS+1"
	Wait     bool
}

// Days estimates how long a leaf takes: 1 ≤ Min ≤ Likely ≤ Max ≤ 3650.
type Days struct{ Min, Likely, Max int }

// Milestone is a state of the plan that is to be reached by a day. The tasks that
// name it in Makes reach it.
type Milestone struct {
	ID, Name string
	Due      Date // zero if it has no day
}

// Schedule is the placed plan. Days are counted from Plan.Start.
type Schedule struct {
	Start     Date
	Leaves    []Leaf // by id
	End       Days   // the plan's end if every leaf takes its Min, Likely or Max
	Deadlines []Deadline
	Notices   []string // edges that were dropped, milestones without a task
}

// Leaf is one placed leaf.
type Leaf struct {
	ID, Name  string
	Phase     int // index in Plan.Phases
	Days      int // likely
	Wait      bool
	ES, LS    int      // earliest and latest start, without the limit of parallel work
	Placed    int      // the start that keeps the limit
	After     []string // what the leaf itself waits for, as it was written or implied
	Milestone string   // what it helps to reach
}

// Float returns how many days the leaf can move before the plan, or a due date,
// moves with it. It is negative if a due date cannot be kept.
func (l Leaf) Float() int { return l.LS - l.ES }

// Critical reports whether the leaf has no float.
func (l Leaf) Critical() bool { return l.Float() <= 0 }

// End returns the first day after the leaf.
func (l Leaf) End() int { return l.Placed + l.Days }

// Deadline says how a due date or a milestone stands.
type Deadline struct {
	ID, Name string // of the task or the milestone
	Due      Date
	Last     Date // the last day of its work, at the likely days
	Slack    int  // days from Last to Due; negative if it is late
	LateMax  int  // how many days it is late if every leaf takes its Max; 0 if it is not
}

// Late reports whether the deadline is missed at the likely days.
func (d Deadline) Late() bool { return d.Slack < 0 }

// Critical returns the ids of the critical leaves in the order of their starts.
func (s Schedule) Critical() []string {
	var ids []string
	for _, l := range s.byStart() {
		if l.Critical() {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// Days returns the first and the last day of a leaf.
func (s Schedule) Days(l Leaf) (first, last Date) {
	return s.Start.AddDays(l.Placed), s.Start.AddDays(l.End() - 1)
}
