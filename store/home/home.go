// Package home is where a store lies: it opens the file, copies it into backups,
// goes back to one, looks it through, repairs it, and makes it smaller. It knows the
// engine of the file and the names of the files beside it, so that the commands need
// not.
//
// It prints nothing and asks nobody: it gives what it found, and the command says it.
// What is kept in the store, and what may follow what, is said in store. Begin to
// read at At.
package home

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"planb/store"
	"planb/store/bolt"
	"planb/store/kv"
	"planb/store/machine"
	"planb/store/project"
)

// Home is one store's place. Nothing is opened or made before it is used.
type Home struct {
	path    string // of the store's file
	options Options
}

// Options say for whom a store is opened.
type Options struct {
	By  string                   // who writes, as user@host
	Env func(name string) string // the variables of this process
	// Checker is the command that runs Check on the path behind it and prints what
	// it found as JSON. It runs in a process of its own: some damage ends the
	// process that meets it.
	Checker []string
	Environ []string // the checker's variables, as NAME=value
}

// At is the store in the directory.
func At(dir string, options Options) *Home {
	return &Home{filepath.Join(dir, "planb.db"), options}
}

// Path is the path of the store's file.
func (h *Home) Path() string { return h.path }

// Dir is the directory of the store and of all that lies beside it.
func (h *Home) Dir() string { return filepath.Dir(h.path) }

// Store is a store together with the engine that has to be closed after it.
type Store struct {
	*store.Store
	engine kv.Engine
}

// Close closes the engine.
func (s Store) Close() error { return s.engine.Close() }

// Open opens the store now, and makes it where there is none, so that a command
// fails before it draws.
func (h *Home) Open(ctx context.Context) (Store, error) {
	st := h.over(bolt.Options{})
	if err := st.Prepare(ctx); err != nil {
		return Store{}, errors.Join(err, st.Close())
	}
	return st, nil
}

// Existing is the store, opened when it is first used and never made: reading one
// that is not there gives a fault of the kind FaultMissing.
func (h *Home) Existing() Store { return h.over(bolt.Options{MustExist: true}) }

// Lazy is the store, opened or made when it is first used, so that a server starts
// at once and can tell its agent what is wrong with the store. Notice gets what goes
// wrong beside the calls.
func (h *Home) Lazy(notice func(error)) Store { return h.over(bolt.Options{Notice: notice}) }

func (h *Home) over(opts bolt.Options) Store {
	opts.Reserve = bolt.ReserveBytes
	engine := bolt.NewLazy(h.path, opts)
	return Store{store.New(engine, store.Options{
		By: h.options.By, DataDir: h.Dir(), Machine: machine.Name(h.options.Env), Root: project.Root,
	}), engine}
}

// keeper opens the store as one whose file can be copied and replaced. A store that is
// not there is a fault of the kind FaultMissing.
func keeper(ctx context.Context, path string) (kv.Keeper, error) {
	return bolt.Open(ctx, path, bolt.Options{MustExist: true})
}

// keeperAt is keeper, and looks at nothing yet: the file may be damaged, missing, or a
// copy that lies where no store may.
func keeperAt(path string) (kv.Keeper, error) { return bolt.At(path, bolt.Options{}) }

// Compact writes the file anew without its free pages, while everybody waits. It
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

// fileTime sorts as the times do, and is a file's name everywhere.
const fileTime = "20060102T150405.000Z"

// aside is the path where the file is kept when another takes its place.
func (h *Home) aside(reason string) string {
	return h.path + ".before-" + reason + "-" + time.Now().UTC().Format(fileTime)
}
