package tasks

import (
	"encoding/binary"
	"errors"
	"fmt"

	"planb/questions/safe"
)

// packedVersion begins a packed graph.
const packedVersion = 1

// Pack returns the graph as bytes for a store. Equal graphs have equal bytes, so a
// store can keep them under their digest.
func (g *Graph) Pack() []byte {
	b := make([]byte, 0, 64+len(g.nodes)*(len(Hash{})+16)+3*len(g.edges.list))
	b = append(b, packedVersion)
	b = appendText(b, g.title.Raw())
	b = appendText(b, g.description.Raw())
	b = binary.AppendUvarint(b, uint64(len(g.nodes)))
	for i := range g.nodes {
		b = g.nodes[i].append(b)
	}
	for _, n := range g.order {
		b = binary.LittleEndian.AppendUint16(b, n)
	}
	for n := 1; n <= len(g.nodes); n++ {
		list := g.Edges(n)
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, e := range list {
			b = binary.AppendUvarint(b, uint64(e.On)<<2|uint64(e.Kind))
		}
	}
	return b
}

func (x *node) append(b []byte) []byte {
	b = append(b, byte(x.flags))
	b = appendText(b, x.key)
	if x.flags&dropped != 0 {
		return b
	}
	b = append(b, x.hash[:]...)
	b = binary.AppendUvarint(b, uint64(x.minutes))
	if x.flags&withFiles == 0 {
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(x.files)))
	for _, file := range x.files {
		b = appendText(b, file)
	}
	return b
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// Unpack reads a packed graph. A record may be damaged, so it checks all that keeps
// the methods of a graph from failing: numbers, edges and their order.
func Unpack(data []byte) (*Graph, error) {
	u := unpacker{data: data, text: string(data)}
	if version := u.byte(); version != packedVersion && u.err == nil {
		return nil, fmt.Errorf("a graph in format %d; this planb knows %d", version, packedVersion)
	}
	title, description := safe.New(u.string(MaxTitleBytes)), safe.New(u.string(MaxDescriptionBytes))
	nodes := make([]node, u.count(MaxTasks))
	for i := range nodes {
		u.node(&nodes[i])
	}
	g := newGraph(title, description, nodes)
	order := u.order(len(nodes))
	edges := u.edges(len(nodes))
	switch {
	case u.err != nil:
		return nil, u.err
	case u.at != len(data):
		return nil, fmt.Errorf("a packed graph of %d bytes has %d more behind its end", u.at, len(data)-u.at)
	}
	g.setOrder(order)
	g.edges = edges
	g.waiting = edges.reversed()
	return g, g.checkUnpacked()
}

// checkUnpacked checks that the parts of an unpacked graph fit together.
func (g *Graph) checkUnpacked() error {
	for n := 1; n <= len(g.nodes); n++ {
		last := 0
		for _, e := range g.Edges(n) {
			late := e.Kind.Hard() && g.place[e.On-1] >= g.place[n-1]
			if e.On <= last || e.On == n || late || g.Dropped(n) || g.Dropped(e.On) {
				return errDamaged
			}
			last = e.On
		}
	}
	return nil
}

// reversed returns the hard edges in the other direction.
func (a adjacency) reversed() adjacency {
	nodes := len(a.start) - 1
	r := adjacency{start: make([]uint32, nodes+1)}
	for _, e := range a.list {
		if e.Kind.Hard() {
			r.start[e.On]++
		}
	}
	for i := range nodes {
		r.start[i+1] += r.start[i]
	}
	next := append([]uint32(nil), r.start[:nodes]...)
	r.list = make([]Edge, r.start[nodes])
	for n := 1; n <= nodes; n++ {
		for _, e := range a.of(n) {
			if e.Kind.Hard() {
				r.list[next[e.On-1]] = Edge{n, e.Kind}
				next[e.On-1]++
			}
		}
	}
	return r
}

var errDamaged = errors.New("the packed graph is damaged")

// unpacker reads parts of a packed graph. After the first error it reads nothing
// more.
type unpacker struct {
	data []byte
	text string // the same; the strings of the graph are parts of it
	at   int
	err  error
}

func (u *unpacker) byte() byte {
	if u.err != nil || u.at >= len(u.data) {
		u.err = errDamaged
		return 0
	}
	u.at++
	return u.data[u.at-1]
}

// count reads a number of at most most.
func (u *unpacker) count(most int) int {
	if u.err == nil && u.at < len(u.data) && u.data[u.at] < 0x80 && int(u.data[u.at]) <= most {
		u.at++
		return int(u.data[u.at-1])
	}
	n, size := binary.Uvarint(u.data[u.at:])
	if u.err != nil || size <= 0 || n > uint64(most) {
		u.err = errDamaged
		return 0
	}
	u.at += size
	return int(n)
}

func (u *unpacker) bytes(n int) (from int) {
	if u.err != nil || n > len(u.data)-u.at {
		u.err = errDamaged
		return -1
	}
	u.at += n
	return u.at - n
}

func (u *unpacker) string(most int) string {
	n := u.count(most)
	from := u.bytes(n)
	if from < 0 {
		return ""
	}
	return u.text[from : from+n]
}

func (u *unpacker) node(x *node) {
	x.flags = nodeFlags(u.byte())
	x.key = u.string(MaxKeyBytes)
	if x.flags&^knownFlags != 0 || x.flags&dropped != 0 && x.flags != dropped || x.key == "" {
		u.err = errDamaged
	}
	if u.err != nil || x.flags == dropped {
		return
	}
	if from := u.bytes(len(x.hash)); from >= 0 {
		copy(x.hash[:], u.data[from:])
	}
	x.minutes = uint16(u.count(MaxMinutes))
	if x.flags&withFiles == 0 {
		return
	}
	x.files = make([]string, u.count(MaxListItems))
	for i := range x.files {
		x.files[i] = u.string(MaxItemBytes)
	}
}

func (u *unpacker) order(nodes int) []uint16 {
	from := u.bytes(2 * nodes)
	if from < 0 {
		return nil
	}
	order, seen := make([]uint16, nodes), make([]bool, nodes)
	for i := range order {
		n := binary.LittleEndian.Uint16(u.data[from+2*i:])
		if n < 1 || int(n) > nodes || seen[n-1] {
			u.err = errDamaged
			return nil
		}
		order[i], seen[n-1] = n, true
	}
	return order
}

func (u *unpacker) edges(nodes int) adjacency {
	a := adjacency{start: make([]uint32, 1, nodes+1), list: make([]Edge, 0, 2*nodes)}
	for range nodes {
		for range u.count(MaxDependsOn) {
			packed := u.count(nodes<<2 | 3)
			e := Edge{packed >> 2, EdgeKind(packed & 3)}
			if e.On < 1 || e.On > nodes || e.Kind > Soft {
				u.err = errDamaged
				return a
			}
			a.list = append(a.list, e)
		}
		a.start = append(a.start, uint32(len(a.list)))
	}
	return a
}
