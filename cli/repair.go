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

// repair rewrites the store from all that can be read of its file, and prints
// what is lost. It does not ask first, because it keeps the old file.
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
	if info, err := os.Stat(path); err == nil { // otherwise Repair returns the error
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
		made, err = rebuildIndexes(ctx, file, aside+".words.json")
		return err
	})
	if err != nil {
		return err
	}
	return p.printRepaired(path, aside, saved, made)
}

// repaired is a repaired store and what its check found.
type repaired struct {
	checked
	words string // path of the file with what people entered for lost asks; empty if there is none
}

// rebuildIndexes rebuilds the store's indexes and checks what is still missing.
// Entries of lost asks go into the file words first, because Reindex removes
// them from the store.
func rebuildIndexes(ctx context.Context, path, words string) (made repaired, err error) {
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
