package doctor

import "fmt"

// State is how a thing is.
type State int

const (
	OK      State = iota
	Note          // not in use, or not known; nothing has to be done
	Warning       // works, but something will be felt
	Problem       // does not work
)

// String names the state as JSON has it.
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

// MarshalText gives the state's name.
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

// Finding is what was found out about one thing.
type Finding struct {
	Area   Area   `json:"area"`
	Name   string `json:"name"` // of the thing, in a word or two
	State  State  `json:"state"`
	Detail string `json:"detail"`           // what was found; may quote foreign text
	Remedy string `json:"remedy,omitempty"` // what to do; every Warning and Problem has one
}

// Report is everything that was found out.
type Report struct {
	Version  string    `json:"version"` // of planb
	System   string    `json:"system"`  // operating system and architecture
	Findings []Finding `json:"findings"`
}

// Count is how many findings are of that state.
func (r Report) Count(state State) int {
	n := 0
	for _, f := range r.Findings {
		if f.State == state {
			n++
		}
	}
	return n
}
