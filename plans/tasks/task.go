package tasks

import "planb/questions/safe"

// Seed is a task as an agent proposes it. Tasks are named by their nodeKey,
// because a proposed task has no id yet.
type Seed struct {
	Key          string       `json:"nodeKey"`
	Title        safe.Text    `json:"title"`
	Description  safe.Text    `json:"description,omitzero"`
	Execution    Execution    `json:"executionContract"`
	Verification Verification `json:"verificationContract"`
	Priority     int          `json:"priority"`
	Minutes      int          `json:"estimateMinutes"`
	Edges
}

// Edges are the tasks of the same plan that a task refers to, by nodeKey. No task
// stands in two of the lists.
type Edges struct {
	// DependsOn are the tasks that must be done or cancelled first, as the person
	// reads and approves it.
	DependsOn []string `json:"dependsOn,omitempty"`
	// AlsoAfter are further tasks that it waits for, which an agent added later. They
	// need no approval, because they permit nothing.
	AlsoAfter []string `json:"alsoAfter,omitempty"`
	// Soft are related tasks. It waits for none of them.
	Soft []string `json:"soft,omitempty"`
}

// Task is a task of a plan. Its number never changes and is never used again, so
// its id is good for ever.
type Task struct {
	Number int `json:"n"` // from 1
	Seed
	// Dropped says that an amendment took the task out of the plan. Nothing but its
	// number counts any more.
	Dropped bool `json:"dropped,omitempty"`
	// SplitFrom is the nodeKey of the dropped task that this one and others replace.
	SplitFrom string `json:"splitFrom,omitempty"`
	// Done says that the task was done before it was imported, and how.
	Done safe.Text `json:"done,omitzero"`
}

// Plan is what a person reads and approves.
type Plan struct {
	Title       safe.Text `json:"title"`
	Description safe.Text `json:"description,omitzero"`
	Tasks       []Task    `json:"tasks"` // task n at n-1
}

// Status says where a plan stands.
type Status string

// The states of a plan. A plan is proposed first, and active only by a person's
// approval.
const (
	PlanProposed  Status = "proposed"
	PlanActive    Status = "active"
	PlanDone      Status = "done"      // all tasks are done or cancelled
	PlanCancelled Status = "cancelled" // by a person
)

// Final reports whether nothing can follow.
func (s Status) Final() bool { return s == PlanDone || s == PlanCancelled }

// KeptCount returns the number of the tasks that no amendment dropped.
func (p Plan) KeptCount() (count int) {
	for i := range p.Tasks {
		if !p.Tasks[i].Dropped {
			count++
		}
	}
	return count
}

// Kept returns the tasks that no amendment dropped.
func (p Plan) Kept() []Task {
	kept := make([]Task, 0, len(p.Tasks))
	for _, t := range p.Tasks {
		if !t.Dropped {
			kept = append(kept, t)
		}
	}
	return kept
}
