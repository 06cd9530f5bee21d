package bolt

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"planb/store/kv"
)

// A page that refers to one above it, to one beside it or to none: bbolt's own
// check would not end, or would end the process.
func TestCheckOfWhatIsNoTree(t *testing.T) {
	t.Parallel()
	e := fillStore(t)
	whole := readFile(t, e.path)
	f, err := os.Open(e.path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := readMeta(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := inspectTree(f, m); err != nil {
		t.Fatalf("the whole file: %v", err)
	}
	order := binary.NativeEndian
	branch := uint64(0) // the one in force: those before it are free
	for edges := []uint64{m.root}; branch == 0 && len(edges) > 0; edges = edges[1:] {
		page := whole[int64(edges[0])*m.pageSize:][:m.pageSize]
		if order.Uint16(page[8:]) == branchPageFlag {
			branch = edges[0]
		}
		edges = append(edges, references(page)...)
	}
	if branch == 0 {
		t.Fatal("the tree has no branch")
	}
	tests := []struct {
		name string
		to   func(page []byte) uint64
		want string
	}{
		{"itself", func([]byte) uint64 { return branch }, "{file} is damaged: its page {…} refers to page {…}, which another page refers to as well{…}"},
		{"the root", func([]byte) uint64 { return m.root }, "{file} is damaged: its page {…} refers to page {…}, which another page refers to as well{…}"},
		{"its first child", func(page []byte) uint64 { return references(page)[0] }, "{file} is damaged: its page {…} refers to page {…}, which another page refers to as well{…}"},
		{"a meta page", func([]byte) uint64 { return 1 }, "{file} is damaged: its page {…} refers to page 1, and it has pages 2 to {…}"},
		{"beyond the end", func([]byte) uint64 { return m.pages }, "{file} is damaged: its page {…} refers to page {…}, and it has pages 2 to {…}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			harmed := append([]byte{}, whole...)
			page := harmed[int64(branch)*m.pageSize:][:m.pageSize]
			last := pageHeaderBytes + elementBytes*(int(order.Uint16(page[10:]))-1)
			order.PutUint64(page[last+8:], test.to(page))
			path := filepath.Join(t.TempDir(), "planb.db")
			writeFile(t, path, harmed)
			_, err := checkFile(path)
			wantFault(t, path, err, kv.FaultDamaged, test.want)
		})
	}
	t.Run("a page without end", func(t *testing.T) {
		harmed := append([]byte{}, whole...)
		order.PutUint32(harmed[int64(branch)*m.pageSize+12:], 1<<30)
		path := filepath.Join(t.TempDir(), "planb.db")
		writeFile(t, path, harmed)
		_, err := checkFile(path)
		wantFault(t, path, err, kv.FaultDamaged, "{file} is damaged: its page {…} says that it is {…} pages long, and the file ends after {…}")
	})
}
