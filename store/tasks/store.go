package tasks

import (
	"context"
	"errors"
	"sync"
	"time"

	"planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/ledger"
	"planb/store/machine"
)

// Options are what a Store needs to know about the world.
type Options struct {
	// Owner names whose projects these are. Projects of another owner are never found.
	// Without an owner there are no projects, and every call says so.
	Owner string
	// Root returns the directory that stands for a directory's project, so that git
	// worktrees share one; nil: each directory stands for itself.
	Root func(dir string) string
	// ProjectsLimit and MonthlyLimit are the settings tasks.projects_limit and
	// tasks.monthly_limit; 0 for no limit.
	ProjectsLimit int
	MonthlyLimit  int
	// Session updates a session in the change because one of its plans is proposed. It
	// returns an error if there is no such session.
	Session func(ctx context.Context, c *ledger.Change, session string) error
	// Verdict reads what a person said in a review, from the JSON of its answer.
	Verdict func(answer string) (Verdict, error)
	// Reviewed returns the text that an ask's review is about, and the text with the
	// digest edited, which the person made of it; zero if edited is empty.
	Reviewed func(ctx context.Context, ask, edited string) (Reviewed, error)
	// Given says where this process stands, for the rows of what a person decides;
	// nil if that is unknown.
	Given func() Given
	// Claims tell which connections live; nil: the store's own.
	Claims *ledger.Claims
	// Grace is the setting tasks.grace: how long a task waits for a holder that is
	// gone; tasks.DefaultGrace by default.
	Grace time.Duration
}

// Verdict is what a person said in a review.
type Verdict struct {
	Digest   string // of the text that they read
	Approves bool   // all of it but the sections that they held back
	Rejects  bool   // an amendment is not to be asked about again
	Withheld []int  // the lines of the headings of those sections
	Edited   string // the digest of the text that they made of it; empty if they did not edit it
}

// Reviewed is what a person read in a review.
type Reviewed struct {
	Text   safe.Text
	Edited safe.Text // what they made of it; zero if they did not edit it
}

// Store keeps projects and plans of tasks. Its methods may be called from many
// goroutines, and many Stores may work on the same data. An error that an agent
// should read is a *tasks.Error.
type Store struct {
	ledger  *ledger.Ledger
	options Options
	cache   cache
	run     func() string // machine.Run, which never changes
}

// New returns a Store over the ledger. It reads and writes nothing yet.
func New(l *ledger.Ledger, options Options) *Store {
	if options.Root == nil {
		options.Root = func(dir string) string { return dir }
	}
	if options.Verdict == nil {
		options.Verdict = func(string) (Verdict, error) {
			return Verdict{}, errors.New("reviews of tasks cannot be read here, so nothing was approved")
		}
	}
	if options.Claims == nil {
		options.Claims = ledger.NewClaims(l, ledger.ClaimOptions{})
	}
	if options.Grace <= 0 {
		options.Grace = tasks.DefaultGrace
	}
	return &Store{ledger: l, options: options, run: sync.OnceValue(machine.Run)}
}

// Owner returns the owner of the projects; empty if the store names no user.
func (s *Store) Owner() string { return s.options.Owner }

// Verdict is Options.Verdict. Without that it is an error.
func (s *Store) Verdict(answer string) (Verdict, error) { return s.options.Verdict(answer) }

// Caller says who calls a Store, and where.
type Caller struct {
	Actor tasks.Actor
	Name  string // as a person knows it: "Claude Code"; for a person user@host
	// Dir is the directory that the caller works in: it finds only the plans of
	// projects that were made there. Empty: it finds all.
	Dir string
	// Place is where a person finds the caller: a pane of a terminal multiplexer.
	// Empty if that is unknown.
	Place string

	connection string // the Connection's id, for what agents do through one
}

// given says where the screen of this process stands.
func (s *Store) given() Given {
	if s.options.Given == nil {
		return Given{}
	}
	return s.options.Given()
}

// sees reports whether the caller finds the plans of a project that was made in a
// directory.
func (s *Store) sees(by Caller, path string) bool {
	return by.Dir == "" || s.options.Root(by.Dir) == path
}

// owned refuses to work in a store without an owner.
func (s *Store) owned() error {
	if s.options.Owner == "" {
		return tasks.InvalidBecause("", "this store names no user, so planb does not know whose tasks these are. Tell your user")
	}
	return nil
}
