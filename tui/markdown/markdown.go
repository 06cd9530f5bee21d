package markdown

import (
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"planb/questions/safe"
	"planb/themes"
	"planb/tui/cells"
)

// MinWidth is the least width of a layout, in cells. A smaller width counts as
// MinWidth.
const MinWidth = 10

// Doc is text ready to be drawn. The cache shares Docs, so callers must not change
// them.
type Doc struct {
	// Lines holds the rows from top to bottom. Each row starts and ends without
	// attributes, has no control sequences except SGR in true colour, and has no
	// trailing spaces but those of a surface. Only rows of diagrams, code, sketches and
	// tables may be wider than the width that the caller gave; see Wide.
	Lines []string
	// Source says, for each of Lines, which lines of the text it shows.
	Source []Span
	// Width is the number of cells of the widest line.
	Width int
	// Wide lists the blocks that are wider than the caller's width, from top to
	// bottom. The caller pans them.
	Wide []Block
	// Notice tells the person why the text is not shown as Markdown; else it is
	// empty.
	Notice string
}

// Block is a run of lines of a Doc that belong together: a diagram, code, a sketch,
// or a table.
type Block struct {
	From, To int // the block is Doc.Lines[From:To]
	Width    int // cells of its widest line, on the terminal that needs the most
	// Still is how many cells on the left do not move when a person pans the block:
	// its indentation, and the first column of a table.
	Still int
}

// Renderer renders Markdown in the colours of one palette. It is safe for
// concurrent use.
type Renderer struct {
	style  *style
	ascii  bool          // draw diagrams with ASCII characters only
	joined bool          // see Joined
	cited  Cited         // see Citing
	limit  time.Duration // see drawTime
	cache  *cache
	parser func() parser.Parser
	leaves *sync.Pool // of *leafRenderer
}

// drawTime is how long all code of a document may take, and all its diagrams.
const drawTime = time.Second

// DefaultCacheBytes is how much rendered text a Renderer keeps by default.
const DefaultCacheBytes = 8 << 20

// New returns a Renderer for a palette that keeps up to cacheBytes of rendered
// text; 0 keeps none. New is cheap: all expensive work waits for the first Render.
func New(p themes.Palette, cacheBytes int) *Renderer {
	return newRenderer(p, false, drawTime, newCache(cacheBytes), sync.OnceValue(newParser))
}

// WithPalette returns a Renderer for another palette that shares this one's cache. So
// switching between two themes renders nothing twice.
func (r *Renderer) WithPalette(p themes.Palette) *Renderer {
	return newRenderer(p, r.ascii, r.limit, r.cache, r.parser)
}

// WithASCII returns a Renderer like this one. If ascii is true, it draws diagrams
// with ASCII characters only, for terminals without Unicode. It does not change
// characters of the text.
func (r *Renderer) WithASCII(ascii bool) *Renderer {
	return newRenderer(r.style.palette, ascii, r.limit, r.cache, r.parser)
}

// Joined returns a Renderer like this one for texts that are only read. If a line of a
// paragraph does not fit, it joins the lines and wraps the paragraph as one text. Otherwise
// each line of the source would wrap for itself.
func (r *Renderer) Joined() *Renderer {
	joined := *r
	joined.joined = true
	return &joined
}

// Citing returns a Renderer like this one that shows in place of a citation what it cites.
func (r *Renderer) Citing(cited Cited) *Renderer {
	citing := *r
	citing.cited = cited
	return &citing
}

func newRenderer(p themes.Palette, ascii bool, limit time.Duration, c *cache, parse func() parser.Parser) *Renderer {
	s := newStyle(p)
	return &Renderer{
		style:  s,
		ascii:  ascii,
		limit:  limit,
		cache:  c,
		parser: parse,
		leaves: &sync.Pool{New: func() any { return newLeafRenderer(s) }},
	}
}

// Render lays text out for a width in cells. The result depends only on the text,
// the width and the palette, with two exceptions: when highlighting has taken a
// second, the rest of the code stays uncoloured, and when diagrams have taken a
// second, the rest of them stay source. Render takes 2 ms for a typical
// illustration, 25 ms for a plan of 30 KB, and one or two seconds for the worst
// document, so call it outside the update loop.
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

// Cached returns the Doc that Render would return, if the cache has it. Cached is
// cheap and meant for the update loop.
func (r *Renderer) Cached(t safe.Text, width int) (Doc, bool) {
	return r.cache.get(r.key(t, max(width, MinWidth)))
}

func (r *Renderer) key(t safe.Text, width int) key {
	cited := ""
	if strings.Contains(t.Raw(), "[q:") {
		cited = r.cited.key
	}
	return key{text: t, width: width, palette: r.style.palette, ascii: r.ascii, joined: r.joined, cited: cited}
}

func (r *Renderer) render(t safe.Text, width int) (doc Doc) {
	defer func() {
		// A parser or highlighter that panics on hostile text must not end the
		// program: the person would lose a half-filled form.
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
	l := &layout{src: src, starts: lineStarts(src), style: r.style, leaf: leaf, painter: newPainter(r.style, r.ascii, r.limit), surfaces: r.style.palette.Surface != "", joined: r.joined, cited: r.cited}
	lines := l.blocks(tree, width)
	r.leaves.Put(leaf) // after a panic the leaf's state is unknown, so it does not go back
	return newDoc(lines, width, "")
}

// Plain wraps text to a width in cells, without Markdown and style. It breaks lines
// between words, and a word longer than a line between characters.
func Plain(t safe.Text, width int) Doc { return plain(t, max(width, MinWidth), "") }

func plain(t safe.Text, width int, notice string) Doc {
	var rows []row
	number := 0
	for line := range strings.SplitSeq(strings.TrimRight(t.Block(), "\n"), "\n") {
		number++
		parts := wrapPlain(line, width)
		rows = append(rows, rowsOf(parts, Span{number, number})...)
	}
	return newDoc(rows, width, notice)
}

// newDoc turns rows laid out for a width into lines that are safe to draw.
func newDoc(rows []row, width int, notice string) Doc {
	doc := Doc{Lines: make([]string, len(rows)), Source: make([]Span, len(rows)), Notice: notice}
	block := Block{}
	end := func() {
		if block.Width > width {
			doc.Wide = append(doc.Wide, block)
		}
	}
	current := whole(0)
	for i, row := range rows {
		line := finish(row.text)
		doc.Lines[i], doc.Source[i] = line, row.Span
		doc.Width = max(doc.Width, ansi.StringWidth(line))
		if row.whole != current {
			end()
			block, current = Block{From: i, Still: max(int(row.whole)-1, 0)}, row.whole
		}
		if current > 0 {
			block.To, block.Width = i+1, max(block.Width, cells.Width(line))
		}
	}
	end()
	return doc
}
