package cli

import (
	"context"
	"errors"
	"log/slog"

	"planb/store"
	"planb/store/home"
)

// home is where this person's store lies.
func (p program) home() (*home.Home, error) {
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
func (p program) openStore(ctx context.Context) (home.Store, error) {
	h, err := p.home()
	if err != nil {
		return home.Store{}, err
	}
	return h.Open(ctx)
}

// existingStore is the store for a command that makes none; missing knows the error
// of reading one that was never made.
func (p program) existingStore() (home.Store, error) {
	h, err := p.home()
	if err != nil {
		return home.Store{}, err
	}
	return h.Existing(), nil
}

// lazyStore is the store of a server, which starts before it is opened.
func (p program) lazyStore(logger *slog.Logger) (home.Store, error) {
	h, err := p.home()
	if err != nil {
		return home.Store{}, err
	}
	return h.Lazy(func(err error) { logger.Warn("trouble with the store", "error", err) }), nil
}

// withStore opens the store for one command.
func (p program) withStore(ctx context.Context, do func(context.Context, *store.Store) error) error {
	st, err := p.openStore(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(ctx, st.Store), st.Close())
}
