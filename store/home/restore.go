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

// Restoration is a copy of a backup that was looked through and may take the store's
// place. The caller closes it, whether it was carried out or not.
type Restoration struct {
	home   *Home
	engine kv.Keeper
	backup scratchCopy
	Found  Checked // in the backup
	Now    Present
}

// Present is what is in the store's place now.
type Present struct {
	Missing bool // nothing
	Checked
	Problems []string // what is damaged in it
}

// Restoration copies the backup at from and looks it through, so that nobody can
// change it before it is carried out. A damaged one is refused.
func (h *Home) Restoration(ctx context.Context, from string) (r *Restoration, err error) {
	if err := bolt.OwnDir(h.Dir()); err != nil {
		return nil, err
	}
	backup, err := h.copyToCheck(ctx, h.Dir(), from, func(to string) error { return bolt.CopyFile(from, to) })
	if err != nil {
		return nil, err
	}
	if problems := backup.problems(); len(problems) > 0 {
		return nil, errors.Join(fmt.Errorf("%s can't be restored, so nothing was changed: %s", from, strings.Join(problems, "; ")), backup.Close())
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

// present looks through what is there now.
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

// CarryOut puts the backup in the store's place. It returns the path where what was
// there is kept, empty if nothing was. Running servers and forms go on with what was
// restored; a store from another machine belongs to this one then.
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
