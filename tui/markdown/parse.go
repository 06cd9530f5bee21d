package markdown

import (
	"slices"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// newParser returns a parser of GitHub-flavoured Markdown that keeps the
// definitions of links in the document.
func newParser() parser.Parser {
	p := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(util.Prioritized(definitions{}, 100)), // goldmark's own place for them
	)
	return goldmark.New(goldmark.WithParser(p), goldmark.WithExtensions(extension.GFM)).Parser()
}

// definitions takes the link definitions out of a paragraph, as goldmark does,
// and leaves them as a block before it. Otherwise they would be a place for text
// that the agent reads and the person does not.
type definitions struct{}

// Transform implements parser.ParagraphTransformer.
func (definitions) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	parent, before := p.Parent(), p.PreviousSibling()
	all := slices.Clone(p.Lines().Sliced(0, p.Lines().Len()))
	parser.LinkReferenceParagraphTransformer.Transform(p, reader, pc)
	taken := len(all) - p.Lines().Len()
	if taken == 0 {
		return
	}
	// A block of raw HTML: the one kind that is shown as it was written.
	kept := ast.NewHTMLBlock(ast.HTMLBlockType7)
	for _, line := range all[:taken] {
		kept.Lines().Append(line)
	}
	if before == nil {
		parent.InsertBefore(parent, parent.FirstChild(), kept)
		return
	}
	parent.InsertAfter(parent, before, kept)
}
