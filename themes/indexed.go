package themes

import (
	"math"
	"slices"
	"strconv"
)

// Least contrast of what is read, and of the frame that marks the focus.
const (
	readable     = 4.5
	noticeable   = 3.0
	highReadable = 7.0
	highNotice   = 4.5
)

// Indexed returns the theme's palette in the 256 colours that terminals without
// true colour have. Each colour is the nearest of them, as the eye sees it, that
// keeps the theme's promises: plain rounding would turn the soft shades of
// backgrounds into strong ones, on which little can be read. A palette that
// names the terminal's own colours stays as it is.
func Indexed(t Theme) Palette {
	p := t.Palette
	if _, ok := parse(p.Accent); !ok {
		return p
	}
	x := newIndexer()
	grounds := slices.Clone(t.Backgrounds)
	if p.Painted() {
		p.Background = x.nearest(p.Background, nil, 0)
		grounds = []Color{p.Background}
	}
	p.FocusBg = x.apart(p.FocusBg, grounds)
	p.CodeBg = x.apart(p.CodeBg, grounds)
	p.AddedBg = x.apart(p.AddedBg, grounds)
	p.RemovedBg = x.apart(p.RemovedBg, append(slices.Clone(grounds), p.AddedBg))

	text, mark := readable, noticeable
	if t.family() == highContrastFamily {
		text, mark = highReadable, highNotice
	}
	read := append(slices.Clone(grounds), p.FocusBg)
	code := append(slices.Clone(read), p.CodeBg)
	p.Text = x.nearest(p.Text, code, text)
	for _, c := range []*Color{&p.Muted, &p.Faint, &p.Accent, &p.Heading, &p.Link} {
		*c = x.nearest(*c, read, text, p.Text)
	}
	for _, c := range []*Color{&p.Info, &p.Required, &p.Note, &p.Success} {
		*c = x.nearest(*c, read, text)
	}
	p.Danger = x.nearest(p.Danger, read, text, p.Success)
	p.Warning = x.nearest(p.Warning, read, text, p.Success, p.Danger)
	p.BorderFocus = x.nearest(p.BorderFocus, read, mark)
	p.Border = x.apart(p.Border, append(slices.Clone(grounds), p.BorderFocus))
	p.AccentText = x.nearest(p.AccentText, []Color{p.Accent}, text)
	for _, c := range []*Color{&p.Code.Keyword, &p.Code.String, &p.Code.Number, &p.Code.Comment, &p.Code.Function, &p.Code.Type} {
		*c = x.nearest(*c, code, text)
	}
	p.Code.Added = x.nearest(p.Code.Added, append(slices.Clone(code), p.AddedBg), text)
	p.Code.Removed = x.nearest(p.Code.Removed, append(slices.Clone(code), p.RemovedBg), text, p.Code.Added)
	return p
}

// indexer looks for colours among the 240 that are the same on every terminal.
type indexer struct{ colours [256]seen }

// seen is what of a colour counts for the eye.
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

// nearest is the index of the colour most alike c that has the contrast on all
// grounds and is none of the others, which say something else; if there is none,
// of the one most alike.
func (x *indexer) nearest(c Color, grounds []Color, least float64, others ...Color) Color {
	on, apart := x.see(grounds), x.see(others)
	return x.find(c, func(candidate seen) bool {
		return !slices.ContainsFunc(on, func(g seen) bool { return contrast(candidate.luminance, g.luminance) < least }) &&
			!slices.ContainsFunc(apart, func(o seen) bool { return candidate.rgb == o.rgb })
	})
}

// apart is the index of the colour most alike c that is none of the others, nor
// what they would be among these colours.
func (x *indexer) apart(c Color, others []Color) Color {
	for _, o := range slices.Clone(others) {
		others = append(others, x.find(o, nil))
	}
	return x.nearest(c, nil, 0, others...)
}

func (x *indexer) find(c Color, fits func(seen) bool) Color {
	v, ok := parse(c)
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

// see is what colours look like that are written out, or indices.
func (x *indexer) see(colours []Color) []seen {
	var all []seen
	for _, c := range colours {
		if v, ok := parse(c); ok {
			all = append(all, see(v))
		} else if i, err := strconv.ParseUint(string(c), 10, 8); err == nil {
			all = append(all, x.colours[i])
		}
	}
	return all
}

// indexedColours is xterm's palette from 16 on: a cube, and a scale of greys.
// What the first sixteen look like is the terminal's choice.
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
