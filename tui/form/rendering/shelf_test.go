package rendering

import (
	"strings"
	"testing"

	"planb/questions/safe"
	"planb/themes"
	"planb/tui/markdown"
)

func illustration(i int) Key { return Key{Ref{Illustration, 0, i}, 60} }

// TestShelfKeepsToItsSize holds the bounds on illustrations and bytes, and that the
// illustration in view stays.
func TestShelfKeepsToItsSize(t *testing.T) {
	for _, c := range []struct {
		name   string
		bytes  int // of an illustration
		others int
	}{
		{"few large", mostShelfBytes / 4, 20},
		{"many small", 100, 3 * mostShelved},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newShelf()
			doc := markdown.Doc{Lines: []string{strings.Repeat("x", c.bytes)}}
			s.begin()
			s.put(illustration(0), doc)
			for i := 1; i < c.others; i++ {
				s.begin()
				if _, ok := s.find(illustration(0)); !ok {
					t.Fatalf("after %d others, what is in view is gone", i)
				}
				s.put(illustration(i), doc)
				if s.bytes > mostShelfBytes || len(s.kept) > mostShelved {
					t.Fatalf("after %d others the shelf holds %d illustrations with %d bytes", i, len(s.kept), s.bytes)
				}
			}
			total := 0
			for _, k := range s.kept {
				total += k.bytes
			}
			if total != s.bytes {
				t.Errorf("the shelf holds %d bytes and counts %d", total, s.bytes)
			}
		})
	}
}

// TestNearIsBounded holds that illustrations on the shelf which a key may show next count
// for no more than their bound, however many are there.
func TestNearIsBounded(t *testing.T) {
	big := markdown.Doc{Lines: []string{strings.Repeat("x", mostShelfBytes/4)}}
	d := New(nil)
	d.Reset(markdown.New(themes.None().Palette, 0))
	for i := range 4 {
		d.shelf.put(illustration(i), big)
	}
	d.Begin()
	d.Illustration(illustration(0).Ref, safe.New(""), 60)
	for i := 1; i < 20; i++ {
		d.Ahead(illustration(i).Ref, safe.New("x"), 60)
	}
	if d.shelf.near > mostAheadBytes+docBytes(big) {
		t.Errorf("%d bytes count as near", d.shelf.near)
	}
}
