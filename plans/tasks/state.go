package tasks

import "strings"

// State says where a task stands.
type State string

// The states of a task. Open, and those from Claimed on, are stored. Blocked and
// Ready are what Open means at a moment; they are derived on each reading and
// never stored.
const (
	Open        State = "open"
	Blocked     State = "blocked"
	Ready       State = "ready"
	Claimed     State = "claimed"
	InProgress  State = "in_progress"
	NeedsReview State = "needs_review"
	Done        State = "done"
	Cancelled   State = "cancelled"
)

// Final reports whether no state follows. Tasks that wait for one in a final
// state wait no longer.
func (s State) Final() bool { return s == Done || s == Cancelled }

// Held reports whether a claim keeps others from the task.
func (s State) Held() bool { return s == Claimed || s == InProgress }

// stateLetters has the letters of the states in Marks, in the order of storedStates.
const stateLetters = "ocirdx"

func storedStates() [len(stateLetters)]State {
	return [...]State{Open, Claimed, InProgress, NeedsReview, Done, Cancelled}
}

// Marks are the stored states and the priorities of all tasks of a plan: two
// bytes a task, a letter and a digit. It is the one record that most changes of a
// task write.
type Marks []byte

// NewMarks returns the marks of a plan's tasks before anybody works on them. A
// task that was done before it was imported is done, a dropped one cancelled.
func NewMarks(tasks []Task) Marks {
	m := make(Marks, 0, 2*len(tasks))
	for _, t := range tasks {
		m = append(m, 'o', '0'+byte(t.Priority))
		switch {
		case t.Dropped:
			m.Set(t.Number, Cancelled)
		case !t.Done.IsZero():
			m.Set(t.Number, Done)
		}
	}
	return m
}

// Len returns how many tasks have marks.
func (m Marks) Len() int { return len(m) / 2 }

// State returns the stored state of task n.
func (m Marks) State(n int) State {
	at := strings.IndexByte(stateLetters, m[2*n-2])
	if at < 0 {
		return Open
	}
	return storedStates()[at]
}

// Priority returns the priority of task n.
func (m Marks) Priority(n int) int { return int(m[2*n-1] - '0') }

// Set stores a state of task n. Blocked and Ready are stored as Open.
func (m Marks) Set(n int, s State) {
	m[2*n-2] = 'o'
	for i, stored := range storedStates() {
		if stored == s {
			m[2*n-2] = stateLetters[i]
		}
	}
}

// SetPriority stores the priority of task n.
func (m Marks) SetPriority(n, priority int) { m[2*n-1] = '0' + byte(priority) }

// Valid reports whether the marks are those of count tasks. A record that was
// read may be damaged.
func (m Marks) Valid(count int) bool {
	if len(m) != 2*count {
		return false
	}
	for i := 0; i < len(m); i += 2 {
		if strings.IndexByte(stateLetters, m[i]) < 0 || m[i+1] < '0' || m[i+1] > '0'+MaxPriority {
			return false
		}
	}
	return true
}
