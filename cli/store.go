package cli

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"planb/store"
	"planb/store/bolt"
	"planb/store/machine"
	"planb/store/project"
)

// openedStore is the store together with what has to be closed after it.
type openedStore struct {
	*store.Store
	close func() error
}

// openStore opens the store now, so that a command fails before it draws.
func (p program) openStore(ctx context.Context) (openedStore, error) {
	path, err := p.storePath()
	if err != nil {
		return openedStore{}, err
	}
	st := p.storeAt(path, bolt.Options{})
	if err := st.Prepare(ctx); err != nil {
		return openedStore{}, errors.Join(err, st.close())
	}
	return st, nil
}

// existingStore opens the store when it is first needed, and does not make one:
// what is read of a store that was never made is an error that missing knows.
func (p program) existingStore() (openedStore, error) {
	path, err := p.storePath()
	if err != nil {
		return openedStore{}, err
	}
	return p.storeAt(path, bolt.Options{MustExist: true}), nil
}

// lazyStore opens the store when it is first needed, so that a server starts at
// once and can tell its agent what is wrong with the store.
func (p program) lazyStore(logger *slog.Logger) (openedStore, error) {
	path, err := p.storePath()
	if err != nil {
		return openedStore{}, err
	}
	notice := func(err error) { logger.Warn("trouble with the store", "error", err) }
	return p.storeAt(path, bolt.Options{Notice: notice}), nil
}

func (p program) storePath() (string, error) {
	dir, err := p.env.dataDir()
	return filepath.Join(dir, "planb.db"), err
}

// storeAt is the store at path, which is opened when it is first used.
func (p program) storeAt(path string, opts bolt.Options) openedStore {
	opts.Reserve = bolt.ReserveBytes
	engine := bolt.NewLazy(path, opts)
	options := store.Options{
		By: p.env.author(), DataDir: filepath.Dir(path), Machine: machine.Name(p.env.get), Root: project.Root,
	}
	return openedStore{store.New(engine, options), engine.Close}
}

// withStore opens the store for one command.
func (p program) withStore(ctx context.Context, do func(context.Context, *store.Store) error) error {
	st, err := p.openStore(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(ctx, st.Store), st.close())
}
