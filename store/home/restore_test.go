package home

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planb/store"
)

// backedUp is a home with a backup of a session "harbour"; "later" came after it.
func backedUp(t *testing.T) (h *Home, backup string) {
	t.Helper()
	h = newHome(t, "harbour")
	backup = h.NewBackup(time.Now())
	if _, err := h.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	h.add(t, "later")
	return h, backup
}

// Whatever is at the store's place, a restore puts the backup there and keeps it.
func TestARestorePutsABackupInTheStoresPlace(t *testing.T) {
	for name, test := range map[string]struct {
		now  func(t *testing.T, h *Home)
		kept func(t *testing.T, path string) // what the file kept holds; nil: nothing is kept
		says string                          // of what is there now
	}{
		"over a good store": {
			now:  func(*testing.T, *Home) {},
			kept: func(t *testing.T, path string) { holds(t, path, "harbour", "later") },
		},
		"over a damaged store": {
			now:  func(t *testing.T, h *Home) { damage(t, h.Path(), "later") },
			kept: func(t *testing.T, path string) { holds(t, path, "harbour") },
			says: "its checksum is wrong",
		},
		"over a file that is no store": {
			now: func(t *testing.T, h *Home) { write(t, h.Path(), []byte("no store")) },
			kept: func(t *testing.T, path string) {
				if left, err := os.ReadFile(path); string(left) != "no store" {
					t.Errorf("%s holds %q, %v", path, left, err)
				}
			},
			says: "is not a store",
		},
		"where nothing is": {
			now: func(t *testing.T, h *Home) {
				if err := os.Remove(h.Path()); err != nil {
					t.Fatal(err)
				}
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, backup := backedUp(t)
			test.now(t, h)
			r, err := h.Restoration(t.Context(), backup)
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := r.Close(); err != nil {
					t.Error(err)
				}
				leavesNothing(t, h.Dir())
			}()
			if r.Found.Content.Sessions != 1 || r.Now.Missing != (test.kept == nil) {
				t.Errorf("found %+v, there is %+v", r.Found, r.Now)
			}
			if said := strings.Join(r.Now.Problems, "; "); !strings.Contains(said, test.says) || test.says == "" && said != "" {
				t.Errorf("of what is there it says %q, want %q", said, test.says)
			}
			if strings.Contains(strings.Join(r.Now.Problems, ""), "planb-check-") {
				t.Errorf("the problems name the copy that was checked: %q", r.Now.Problems)
			}
			kept, err := r.CarryOut(t.Context())
			if err != nil || (kept == "") != (test.kept == nil) {
				t.Fatalf("kept %q, %v", kept, err)
			}
			holds(t, h.Path(), "harbour")
			if test.kept != nil {
				test.kept(t, kept)
			}
		})
	}
}

// A restoration that is not carried out changes nothing.
func TestARestorationThatIsOnlyLookedAtChangesNothing(t *testing.T) {
	h, backup := backedUp(t)
	r, err := h.Restoration(t.Context(), backup)
	if err != nil {
		t.Fatal(err)
	}
	// The copy that was checked counts, even if the backup changes after that.
	damage(t, backup, "harbour")
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, h.Path(), "harbour", "later")
	leavesNothing(t, h.Dir(), h.BackupsDir())
}

func TestARestoreRefusesWhatIsNoGoodBackup(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, backup string){
		"damaged":     func(t *testing.T, backup string) { damage(t, backup, "harbour") },
		"no store":    func(t *testing.T, backup string) { write(t, backup, []byte("no store")) },
		"empty":       func(t *testing.T, backup string) { write(t, backup, nil) },
		"cut short":   func(t *testing.T, backup string) { cut(t, backup, 2) },
		"missing":     func(t *testing.T, backup string) { remove(t, backup) },
		"no file":     func(t *testing.T, backup string) { remove(t, backup); mkdir(t, backup) },
		"a few bytes": func(t *testing.T, backup string) { cut(t, backup, 1000) },
	} {
		t.Run(name, func(t *testing.T) {
			h, backup := backedUp(t)
			spoil(t, backup)
			if r, err := h.Restoration(t.Context(), backup); err == nil {
				t.Errorf("it found %+v, %v", r.Found, r.Close())
			}
			holds(t, h.Path(), "harbour", "later")
			leavesNothing(t, h.Dir())
		})
	}
}

// cut leaves one part of so many of a file.
func cut(t *testing.T, path string, parts int64) {
	t.Helper()
	info, err := os.Stat(path)
	if err == nil {
		err = os.Truncate(path, info.Size()/parts)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func mkdir(t *testing.T, path string) {
	t.Helper()
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

// What another machine backed up belongs to this machine once it is restored here.
func TestARestoreAdoptsTheSessionsOfAnotherMachine(t *testing.T) {
	dir := t.TempDir()
	there := at(filepath.Join(dir, "there"), "check", map[string]string{"PLANB_MACHINE": "there"})
	there.add(t, "harbour")
	backup := filepath.Join(dir, "mine.db")
	if _, err := there.Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	here := at(filepath.Join(dir, "here"), "check", map[string]string{"PLANB_MACHINE": "here"})
	if seen := seenIn(t, there); seen != 1 {
		t.Fatalf("the machine itself sees %d of its sessions", seen)
	}
	r, err := here.Restoration(t.Context(), backup)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.CarryOut(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if seen := seenIn(t, here); seen != 1 {
		t.Errorf("%d sessions belong to this machine", seen)
	}
}

// seenIn counts the sessions of the project on the home's machine.
func seenIn(t *testing.T, h *Home) (seen int) {
	t.Helper()
	st, err := h.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	scope, err := st.Scope(t.Context(), "/srv/project")
	if err != nil {
		t.Fatal(err)
	}
	var sessions []store.Session
	if sessions, _, err = st.Sessions(t.Context(), "", 100); err != nil {
		t.Fatal(err)
	}
	for _, session := range sessions {
		if scope.Has(session) {
			seen++
		}
	}
	return seen
}

func TestARestoreIntoADirectoryThatIsNotThereYet(t *testing.T) {
	_, backup := backedUp(t)
	h := at(filepath.Join(t.TempDir(), "new", "data"), "check", nil)
	r, err := h.Restoration(t.Context(), backup)
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := r.CarryOut(t.Context()); err != nil || kept != "" {
		t.Errorf("kept %q, %v", kept, err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, h.Path(), "harbour")
	if info, err := os.Stat(h.Dir()); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory is %v, %v", info, err)
	}
}
