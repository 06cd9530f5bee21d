package bolt

import (
	"encoding/binary"
	"fmt"
	"os"
)

// Kinds of pages, and the flag of an element of a leaf that is a bucket.
const (
	branchPageFlag = 0x01
	leafPageFlag   = 0x02
	bucketLeafFlag = 0x01
	elementBytes   = 16 // of a branch and of a leaf alike
	firstTreePage  = 2  // after the two meta pages
)

// tree finds out without bbolt whether the pages of a file make a tree. bbolt relies on
// that. If a page refers to a page above it, bbolt never ends. If two pages refer to
// the same page, bbolt looks through everything below it once for each of them.
type tree struct {
	f    *os.File
	meta meta
	seen map[uint64]bool
}

// treeEdge is a reference from one page to another.
type treeEdge struct {
	from, to uint64
}

// inspectTree follows every reference once and returns the first that is wrong. bbolt's
// own check finds what else is wrong with the pages.
func inspectTree(f *os.File, m meta) error {
	t := tree{f: f, meta: m, seen: map[uint64]bool{}}
	for open := []treeEdge{{0, m.root}}; len(open) > 0; {
		edge := open[len(open)-1]
		below, err := t.follow(edge)
		if err == nil {
			err = t.inspectLength(edge.to)
		}
		if err != nil {
			return err
		}
		open = append(open[:len(open)-1], below...)
	}
	return nil
}

// inspectLength refuses a page that says that it goes on past the file's end. bbolt's own
// check would note in memory each of the pages it claims, of which there can be 2³².
func (t tree) inspectLength(id uint64) error {
	claimed, err := t.length(id)
	if left := t.meta.pages - id; err == nil && claimed > left {
		return fmt.Errorf("its page %d says that it is %d pages long, and the file ends after %d", id, claimed, left)
	}
	return err
}

// length is how many pages a page says it takes: itself and those that it overflows into.
func (t tree) length(id uint64) (uint64, error) {
	var header [pageHeaderBytes]byte
	_, err := t.f.ReadAt(header[:], int64(id)*t.meta.pageSize)
	return 1 + uint64(binary.NativeEndian.Uint32(header[12:])), err
}

func (t tree) follow(edge treeEdge) ([]treeEdge, error) {
	if edge.to < firstTreePage || edge.to >= t.meta.pages {
		return nil, fmt.Errorf("its page %d refers to page %d, and it has pages %d to %d", edge.from, edge.to, firstTreePage, t.meta.pages-1)
	}
	if t.seen[edge.to] {
		return nil, fmt.Errorf("its page %d refers to page %d, which another page refers to as well, so that reading it might never end", edge.from, edge.to)
	}
	t.seen[edge.to] = true
	page, err := t.read(edge.to)
	if err != nil {
		return nil, err
	}
	var below []treeEdge
	for _, to := range references(page) {
		below = append(below, treeEdge{edge.to, to})
	}
	return below, nil
}

// read returns the page with the pages that it overflows into, as far as the file goes.
func (t tree) read(id uint64) ([]byte, error) {
	pages, err := t.length(id)
	if err != nil {
		return nil, err
	}
	page := make([]byte, int64(min(pages, t.meta.pages-id))*t.meta.pageSize)
	_, err = t.f.ReadAt(page, int64(id)*t.meta.pageSize)
	return page, err
}

// references returns the pages that a page refers to. A branch refers to the pages
// below it. A leaf refers to the first page of each bucket in it, unless the bucket
// lies in the leaf itself. An element that does not fit into the page refers to
// nothing.
func references(page []byte) []uint64 {
	order := binary.NativeEndian
	flags, count := order.Uint16(page[8:]), int(order.Uint16(page[10:]))
	var list []uint64
	for at := pageHeaderBytes; count > 0 && at+elementBytes <= len(page); count, at = count-1, at+elementBytes {
		element := page[at:]
		switch {
		case flags == branchPageFlag:
			list = append(list, order.Uint64(element[8:]))
		case flags == leafPageFlag && order.Uint32(element)&bucketLeafFlag != 0:
			value := uint64(order.Uint32(element[4:])) + uint64(order.Uint32(element[8:]))
			if value+8 > uint64(len(element)) {
				continue
			}
			if root := order.Uint64(element[value:]); root != 0 {
				list = append(list, root)
			}
		}
	}
	return list
}
