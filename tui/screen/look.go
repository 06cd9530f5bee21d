package screen

import (
	"planb/themes"
	"planb/tui/markdown"
)

// Look is everything that depends on the palette.
type Look struct {
	Palette  themes.Palette
	Markdown *markdown.Renderer
	Styles   Styles
}

// With returns the look of another palette. It shares what was rendered, so
// that switching to and fro renders nothing twice. A nil look makes the first.
func (l *Look) With(p themes.Palette) *Look {
	next := &Look{Palette: p, Styles: NewStyles(p)}
	if l == nil {
		next.Markdown = markdown.New(p, markdown.DefaultCacheBytes)
	} else {
		next.Markdown = l.Markdown.WithPalette(p)
	}
	return next
}

// InASCII is the look with diagrams drawn in ASCII characters.
func (l *Look) InASCII() *Look {
	next := *l
	next.Markdown = l.Markdown.WithASCII(true)
	return &next
}
