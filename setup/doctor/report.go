package doctor

import "fmt"

// State is how good or bad a finding is.
type State int

const (
	OK      State = iota
	Note          // not in use, or unknown; nothing to do
	Warning       // works, but not well
	Problem       // does not work
)

// String returns the state's name in JSON.
func (s State) String() string {
	switch s {
	case OK:
		return "ok"
	case Note:
		return "note"
	case Warning:
		return "warning"
	case Problem:
		return "problem"
	}
	return fmt.Sprintf("State(%d)", int(s))
}

func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Area is a group of findings.
type Area string

// The areas, in the order of a report.
const (
	AreaStore    Area = "store"
	AreaTerminal Area = "terminal"
	AreaOpener   Area = "opener"
	AreaClients  Area = "clients"
	AreaSettings Area = "settings"
)

// Finding is the judgement of one thing.
type Finding struct {
	Area   Area   `json:"area"`
	Name   string `json:"name"` // what is judged, in a word or two
	State  State  `json:"state"`
	Detail string `json:"detail"`           // what was found; may quote text from outside
	Remedy string `json:"remedy,omitempty"` // what to do; every Warning and Problem has one
}

// Report is all findings.
type Report struct {
	Version  string    `json:"version"` // of planb
	System   string    `json:"system"`  // operating system and architecture
	Findings []Finding `json:"findings"`
}

// Count returns how many findings have that state.
func (r Report) Count(state State) int {
	n := 0
	for _, f := range r.Findings {
		if f.State == state {
			n++
		}
	}
	return n
}

// Worst returns the state of the worst finding.
func (r Report) Worst() State {
	worst := OK
	for _, f := range r.Findings {
		if f.State == Warning || f.State == Problem {
			worst = max(worst, f.State)
		}
	}
	return worst
}
