package main

import (
	"context"
	"errors"
	"path/filepath"

	"planb/store"
	"planb/store/bolt"
)

// openedStore is the store together with what has to be closed after it.
type openedStore struct {
	*store.Store
	close func() error
}

func (p program) openStore(ctx context.Context) (openedStore, error) {
	dir, err := p.env.dataDir()
	if err != nil {
		return openedStore{}, err
	}
	engine, err := bolt.Open(ctx, filepath.Join(dir, "planb.db"), bolt.Options{})
	if err != nil {
		return openedStore{}, err
	}
	return openedStore{store.New(engine, store.Options{By: p.env.author()}), engine.Close}, nil
}

// withStore opens the store for one command.
func (p program) withStore(ctx context.Context, do func(context.Context, *store.Store) error) error {
	st, err := p.openStore(ctx)
	if err != nil {
		return err
	}
	return errors.Join(do(ctx, st.Store), st.close())
}
