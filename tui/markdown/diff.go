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

// Change is what became of a line of a document.
type Change uint8

// A line stayed as it was, was taken out or put in, or has parts that were.
const (
	Same Change = iota
	Removed
	Added
	Mixed
)

// DiffLine is a line of two documents shown as one.
type DiffLine struct {
	Text   string // as the lines of a Doc
	Change Change
}

// DiffBlock is a block of two documents shown as one: a heading, a paragraph, a
// list, a table. An empty line belongs between most blocks; it is the last line
// of the upper one.
type DiffBlock struct {
	Lines []DiffLine
	// Of a heading: the line in which it stands in the old text and in the new
	// one, from 1, and what it says. 0 where it is not.
	Old, New int
	Heading  string
}

// DiffDoc is what changed in a document, as it is read.
type DiffDoc struct {
	Blocks []DiffBlock
	Width  int    // cells of the widest line
	Notice string // a sentence for the person, if it is not shown as the Markdown it is; else empty
}

// Excerpt is a text to be compared, whole or in parts.
type Excerpt struct {
	Text safe.Text
	// Links holds what else the text's links refer to: definitions that stand
	// elsewhere. It is not shown.
	Links safe.Text
}

// Diff lays out two versions of a document as one, in which it is marked what was
// taken out and what was put in: words inside paragraphs, items of lists, rows,
// columns and cells of tables, lines of code, whole blocks. Two texts that are
// read alike have no marks, whatever differs in their source. It takes about
// twice as long as Render does for both, and never fails: what cannot be laid
// out as Markdown is compared line by line, with a Notice.
func (r *Renderer) Diff(before, after Excerpt, width int) (doc DiffDoc) {
	width = max(width, MinWidth)
	defer func() {
		if recover() != nil { // as in render
			doc = r.diffPlain(before, after, width, "Compared as plain text: formatting this Markdown failed.")
		}
	}()
	leaf := r.leaves.Get().(*leafRenderer)
	painter := newPainter(r.style, r.ascii)
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
		sides[i] = side{&layout{src: src, style: r.style, leaf: leaf, painter: painter}, tree}
	}
	d := &differ{old: sides[0].layout, new: sides[1].layout, marks: newMarks(r.style)}
	doc = d.document(sides[0].tree, sides[1].tree, width)
	r.leaves.Put(leaf) // not after a panic: its state is unknown then
	return doc
}

// side is one of two documents.
type side struct {
	layout *layout
	tree   ast.Node
}

// parse parses a source whose links may refer to definitions that stand elsewhere.
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
		for _, part := range plainly(beginning(line.Body()), width) {
			block.Lines = append(block.Lines, DiffLine{pens[line.Op].draw(part), changes[line.Op]})
		}
	}
	return newDiffDoc([]DiffBlock{block}, notice)
}

// maxPlainLine is how many bytes of a line are shown where texts are compared
// line by line; nobody reads more.
const maxPlainLine = 8 << 10

// beginning is as much of a line as is shown, and how much is not.
func beginning(line string) string {
	if len(line) <= maxPlainLine {
		return line
	}
	shown := strings.ToValidUTF8(line[:maxPlainLine], "")
	return fmt.Sprintf("%s … and %d KB more", shown, (len(line)-len(shown)+1023)>>10)
}

// newDiffDoc makes lines that were laid out into lines that may be drawn.
func newDiffDoc(blocks []DiffBlock, notice string) DiffDoc {
	doc := DiffDoc{Blocks: blocks, Notice: notice}
	for _, block := range blocks {
		for i := range block.Lines {
			line := &block.Lines[i]
			line.Text = finish(line.Text)
			doc.Width = max(doc.Width, ansi.StringWidth(line.Text))
		}
	}
	return doc
}

// marks are how parts of a line are marked as taken out or put in.
type marks struct {
	style   *style
	removed string // parameters of SGR
	added   string
	words   bool // without colours: brackets say it
}

func newMarks(s *style) marks {
	if s.palette.Colorless() {
		return marks{style: s, words: true}
	}
	params := func(fg, bg themes.Color, attrs ...func(ansi.Style) ansi.Style) string {
		p := newPen(fg, attrs...)
		if bg == "" {
			return strings.Join(p.style, ";")
		}
		return strings.Join(p.style.BackgroundColor(lipgloss.Color(string(bg))), ";")
	}
	return marks{
		style:   s,
		removed: params(s.palette.Code.Removed, s.palette.RemovedBg, struck),
		added:   params(s.palette.Code.Added, s.palette.AddedBg, underlined(s.palette.AddedBg == "")...),
	}
}
