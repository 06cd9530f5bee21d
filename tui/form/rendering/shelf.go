package rendering

import (
	"cmp"
	"maps"
	"slices"

	"planb/questions/safe"
	"planb/tui/markdown"
)

// Bounds of the illustrations that a form renders and keeps.
const (
	MaxAhead       = 24                             // illustrations that are rendered ahead
	mostAheadBytes = markdown.DefaultCacheBytes / 2 // of those and of the ones in view
	mostShelved    = 2 * MaxAhead
	mostShelfBytes = markdown.DefaultCacheBytes
)

// shelf caches the illustrations that were shown last and those that a key may show next.
type shelf struct {
	kept    map[Key]*shelved
	bytes   int
	drawing int // counts the drawings
	nearby  int // kept illustrations that this drawing asked for
	near    int // their bytes
}

// shelved is an illustration on the shelf.
type shelved struct {
	doc   markdown.Doc
	bytes int
	asked int // the last drawing that asked for it
}

func newShelf() shelf { return shelf{kept: map[Key]*shelved{}} }

// begin is called when a drawing begins.
func (s *shelf) begin() {
	s.drawing++
	s.nearby, s.near = 0, 0
}

// find returns an illustration if it is on the shelf, and notes that this drawing asked for
// it.
func (s *shelf) find(key Key) (markdown.Doc, bool) {
	k, ok := s.kept[key]
	if !ok {
		return markdown.Doc{}, false
	}
	if k.asked != s.drawing {
		k.asked = s.drawing
		s.nearby, s.near = s.nearby+1, s.near+k.bytes
	}
	return k.doc, true
}

// put keeps an illustration. If the shelf is full, it drops those that no drawing has
// asked for longest.
func (s *shelf) put(key Key, doc markdown.Doc) {
	if old, ok := s.kept[key]; ok {
		s.bytes -= old.bytes
	}
	k := &shelved{doc: doc, bytes: docBytes(doc), asked: s.drawing}
	s.kept[key] = k
	s.bytes += k.bytes
	s.nearby, s.near = s.nearby+1, s.near+k.bytes
	if len(s.kept) <= mostShelved && s.bytes <= mostShelfBytes {
		return
	}
	oldest := slices.SortedFunc(maps.Keys(s.kept), func(a, b Key) int { return cmp.Compare(s.kept[a].asked, s.kept[b].asked) })
	for _, key := range oldest {
		old := s.kept[key]
		if old.asked == s.drawing || len(s.kept) <= mostShelved && s.bytes <= mostShelfBytes {
			return
		}
		s.bytes -= old.bytes
		delete(s.kept, key)
	}
}

// docBytes estimates the memory of a rendered text.
func docBytes(doc markdown.Doc) int {
	n := 0
	for _, line := range doc.Lines {
		n += len(line) + 64
	}
	return n
}

// Illustration returns an illustration if it is rendered. If not, it returns false and
// has it rendered.
func (d *Cache) Illustration(ref Ref, text safe.Text, width int) (markdown.Doc, bool) {
	want := wanted{Key{ref, max(markdown.MinWidth, width)}, text}
	doc, ok := d.findIllustration(want)
	if !ok {
		d.queue.miss(want)
	}
	return doc, ok
}

func (d *Cache) findIllustration(want wanted) (markdown.Doc, bool) {
	if doc, ok := d.shelf.find(want.key); ok {
		return doc, true
	}
	doc, ok := d.cached(want)
	if ok {
		d.shelf.put(want.key, doc)
	}
	return doc, ok
}

// StandIn returns an illustration as it was rendered for the nearest other width. The
// form shows that until the right one is rendered.
func (d *Cache) StandIn(ref Ref, width int) (markdown.Doc, bool) {
	var doc markdown.Doc
	nearest, cells := -1, 0
	for key, k := range d.shelf.kept {
		off := max(key.Width-width, width-key.Width)
		if key.Ref == ref && (nearest < 0 || off < nearest || off == nearest && key.Width < cells) {
			doc, nearest, cells = k.doc, off, key.Width
		}
	}
	return doc, nearest >= 0
}

// Ahead has an illustration rendered that a key may show next.
func (d *Cache) Ahead(ref Ref, text safe.Text, width int) {
	if d.shelf.nearby+len(d.queue.next) >= MaxAhead || d.shelf.near > mostAheadBytes {
		return
	}
	want := wanted{Key{ref, max(markdown.MinWidth, width)}, text}
	if d.queue.has(want.key) {
		return
	}
	if _, ok := d.findIllustration(want); !ok {
		d.queue.next = append(d.queue.next, want)
	}
}
