package runs

import (
	"context"
	"errors"
	"time"

	"planb/drafts/schedule"
	"planb/store/ledger"
)

// Pipeline is the version of the steps that this planb writes. A plan of a newer one is
// read, and not written. A plan of an older one gets this version with the first output
// that is written into it, so that an older planb leaves it alone.
const Pipeline = 2

// StallTime is how long a plan may stand still before it counts as stalled.
const StallTime = 10 * time.Minute

// Options are what a Store needs to know about the world.
type Options struct {
	// Owner names whose plans these are. Plans of another owner are never found.
	Owner string
	// Root returns the directory that stands for a directory's project, so that git
	// worktrees share one; nil: each directory stands for itself.
	Root func(dir string) string
	// Session updates a session in the change because one of its plans begins or goes
	// on, and returns the session's directory. It returns an error if there is no such
	// session. If Session is nil, every session is accepted.
	Session func(ctx context.Context, c *ledger.Change, session string) (dir string, err error)
	// Archived reports whether a person put a session into the archive, and makes the
	// change depend on that. If it is nil, no session is archived.
	Archived func(ctx context.Context, c *ledger.Change, session string) (bool, error)
}

// Store keeps drafts. Its methods may be called from many goroutines, and many Stores may
// work on the same data. An error that an agent should read is an *Error, *StaleError or
// *DoneError.
type Store struct {
	ledger  *ledger.Ledger
	claims  *ledger.Claims
	options Options
}

// New returns a Store over the ledger. The Store sees in the claims who writes now. New reads
// and writes nothing.
func New(l *ledger.Ledger, claims *ledger.Claims, options Options) *Store {
	if options.Root == nil {
		options.Root = func(dir string) string { return dir }
	}
	return &Store{l, claims, options}
}

// Today is the day on which a plan begins if nobody names another: that of the person's own
// calendar.
func (s *Store) Today() schedule.Date {
	today, err := schedule.ParseDate(s.ledger.Clock().Local().Format(time.DateOnly))
	if err != nil {
		return schedule.Date{} // the clock shows a year that no plan has
	}
	return today
}

// Caller says who calls a Store.
type Caller struct {
	Name   string // as a person knows it: "Claude Code"; for a person user@host
	Person bool   // a person at a screen or with a command of their own, not an agent
}

// Code names a kind of refusal, for programs.
type Code string

// The codes.
const (
	InvalidArgument  Code = "INVALID_ARGUMENT"
	PlanNotFound     Code = "PLAN_NOT_FOUND"
	RunActive        Code = "RUN_ALREADY_ACTIVE"
	RunNotActive     Code = "RUN_NOT_ACTIVE"
	PlanNotFailed    Code = "PLAN_NOT_FAILED"
	PlanNotResumable Code = "PLAN_NOT_RESUMABLE"
	NewerPipeline    Code = "PIPELINE_VERSION_MISMATCH"
	Conflict         Code = "CONFLICT"
	PermissionDenied Code = "PERMISSION_DENIED"
	ReadOnly         Code = "RUNNING_READONLY" // the person put the draft's session into the archive, or it is the example
)

// Error is a refusal.
type Error struct {
	Code   Code
	What   string // a sentence for an agent and for a person
	Advice string // what an agent does now, in the tools that a person does not have; may be empty
}

// Error gives the words for an agent.
func (e *Error) Error() string {
	if e.Advice == "" {
		return e.What
	}
	return e.What + " " + e.Advice
}

// Plainly returns an error in the words for a person. It takes the advice for an agent out of
// an *Error, and returns any other error as it is.
func Plainly(err error) error {
	if refusal, ok := errors.AsType[*Error](err); ok {
		return errors.New(refusal.What)
	}
	return err
}
