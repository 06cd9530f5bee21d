package frame

import (
	"context"
	"errors"
	"log/slog"

	"planb/store"
	"planb/store/home"
	"planb/store/kv"
)

// Home is where this person's store lies.
func (p Program) Home() (*home.Home, error) {
	dir, err := p.Env.DataDir()
	if err != nil {
		return nil, err
	}
	options := home.Options{By: p.Env.Author(), Env: p.Env.Get, Environ: p.Env.Pairs(), Limits: p.TaskLimits}
	if !p.ChecksHere {
		executable, err := p.OwnProgram()
		if err != nil {
			return nil, err
		}
		options.Checker = []string{executable, "check-store"}
	}
	return home.At(dir, options), nil
}

// OpenStore opens the store now, so that a command fails before it draws.
func (p Program) OpenStore(ctx context.Context) (home.Store, error) {
	h, err := p.Home()
	if err != nil {
		return home.Store{}, err
	}
	return h.Open(ctx)
}

// ExistingStore is the store for a command that creates none. If there is no store,
// reading fails with an error for which Missing is true.
func (p Program) ExistingStore() (home.Store, error) {
	h, err := p.Home()
	if err != nil {
		return home.Store{}, err
	}
	return h.Existing(), nil
}

// LazyStore is the store of a server, which starts before it is opened.
func (p Program) LazyStore(logger *slog.Logger) (home.Store, error) {
	h, err := p.Home()
	if err != nil {
		return home.Store{}, err
	}
	return h.Lazy(func(err error) { logger.Warn("trouble with the store", "error", err) }), nil
}

// WithStore opens the store for one command.
func (p Program) WithStore(ctx context.Context, do func(context.Context, *store.Store) error) error {
	st, err := p.OpenStore(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(ctx, st.Store), st.Close())
}

// IsUnknown reports whether the error says that the store has no such session or ask.
func IsUnknown(err error) bool {
	var unknown *store.UnknownError
	return errors.As(err, &unknown)
}

// ReadStore opens the store, if there is one, for do, and closes it.
func (p Program) ReadStore(ctx context.Context, do func(st *store.Store) error) error {
	st, err := p.ExistingStore()
	if err != nil {
		return err
	}
	return errors.Join(do(st.Store), st.Close())
}

// Missing reports whether the error says that there is no store yet.
func Missing(err error) bool {
	var fault *kv.Fault
	return errors.As(err, &fault) && fault.Kind == kv.FaultMissing
}
