package markdown

import (
	"bytes"
	"slices"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"planb/plans"
)

// newParser returns a parser of GitHub-flavoured Markdown that keeps the
// definitions of links in the document.
func newParser() parser.Parser {
	p := parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(), util.Prioritized(citations{}, 150))...), // before links
		parser.WithParagraphTransformers(util.Prioritized(definitions{}, 100)),                                 // goldmark's own priority for definitions
	)
	return goldmark.New(goldmark.WithParser(p), goldmark.WithExtensions(extension.GFM)).Parser()
}

// definitions moves the link definitions of a paragraph into a block before it, so
// that they are shown. goldmark alone would drop them, and an agent could hide text
// there from the person.
type definitions struct{}

// Transform implements parser.ParagraphTransformer.
func (definitions) Transform(p *ast.Paragraph, reader text.Reader, pc parser.Context) {
	parent, before := p.Parent(), p.PreviousSibling()
	all := slices.Clone(p.Lines().Sliced(0, p.Lines().Len()))
	parser.LinkReferenceParagraphTransformer.Transform(p, reader, pc)
	defined := len(all) - p.Lines().Len()
	if defined == 0 {
		return
	}
	// Only a block of raw HTML is shown as it was written.
	kept := ast.NewHTMLBlock(ast.HTMLBlockType7)
	for _, line := range all[:defined] {
		kept.Lines().Append(line)
	}
	if before == nil {
		parent.InsertBefore(parent, parent.FirstChild(), kept)
		return
	}
	parent.InsertAfter(parent, before, kept)
}

// citations parses the citations of answers, of which an agent writes [q:id]. goldmark makes
// an ast.String of nothing else here.
type citations struct{}

// Trigger implements parser.InlineParser.
func (citations) Trigger() []byte { return []byte{'['} }

// Parse implements parser.InlineParser.
func (citations) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if !bytes.HasPrefix(line, []byte(plans.CitationStart)) { // copy no line for nothing
		return nil
	}
	id, ok := plans.CutCitation(string(line))
	if !ok {
		return nil
	}
	written := line[:len("[q:")+len(id)+len("]")]
	block.Advance(len(written))
	return ast.NewString(written)
}
