package doctor

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// Store is what is known of the file that holds everything.
type Store struct {
	Path string
	// Missing says that there is no file yet, which is no problem.
	Missing bool
	// Unfit is why planb refuses to write into the directory: it belongs to another user or
	// is on a network file system, or planb has no permission. It is nil if planb writes.
	Unfit error
	// NoRoom says that the disk has no room for a copy of the file.
	NoRoom error
	// Err is why the check could not read the file at all. Unchecked is why there was no
	// check: no disk had room for the copy that it reads.
	Err, Unchecked error
	// Problems says what the check of every page and record found damaged. Gaps says what is
	// missing or out of order in a file without damage.
	Problems, Gaps []string
	// Newer says that a newer planb wrote the file or some of its records.
	Newer bool

	Size                  int64 // bytes
	Pages, FreePages      int
	Sessions, Asks, Plans int
	Drafts, TaskPlans     int
	LeftOver              int64 // bytes that nothing refers to any more
	Remains               int   // sessions that a prune has not wholly removed yet
	Swept                 int   // copies of the file that killed commands had left; planb has just removed them
	SweptBytes            int64
	Stuck                 []string // such copies that could not be removed
	FileMode, DirMode     fs.FileMode
	Exposed               bool // others may write to the directory
	Reserve               Reserve
	Backups               int
	LastBackup            time.Time
}

// Reserve is the room beside the file that is kept for a full disk.
type Reserve struct {
	Kept    int64 // bytes; zero: none
	GivenUp bool  // the disk was full, and answers of people took the room
	Needs   int64 // bytes that must be free before it is made
}

// Thresholds of the findings.
const (
	// Every write reads and writes the list of free pages; measured, a write
	// takes 15 times as long when a quarter of 600 MB is free.
	mostFreePages = 0.25
	// Below this a file is too small for its free pages to be felt.
	leastCompacted = 16 << 20
	// Bytes of texts that failed commits left.
	mostLeftOver = 1 << 20
	// A person who never made a backup is told so once there is this much to lose.
	leastBackedUp = 1 << 20
)

func (s Store) Findings() []Finding {
	var list []Finding
	add := func(name string, state State, detail, remedy string) {
		list = append(list, Finding{Area: AreaStore, Name: name, State: state, Detail: detail, Remedy: remedy})
	}
	switch {
	case s.Unfit != nil:
		add("directory", Problem, s.Unfit.Error(), "make it writable for you, or set PLANB_DATA_DIR to a directory of yours on a local disk")
	case s.Exposed:
		add("directory", Problem, fmt.Sprintf("others on this machine may write to it (mode %04o), so planb does not use it", s.DirMode.Perm()), "make it yours alone with  chmod 700 "+filepath.Dir(s.Path))
	case s.DirMode.Perm()&0o077 != 0:
		add("directory", Warning, fmt.Sprintf("others on this machine may look into it (mode %04o)", s.DirMode.Perm()), "make it yours alone with  chmod 700 "+filepath.Dir(s.Path))
	}
	if s.NoRoom != nil {
		add("room", Warning, s.NoRoom.Error(), "free some space; until then back it up to another disk, with  planb backup FILE")
	}
	if s.Swept > 0 {
		add("killed copies", Note, fmt.Sprintf("%s of the store, %s, that a killed planb had left: removed now", counted(s.Swept, "copy", "copies"), size(s.SweptBytes)), "")
	}
	if len(s.Stuck) > 0 {
		add("killed copies", Warning, strings.Join(s.Stuck, ", ")+" was left by a killed planb and cannot be removed", "remove it by hand once its disk can be written")
	}
	switch {
	case s.Unchecked != nil:
		add("deep check", Warning, "not done: no disk has room for the copy that it reads: "+s.Unchecked.Error(), "free some space, or set TMPDIR to a directory on a disk with room")
		return list
	case s.Unfit != nil && s.Pages == 0 && s.Err == nil:
		return list
	case s.Missing:
		add("file", Note, s.Path+" is not there yet; the first session makes it", "")
		return list
	case s.Err != nil:
		add("file", Problem, s.Err.Error(), s.wayBack())
		return list
	}
	add("file", OK, s.Path+", "+size(s.Size), "")
	if len(s.Problems) == 0 || s.Sessions > 0 { // a check that could not read the file counted nothing
		add("holds", OK, s.holds(), "")
	}
	if s.FileMode.Perm()&0o077 != 0 {
		add("file mode", Warning, fmt.Sprintf("others on this machine may read it (mode %04o)", s.FileMode.Perm()), "make it yours alone with  chmod 600 "+s.Path)
	}
	switch {
	case len(s.Problems) > 0:
		add("deep check", Problem, strings.Join(s.Problems, "; "), s.wayBack())
	case len(s.Gaps) > 0:
		add("deep check", Warning, strings.Join(s.Gaps, "; "), s.wayBack())
	default:
		add("deep check", OK, fmt.Sprintf("all %d pages and every record read", s.Pages), "")
	}
	if free := s.freeShare(); free > mostFreePages && s.Size >= leastCompacted {
		add("free pages", Warning, fmt.Sprintf("%.0f %% of its pages are free, and every write reads and writes their list", 100*free), "planb doctor --compact")
	} else {
		add("free pages", OK, fmt.Sprintf("%.0f %% of its pages", 100*free), "")
	}
	// Texts that nothing refers to may be those of a damaged record.
	if sound := len(s.Problems)+len(s.Gaps) == 0; sound && (s.LeftOver > mostLeftOver || s.Remains > 0) {
		add("left over", Warning, fmt.Sprintf("%s that nothing refers to, and what remains of %s", size(s.LeftOver), counted(s.Remains, "pruned session", "pruned sessions")), "planb prune")
	}
	switch r := s.Reserve; {
	case r.Kept > 0:
		add("reserve", OK, size(r.Kept)+" for what people answer while the disk is full", "")
	case r.GivenUp:
		add("reserve", Warning, "used up, because the disk was full: until planb has it again, agents can begin nothing new", "free some space, until there are "+size(r.Needs))
	default:
		add("reserve", Note, "not there yet: space on the disk that is kept for your answers when the disk is full; the next session, question or plan takes "+size(r.Needs), "")
	}
	switch {
	case s.Backups > 0:
		add("backups", OK, fmt.Sprintf("%d, the last of %s", s.Backups, s.LastBackup.Format("2 January 2006, 15:04")), "")
	case s.Size >= leastBackedUp:
		add("backups", Warning, "there is none", "planb backup")
	default:
		add("backups", Note, "there is none", "")
	}
	return list
}

func (s Store) freeShare() float64 {
	if s.Pages == 0 {
		return 0
	}
	return float64(s.FreePages) / float64(s.Pages)
}

// wayBack says what to do about a damaged file: first the repair, which keeps all that can be read.
// Only a newer planb can read its own file.
func (s Store) wayBack() string {
	if s.Newer {
		return "update planb, or run the one that wrote it"
	}
	const repair = "`planb doctor --repair` saves all that can be read and keeps the file as it is; "
	if s.Backups == 0 {
		return repair + "there is no backup; if your system's backups have an older copy of the file, go back to it with  planb restore FILE"
	}
	return repair + fmt.Sprintf("what is lost may be in the backup of %s; go back to it with  planb restore", s.LastBackup.Format("2 January 2006, 15:04"))
}

// size is a number of bytes for a person.
func size(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%.0f KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}

// holds says how much the store contains.
func (s Store) holds() string {
	text := fmt.Sprintf("%s, %s, %s", counted(s.Sessions, "session", "sessions"), counted(s.Asks, "form", "forms"),
		counted(s.Plans, "plan version", "plan versions"))
	if s.Drafts > 0 {
		text += ", " + counted(s.Drafts, "draft", "drafts")
	}
	if s.TaskPlans > 0 {
		text += ", " + counted(s.TaskPlans, "plan of tasks", "plans of tasks")
	}
	return text
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
