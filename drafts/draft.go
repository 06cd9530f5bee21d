package drafts

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"planb/drafts/schedule"
	"planb/drafts/shape"
)

// Draft is a plan in the making: the prompt, and what was accepted so far.
type Draft struct {
	ID      string
	Prompt  string
	Created string        // RFC 3339; empty if that is unknown
	Start   schedule.Date // Month 0
	Detail  Detail
	Target  Target // empty: WholePlan
	Flags   schedule.Flags
	Records map[string]Record // by the id of the step
	// Attempts are the newest calls that gave no accepted answer, the oldest first.
	Attempts []Attempt
	// Unsketched says that the draft was written before planb asked for a first sketch. Only
	// the example was.
	Unsketched bool
	putRight   bool // the outputs have the repairs in them
}

// Record is an accepted output with all that is known of its making.
type Record struct {
	Output   shape.Object
	SHA256   string // of the output's JSON
	Inputs   string // Draft.Inputs when it was accepted
	By       string // the agent or the person
	Model    string // as the agent named it
	At       string // time of acceptance, RFC 3339
	Edited   bool   // a person changed it, or an agent for one; no run replaces it
	Own      bool   // of an edited one: the person changed it; no agent changes it
	Guidance string // what was asked for when it was to be written again
	GuidedBy string // the agent that asked for it; empty: the person did
	Usage    Usage
}

// Usage is what is known of the writing of an output. An unknown number is 0.
type Usage struct {
	Tries int   `json:"tries,omitzero"` // answers, with those that were refused
	Took  int64 `json:"ms,omitzero"`    // milliseconds since the writer got the step
	In    int   `json:"tokens_in,omitzero"`
	Out   int   `json:"tokens_out,omitzero"`
}

// Attempt is a call of a model, or of a program, that gave no accepted answer.
type Attempt struct {
	At      string `json:"ts"` // when it began, RFC 3339
	Step    string `json:"step,omitempty"`
	By      string `json:"by,omitempty"`
	Model   string `json:"model"`
	Outcome string `json:"outcome"` // in words
	Took    int64  `json:"ms"`
	In      int    `json:"tokens_in,omitzero"`
	Out     int    `json:"tokens_out,omitzero"`
}

// Output returns the output of a step, of the tasks all parts together; nil if there is
// none.
func (d Draft) Output(step string) shape.Object {
	if step == "tasks" {
		return d.tasks()
	}
	return d.Records[step].Output
}

// With returns the draft with another output of one step. The records of the draft
// itself stay as they are.
func (d Draft) With(step string, o shape.Object) Draft {
	records := maps.Clone(d.Records)
	r := records[step]
	r.Output = o
	records[step] = r
	d.Records = records
	return d
}

func (d Draft) Step(id string) (Step, bool) {
	whole, _, _ := strings.Cut(id, ".") // tasks.2 is a part of tasks
	declared := declarations()
	i := slices.IndexFunc(declared, func(one declaration) bool { return one.id == whole })
	if i < 0 {
		return Step{}, false
	}
	s, ok := d.Detail.step(declared[i])
	if !ok || d.Target == BuildPlan && !d.Writes(s) {
		return Step{}, false
	}
	return find(d.divided([]Step{s}), id)
}

// Sum returns the SHA-256 of a text in lower-case hexadecimal.
func Sum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func byID(records []shape.Object, id string) (shape.Object, bool) {
	for _, r := range records {
		if r.Text("id") == id {
			return r, true
		}
	}
	return nil, false
}
