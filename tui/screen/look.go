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

// With returns the look of another palette. Both share the rendered texts, so switching back
// and forth renders nothing twice. On a nil look, With makes the first one.
func (l *Look) With(p themes.Palette) *Look {
	next := &Look{Palette: p, Styles: NewStyles(p)}
	if l == nil {
		next.Markdown = markdown.New(p, markdown.DefaultCacheBytes)
	} else {
		next.Markdown = l.Markdown.WithPalette(p)
	}
	return next
}

// WithoutFocus returns the look for a screen below another one that has the focus: its row is
// drawn as all others.
func (l *Look) WithoutFocus() *Look {
	next := *l
	next.Styles.unfocused = true
	return &next
}

// HasFocus reports whether the focus is drawn, rather than left to another screen.
func (st *Styles) HasFocus() bool { return !st.unfocused }

// InASCII returns the look with diagrams in ASCII characters.
func (l *Look) InASCII() *Look {
	next := *l
	next.Markdown = l.Markdown.WithASCII(true)
	return &next
}
