package markdown

import (
	"strings"
	"testing"

	"planb/questions/safe"
	"planb/themes"
)

// BenchmarkRender renders an illustration of 2 KB and a plan of 30 KB, without and
// with the cache. B/line is the bytes that a terminal gets for a line.
func BenchmarkRender(b *testing.B) {
	rich := read(b, "testdata/rich.md")
	for name, src := range map[string]safe.Text{
		"illustration-2KB": rich,
		"plan-30KB":        safe.New(strings.Repeat(rich.Raw()+"\n\n", 30<<10/len(rich.Raw()))),
	} {
		b.Run(name+"/anew", func(b *testing.B) {
			r := New(themes.Default(true).Palette, 0)
			var doc Doc
			for b.Loop() {
				doc = r.Render(src, 80)
			}
			bytes := 0
			for _, line := range doc.Lines {
				bytes += len(line)
			}
			b.ReportMetric(float64(bytes)/float64(len(doc.Lines)), "B/line")
		})
		b.Run(name+"/cached", func(b *testing.B) {
			r := New(themes.Default(true).Palette, DefaultCacheBytes)
			r.Render(src, 80)
			for b.Loop() {
				if _, ok := r.Cached(src, 80); !ok {
					b.Fatal("not cached")
				}
			}
		})
	}
	b.Run("first", func(b *testing.B) { // includes everything that is built on first use
		for b.Loop() {
			New(themes.Default(true).Palette, 0).Render(rich, 80)
		}
	})
	b.Run("plain-30KB", func(b *testing.B) {
		src := safe.New(strings.Repeat(rich.Raw(), 13))
		for b.Loop() {
			Plain(src, 80)
		}
	})
}
