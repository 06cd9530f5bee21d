package store

import (
	"context"
	"io"
	"maps"
	"time"

	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/runs"
	"planb/store/tasks"
)

// Options are what a Store needs to know about the world. The zero value works.
type Options struct {
	// Now tells the time that records carry; time.Now by default. No decision
	// about a claim depends on it.
	Now func() time.Time
	// By names the user of this store, user@host. Claims carry it, and outcomes that
	// name nobody.
	By string
	// DataDir is where the engine keeps its data, for the sentences of errors.
	DataDir string
	// Machine names this machine, for claims and for the projects on it; empty:
	// machines are not told apart.
	Machine string
	// Root finds the directory that stands for a directory's project; nil: each
	// directory stands for itself.
	Root func(dir string) string
	// TTL of this store's claims; DefaultTTL by default.
	TTL time.Duration
	// Settlers add what follows from an ask's outcome for its subject, by the kind of
	// the subject; see Settler.
	Settlers map[string]Settler
	// Tasks are the limits of tasks, and how their reviews are read; the store fills in
	// the rest.
	Tasks tasks.Options
	// Random gives the bytes of new ids. With it, ids take their time from Now, so the
	// same seed makes the same store; only one goroutine may use that Store. Nil stands
	// for the machine's random bytes and clock.
	Random io.Reader
}

// Types of the ledger, for callers of a Store.
type (
	// Claim says that a process is alive and at something.
	Claim = ledger.Claim
	// Held is a claim that this process holds.
	Held = ledger.Held
	// HeldError says that a live claim is in the way.
	HeldError = ledger.HeldError
	// UnknownError says that something was never stored.
	UnknownError = ledger.UnknownError
	// FormatError says that a newer planb wrote what this one cannot read.
	FormatError = ledger.FormatError
)

// AboutOneRecord reports whether err is about one record only, which is damaged or
// was written by a newer planb: everything else can be read.
func AboutOneRecord(err error) bool { return ledger.AboutOne(err) }

// DefaultTTL is how long the counter of a claim may stand still by default.
const DefaultTTL = ledger.DefaultTTL

// MaxTextBytes limits one text: a plan, a form, a reply, an entry.
const MaxTextBytes = ledger.MaxTextBytes

// Store is planb's memory over an engine. Its methods may be called from many
// goroutines, and many Stores may work on the same data, in one process or in
// several. A method ends when its ctx does; its errors are sentences.
type Store struct {
	*ledger.Claims
	ledger  *ledger.Ledger
	by      string
	machine string
	root    func(dir string) string
	// settlers are for the kinds of subject that have records of their own.
	settlers map[string]Settler
	openers  map[string]opener  // for those kinds that know when nothing is asked any more
	sweepers map[string]sweeper // for those kinds whose outcome leaves records to delete
	tasks    *tasks.Store
	drafts   *runs.Store
}

// New returns a Store over the engine. It reads and writes nothing yet.
func New(engine kv.Engine, opts Options) *Store {
	s := &Store{by: opts.By, machine: opts.Machine, root: opts.Root}
	s.ledger = ledger.New(engine, ledger.Options{
		Now:        opts.Now,
		DataDir:    opts.DataDir,
		Random:     opts.Random,
		Tombstones: ledger.Tombstones{Key: goneKey, Hidden: s.hidden},
	})
	s.Claims = ledger.NewClaims(s.ledger, ledger.ClaimOptions{By: opts.By, Machine: opts.Machine, TTL: opts.TTL})
	if s.root == nil {
		s.root = cleanPath
	}
	s.tasks = s.newTasks(opts.Tasks)
	s.drafts = s.newDrafts()
	s.settlers = map[string]Settler{
		tasks.SubjectKind: s.tasks.Settle, tasks.CancelKind: s.tasks.SettleCancel, runs.SubjectKind: s.drafts.Settle,
	}
	s.sweepers = map[string]sweeper{tasks.CancelKind: s.tasks.SweepCancelled}
	s.openers = map[string]opener{tasks.SubjectKind: s.tasks.CheckReview, runs.SubjectKind: s.drafts.CheckGate}
	maps.Copy(s.settlers, opts.Settlers)
	return s
}

// Prepare makes a new store ready for use. It refuses a store that a newer planb
// wrote with a *FormatError. Every method does this for itself; a caller that calls
// Prepare first learns early that a store cannot be used.
func (s *Store) Prepare(ctx context.Context) error { return s.ledger.Prepare(ctx) }

// WatchAsk is Watch for what AsksNow tells of one ask; other changes need not
// fire.
func (s *Store) WatchAsk(ctx context.Context, id string) (<-chan struct{}, error) {
	canonical, ok := ledger.CanonicalID(id)
	if !ok {
		return nil, &UnknownError{What: "ask", ID: id}
	}
	return s.ledger.Watch(ctx, askKey(canonical))
}

// Watch tells that something in the store may have changed and should be read
// again: once at the start, then after changes. It coalesces and may fire for
// nothing; entries and the renewals of claims do not ring. The channel is closed
// when ctx ends.
func (s *Store) Watch(ctx context.Context) (<-chan struct{}, error) {
	return s.ledger.Watch(ctx, "")
}
