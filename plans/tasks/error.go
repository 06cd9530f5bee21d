package tasks

import (
	"errors"
	"strings"

	"planb/questions/lenient"
)

// Code names what went wrong, for programs and models.
type Code string

// The codes of all errors of tasks.
const (
	CodeAuthForbidden          Code = "auth.forbidden"
	CodeAuthCrossOrg           Code = "auth.cross_org"
	CodeValidationInvalidInput Code = "validation.invalid_input"
	CodeProjectNameTaken       Code = "project.name_taken"
	CodeProjectSlugTaken       Code = "project.slug_taken"
	CodeProjectNotFound        Code = "project.not_found"
	CodeQuotaExceeded          Code = "quota.exceeded"
	CodePlanNotFound           Code = "plan.not_found"
	CodeTaskNotFound           Code = "task.not_found"
	CodeNotFound               Code = "not_found"
	CodePlanRequiresApproval   Code = "plan.requires_approval"
	CodeConflict               Code = "conflict"
	CodeDependencyCycle        Code = "dependency.cycle"
	CodeDependencyCrossPlan    Code = "dependency.cross_plan"
	CodeTaskNotActionable      Code = "task.not_actionable"
	CodeTaskAlreadyClaimed     Code = "task.already_claimed"
	CodeTaskLeaseExpired       Code = "task.lease_expired"
	CodeVerificationUnmet      Code = "verification.unmet"
)

// Error is an error as an agent gets it: a code for its program, a message for its
// model, and details. The functions of this package make every one, so that each
// is worded once.
type Error struct {
	Code    Code           `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details,omitempty"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Plainly is the error for a person: a conflict without the code that programs read at its
// beginning.
func Plainly(err error) error {
	if refusal, ok := errors.AsType[*Error](err); ok && refusal.Code == CodeConflict {
		if _, words, found := strings.Cut(refusal.Message, ": "); found {
			return errors.New(words)
		}
	}
	return err
}

// CodeOf returns the code of an error; empty if it has none.
func CodeOf(err error) Code {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return ""
	}
	return e.Code
}

// Invalid tells what is wrong with what was written, a line for each problem.
func Invalid(problems lenient.Problems) *Error {
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = p.String()
	}
	return &Error{CodeValidationInvalidInput, problems.Error(), map[string]any{"problems": lines}}
}

// InvalidBecause is Invalid with one problem.
func InvalidBecause(where, sentence string) *Error {
	var problems lenient.Problems
	problems.Say(where, sentence)
	return Invalid(problems)
}
