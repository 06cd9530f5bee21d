package home

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"planb/files"
	"planb/store"
	"planb/store/bolt"
)

// Repaired is the result of a repair.
type Repaired struct {
	Kept  string // the path of the file as it was
	Words string // the path of what people wrote for asks that are lost; empty if they wrote nothing
	Lost  []string
	Checked
}

// Repair rewrites the store from all that can be read of its file, and keeps that file
// beside it. Lost says what could not be read, a sentence each. It refuses what a newer planb
// wrote, because it would lose, or put in order, what it does not understand.
func (h *Home) Repair(ctx context.Context) (made Repaired, err error) {
	if err := bolt.OwnDir(h.Dir()); err != nil {
		return Repaired{}, err
	}
	scratch, err := bolt.NewScratch(h.Dir(), size(h.path))
	if err != nil {
		return Repaired{}, err
	}
	defer func() { err = errors.Join(err, scratch.Close()) }()
	engine, err := keeperAt(h.path)
	if err != nil {
		return Repaired{}, err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	made.Kept = h.aside("repair")
	saved, err := engine.Repair(ctx, filepath.Join(scratch.Dir, "planb.db"), made.Kept, func(file string) error {
		return made.putInOrder(ctx, file)
	})
	if err != nil {
		return Repaired{}, err
	}
	made.Lost = append(saved.Lost, made.Gaps()...)
	return made, nil
}

// putInOrder rebuilds the indexes of the new file and notes what is still missing. It
// moves what people wrote for lost asks out of the store, into a file beside the kept
// one.
func (made *Repaired) putInOrder(ctx context.Context, path string) (err error) {
	engine, err := keeper(ctx, path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	st := store.New(engine, store.Options{})
	lost, err := st.LostAsks(ctx)
	if err != nil {
		return err
	}
	if len(lost) > 0 {
		text, err := json.MarshalIndent(lost, "", "  ")
		if err != nil {
			return err
		}
		words := made.Kept + ".words.json"
		if err := files.Replace(words, append(text, '\n')); err != nil {
			return err
		}
		made.Words = words
	}
	if err := st.Reindex(ctx); err != nil {
		return err
	}
	made.Content, err = st.Audit(ctx)
	if err == nil && made.Newer() {
		err = fmt.Errorf("the store was not repaired: %s; update planb, and repair it with that", strings.Join(made.Gaps(), "; "))
	}
	return err
}
