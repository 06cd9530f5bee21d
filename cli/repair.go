package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"planb/setup/layout"
	"planb/store"
	"planb/store/bolt"
)

// repair writes the store anew from all that can be read of its file, and keeps that
// file: so it asks nothing. It tells what is lost.
func (p program) repair(ctx context.Context) (err error) {
	path, err := p.storePath()
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := bolt.OwnDir(dir); err != nil {
		return err
	}
	size := int64(0)
	if info, err := os.Stat(path); err == nil { // else the repair tells what is wrong with it
		size = info.Size()
	}
	scratch, err := bolt.NewScratch(dir, size)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, scratch.Close()) }()
	engine, err := bolt.At(path, bolt.Options{MustExist: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	aside := path + ".before-repair-" + time.Now().UTC().Format(backupTime)
	var content store.Audit
	saved, err := engine.Repair(ctx, filepath.Join(scratch.Dir, "planb.db"), aside, func(made string) (err error) {
		content, err = putInOrder(ctx, made)
		return err
	})
	if err != nil {
		return err
	}
	return p.printRepaired(path, aside, saved, checked{Content: content})
}

// putInOrder has everything in a store found again that is there, and tells what is
// still missing.
func putInOrder(ctx context.Context, path string) (content store.Audit, err error) {
	engine, err := bolt.Open(ctx, path, bolt.Options{MustExist: true})
	if err != nil {
		return store.Audit{}, err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	st := store.New(engine, store.Options{})
	if err := st.Reindex(ctx); err != nil {
		return store.Audit{}, err
	}
	return st.Audit(ctx)
}

func (p program) printRepaired(path, aside string, saved bolt.Salvaged, now checked) error {
	width := p.width()
	text := layout.Item("Repaired: ", path, width) + layout.Row("", now.numbers(), width) +
		layout.Item("What was there is kept: ", aside, width)
	lost := "nothing"
	if list := append(saved.Lost, now.gaps()...); len(list) > 0 {
		lost = strings.Join(list, "; ") + ". A backup may have it:  planb restore FILE"
	}
	return p.print(text + layout.Row("Could not be read: ", lost, width))
}
