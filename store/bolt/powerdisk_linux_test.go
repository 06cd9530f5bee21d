package bolt

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sector is how many bytes a disk writes whole or not at all.
const sector = 512

// disk is a directory on a disk that may lose its power. It has what the disk holds for
// certain, and what programs wrote that it may lose. It promises as little as POSIX does:
// until a file was synced, any of its writes may be missing, in any order and sector by
// sector; until a directory was synced, any name that was added to it or removed may be
// as before, even if the file of that name was synced.
type disk struct {
	path string // of the directory, absolute and clean
	root *node

	// What a worse disk does, which the test has to find out.
	forgetsFiles bool // syncing a file does nothing
	forgetsNames bool // syncing a directory does nothing
}

// node is a file or a directory.
type node struct {
	dir   bool
	data  []byte           // of a file, on the disk for certain
	names map[string]*node // of a directory, on the disk for certain

	now     map[string]*node // the names as programs see them
	pending []change         // what the disk may have lost, oldest first
	syncing int              // how many of them a sync under way will have made certain
}

// change is one thing that happened to a node. One of a file writes bytes at an
// offset, or sets the size; one of a directory sets names.
type change struct {
	data   []byte
	offset int64
	resize bool // to offset
	names  map[string]*node
}

func newDir() *node {
	return &node{dir: true, names: map[string]*node{}, now: map[string]*node{}}
}

func newDisk(path string) *disk { return &disk{path: path, root: newDir()} }

// holds reports whether the path is on the disk.
func (d *disk) holds(path string) bool {
	return path == d.path || strings.HasPrefix(path, d.path+"/")
}

// find returns what programs see at the path; nil if there is nothing.
func (d *disk) find(path string) *node {
	n := d.root
	for name := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(path, d.path), "/"), "/") {
		if name == "" {
			continue
		}
		if n == nil || !n.dir {
			return nil
		}
		n = n.now[name]
	}
	return n
}

// name sets names of one directory in one step; a nil node removes a name.
func (d *disk) name(dir string, names map[string]*node) error {
	n := d.find(dir)
	if n == nil || !n.dir {
		return fmt.Errorf("%s is no directory", dir)
	}
	setNames(n.now, names)
	n.pending = append(n.pending, change{names: names})
	return nil
}

func setNames(names, changed map[string]*node) {
	for name, what := range changed {
		if what == nil {
			delete(names, name)
		} else {
			names[name] = what
		}
	}
}

// place gives the path to a node.
func (d *disk) place(path string, n *node) error {
	return d.name(filepath.Dir(path), map[string]*node{filepath.Base(path): n})
}

// link gives the node at one path a second path.
func (d *disk) link(from, to string) error {
	n := d.find(from)
	if n == nil {
		return fmt.Errorf("there is no %s", from)
	}
	return d.place(to, n)
}

// rename is one step only within a directory.
func (d *disk) rename(from, to string) error {
	n := d.find(from)
	if n == nil {
		return fmt.Errorf("there is no %s", from)
	}
	if filepath.Dir(from) == filepath.Dir(to) {
		return d.name(filepath.Dir(to), map[string]*node{filepath.Base(from): nil, filepath.Base(to): n})
	}
	return errors.Join(d.place(to, n), d.place(from, nil))
}

// write writes to the file at the path, or sets its size where data is nil.
func (d *disk) write(path string, offset int64, data []byte) error {
	n := d.find(path)
	if n == nil || n.dir {
		return fmt.Errorf("there is no file %s", path)
	}
	n.pending = append(n.pending, change{data: data, offset: offset, resize: data == nil})
	return nil
}

// beginSync and endSync are the beginning and the end of a sync. It makes certain what
// was there when it began.
func (d *disk) beginSync(path string) error {
	n := d.find(path)
	if n == nil {
		return fmt.Errorf("there is no %s", path)
	}
	n.syncing = len(n.pending)
	if n.dir && d.forgetsNames || !n.dir && d.forgetsFiles {
		n.syncing = 0
	}
	return nil
}

func (d *disk) endSync(path string) error {
	n := d.find(path)
	if n == nil {
		return fmt.Errorf("there is no %s", path)
	}
	for _, c := range n.pending[:n.syncing] {
		if n.dir {
			setNames(n.names, c.names)
		} else {
			n.data = c.apply(n.data, nil)
		}
	}
	n.pending, n.syncing = n.pending[n.syncing:], 0
	return nil
}

// apply makes the change in the content; with a survival, only the part that
// survives.
func (c change) apply(content []byte, s *survival) []byte {
	if c.resize {
		return resized(content, int(c.offset))
	}
	end := int(c.offset) + len(c.data)
	if s.grows() {
		content = resized(content, max(len(content), end))
	}
	for at := int(c.offset); at < end; {
		next := min(at-at%sector+sector, end)
		if s.keepsSector() {
			content = resized(content, max(len(content), next))
			copy(content[at:next], c.data[at-int(c.offset):])
		}
		at = next
	}
	return content
}

func resized(content []byte, size int) []byte {
	if size <= len(content) {
		return content[:size]
	}
	return append(content, make([]byte, size-len(content))...)
}

// survival decides which uncertain changes survive a loss of power. Nil: all.
type survival struct {
	random  *rand.Rand
	changes float64 // the probability that a change survives at all
	sectors float64 // the probability that a sector of a surviving write does
}

// newSurvival draws how many changes survive: in most cases neither many nor few.
func newSurvival(random *rand.Rand) *survival {
	chances := []float64{0, 0.1, 0.5, 0.5, 0.9, 1}
	return &survival{
		random:  random,
		changes: chances[random.IntN(len(chances))],
		sectors: []float64{0.5, 1, 1}[random.IntN(3)],
	}
}

func (s *survival) keeps() bool       { return s == nil || s.random.Float64() < s.changes }
func (s *survival) keepsSector() bool { return s == nil || s.random.Float64() < s.sectors }

// grows reports whether a file has the size of a write of which it may lack
// sectors.
func (s *survival) grows() bool { return s != nil && s.random.IntN(2) == 0 }

func (s *survival) String() string {
	return fmt.Sprintf("changes survive by %v, sectors of them by %v", s.changes, s.sectors)
}

// restore writes to dir what is on the disk when the power is back.
func (d *disk) restore(dir string, s *survival) error { return d.root.restore(dir, s) }

func (n *node) restore(path string, s *survival) error {
	if !n.dir {
		content := bytes.Clone(n.data)
		for _, c := range n.pending {
			if s.keeps() {
				content = c.apply(content, s)
			}
		}
		return os.WriteFile(path, content, 0o600)
	}
	names := maps.Clone(n.names)
	for _, c := range n.pending {
		if s.keeps() {
			setNames(names, c.names)
		}
	}
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if err := names[name].restore(filepath.Join(path, name), s); err != nil {
			return err
		}
	}
	return nil
}

// TestDisk checks the disk itself: what it must keep, and that it loses the rest in every
// possible way.
func TestDisk(t *testing.T) {
	t.Parallel()
	old, fresh := bytes.Repeat([]byte("o"), 2*sector), bytes.Repeat([]byte("n"), 2*sector)
	d := newDisk("/d")
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	sync := func(path string) error { return errors.Join(d.beginSync(path), d.endSync(path)) }
	must(
		d.place("/d/kept", &node{}), sync("/d"),
		d.write("/d/kept", 0, old), sync("/d/kept"),
		d.write("/d/kept", 0, fresh),
		d.place("/d/new", &node{}), d.write("/d/new", 0, []byte("n")), sync("/d/new"),
	)
	seen := map[string]int{}
	for seed := range uint64(400) {
		dir := t.TempDir()
		must(d.restore(dir, newSurvival(rand.New(rand.NewPCG(seed, 0)))))
		kept, err := os.ReadFile(filepath.Join(dir, "kept"))
		must(err)
		seen[fmt.Sprintf("kept %c%c %d", kept[0], kept[sector], len(kept))]++
		content, err := os.ReadFile(filepath.Join(dir, "new"))
		if err == nil && string(content) != "n" {
			t.Errorf("a synced file holds %q", content)
		}
		seen[fmt.Sprintf("new %t", err == nil)]++
	}
	for _, want := range []string{"kept oo 1024", "kept on 1024", "kept no 1024", "kept nn 1024", "new true", "new false"} {
		if seen[want] == 0 {
			t.Errorf("the disk never came back with %q", want)
		}
		delete(seen, want)
	}
	if len(seen) > 0 {
		t.Errorf("the disk came back with %v", seen)
	}
}
