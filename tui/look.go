package tui

import (
	"planb/themes"
	"planb/tui/markdown"
)

// look is everything that depends on the palette.
type look struct {
	palette  themes.Palette
	markdown *markdown.Renderer
	styles   styles
}

// with returns the look of another palette. It shares what was rendered, so
// that switching to and fro renders nothing twice. A nil look makes the first.
func (l *look) with(p themes.Palette) *look {
	next := &look{palette: p, styles: newStyles(p)}
	if l == nil {
		next.markdown = markdown.New(p, markdown.DefaultCacheBytes)
	} else {
		next.markdown = l.markdown.WithPalette(p)
	}
	return next
}

// inASCII is the look with diagrams drawn in ASCII characters.
func (l *look) inASCII() *look {
	next := *l
	next.markdown = l.markdown.WithASCII(true)
	return &next
}
