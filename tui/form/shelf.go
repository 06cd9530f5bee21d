package form

import (
	"cmp"
	"maps"
	"slices"

	"planb/questions/safe"
	"planb/tui/markdown"
)

// Bounds of the illustrations that a form renders and keeps.
const (
	mostAhead      = 24                             // illustrations that are rendered ahead
	mostAheadBytes = markdown.DefaultCacheBytes / 2 // of those and of the ones in view
	mostShelved    = 2 * mostAhead
	mostShelfBytes = markdown.DefaultCacheBytes
)

// shelf caches the illustrations that were shown last and those that a key may show next.
type shelf struct {
	kept    map[docKey]*shelved
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

func newShelf() shelf { return shelf{kept: map[docKey]*shelved{}} }

// begin begins a drawing.
func (s *shelf) begin() {
	s.drawing++
	s.nearby, s.near = 0, 0
}

// find returns an illustration if it is on the shelf, and notes that this drawing asked for
// it.
func (s *shelf) find(key docKey) (markdown.Doc, bool) {
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
func (s *shelf) put(key docKey, doc markdown.Doc) {
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
	oldest := slices.SortedFunc(maps.Keys(s.kept), func(a, b docKey) int { return cmp.Compare(s.kept[a].asked, s.kept[b].asked) })
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

// illustration returns an illustration if it is rendered. If not, it returns false and
// has it rendered.
func (d *docs) illustration(ref docRef, text safe.Text, width int) (markdown.Doc, bool) {
	want := wantedDoc{docKey{ref, max(markdown.MinWidth, width)}, text}
	doc, ok := d.findIllustration(want)
	if !ok {
		d.queue.miss(want)
	}
	return doc, ok
}

func (d *docs) findIllustration(want wantedDoc) (markdown.Doc, bool) {
	if doc, ok := d.shelf.find(want.key); ok {
		return doc, true
	}
	doc, ok := d.rendered(want)
	if ok {
		d.shelf.put(want.key, doc)
	}
	return doc, ok
}

// standIn returns an illustration as it was rendered for the nearest other width. The
// form shows that until the right one is rendered.
func (d *docs) standIn(ref docRef, width int) (markdown.Doc, bool) {
	var doc markdown.Doc
	nearest, cells := -1, 0
	for key, k := range d.shelf.kept {
		off := max(key.width-width, width-key.width)
		if key.docRef == ref && (nearest < 0 || off < nearest || off == nearest && key.width < cells) {
			doc, nearest, cells = k.doc, off, key.width
		}
	}
	return doc, nearest >= 0
}

// ahead has an illustration rendered that a key may show next.
func (d *docs) ahead(ref docRef, text safe.Text, width int) {
	if d.shelf.nearby+len(d.queue.next) >= mostAhead || d.shelf.near > mostAheadBytes {
		return
	}
	want := wantedDoc{docKey{ref, max(markdown.MinWidth, width)}, text}
	if d.queue.has(want.key) {
		return
	}
	if _, ok := d.findIllustration(want); !ok {
		d.queue.next = append(d.queue.next, want)
	}
}
