// Package home knows where a store lies. It opens the file, backs it up, restores a
// backup, checks, repairs and compacts it. It knows which engine the file has, and the
// names of the files beside it, so that the commands need not.
//
// It prints nothing and asks no person: it returns what it found, and the command
// prints that. The rules of what is kept are in store. Begin to read at At.
package home

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"planb/plans/review"
	"planb/store"
	"planb/store/bolt"
	"planb/store/kv"
	"planb/store/machine"
	"planb/store/project"
	"planb/store/tasks"
)

// Home is the place of one store. It opens and creates nothing before it is used.
type Home struct {
	path    string // of the store's file
	options Options
}

// Options say who opens the store, and how it is checked.
type Options struct {
	By  string                   // who writes, as user@host
	Env func(name string) string // the variables of this process
	// Checker is the command that runs Check on the path that is added to it, and
	// prints the result as JSON. It is a process of its own, because some damage
	// ends the process that meets it. Without one, Check runs in this process.
	Checker []string
	Environ []string // the checker's variables, as NAME=value
	// Limits returns the limits of tasks; it is called when the store is opened. Nil:
	// there are none.
	Limits func() TaskLimits
}

// TaskLimits are the limits of plans of tasks.
type TaskLimits struct {
	Projects int           // 0 for no limit
	Monthly  int           // tasks that are created in a month; 0 for no limit
	Grace    time.Duration // how long a task waits for a holder that is gone; 0: the default
}

// At returns the place of the store in that directory.
func At(dir string, options Options) *Home {
	return &Home{filepath.Join(dir, "planb.db"), options}
}

// Path returns the path of the store's file.
func (h *Home) Path() string { return h.path }

// Dir returns the directory of the store and of the files beside it.
func (h *Home) Dir() string { return filepath.Dir(h.path) }

// Store is a store with its engine, which Close closes.
type Store struct {
	*store.Store
	engine kv.Engine
}

// Close closes the engine.
func (s Store) Close() error { return s.engine.Close() }

// Open opens the store now, so that a command fails before it draws. It creates a
// missing store.
func (h *Home) Open(ctx context.Context) (Store, error) {
	st := h.over(bolt.Options{})
	if err := st.Prepare(ctx); err != nil {
		return Store{}, errors.Join(err, st.Close())
	}
	return st, nil
}

// Existing returns a store that is opened when it is first used, and never created.
// Reading a missing store fails with a fault of the kind FaultMissing.
func (h *Home) Existing() Store { return h.over(bolt.Options{MustExist: true}) }

// Lazy returns a store that is opened, or created, when it is first used. So a server
// starts at once and can tell its agent what is wrong with the store. notice gets the
// errors that belong to no call.
func (h *Home) Lazy(notice func(error)) Store { return h.over(bolt.Options{Notice: notice}) }

func (h *Home) over(opts bolt.Options) Store {
	opts.Reserve = bolt.ReserveBytes
	engine := bolt.NewLazy(h.path, opts)
	var limits TaskLimits
	if h.options.Limits != nil {
		limits = h.options.Limits()
	}
	return Store{store.New(engine, store.Options{
		By: h.options.By, DataDir: h.Dir(), Machine: machine.Name(h.options.Env), Root: project.Root,
		Tasks: tasks.Options{
			Verdict: Verdict, Given: h.given, ProjectsLimit: limits.Projects, MonthlyLimit: limits.Monthly, Grace: limits.Grace,
		},
	}), engine}
}

// Verdict reads what a person said of a plan of tasks.
func Verdict(answer string) (tasks.Verdict, error) {
	said, err := review.Parse([]byte(answer))
	return tasks.Verdict{
		Digest: said.Digest, Approves: said.Verdict.Approves(), Rejects: said.Verdict == review.Reject,
		Withheld: said.Withheld, Edited: said.Edited,
	}, err
}

// given says where the screen of this process stands, for the row of an approval.
func (h *Home) given() tasks.Given {
	env := h.options.Env
	if env == nil {
		return tasks.Given{Above: machine.Above()}
	}
	given := tasks.Given{Terminal: cmp.Or(env("TERM_PROGRAM"), env("TERM")), Above: machine.Above()}
	for _, name := range []string{"TMUX_PANE", "ZELLIJ_PANE_ID", "WEZTERM_PANE", "KITTY_WINDOW_ID"} {
		given.Pane = cmp.Or(given.Pane, env(name))
	}
	return given
}

// keeper opens the store as one whose file can be copied and replaced. A missing store
// is a fault of the kind FaultMissing.
func keeper(ctx context.Context, path string) (kv.Keeper, error) {
	return bolt.Open(ctx, path, bolt.Options{MustExist: true})
}

// keeperAt is keeper without any check: the file may be damaged, missing, or a copy in
// a place where no store may be.
func keeperAt(path string) (kv.Keeper, error) { return bolt.At(path, bolt.Options{}) }

// Compact rewrites the file without its free pages, while all other processes wait. It
// returns the sizes before and after, in bytes.
func (h *Home) Compact(ctx context.Context) (before, after int64, err error) {
	engine, err := keeper(ctx, h.path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	info, err := os.Stat(h.path)
	if err != nil {
		return 0, 0, err
	}
	before = info.Size()
	if err := engine.Compact(ctx); err != nil {
		return 0, 0, err
	}
	if info, err = os.Stat(h.path); err != nil {
		return 0, 0, err
	}
	return before, info.Size(), nil
}

// fileTime formats a time so that names sort by time and are valid on every system.
const fileTime = "20060102T150405.000Z"

// aside returns the path where the file is kept when another one replaces it.
func (h *Home) aside(reason string) string {
	return h.path + ".before-" + reason + "-" + time.Now().UTC().Format(fileTime)
}
