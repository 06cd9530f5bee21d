package cli

import (
	"context"
	"errors"
	"log/slog"

	"planb/store"
	"planb/store/home"
	"planb/store/kv"
)

// home is where this person's store lies.
func (p base) home() (*home.Home, error) {
	dir, err := p.env.dataDir()
	if err != nil {
		return nil, err
	}
	executable, err := ownProgram()
	if err != nil {
		return nil, err
	}
	return home.At(dir, home.Options{
		By: p.env.author(), Env: p.env.get, Checker: []string{executable, "check-store"}, Environ: p.env.pairs(),
	}), nil
}

// openStore opens the store now, so that a command fails before it draws.
func (p base) openStore(ctx context.Context) (home.Store, error) {
	h, err := p.home()
	if err != nil {
		return home.Store{}, err
	}
	return h.Open(ctx)
}

// existingStore is the store for a command that makes none; missing knows the error
// of reading one that was never made.
func (p base) existingStore() (home.Store, error) {
	h, err := p.home()
	if err != nil {
		return home.Store{}, err
	}
	return h.Existing(), nil
}

// lazyStore is the store of a server, which starts before it is opened.
func (p base) lazyStore(logger *slog.Logger) (home.Store, error) {
	h, err := p.home()
	if err != nil {
		return home.Store{}, err
	}
	return h.Lazy(func(err error) { logger.Warn("trouble with the store", "error", err) }), nil
}

// withStore opens the store for one command.
func (p base) withStore(ctx context.Context, do func(context.Context, *store.Store) error) error {
	st, err := p.openStore(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(ctx, st.Store), st.Close())
}

func isUnknown(err error) bool {
	var unknown *store.UnknownError
	return errors.As(err, &unknown)
}

// readStore opens the store, if there is one, for do, and closes it.
func (p base) readStore(ctx context.Context, do func(st *store.Store) error) error {
	st, err := p.existingStore()
	if err != nil {
		return err
	}
	return errors.Join(do(st.Store), st.Close())
}

func missing(err error) bool {
	var fault *kv.Fault
	return errors.As(err, &fault) && fault.Kind == kv.FaultMissing
}
