package markdown

import (
	"bufio"
	"bytes"
	"html"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	ghtml "github.com/yuin/goldmark/renderer/html"

	"planb/plans"
	"planb/questions/safe"
)

// inlines draws the inside of a paragraph, heading or table cell, completely: raw HTML and
// addresses, too.
//
// It cleans text after it has decoded it: only then has an entity become a control
// character.
type inlines struct {
	src    []byte // of the parsed document
	style  *style
	around look // of the paragraph, heading or cell
	code   look // of code in it
	joined bool // a line end that is no break is a blank
	cited  Cited

	drawn   strings.Builder
	run     strings.Builder // text of one look that is not drawn yet
	runLook look
	beside  bool // the last that was drawn is an aside
}

// place is where text stands.
type place struct {
	look look
	link bool // in a link, and in nothing in that
}

// draw returns the children of block as text that is not wrapped: its lines are those of the
// source.
func (c *inlines) draw(block ast.Node) string {
	c.children(block, place{look: c.around})
	drawn := c.drawn.String()
	if strings.Contains(drawn, "\n") {
		drawn = lipgloss.Wrap(drawn, 0, "") // ends a style at the end of each line
	}
	return strings.Trim(drawn, "\n")
}

func (c *inlines) children(from ast.Node, at place) {
	c.end()
	for n := from.FirstChild(); n != nil; n = n.NextSibling() {
		c.child(n, at)
	}
	c.end()
}

// put appends text that is drawn together with the text before it, if that stands in the
// same place.
func (c *inlines) put(at place, s string) {
	if s != "" {
		c.run.WriteString(s)
		c.runLook, c.beside = at.look, false
	}
}

// end draws what was put so far. What follows is drawn for itself.
func (c *inlines) end() {
	if c.run.Len() > 0 {
		c.drawn.WriteString(c.runLook.draw(c.run.String()))
		c.run.Reset()
	}
	c.beside = false
}

// alone appends text that is drawn for itself.
func (c *inlines) alone(at place, s string) {
	c.end()
	c.put(at, s)
	c.end()
}

func (c *inlines) child(n ast.Node, at place) {
	switch n := n.(type) {
	case *ast.Text:
		c.put(at, c.decoded(n))
		c.lineEnd(n, at)
	case *ast.CodeSpan:
		c.span(n, at)
	case *ast.Emphasis:
		c.children(n, place{look: at.look.with(look{bold: n.Level > 1, italic: n.Level == 1})})
	case *east.Strikethrough:
		c.struck(n, at)
	case *ast.Link:
		c.link(n, at)
	case *ast.AutoLink:
		c.alone(c.inLink(), clean(string(n.Label(c.src))))
	case *ast.Image:
		c.image(n, at)
	case *ast.RawHTML:
		c.html(n, at)
	case *ast.String:
		c.citation(n, at)
	case *east.TaskCheckBox:
		// the list item draws it
	default:
		c.put(at, clean(c.plain(n)))
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

func (c *inlines) span(n *ast.CodeSpan, at place) {
	s := clean(strings.ReplaceAll(c.plain(n), "\n", " "))
	if at.link { // all of a link's text looks alike
		c.put(at, s)
		return
	}
	c.alone(place{look: c.around.with(c.code)}, s)
}

// lineEnd puts the line end behind a text, if there is one.
func (c *inlines) lineEnd(n *ast.Text, at place) {
	switch {
	case n.HardLineBreak(), n.SoftLineBreak() && !c.joined:
		c.put(at, "\n")
	case n.SoftLineBreak():
		c.put(at, " ")
	}
}

// struck strikes only text, no line end and no code.
func (c *inlines) struck(n *east.Strikethrough, at place) {
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		if t, ok := child.(*ast.Text); ok {
			c.alone(place{look: at.look.with(look{struck: true})}, c.decoded(t))
			c.lineEnd(t, at)
			continue
		}
		c.child(child, at)
	}
}

// link shows the text of a link and, if it differs, the address.
func (c *inlines) link(n *ast.Link, at place) {
	said := strings.TrimSpace(decode([]byte(c.plain(n))))
	dest := decode(n.Destination)
	if said == "" || said == dest {
		c.alone(c.inLink(), clean(dest))
	} else {
		c.children(n, c.inLink())
		if "mailto:"+said != dest {
			c.address(at, dest)
		}
	}
	c.title(at, n.Title)
}

// image shows an image's description and its address.
func (c *inlines) image(n *ast.Image, at place) {
	c.put(at, "[image")
	if n.FirstChild() != nil {
		c.put(at, ": ")
		for child := n.FirstChild(); child != nil; child = child.NextSibling() {
			c.child(child, at)
		}
	}
	c.put(at, "]")
	c.address(at, decode(n.Destination))
	c.title(at, n.Title)
}

// inLink is the place in a link. Its look does not depend on what is around the link.
func (c *inlines) inLink() place { return place{look: c.around.with(c.style.link), link: true} }

// address shows the address of a link behind its text.
func (c *inlines) address(at place, dest string) {
	if dest != "" {
		c.put(at, " ")
		c.aside(at, dest)
	}
}

// citation says what a citation cites. The brackets are for planb, not for the person.
func (c *inlines) citation(n *ast.String, at place) {
	id, _ := plans.CutCitation(string(n.Value))
	if c.beside {
		c.put(at, " ")
	}
	said, ok := c.cited.words[id]
	if !ok {
		said = "answer to “" + id + "”"
	}
	c.aside(at, said)
}

// aside shows what is beside the text.
func (c *inlines) aside(at place, said string) {
	around := c.around
	if at.link {
		around = at.look // its underline goes on
	}
	c.alone(place{look: around.with(c.style.aside)}, "("+clean(said)+")")
	c.beside = true
}

func (c *inlines) title(at place, title []byte) {
	if len(title) > 0 {
		c.put(at, " “"+clean(decode(title))+"”")
	}
}

// html shows raw HTML as it was written. Only <br> becomes a line break.
func (c *inlines) html(n *ast.RawHTML, at place) {
	tag := written(c.src, n)
	if isBreak(tag) {
		c.put(at, "\n")
		return
	}
	c.put(at, clean(strings.ReplaceAll(tag, "\n", " ")))
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

// plain returns the source text below a node, without marks.
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
	}
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		c.collect(child, b)
	}
}
