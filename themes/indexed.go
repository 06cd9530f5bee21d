package themes

import (
	"math"
	"slices"
	"strconv"
)

// Indexed returns the theme's palette in the 256 colours of terminals without true
// colour. For each colour it picks the one that looks most alike and keeps the
// theme's promises. Plain rounding would turn the soft shades of backgrounds into
// strong ones, and text on them would be hard to read. Only the grounds of added and
// removed text stay green and red, because their colours say which is which. A palette
// of the terminal's own colours stays as it is.
func Indexed(t Theme) Palette {
	p := t.Palette
	if _, ok := parseColor(p.Accent); !ok {
		return p
	}
	x := newIndexer()
	grounds := slices.Clone(t.Backgrounds)
	if p.Painted() {
		p.Background = x.nearest(p.Background, nil, 0)
		grounds = []Color{p.Background}
	}
	p.Surface = x.distinct(p.Surface, grounds)
	p.FocusBg = x.distinct(p.FocusBg, append(slices.Clone(grounds), p.Surface))
	p.CodeBg = x.distinct(p.CodeBg, grounds)
	p.AddedBg = x.find(p.AddedBg, func(c seen) bool { return c.g > max(c.r, c.b) })
	p.RemovedBg = x.find(p.RemovedBg, func(c seen) bool { return c.r > max(c.g, c.b) })

	text, mark := t.promised()
	read := append(slices.Clone(grounds), p.FocusBg, p.Surface)
	code := append(slices.Clone(read), p.CodeBg)
	p.Text = x.nearest(p.Text, append(slices.Clone(code), p.AddedBg, p.RemovedBg), text)
	for _, c := range []*Color{&p.Muted, &p.Faint, &p.Accent, &p.Heading, &p.Link} {
		*c = x.nearest(*c, read, text, p.Text)
	}
	for _, c := range []*Color{&p.Info, &p.Required, &p.Note, &p.Success} {
		*c = x.nearest(*c, read, text)
	}
	p.Danger = x.nearest(p.Danger, read, text, p.Success, p.Required)
	p.Warning = x.nearest(p.Warning, read, text, p.Success, p.Danger)
	p.BorderFocus = x.nearest(p.BorderFocus, read, mark)
	p.Border = x.distinct(p.Border, append(slices.Clone(grounds), p.BorderFocus))
	p.AccentText = x.nearest(p.AccentText, []Color{p.Accent}, text)
	for _, c := range []*Color{&p.Code.Keyword, &p.Code.String, &p.Code.Number, &p.Code.Comment, &p.Code.Function, &p.Code.Type} {
		*c = x.nearest(*c, code, text)
	}
	p.Code.Added = x.nearest(p.Code.Added, append(slices.Clone(code), p.AddedBg), text)
	p.Code.Removed = x.nearest(p.Code.Removed, append(slices.Clone(code), p.RemovedBg), text, p.Code.Added)
	return p
}

// indexer finds colours among the 240 that are the same on every terminal.
type indexer struct{ colours [256]seen }

// seen is a colour with its place in Oklab and its luminance.
type seen struct {
	rgb
	lab       lab
	luminance float64
}

func see(c rgb) seen { return seen{c, c.lab(), c.luminance()} }

func newIndexer() *indexer {
	x := &indexer{}
	for i, c := range indexedColours() {
		x.colours[i] = see(c)
	}
	return x
}

// nearest returns the index of the colour most like c that has at least the given
// contrast on all grounds and equals none of the others, which mean something
// else. If there is none, it returns the colour most like c.
func (x *indexer) nearest(c Color, grounds []Color, least float64, others ...Color) Color {
	on, avoided := x.see(grounds), x.see(others)
	return x.find(c, func(candidate seen) bool {
		return !slices.ContainsFunc(on, func(g seen) bool { return contrast(candidate.luminance, g.luminance) < least }) &&
			!slices.ContainsFunc(avoided, func(o seen) bool { return candidate.rgb == o.rgb })
	})
}

// distinct returns the index of the colour most like c, but none of the others and none
// of their nearest indexed colours.
func (x *indexer) distinct(c Color, others []Color) Color {
	for _, o := range slices.Clone(others) {
		others = append(others, x.find(o, nil))
	}
	return x.nearest(c, nil, 0, others...)
}

// find returns the index of the colour most like c that fits; if none fits, of the
// colour most like c.
func (x *indexer) find(c Color, fits func(seen) bool) Color {
	v, ok := parseColor(c)
	if !ok {
		return c
	}
	want := v.lab()
	best, least := -1, math.Inf(1)
	for i := 16; i < 256; i++ {
		if d := want.distance(x.colours[i].lab); d < least && (fits == nil || fits(x.colours[i])) {
			best, least = i, d
		}
	}
	if best < 0 {
		return x.find(c, nil)
	}
	return Color(strconv.Itoa(best))
}

// see returns how colours look. They may be "#rrggbb" or indices; others are left
// out.
func (x *indexer) see(colours []Color) []seen {
	var all []seen
	for _, c := range colours {
		if v, ok := parseColor(c); ok {
			all = append(all, see(v))
		} else if i, err := strconv.ParseUint(string(c), 10, 8); err == nil {
			all = append(all, x.colours[i])
		}
	}
	return all
}

// indexedColours returns xterm's palette from index 16 on: a colour cube and a
// scale of greys. The first sixteen differ from terminal to terminal.
func indexedColours() [256]rgb {
	var all [256]rgb
	step := func(i int) uint8 {
		if i == 0 {
			return 0
		}
		return uint8(55 + 40*i)
	}
	for i := range 216 {
		all[16+i] = rgb{step(i / 36), step(i / 6 % 6), step(i % 6)}
	}
	for i := range 24 {
		grey := uint8(8 + 10*i)
		all[232+i] = rgb{grey, grey, grey}
	}
	return all
}
