package home

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"planb/store/bolt"
	"planb/store/kv"
)

// Restoration is a checked copy of a backup that may replace the store. The caller
// closes it, whether it was carried out or not.
type Restoration struct {
	home   *Home
	engine kv.Keeper
	backup scratchCopy
	Found  Checked // in the backup
	Now    Present
}

// Present is what is at the store's place now.
type Present struct {
	Missing bool // nothing
	Checked
	Problems []string // what is damaged in it
}

// Restoration copies the backup at from and checks the copy, which no other process can
// change before it is carried out. It refuses a damaged backup.
func (h *Home) Restoration(ctx context.Context, from string) (r *Restoration, err error) {
	if err := bolt.OwnDir(h.Dir()); err != nil {
		return nil, err
	}
	backup, err := h.copyToCheck(ctx, h.Dir(), from, func(to string) error { return bolt.CopyFile(from, to) })
	if err != nil {
		return nil, err
	}
	if problems := backup.problems(); len(problems) > 0 {
		found := strings.ReplaceAll(strings.Join(problems, "; "), "; "+bolt.RepairIt, "") // that is about the present store
		return nil, errors.Join(fmt.Errorf("%s can't be restored, so nothing was changed: %s; choose another backup", from, found), backup.Close())
	}
	engine, err := keeperAt(h.path)
	if err != nil {
		return nil, errors.Join(err, backup.Close())
	}
	r = &Restoration{home: h, engine: engine, backup: backup, Found: backup.Checked}
	if r.Now, err = h.present(ctx, engine); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// present checks what is there now.
func (h *Home) present(ctx context.Context, engine kv.Keeper) (Present, error) {
	if _, err := os.Lstat(h.path); errors.Is(err, fs.ErrNotExist) {
		return Present{Missing: true}, nil
	}
	now, err := h.copyToCheck(ctx, h.Dir(), h.path, func(to string) error {
		err := engine.Copy(ctx, to)
		if err != nil {
			err = bolt.CopyFile(h.path, to) // too damaged to be copied as a store
		}
		return err
	})
	if err != nil {
		return Present{}, err
	}
	return Present{Checked: now.Checked, Problems: now.problems()}, now.Close()
}

// CarryOut replaces the store by the backup. It returns the path where the old store is
// kept; empty if there was none. Running servers and forms go on with the restored
// store. The sessions of another machine then belong to this one.
func (r *Restoration) CarryOut(ctx context.Context) (kept string, err error) {
	kept = r.home.aside("restore")
	if err := r.engine.Replace(ctx, r.backup.path, kept); err != nil {
		return "", fmt.Errorf("nothing was restored: %w", err)
	}
	if _, err := os.Lstat(kept); err != nil {
		kept = ""
	}
	if err := r.adopt(ctx); err != nil {
		return kept, fmt.Errorf("%s was restored, but its sessions still count as another machine's: %w; run planb restore again", r.home.path, err)
	}
	return kept, nil
}

func (r *Restoration) adopt(ctx context.Context) error {
	st, err := r.home.Open(ctx)
	if err != nil {
		return err
	}
	return errors.Join(st.Adopt(ctx), st.Close())
}

// Close removes the copy of the backup.
func (r *Restoration) Close() error { return errors.Join(r.engine.Close(), r.backup.Close()) }
