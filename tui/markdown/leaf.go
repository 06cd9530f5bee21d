package markdown

import (
	"bytes"
	"fmt"
	"strings"

	"charm.land/glamour/v2/ansi"
	"charm.land/lipgloss/v2"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"

	"planb/tui/cells"
)

// leafRenderer draws one paragraph, heading or table cell with Glamour. It keeps state
// while it draws. So only one goroutine at a time may use it, and no goroutine after a
// panic.
type leafRenderer struct {
	prose, table renderer.Renderer
}

func newLeafRenderer(s *style) *leafRenderer {
	return &leafRenderer{newGlamour(s.glamour), newGlamour(s.table)}
}

func newGlamour(s ansi.StyleConfig) renderer.Renderer {
	// A width of 0 turns off Glamour's wrapping and its padding. The padding would
	// colour every space on its own and need 30 times the bytes of the text.
	glamour := ansi.NewRenderer(ansi.Options{Styles: s, PreserveNewLines: true})
	return renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(glamour, 1)))
}

// draw renders a block that newInlines filled. It does not wrap; the result has the
// lines of the text.
func draw(with renderer.Renderer, block ast.Node, source []byte) string {
	doc := ast.NewDocument()
	doc.AppendChild(doc, block)
	var buf bytes.Buffer
	if err := with.Render(&buf, source, doc); err != nil {
		panic(fmt.Sprintf("markdown: Glamour: %v", err)) // a bytes.Buffer never fails; render recovers
	}
	return strings.Trim(withoutLinks(buf.String()), "\n")
}

// withoutLinks removes the hyperlink sequences that Glamour adds to images. All of
// them are Glamour's, because the drawn text is clean.
func withoutLinks(drawn string) string {
	const begin, end = "\x1b]8;", "\a"
	var b strings.Builder
	for {
		text, link, found := strings.Cut(drawn, begin)
		b.WriteString(text)
		if !found {
			return b.String()
		}
		if _, drawn, found = strings.Cut(link, end); !found {
			return b.String()
		}
	}
}

// wrap breaks drawn text into lines of at most width cells, between words if
// possible. It ends a style at each break and begins it again on the next line.
func wrap(drawn string, width int) []string {
	return cells.Wrap(width, func(width int) []string { return strings.Split(lipgloss.Wrap(drawn, width, ""), "\n") })
}
