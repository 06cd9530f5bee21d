package markdown

import (
	"strings"
	"sync"
	"testing"

	"planb/questions/safe"
	"planb/themes"
)

func TestCached(t *testing.T) {
	dark := New(themes.Default(true).Palette, DefaultCacheBytes)
	light := dark.WithPalette(themes.Default(false).Palette)
	a, b := safe.New("*a*"), safe.New("*b*")
	if _, ok := dark.Cached(a, 40); ok {
		t.Fatal("found before it was rendered")
	}
	want := dark.Render(a, 40)
	got, ok := dark.Cached(a, 40)
	if !ok || &got.Lines[0] != &want.Lines[0] {
		t.Errorf("not the Doc that was rendered: %v %q", ok, got.Lines)
	}
	if again := dark.Render(a, 40); &again.Lines[0] != &want.Lines[0] {
		t.Error("rendered twice")
	}
	if _, ok := dark.Cached(a, 41); ok {
		t.Error("found at another width")
	}
	if _, ok := dark.Cached(b, 40); ok {
		t.Error("found for another text")
	}
	if _, ok := light.Cached(a, 40); ok {
		t.Error("found in another palette")
	}
	light.Render(a, 40)
	if _, ok := dark.WithPalette(themes.Default(false).Palette).Cached(a, 40); !ok {
		t.Error("a palette that comes back has lost what was rendered in it")
	}
	narrow := dark.Render(a, 1)
	if got, ok := dark.Cached(a, MinWidth); !ok || &got.Lines[0] != &narrow.Lines[0] {
		t.Error("widths below the least are not the same")
	}
}

// TestCacheIsBounded checks that the cache stays below its limit and drops the least
// recently used entry.
func TestCacheIsBounded(t *testing.T) {
	const limit = 10_000
	c := newCache(limit)
	doc := func(n int) Doc { return Doc{Lines: []string{strings.Repeat("x", n)}} }
	k := func(width int) key { return key{width: width} }
	for i := range 100 {
		c.put(k(i), doc(1000))
		c.get(k(0)) // keeps this entry recently used
		if c.bytes > limit {
			t.Fatalf("%d bytes after %d Docs", c.bytes, i+1)
		}
	}
	for width, want := range map[int]bool{0: true, 99: true, 98: true, 1: false, 50: false} {
		if _, ok := c.get(k(width)); ok != want {
			t.Errorf("Doc %d kept: %v, want %v", width, ok, want)
		}
	}
	if len(c.byKey) != c.order.Len() {
		t.Errorf("%d keys, %d entries", len(c.byKey), c.order.Len())
	}
	c.put(k(200), doc(limit))
	if _, ok := c.get(k(200)); ok || len(c.byKey) < 2 {
		t.Error("one Doc that is too large took the place of all others")
	}
	c.put(k(0), doc(2000)) // the same key twice
	sum := 0
	for e := c.order.Front(); e != nil; e = e.Next() {
		sum += e.Value.(*entry).bytes
	}
	if sum != c.bytes {
		t.Errorf("counted %d bytes, holds %d", c.bytes, sum)
	}
}

func TestCacheOfNothing(t *testing.T) {
	r := New(themes.None().Palette, 0)
	r.Render(safe.New("a"), 40)
	if _, ok := r.Cached(safe.New("a"), 40); ok {
		t.Error("a cache of 0 bytes kept something")
	}
}

func TestCacheTogether(t *testing.T) {
	c := newCache(5000)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				k := key{width: (g + i) % 20}
				if doc, ok := c.get(k); ok && doc.Width != k.width {
					t.Error("another key's Doc")
				}
				c.put(k, Doc{Width: k.width, Lines: make([]string, 10)})
			}
		})
	}
	wg.Wait()
}
