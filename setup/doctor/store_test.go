package doctor

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func healthy(change func(*Store)) Store {
	s := Store{
		Path: "/home/me/.local/share/planb/planb.db", Size: 20 << 20, Pages: 5120, FreePages: 51,
		Sessions: 14, Asks: 35, Plans: 1, FileMode: 0o600, DirMode: 0o700,
		Reserve: Reserve{Kept: 8 << 20, Needs: 16 << 20},
		Backups: 2, LastBackup: time.Date(2026, 11, 3, 9, 30, 0, 0, time.UTC),
	}
	if change != nil {
		change(&s)
	}
	return s
}

// Of a file that could not be read nobody says that it holds nothing.
func TestWhatAnUnreadFileHoldsIsNotSaid(t *testing.T) {
	unread := healthy(func(s *Store) {
		s.Problems, s.Newer, s.Sessions, s.Asks, s.Plans = []string{"written by a newer planb"}, true, 0, 0, 0
	})
	for _, f := range unread.Findings() {
		if f.Name == "holds" {
			t.Errorf("it holds %s", f.Detail)
		}
	}
}

func TestStore(t *testing.T) {
	for _, c := range []struct {
		about  string
		change func(*Store)
		name   string // of the finding
		state  State
		says   string // in the detail or the remedy
	}{
		{"as wanted", nil, "file", OK, "20.0 MB"},
		{"looked through", nil, "deep check", OK, "5120 pages"},
		{"with drafts and tasks", func(s *Store) { s.Drafts, s.TaskPlans = 1, 2 }, "holds", OK, ", 1 draft, 2 plans of tasks"},
		{"not there yet", func(s *Store) { s.Missing = true }, "file", Note, "not there yet"},
		{"unreadable", func(s *Store) { s.Err = errors.New("planb.db is cut off") }, "file", Problem, "planb.db is cut off"},
		{"unreadable, and how to mend it", func(s *Store) { s.Err = errors.New("cut off") }, "file", Problem, "`planb doctor --repair` saves all that can be read and keeps the file as it is; what is lost may be in the backup of 3 November 2026, 09:30"},
		{"unreadable without a backup", func(s *Store) { s.Err, s.Backups = errors.New("cut off"), 0 }, "file", Problem, "there is no backup"},
		{"damaged", func(s *Store) { s.Problems = []string{"page 7 is unreachable", "a/1 does not match its checksum"} }, "deep check", Problem, "page 7 is unreachable; a/1"},
		{"with gaps", func(s *Store) { s.Gaps = []string{"the plan version 2 of session x is missing"} }, "deep check", Warning, "the plan version 2"},
		{"with gaps and much left over", func(s *Store) { s.Gaps, s.LeftOver = []string{"a text is missing"}, 3<<20 }, "deep check", Warning, "planb doctor --repair"},
		{"of a newer planb", func(s *Store) { s.Problems, s.Newer = []string{"the store was written by a newer planb"}, true }, "deep check", Problem, "planb update planb"},
		{"in part of a newer planb", func(s *Store) { s.Gaps, s.Newer = []string{"the record a/1 was written by a newer planb"}, true }, "deep check", Warning, "planb update planb"},
		{"unwritable", func(s *Store) { s.Unfit = errors.New("it is on NFS") }, "directory", Problem, "it is on NFS"},
		{"others may write to it", func(s *Store) { s.DirMode, s.Exposed = 0o777, true }, "directory", Problem, "mode 0777"},
		{"open to others", func(s *Store) { s.DirMode = 0o755 }, "directory", Warning, "mode 0755"},
		{"readable for others", func(s *Store) { s.FileMode = 0o644 }, "file mode", Warning, "mode 0644"},
		{"without room", func(s *Store) { s.NoRoom = errors.New("/d has room for 1.0 MB") }, "room", Warning, "planb backup FILE"},
		{"looked through nowhere", func(s *Store) { s.Unchecked, s.Pages = errors.New("/tmp has room for 1.0 MB"), 0 }, "deep check", Warning, "no disk has room for the copy that it reads: /tmp has"},
		{"cleared of dead copies", func(s *Store) { s.Swept, s.SweptBytes = 24, 24*134<<20 }, "killed copies", Note, "24 copies of the store, 3216.0 MB, that a killed planb had left: removed now"},
		{"with dead copies that stay", func(s *Store) { s.Stuck = []string{"/d/planb-check-1"} }, "killed copies", Warning, "/d/planb-check-1"},
		{"another user's", func(s *Store) { s.Unfit, s.Pages = errors.New("it belongs to root"), 0 }, "directory", Problem, "root"},
		{"full of free pages", func(s *Store) { s.FreePages = 1281 }, "free pages", Warning, "planb doctor --compact"},
		{"a quarter free", func(s *Store) { s.FreePages = 1280 }, "free pages", OK, "25 %"},
		{"small and full of free pages", func(s *Store) { s.FreePages, s.Size = 5000, 1<<20 }, "free pages", OK, "98 %"},
		{"with much left over", func(s *Store) { s.LeftOver = 3 << 20 }, "left over", Warning, "3.0 MB that nothing refers to"},
		{"half pruned", func(s *Store) { s.Remains = 1 }, "left over", Warning, "1 pruned session"},
		{"with room for a full disk", nil, "reserve", OK, "8.0 MB for what people answer"},
		{"out of room for a full disk", func(s *Store) { s.Reserve = Reserve{GivenUp: true, Needs: 16 << 20} }, "reserve", Warning, "used up, because the disk was full"},
		{"without room for a full disk", func(s *Store) { s.Reserve.Kept = 0 }, "reserve", Note, "16.0 MB"},
		{"backed up", nil, "backups", OK, "2, the last of 3 November 2026"},
		{"never backed up", func(s *Store) { s.Backups = 0 }, "backups", Warning, "planb backup"},
		{"never backed up, nothing to lose", func(s *Store) { s.Backups, s.Size = 0, 1000 }, "backups", Note, "there is none"},
	} {
		t.Run(c.about, func(t *testing.T) {
			found := false
			for _, f := range healthy(c.change).Findings() {
				wellFormed(t, f)
				if f.Name != c.name {
					if f.State > Note {
						t.Errorf("%s is %s: %s", f.Name, f.State, f.Detail)
					}
					continue
				}
				found = true
				if f.State != c.state || !strings.Contains(f.Detail+" "+f.Remedy, c.says) {
					t.Errorf("%s is %s, %q, %q; want %s and %q", f.Name, f.State, f.Detail, f.Remedy, c.state, c.says)
				}
			}
			if !found {
				t.Errorf("nothing is said of %s", c.name)
			}
		})
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1023: "1023 bytes", 1024: "1 KB", 1 << 20: "1.0 MB", 5 << 30: "5120.0 MB"} {
		if got := size(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
