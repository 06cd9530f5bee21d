package markdown

import (
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"planb/questions/safe"
	"planb/themes"
	"planb/tui/cells"
)

// MinWidth is the least width that is laid out. A smaller one is taken as
// MinWidth.
const MinWidth = 10

// Doc is text ready to be drawn. Docs are shared through the cache: do not
// change them.
type Doc struct {
	// Lines are the rows from top to bottom. Each is complete in itself (it
	// starts and ends without attributes), holds no control sequence but SGR in
	// true colour, and has no trailing spaces. Only lines of drawings,
	// code, sketches and tables may be wider than asked; see Wide.
	Lines []string
	// Source says of each of Lines which lines of the text it shows.
	Source []Span
	// Width is the number of cells of the widest line.
	Width int
	// Wide are the blocks that are wider than asked, from top to bottom. They are
	// for whoever draws them to pan.
	Wide []Block
	// Notice is a sentence for the person, if the text is not shown as the
	// Markdown it is; else empty.
	Notice string
}

// Block is lines of a Doc that belong together: code, a sketch, or a table.
type Block struct {
	From, To int // indices in Doc.Lines: from the one, up to the other
	Width    int // cells of its widest line, on whatever terminal needs most
	// Still is how many cells at the left stay where they are when the others are
	// panned: what it is indented by, and of a table the first column.
	Still int
}

// Renderer renders Markdown in the colours of one palette. It is safe for
// concurrent use.
type Renderer struct {
	style  *style
	ascii  bool // of diagrams
	cache  *cache
	parser func() parser.Parser
	leaves *sync.Pool // of *leafRenderer
}

// DefaultCacheBytes is how much rendered text a Renderer keeps by default.
const DefaultCacheBytes = 8 << 20

// New returns a Renderer for a palette that keeps up to cacheBytes of rendered
// text; 0 keeps none. It is cheap: everything heavy waits for the first Render.
func New(p themes.Palette, cacheBytes int) *Renderer {
	return newRenderer(p, false, newCache(cacheBytes), sync.OnceValue(newParser))
}

// WithPalette returns a Renderer for another palette that shares this one's
// cache, so that switching themes to and fro renders nothing twice.
func (r *Renderer) WithPalette(p themes.Palette) *Renderer {
	return newRenderer(p, r.ascii, r.cache, r.parser)
}

// WithASCII returns a Renderer like this one that draws diagrams with ASCII
// characters alone, for terminals that have no others, or with all lines and arrows
// there are. What is written in a text stays as it is.
func (r *Renderer) WithASCII(ascii bool) *Renderer {
	return newRenderer(r.style.palette, ascii, r.cache, r.parser)
}

func newRenderer(p themes.Palette, ascii bool, c *cache, parse func() parser.Parser) *Renderer {
	s := newStyle(p)
	return &Renderer{
		style:  s,
		ascii:  ascii,
		cache:  c,
		parser: parse,
		leaves: &sync.Pool{New: func() any { return newLeafRenderer(s) }},
	}
}

// Render lays text out for a width in cells. The result depends on nothing but
// the text, the width and the palette (but for code whose highlighting takes
// longer than a second: that stays uncoloured; and for diagrams below others that took
// longer than a second: they stay source). It takes 2 ms for a typical
// illustration, 25 ms for a plan of 30 KB, and a second or two for the worst a
// document may be, so call it outside the update loop.
func (r *Renderer) Render(t safe.Text, width int) Doc {
	width = max(width, MinWidth)
	k := r.key(t, width)
	if doc, ok := r.cache.get(k); ok {
		return doc
	}
	doc := r.render(t, width)
	r.cache.put(k, doc)
	return doc
}

// Cached returns what Render would, if it is at hand. It is cheap and meant
// for the update loop.
func (r *Renderer) Cached(t safe.Text, width int) (Doc, bool) {
	return r.cache.get(r.key(t, max(width, MinWidth)))
}

func (r *Renderer) key(t safe.Text, width int) key {
	return key{text: t, width: width, palette: r.style.palette, ascii: r.ascii}
}

func (r *Renderer) render(t safe.Text, width int) (doc Doc) {
	defer func() {
		// A parser or highlighter that trips over hostile text must not take the
		// person's half-filled form with it.
		if recover() != nil {
			doc = plain(t, width, "Shown as plain text: formatting this Markdown failed.")
		}
	}()
	src := []byte(safe.New(evenTabs(t.Raw())).Block())
	if why := tooMuch(src); why != "" {
		return plain(t, width, why)
	}
	tree := r.parser().Parse(text.NewReader(src))
	if why := tooDeep(tree); why != "" {
		return plain(t, width, why)
	}
	leaf := r.leaves.Get().(*leafRenderer)
	l := &layout{src: src, starts: lineStarts(src), style: r.style, leaf: leaf, painter: newPainter(r.style, r.ascii)}
	lines := l.blocks(tree, width)
	r.leaves.Put(leaf) // not after a panic: its state is unknown then
	return newDoc(lines, width, "")
}

// Plain wraps text at words to a width in cells, as it is: no Markdown, no
// style. Words longer than a line are broken between characters.
func Plain(t safe.Text, width int) Doc { return plain(t, max(width, MinWidth), "") }

func plain(t safe.Text, width int, notice string) Doc {
	var rows []row
	number := 0
	for line := range strings.SplitSeq(strings.TrimRight(t.Block(), "\n"), "\n") {
		number++
		parts := plainly(line, width)
		rows = append(rows, rowsOf(parts, Span{number, number})...)
	}
	return newDoc(rows, width, notice)
}

// newDoc makes rows that were laid out for a width into lines that may be drawn.
func newDoc(rows []row, width int, notice string) Doc {
	doc := Doc{Lines: make([]string, len(rows)), Source: make([]Span, len(rows)), Notice: notice}
	block := Block{}
	end := func() {
		if block.Width > width {
			doc.Wide = append(doc.Wide, block)
		}
	}
	was := whole(0)
	for i, row := range rows {
		line := finish(row.text)
		doc.Lines[i], doc.Source[i] = line, row.Span
		doc.Width = max(doc.Width, ansi.StringWidth(line))
		if row.whole != was {
			end()
			block, was = Block{From: i, Still: max(int(row.whole)-1, 0)}, row.whole
		}
		if was > 0 {
			block.To, block.Width = i+1, max(block.Width, cells.Width(line))
		}
	}
	end()
	return doc
}
