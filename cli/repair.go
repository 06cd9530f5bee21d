package cli

import (
	"context"
	"encoding/json"
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
	var made repaired
	saved, err := engine.Repair(ctx, filepath.Join(scratch.Dir, "planb.db"), aside, func(file string) (err error) {
		made, err = putInOrder(ctx, file, aside+".words.json")
		return err
	})
	if err != nil {
		return err
	}
	return p.printRepaired(path, aside, saved, made)
}

// repaired is a store that was put in order.
type repaired struct {
	checked
	words string // the file with what people wrote for asks that are lost; empty if they wrote nothing
}

// putInOrder has everything in a store found again that is there, and tells what is
// still missing. It writes into the file words what was written for lost asks, which
// the store then has no more.
func putInOrder(ctx context.Context, path, words string) (made repaired, err error) {
	engine, err := bolt.Open(ctx, path, bolt.Options{MustExist: true})
	if err != nil {
		return repaired{}, err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	st := store.New(engine, store.Options{})
	lost, err := st.LostAsks(ctx)
	if err != nil {
		return repaired{}, err
	}
	if len(lost) > 0 {
		text, err := json.MarshalIndent(lost, "", "  ")
		if err != nil {
			return repaired{}, err
		}
		if err := bolt.PutAside(filepath.Dir(words), filepath.Base(words), append(text, '\n')); err != nil {
			return repaired{}, err
		}
		made.words = words
	}
	if err := st.Reindex(ctx); err != nil {
		return repaired{}, err
	}
	made.Content, err = st.Audit(ctx)
	return made, err
}

func (p program) printRepaired(path, aside string, saved bolt.Salvaged, now repaired) error {
	width := p.width()
	text := layout.Item("Repaired: ", path, width) + layout.Row("", now.numbers(), width) +
		layout.Item("What was there is kept: ", aside, width)
	if now.words != "" {
		text += layout.Item("Written for forms that are lost: ", now.words, width)
	}
	lost := "nothing"
	if list := append(saved.Lost, now.gaps()...); len(list) > 0 {
		lost = strings.Join(list, "; ") + ". A backup may have it:  planb restore FILE"
	}
	return p.print(text + layout.Row("Could not be read: ", lost, width))
}
