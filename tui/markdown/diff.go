package markdown

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"planb/plans/diff"
	"planb/questions/safe"
	"planb/themes"
)

// Change says what became of a line of a document.
type Change uint8

const (
	Same    Change = iota // unchanged
	Removed               // only in the old document
	Added                 // only in the new document
	Mixed                 // parts of it are removed or added
)

// DiffLine is a line of two documents shown as one.
type DiffLine struct {
	Text   string // safe and styled like Doc.Lines
	Change Change
}

// DiffBlock is a block of two documents shown as one: a heading, a paragraph, a
// list, a table. An empty line between two blocks is the last line of the upper
// one.
type DiffBlock struct {
	Lines []DiffLine
	Width int // cells of the widest line
	// Old and New are a heading's lines in the old and the new text, from 1; 0 if
	// the heading is not there. Heading is its text. All other blocks leave the
	// three zero.
	Old, New int
	Heading  string
}

// DiffDoc shows the changes in a document as a person reads them.
type DiffDoc struct {
	Blocks []DiffBlock
	Width  int    // cells of the widest line
	Notice string // tells the person why the texts are not shown as Markdown; else empty
}

// Excerpt is a text to compare: a document or a part of one.
type Excerpt struct {
	Text safe.Text
	// Links holds link definitions from outside Text that its links refer to. It is
	// not shown.
	Links safe.Text
}

// Diff lays out two versions of a document as one and marks what was removed and
// added: words in paragraphs, items of lists, rows, columns and cells of tables,
// lines of code, whole blocks. If two texts read alike, nothing is marked, even if
// their sources differ. Diff takes about twice as long as rendering both texts. It
// never fails: if a text cannot be laid out as Markdown, Diff compares line by line
// and sets a Notice.
func (r *Renderer) Diff(before, after Excerpt, width int) (doc DiffDoc) {
	width = max(width, MinWidth)
	defer func() {
		if recover() != nil { // as in render
			doc = r.diffPlain(before, after, width, "Compared as plain text: formatting this Markdown failed.")
		}
	}()
	leaf := r.leaves.Get().(*leafRenderer)
	painter := newPainter(r.style, r.ascii, r.limit)
	var sides [2]side
	for i, e := range []Excerpt{before, after} {
		src := []byte(safe.New(evenTabs(e.Text.Raw())).Block())
		why := tooMuch(src)
		var tree ast.Node
		if why == "" {
			tree = r.parse(src, e.Links)
			why = tooDeep(tree)
		}
		if why != "" {
			return r.diffPlain(before, after, width, why)
		}
		sides[i] = side{&layout{src: src, style: r.style, leaf: leaf, painter: painter, cited: r.cited}, tree}
	}
	d := &differ{old: sides[0].layout, new: sides[1].layout, marks: newChangeStyle(r.style)}
	doc = d.document(sides[0].tree, sides[1].tree, width)
	r.leaves.Put(leaf) // after a panic the leaf's state is unknown, so it does not go back
	return doc
}

// side is one of the two documents.
type side struct {
	layout *layout
	tree   ast.Node
}

// parse parses a source. The source's links may refer to definitions in links.
func (r *Renderer) parse(src []byte, links safe.Text) ast.Node {
	defined := parser.NewContext()
	if raw := []byte(links.Block()); len(raw) > 0 && tooMuch(raw) == "" {
		r.parser().Parse(text.NewReader(raw), parser.WithContext(defined))
	}
	own := parser.NewContext()
	for _, ref := range defined.References() {
		own.AddReference(ref)
	}
	return r.parser().Parse(text.NewReader(src), parser.WithContext(own))
}

// diffPlain compares two texts line by line.
func (r *Renderer) diffPlain(before, after Excerpt, width int, notice string) DiffDoc {
	var block DiffBlock
	pens := map[diff.Op]pen{diff.Removed: r.style.removed, diff.Added: r.style.added}
	changes := map[diff.Op]Change{diff.Removed: Removed, diff.Added: Added}
	for _, line := range diff.Between(before.Text.Block(), after.Text.Block()).Lines {
		for _, part := range wrapPlain(beginning(line.Body()), width) {
			block.Lines = append(block.Lines, DiffLine{pens[line.Op].draw(part), changes[line.Op]})
		}
	}
	return newDiffDoc([]DiffBlock{block}, notice)
}

// maxPlainLine is how many bytes of a line diffPlain shows. Nobody reads longer
// lines.
const maxPlainLine = 8 << 10

// beginning returns the first maxPlainLine bytes of a longer line, and the size of
// the rest in words.
func beginning(line string) string {
	if len(line) <= maxPlainLine {
		return line
	}
	shown := strings.ToValidUTF8(line[:maxPlainLine], "")
	return fmt.Sprintf("%s … and %d KB more", shown, (len(line)-len(shown)+1023)>>10)
}

// newDiffDoc turns laid-out lines into lines that are safe to draw.
func newDiffDoc(blocks []DiffBlock, notice string) DiffDoc {
	doc := DiffDoc{Blocks: blocks, Notice: notice}
	for at := range blocks {
		block := &blocks[at]
		for i := range block.Lines {
			line := &block.Lines[i]
			line.Text = finish(line.Text)
			block.Width = max(block.Width, ansi.StringWidth(line.Text))
		}
		doc.Width = max(doc.Width, block.Width)
	}
	return doc
}

// changeStyle says how removed and added parts of a line are marked.
type changeStyle struct {
	style    *style
	removed  string // SGR parameters
	added    string // SGR parameters
	brackets bool   // mark by brackets, because there are no colours
}

func newChangeStyle(s *style) changeStyle {
	if s.palette.Colorless() {
		return changeStyle{style: s, brackets: true}
	}
	params := func(fg, bg themes.Color, attrs ...func(ansi.Style) ansi.Style) string {
		p := newPen(fg, attrs...)
		if bg == "" {
			return strings.Join(p.style, ";")
		}
		return strings.Join(p.style.BackgroundColor(lipgloss.Color(string(bg))), ";")
	}
	return changeStyle{
		style:   s,
		removed: params(s.palette.Code.Removed, s.palette.RemovedBg, struck),
		added:   params(s.palette.Code.Added, s.palette.AddedBg, underlined(s.palette.AddedBg == "")...),
	}
}
