package tasks

import "planb/questions/safe"

// Execution says how a task is to be done.
type Execution struct {
	Kind        ExecutionKind `json:"kind"`
	Files       []safe.Text   `json:"files,omitempty"` // a folder ends in /
	Inputs      []safe.Text   `json:"inputs,omitempty"`
	Constraints []safe.Text   `json:"constraints,omitempty"`
	Output      safe.Text     `json:"output,omitzero"` // what must exist afterwards
}

// ExecutionKind says who may do a task.
type ExecutionKind string

// The kinds of an execution contract.
const (
	Unblocked ExecutionKind = "unblocked" // any agent, once it is ready
	Human     ExecutionKind = "human"     // only a person; it is never offered to agents
)

// Verification says when a task is done.
type Verification struct {
	Kind     VerificationKind `json:"kind"`
	Criteria []safe.Text      `json:"criteria,omitempty"`
	Commands []safe.Text      `json:"commands,omitempty"`
}

// VerificationKind says what a report of completion must have.
type VerificationKind string

// The kinds of a verification contract.
const (
	None     VerificationKind = "none"     // a summary
	Evidence VerificationKind = "evidence" // a text for each criterion
	Command  VerificationKind = "command"  // each command with exit code 0; criteria as above
	Manual   VerificationKind = "manual"   // a person accepts it; criteria as above
)

// IsDefault reports whether the contract is the one that a task without a contract has.
func (e Execution) IsDefault() bool {
	return e.Kind == Unblocked && len(e.Files)+len(e.Inputs)+len(e.Constraints) == 0 && e.Output.IsZero()
}

// IsDefault reports whether the contract is the one that a task without a contract has.
func (v Verification) IsDefault() bool {
	return v.Kind == None && len(v.Criteria)+len(v.Commands) == 0
}
