package markdown

import (
	"bufio"
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	ghtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"

	"planb/plans"
	"planb/questions/safe"
)

// inlines copies the inside of a paragraph, heading or table cell into nodes that
// Glamour shows completely. From the original nodes Glamour would drop raw HTML and
// addresses that it cannot parse, decode entities in code, and send terminal
// hyperlinks.
//
// The copies have their own source, so that text can be cleaned after it is decoded:
// only then has an entity become a control character.
type inlines struct {
	src    []byte // of the parsed document
	source []byte // of the copies
	joined bool   // a line end that is no break is a blank
	cited  Cited
}

// newInlines copies the children of block under to, and returns their source. joined puts a
// blank in place of each line end that is no break.
func newInlines(src []byte, block, to ast.Node, joined bool, cited Cited) []byte {
	c := &inlines{src: src, joined: joined, cited: cited}
	c.children(block, to)
	return c.source
}

func (c *inlines) children(from, to ast.Node) {
	for n := from.FirstChild(); n != nil; n = n.NextSibling() {
		c.copy(n, to)
	}
}

func (c *inlines) copy(n, to ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		c.text(to, c.decoded(n))
		c.lineEnd(n, to)
	case *ast.CodeSpan:
		c.code(n, to)
	case *ast.Emphasis:
		e := ast.NewEmphasis(n.Level)
		to.AppendChild(to, e)
		c.children(n, e)
	case *east.Strikethrough:
		c.struck(n, to)
	case *ast.Link:
		c.link(n, to)
	case *ast.AutoLink:
		c.linkText(to, clean(string(n.Label(c.src))))
	case *ast.Image:
		c.image(n, to)
	case *ast.RawHTML:
		c.html(n, to)
	case *ast.String:
		c.citation(to, n)
	case *east.TaskCheckBox:
		// the list item draws it
	default:
		c.text(to, clean(c.plain(n)))
	}
}

// decoded returns the text of a node with escapes and entities resolved and the
// result cleaned. Text without escapes and entities is clean already. It must not
// be cleaned alone: its first character may be a combining mark that belongs to the
// last letter of the node before.
func (c *inlines) decoded(n *ast.Text) string {
	raw := n.Segment.Value(c.src)
	if n.IsRaw() || !bytes.ContainsAny(raw, `\&`) {
		return string(raw)
	}
	return clean(decode(raw))
}

// decode resolves backslash escapes and entities. goldmark resolves both only while it
// writes HTML. So decode has it write HTML, and then removes the escapes of HTML.
func decode(raw []byte) string {
	var buf bytes.Buffer
	w := bufio.NewWriter(&buf)
	ghtml.DefaultWriter.Write(w, raw)
	if err := w.Flush(); err != nil {
		return string(raw) // a bytes.Buffer never fails
	}
	return html.UnescapeString(buf.String())
}

// clean makes decoded text safe, as one line.
func clean(s string) string { return safe.New(s).Line() }

// asWritten escapes a text for Glamour, which resolves entities and escapes a second
// time.
func asWritten(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), "&", "&amp;")
}

// text appends text that Glamour shows exactly as it is.
func (c *inlines) text(to ast.Node, s string) { c.raw(to, asWritten(s)) }

// raw appends text that Glamour decodes.
func (c *inlines) raw(to ast.Node, s string) {
	if s == "" {
		return
	}
	start := len(c.source)
	c.source = append(c.source, s...)
	// Join neighbouring nodes: the parser splits text at every mark without effect,
	// and each node costs Glamour some microseconds.
	if last, ok := to.LastChild().(*ast.Text); ok && last.Segment.Stop == start {
		last.Segment.Stop = len(c.source)
		return
	}
	to.AppendChild(to, ast.NewTextSegment(text.NewSegment(start, len(c.source))))
}

func (c *inlines) code(n *ast.CodeSpan, to ast.Node) {
	s := clean(strings.ReplaceAll(c.plain(n), "\n", " "))
	if to.Kind() == ast.KindLink {
		c.text(to, s) // Glamour would resolve escapes in code inside a link
		return
	}
	span := ast.NewCodeSpan()
	to.AppendChild(to, span)
	c.raw(span, strings.ReplaceAll(s, "&", "&amp;"))
}

// lineEnd copies the line end behind a text, if there is one.
func (c *inlines) lineEnd(n *ast.Text, to ast.Node) {
	switch {
	case n.HardLineBreak(), n.SoftLineBreak() && !c.joined:
		c.raw(to, "\n")
	case n.SoftLineBreak():
		c.raw(to, " ")
	}
}

// struck strikes each text by itself. Inside strikethrough Glamour shows only text, so
// a link there would lose its address.
func (c *inlines) struck(n *east.Strikethrough, to ast.Node) {
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if t, ok := child.(*ast.Text); ok {
			s := east.NewStrikethrough()
			to.AppendChild(to, s)
			c.text(s, c.decoded(t))
			c.lineEnd(t, to)
			continue
		}
		c.copy(child, to)
	}
}

// link shows the text of a link and, if it differs, the address.
func (c *inlines) link(n *ast.Link, to ast.Node) {
	said := strings.TrimSpace(decode([]byte(c.plain(n))))
	dest := decode(n.Destination)
	if said == "" || said == dest {
		c.linkText(to, clean(dest))
	} else {
		l := linkNode()
		to.AppendChild(to, l)
		c.children(n, l)
		if "mailto:"+said != dest {
			c.address(to, dest)
		}
	}
	c.title(to, n.Title)
}

// image shows an image's description and its address.
func (c *inlines) image(n *ast.Image, to ast.Node) {
	c.text(to, "[image")
	if n.FirstChild() != nil {
		c.text(to, ": ")
		c.children(n, to)
	}
	c.text(to, "]")
	c.address(to, decode(n.Destination))
	c.title(to, n.Title)
}

// linkNode returns a link that Glamour draws in the style of links but without an
// address: Glamour neither shows nor links an empty fragment.
func linkNode() *ast.Link {
	l := ast.NewLink()
	l.Destination = []byte("#")
	return l
}

func (c *inlines) linkText(to ast.Node, s string) {
	if to.Kind() == ast.KindLink {
		c.text(to, s)
		return
	}
	l := linkNode()
	to.AppendChild(to, l)
	c.text(l, s)
}

// address shows the address of a link behind its text.
func (c *inlines) address(to ast.Node, dest string) {
	if dest != "" {
		c.text(to, " ")
		c.aside(to, dest)
	}
}

// citation says what a citation cites. The brackets are for planb, not for the person.
func (c *inlines) citation(to ast.Node, n *ast.String) {
	id, _ := plans.CutCitation(string(n.Value))
	if _, behind := to.LastChild().(*ast.Image); behind {
		c.text(to, " ")
	}
	said, ok := c.cited.words[id]
	if !ok {
		said = "answer to “" + id + "”"
	}
	c.aside(to, said)
}

// aside shows what is beside the text. It uses an image without a destination, because Glamour
// has no other style for that.
func (c *inlines) aside(to ast.Node, said string) {
	img := ast.NewImage(ast.NewLink())
	to.AppendChild(to, img)
	// Glamour resolves escapes in the text of an image, but not entities: inside a link twice.
	escaped := strings.ReplaceAll(clean(said), `\`, `\\`)
	if to.Kind() == ast.KindLink {
		escaped = strings.ReplaceAll(escaped, `\`, `\\`)
	}
	c.raw(img, "("+escaped+")")
}

func (c *inlines) title(to ast.Node, title []byte) {
	if len(title) > 0 {
		c.text(to, " “"+clean(decode(title))+"”")
	}
}

// html shows raw HTML as it was written. Only <br> becomes a line break.
func (c *inlines) html(n *ast.RawHTML, to ast.Node) {
	tag := written(c.src, n)
	if isBreak(tag) {
		c.raw(to, "\n")
		return
	}
	c.text(to, clean(strings.ReplaceAll(tag, "\n", " ")))
}

// written returns the source of raw HTML.
func written(src []byte, n *ast.RawHTML) string {
	var b strings.Builder
	for i := range n.Segments.Len() {
		seg := n.Segments.At(i)
		b.Write(seg.Value(src))
	}
	return b.String()
}

func isBreak(tag string) bool {
	switch strings.ToLower(strings.Join(strings.Fields(tag), "")) {
	case "<br>", "<br/>":
		return true
	}
	return false
}

// plain returns the source text below a node, without marks. A sign stands for an image,
// so that the text differs from that of an image's description.
func (c *inlines) plain(n ast.Node) string {
	var b strings.Builder
	c.collect(n, &b)
	return b.String()
}

func (c *inlines) collect(n ast.Node, b *strings.Builder) {
	switch n := n.(type) {
	case *ast.Text:
		b.Write(n.Segment.Value(c.src))
		if n.SoftLineBreak() {
			b.WriteByte('\n')
		}
	case *ast.String:
		b.Write(n.Value)
	case *ast.AutoLink:
		b.Write(n.Label(c.src))
	case *ast.RawHTML:
		b.WriteString(written(c.src, n))
	case *ast.Image:
		b.WriteByte('!')
	}
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		c.collect(child, b)
	}
}
