package home

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestABackupHoldsWhatTheStoreHeld(t *testing.T) {
	h := newHome(t, "harbour", "quay")
	to := h.NewBackup(time.Date(2026, 5, 17, 12, 0, 0, 0, time.UTC))
	found, err := h.Backup(t.Context(), to)
	if err != nil || found.Content.Sessions != 2 || len(found.Problems())+len(found.Gaps()) > 0 {
		t.Fatalf("found %+v, %v", found, err)
	}
	h.add(t, "later")
	holds(t, to, "harbour", "quay")
	if list, err := h.Backups(); err != nil || len(list) != 1 || list[0] != to {
		t.Errorf("the backups are %q, %v", list, err)
	}
	for path, want := range map[string]fs.FileMode{h.BackupsDir(): 0o700, to: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	leavesNothing(t, h.Dir(), h.BackupsDir())
}

// A backup that is refused leaves no file, and changes none.
func TestABackupThatIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		prepare func(t *testing.T, h *Home, to string) *Home // nil: nothing
		says    string
		kept    string // what the file holds after that; empty: there is none
	}{
		"the name is taken": {
			prepare: func(t *testing.T, h *Home, to string) *Home {
				write(t, to, []byte("mine"))
				return h
			}, says: "overwrites no file", kept: "mine",
		},
		"the store is damaged": {
			prepare: func(t *testing.T, h *Home, _ string) *Home {
				damage(t, h.Path(), "harbour")
				return h
			}, says: "is damaged",
		},
		"the store is gone": {
			prepare: func(t *testing.T, h *Home, _ string) *Home {
				if err := os.Remove(h.Path()); err != nil {
					t.Fatal(err)
				}
				return h
			}, says: "does not exist",
		},
		"the check crashes": {
			prepare: func(_ *testing.T, h *Home, _ string) *Home { return at(h.Dir(), "crash", nil) },
			says:    "a page that cannot be",
		},
		"the check says nothing": {
			prepare: func(_ *testing.T, h *Home, _ string) *Home { return at(h.Dir(), "silent", nil) },
			says:    "gave no result",
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t, "harbour")
			to := filepath.Join(t.TempDir(), "mine.db")
			h = test.prepare(t, h, to)
			if _, err := h.Backup(t.Context(), to); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, want %q", err, test.says)
			}
			left, err := os.ReadFile(to)
			if test.kept == "" && !errors.Is(err, fs.ErrNotExist) || string(left) != test.kept {
				t.Errorf("%s holds %q, %v; want %q", to, left, err, test.kept)
			}
			leavesNothing(t, h.Dir(), filepath.Dir(to))
		})
	}
}

func TestABackupNeedsADirectory(t *testing.T) {
	h := newHome(t, "harbour")
	if _, err := h.Backup(t.Context(), filepath.Join(h.Path(), "below", "a.db")); err == nil || !strings.Contains(err.Error(), "planb backup FILE") {
		t.Errorf("got %v", err)
	}
	leavesNothing(t, h.Dir())
}
