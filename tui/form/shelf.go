package form

import (
	"cmp"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/markdown"
)

// Bounds of the illustrations that a form renders and keeps.
const (
	mostAhead      = 24                             // illustrations that are rendered ahead
	mostAheadBytes = markdown.DefaultCacheBytes / 2 // of those and of the ones in view
	mostShelved    = 2 * mostAhead
	mostShelfBytes = markdown.DefaultCacheBytes
	// mostUnderway bounds the illustrations in view that are being rendered at once. A
	// person may run past many slow ones.
	mostUnderway = 3
)

// shelf caches the illustrations that were shown last and those that a key may show next.
// Each drawing lists again what it misses and what may come next. So a burst of keys
// renders only the last illustration, not all that it ran past.
type shelf struct {
	kept     map[docKey]*shelved
	bytes    int
	drawing  int // counts the drawings
	missed   []wantedDoc
	next     []wantedDoc // the nearest first
	nearby   int         // kept illustrations that this drawing asked for
	near     int         // their bytes
	underway map[docKey]bool
}

// shelved is an illustration on the shelf.
type shelved struct {
	doc   markdown.Doc
	bytes int
	asked int // the last drawing that asked for it
}

// wantedDoc is a piece of Markdown to render.
type wantedDoc struct {
	key  docKey
	text safe.Text
}

func newShelf() shelf {
	return shelf{kept: map[docKey]*shelved{}, underway: map[docKey]bool{}}
}

// begin begins a drawing.
func (s *shelf) begin() {
	s.drawing++
	s.missed, s.next, s.nearby, s.near = s.missed[:0], s.next[:0], 0, 0
}

// find returns an illustration if it is on the shelf or in the renderer's cache, and
// notes that this drawing asked for it.
func (s *shelf) find(r *markdown.Renderer, want wantedDoc) (markdown.Doc, bool) {
	if k, ok := s.kept[want.key]; ok {
		if k.asked != s.drawing {
			k.asked = s.drawing
			s.nearby, s.near = s.nearby+1, s.near+k.bytes
		}
		return k.doc, true
	}
	if r == nil || s.underway[want.key] {
		return markdown.Doc{}, false
	}
	if doc, ok := r.Cached(want.text, want.key.width); ok {
		s.put(want.key, doc)
		return doc, true
	}
	return markdown.Doc{}, false
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
	doc, ok := d.shelf.find(d.renderer, want)
	if !ok {
		d.shelf.missed = append(d.shelf.missed, want)
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
	s := &d.shelf
	if s.nearby+len(s.next) >= mostAhead || s.near > mostAheadBytes {
		return
	}
	want := wantedDoc{docKey{ref, max(markdown.MinWidth, width)}, text}
	if slices.ContainsFunc(s.next, func(w wantedDoc) bool { return w.key == want.key }) || s.underway[want.key] {
		return
	}
	if _, ok := s.find(d.renderer, want); !ok {
		s.next = append(s.next, want)
	}
}

// start returns the commands that render what the last drawing missed. While nothing is
// being rendered, it adds one illustration that may be shown next.
func (s *shelf) start(d *docs) []tea.Cmd {
	var cmds []tea.Cmd
	begin := func(want wantedDoc) {
		s.underway[want.key] = true
		by := d.renderer
		cmds = append(cmds, func() tea.Msg {
			return docRendered{owner: d, key: want.key, by: by, doc: by.Render(want.text, want.key.width)}
		})
	}
	for _, want := range s.missed {
		if d.renderer != nil && !s.underway[want.key] && len(s.underway) < mostUnderway {
			begin(want)
		}
	}
	if len(s.next) > 0 && len(s.underway) == 0 && d.renderer != nil {
		begin(s.next[0])
	}
	s.missed, s.next = s.missed[:0], s.next[:0] // the next drawing lists them again
	return cmds
}
