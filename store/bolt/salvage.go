package bolt

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"slices"

	"go.etcd.io/bbolt"

	"planb/store/kv"
)

// Repair implements kv.Keeper. All others wait meanwhile.
func (e *Engine) Repair(ctx context.Context, made, aside string, mend func(made string) error) (kv.Salvaged, error) {
	var found kv.Salvaged
	r := &replacing{e: e, from: made, aside: aside}
	err := e.locked(ctx, &locks{paths: e.paths, write: true}, func(f *os.File) error {
		var err error
		if found, err = saveRecords(f, made); err != nil {
			return err
		}
		if err := mend(made); err != nil {
			return err
		}
		return r.run(f)
	})
	if err != nil {
		return kv.Salvaged{}, err
	}
	e.ring(r.told)
	return found, nil
}

// saveRecords copies every record that can be read of f into a new store at to.
//
// It reads without bbolt, which relies on a whole file. It first reads the records that
// the tree leads to. If the tree is broken, it also looks for records in pages that the
// tree does not lead to, unless these are known to be free: free pages hold records
// that were overwritten or deleted. A record is what has the right checksum.
func saveRecords(f *os.File, to string) (kv.Salvaged, error) {
	info, err := f.Stat()
	if err != nil {
		return kv.Salvaged{}, fault(f.Name(), err, false)
	}
	if !info.Mode().IsRegular() {
		return kv.Salvaged{}, inTheWay(f.Name(), "is not a regular file")
	}
	s := &salvaging{f: f, size: info.Size(), records: map[kv.Key]placed{}, seen: map[uint64]bool{}}
	s.read()
	switch {
	case s.format > format:
		return kv.Salvaged{}, otherFormat(f.Name(), s.format)
	case len(s.records) == 0:
		return kv.Salvaged{}, &kv.Fault{
			Kind: kv.FaultDamaged, Path: f.Name(), What: "holds nothing that can be read",
			Do: "go back to a backup with  planb restore; without one, move it away, and keep it, to start anew",
		}
	}
	if err := s.write(to); err != nil {
		return kv.Salvaged{}, unlessFault(to, err)
	}
	return kv.Salvaged{Records: len(s.records), Lost: s.lost}, nil
}

// salvaging is one call of saveRecords.
type salvaging struct {
	f       *os.File
	size    int64
	meta    meta
	records map[kv.Key]placed
	seen    map[uint64]bool // pages that the tree leads to, and free ones
	lost    []string
	broken  bool // the tree may have led to more
	format  uint64
}

// placed is where a record lies in the file, in its envelope.
type placed struct {
	at, size int64
	rev      int64
}

func (s *salvaging) lose(format string, values ...any) {
	addProblem(&s.lost, format, values...)
}

func (s *salvaging) read() {
	var err error
	if s.meta, err = readMeta(s.f); err != nil {
		s.meta = meta{pageSize: int64(os.Getpagesize()), freelist: noFreelist}
		s.lose("its table of contents, so that what was deleted may be back")
		s.broken = true
	} else {
		s.follow(s.meta.root)
	}
	newest := int64(0)
	for _, p := range s.records {
		newest = max(newest, p.rev)
	}
	switch {
	case s.broken:
		s.passFree()
		s.scan(func(k kv.Key, p placed) bool { return p.rev > s.records[k].rev })
	case s.meta.alone:
		// Only the page that leads to the last commit is lost; its records are still there.
		s.scan(func(k kv.Key, p placed) bool { return p.rev > max(newest, s.records[k].rev) })
	}
}

// follow reads the records in the page and in all pages below it in the tree.
func (s *salvaging) follow(root uint64) {
	t := tree{f: s.f, meta: s.meta, seen: map[uint64]bool{}}
	for open := []treeEdge{{0, root}}; len(open) > 0; {
		edge := open[len(open)-1]
		open = open[:len(open)-1]
		below, err := t.follow(edge)
		if err != nil || !s.isPage(edge.to) {
			s.broken = true
			s.lose("page %d, or what it led to", edge.to)
			continue
		}
		page, err := t.read(edge.to)
		if err != nil {
			s.broken = true
			s.lose("page %d, or what it led to", edge.to)
		}
		for i := range uint64(len(page)) / uint64(s.meta.pageSize) {
			s.seen[edge.to+i] = true
		}
		s.leaf(int64(edge.to)*s.meta.pageSize, page, true, func(kv.Key, placed) bool { return true })
		open = append(open, below...)
	}
}

// isPage reports whether the page's own header gives this number and a kind that a tree
// has.
func (s *salvaging) isPage(id uint64) bool {
	var header [pageHeaderBytes]byte
	if _, err := s.f.ReadAt(header[:], int64(id)*s.meta.pageSize); err != nil {
		return false
	}
	order := binary.NativeEndian
	flags := order.Uint16(header[8:])
	return order.Uint64(header[:]) == id && (flags == branchPageFlag || flags == leafPageFlag)
}

// leaf keeps the records of a leaf that can be read and are wanted. The leaf begins at
// that offset in the file. With told, a record that cannot be read is noted as lost.
func (s *salvaging) leaf(at int64, page []byte, told bool, want func(kv.Key, placed) bool) {
	order := binary.NativeEndian
	if len(page) < pageHeaderBytes || order.Uint16(page[8:]) != leafPageFlag {
		return
	}
	count := int(order.Uint16(page[10:]))
	for next := pageHeaderBytes; count > 0 && next+elementBytes <= len(page); count, next = count-1, next+elementBytes {
		element := page[next:]
		key := uint64(order.Uint32(element[4:]))
		value := key + uint64(order.Uint32(element[8:]))
		end := value + uint64(order.Uint32(element[12:]))
		switch {
		case end > uint64(len(element)):
			if told {
				s.broken = true
				s.lose("a record in page %d", at/s.meta.pageSize)
			}
		case order.Uint32(element)&bucketLeafFlag == 0:
			s.record(kv.Key(element[key:value]), element[value:end], at+int64(next)+int64(value), told, want)
		case end-value > bucketBytes && order.Uint64(element[value:]) == 0: // a small bucket lies in the leaf itself
			s.leaf(at+int64(next)+int64(value)+bucketBytes, element[value+bucketBytes:end], told, want)
		}
	}
}

// bucketBytes is how many bytes of a bucket come before the leaf in it.
const bucketBytes = 16

func (s *salvaging) record(k kv.Key, sealed []byte, at int64, told bool, want func(kv.Key, placed) bool) {
	r, err := kv.Unseal(k, sealed)
	switch {
	case err == nil:
		if p := (placed{at: at, size: int64(len(sealed)), rev: r.Rev}); want(k, p) {
			s.records[k] = p
		}
	case told && k == formatKey && len(sealed) == 8: // which has no envelope
		s.format = binary.BigEndian.Uint64(sealed)
	case told && k != formatKey:
		s.lose("the record %q", k)
	}
}

// passFree notes which pages are free, as far as their list can be read.
func (s *salvaging) passFree() {
	if s.meta.alone || s.meta.freelist == noFreelist {
		return // the last commit wrote into pages that were free before it
	}
	t := tree{f: s.f, meta: s.meta}
	if s.meta.freelist < firstTreePage || s.meta.freelist >= s.meta.pages {
		return
	}
	page, err := t.read(s.meta.freelist)
	order := binary.NativeEndian
	if err != nil || order.Uint64(page) != s.meta.freelist || order.Uint16(page[8:]) != freelistPageFlag {
		return
	}
	ids, count := page[pageHeaderBytes:], uint64(order.Uint16(page[10:]))
	if count == 0xFFFF && len(ids) >= 8 { // too many for the header: the first number counts them
		count, ids = order.Uint64(ids), ids[8:]
	}
	for ; count > 0 && len(ids) >= 8; count, ids = count-1, ids[8:] {
		s.seen[order.Uint64(ids)] = true
	}
}

// scan looks for wanted records in all pages that were not seen.
func (s *salvaging) scan(want func(kv.Key, placed) bool) {
	pages := uint64((s.size + s.meta.pageSize - 1) / s.meta.pageSize)
	t := tree{f: s.f, meta: s.meta}
	t.meta.pages = pages
	for id := uint64(firstTreePage); id < pages; id++ {
		if s.seen[id] && !s.meta.alone {
			continue
		}
		page, _ := t.read(id) // of a page that was cut off, the part that is there
		s.leaf(int64(id)*s.meta.pageSize, page, false, want)
	}
}

// write makes a store of the records, with the revisions that they had.
func (s *salvaging) write(to string) (err error) {
	if err := fill(to); err != nil {
		return err
	}
	db, err := bbolt.Open(to, 0o600, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Sync(), db.Close()) }()
	keys := slices.SortedFunc(maps.Keys(s.records), cmp.Compare[kv.Key])
	for len(keys) > 0 {
		err := db.Update(func(tx *bbolt.Tx) error {
			b, err := bucketsOf(to, tx)
			if err != nil {
				return err
			}
			last, size := b.records.Sequence(), int64(0)
			for ; len(keys) > 0 && size < compactSize; keys = keys[1:] {
				p := s.records[keys[0]]
				sealed := make([]byte, p.size)
				if _, err := s.f.ReadAt(sealed, p.at); err != nil {
					return err
				}
				if err := b.records.Put([]byte(keys[0]), sealed); err != nil {
					return err
				}
				last, size = max(last, uint64(p.rev)), size+p.size
			}
			return errors.Join(b.records.SetSequence(last), b.planb.SetSequence(last))
		})
		if err != nil {
			return err
		}
	}
	return nil
}
