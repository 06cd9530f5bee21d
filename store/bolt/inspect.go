package bolt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// bbolt writes pages with a header of 16 bytes. Each of the first two pages holds a
// meta of 64 bytes. Numbers are in the machine's byte order.
const (
	pageHeaderBytes  = 16
	metaBytes        = 64
	metaMagic        = 0xED0CDAED
	metaVersion      = 2
	freelistPageFlag = 0x10
	noFreelist       = ^uint64(0)
	smallestPage     = 1 << 10
	largestPage      = 1 << 24
)

// meta is what a meta page says: the state of the whole file.
type meta struct {
	pageSize int64
	root     uint64 // the tree's first page
	freelist uint64 // its page
	pages    uint64 // how many the file must have
	txid     uint64 // of the transaction that wrote it
	alone    bool   // the other meta page is not valid: its commit was cut off, or it is damaged
}

var (
	errNoMagic  = errors.New("it does not begin as a bbolt file does")
	errMetaSums = errors.New("the checksums of both its meta pages are wrong")
)

// readMeta reads both meta pages and returns the newer valid one. Without a lock one of
// them may be half written; then its checksum is wrong.
func readMeta(f *os.File) (meta, error) {
	m0, err0 := metaAt(f, 0)
	if err0 == nil {
		m1, err1 := metaAt(f, m0.pageSize)
		return newer(m0, m1, err1), nil
	}
	for size := int64(smallestPage); size <= largestPage; size *= 2 {
		m1, err1 := metaAt(f, size)
		if err1 == nil && m1.pageSize == size {
			m1.alone = true
			return m1, nil
		}
		if errors.Is(err1, errMetaSums) {
			err0 = err1
		}
	}
	return meta{}, err0
}

func newer(m0, m1 meta, err1 error) meta {
	m0.alone = err1 != nil
	if err1 == nil && m1.pageSize == m0.pageSize && m1.txid > m0.txid {
		return m1
	}
	return m0
}

func metaAt(f *os.File, off int64) (meta, error) {
	var page [pageHeaderBytes + metaBytes]byte
	n, err := f.ReadAt(page[:], off)
	if err != nil && !errors.Is(err, io.EOF) {
		return meta{}, err
	}
	return parseMeta(page[:n])
}

func parseMeta(page []byte) (meta, error) {
	if len(page) < pageHeaderBytes+metaBytes {
		return meta{}, errNoMagic
	}
	b := page[pageHeaderBytes : pageHeaderBytes+metaBytes]
	order := binary.NativeEndian
	if order.Uint32(b) != metaMagic || order.Uint32(b[4:]) != metaVersion {
		return meta{}, errNoMagic
	}
	sum := fnv.New64a()
	_, _ = sum.Write(b[:56]) // a hash takes every write
	if order.Uint64(b[56:]) != sum.Sum64() {
		return meta{}, errMetaSums
	}
	return meta{
		pageSize: int64(order.Uint32(b[8:])),
		root:     order.Uint64(b[16:]),
		freelist: order.Uint64(b[32:]),
		pages:    order.Uint64(b[40:]),
		txid:     order.Uint64(b[48:]),
	}, nil
}

// inspect looks at the file before bbolt opens it, for damage on which bbolt would
// crash, and for a file that bbolt would overwrite as a new one. A write also needs
// the list of free pages.
func (e *Engine) inspect(f *os.File, write bool) error {
	path := e.path
	info, err := f.Stat()
	if err != nil {
		return fault(path, err, write)
	}
	if info.IsDir() {
		return inTheWay(path, "is a directory")
	}
	if !info.Mode().IsRegular() {
		return inTheWay(path, "is not a regular file")
	}
	if info.Size() == 0 {
		return notStore(path, "is empty, and a store never is: something cut it off")
	}
	m, err := readMeta(f)
	switch {
	case errors.Is(err, errNoMagic):
		return notStore(path, "is not a store, or its beginning was overwritten")
	case errors.Is(err, errMetaSums):
		return damaged(path, err.Error())
	case err != nil:
		return fault(path, err, write)
	}
	if need := uint64(m.pageSize) * m.pages; uint64(info.Size()) < need {
		return damaged(path, fmt.Sprintf("it was cut off at %d bytes of %d", info.Size(), need))
	}
	if m.alone {
		if err := e.inspectAlone(m); err != nil {
			return err
		}
	}
	if write && m.freelist != noFreelist {
		return inspectFreelist(path, f, m)
	}
	return nil
}

// inspectAlone refuses the file if its invalid meta page belonged to a commit that
// rang. bbolt would go on from the commit before, and lose that one without a word.
func (e *Engine) inspectAlone(m meta) error {
	told, err := readBell(e.bell)
	if err != nil || told[0].txid <= m.txid {
		return nil // the commit was cut off before it was reported done, or was quiet
	}
	return damaged(e.path, "its newest meta page, which leads to the last commit, is lost")
}

// inspectFreelist reads the header of the page that lists the free pages. If another
// page is there, bbolt panics while it opens the file, and leaves its memory mapped. If the
// list claims more pages than the file has, the commit counts them all up in memory.
func inspectFreelist(path string, f *os.File, m meta) error {
	var header [pageHeaderBytes]byte
	if _, err := f.ReadAt(header[:], int64(m.freelist)*m.pageSize); err != nil {
		return fault(path, err, true)
	}
	order := binary.NativeEndian
	if order.Uint64(header[:]) != m.freelist || order.Uint16(header[8:]) != freelistPageFlag {
		return damaged(path, "its list of free pages was overwritten, so that nothing can be written to it")
	}
	if err := (tree{f: f, meta: m}).inspectLength(m.freelist); err != nil {
		return damaged(path, err.Error())
	}
	return nil
}
