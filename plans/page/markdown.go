package page

import (
	"bytes"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"planb/plans"
	"planb/questions/safe"
)

// Prose is laid-out Markdown.
type Prose struct {
	HTML    template.HTML
	Plain   string // shown instead of HTML, if the text could not be laid out
	Notice  string // why it is plain
	Outline []Heading
}

// Heading is a heading of a text in the outline.
type Heading struct {
	Level  int
	Title  string
	Anchor string
}

// Cite returns where a citation of a question leads, and what it shows.
type Cite func(question string) Cited

// Cited is an answer that a text cites; the zero Cited is none.
type Cited struct {
	Anchor string // where the answer is on the page
	Label  string // of the question
	Said   string // the answer, shortly; empty if it was left open
}

// Markdown lays out a text. The anchors of its headings begin with prefix; with
// an empty prefix they have none.
func Markdown(t safe.Text, prefix string, citing Cite, d *Drawer) (laid Prose) {
	defer func() {
		// A text that crashes the parser must not cost the reader the page.
		if recover() != nil {
			laid = Prose{Plain: t.Block(), Notice: "Shown as plain text: it could not be formatted."}
		}
	}()
	source := []byte(t.Block())
	if notice := tooMuch(source); notice != "" {
		return Prose{Plain: t.Block(), Notice: notice}
	}
	r := &writer{prefix: prefix, citing: citing, drawer: d}
	known := map[string]bool{}
	for _, c := range plans.Citations(safe.New(string(source))) {
		known[c.Question] = citing != nil
	}
	md := goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
			extension.Strikethrough, extension.TaskList, extension.Linkify,
		),
		goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(citations{known}, 150))),
		goldmark.WithRendererOptions(html.WithHardWraps(), renderer.WithNodeRenderers(util.Prioritized(r, 1))),
	)
	tree := md.Parser().Parse(text.NewReader(source))
	if tooDeep(tree) {
		return Prose{Plain: t.Block(), Notice: nestingNotice}
	}
	var out bytes.Buffer
	if err := md.Renderer().Render(&out, source, tree); err != nil {
		return Prose{Plain: t.Block(), Notice: "Shown as plain text: it could not be formatted."}
	}
	// Cleaned again, because the renderer decodes entities.
	return Prose{HTML: template.HTML(safe.New(out.String()).Block()), Outline: r.outline}
}

// writer renders the nodes that goldmark's own renderer would write unsafely or
// in another way than this page.
type writer struct {
	prefix  string
	citing  Cite
	drawer  *Drawer
	outline []Heading
}

// RegisterFuncs implements renderer.NodeRenderer.
func (w *writer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHTMLBlock, w.htmlBlock)
	r.Register(ast.KindRawHTML, w.rawHTML)
	r.Register(ast.KindHeading, w.heading)
	r.Register(ast.KindFencedCodeBlock, w.code)
	r.Register(ast.KindCodeBlock, w.code)
	r.Register(ast.KindLink, w.link)
	r.Register(ast.KindImage, w.image)
	r.Register(ast.KindAutoLink, w.autoLink)
	r.Register(extast.KindTaskCheckBox, w.checkBox)
}

func escaped(b []byte) string { return template.HTMLEscapeString(string(b)) }

func lines(source []byte, n ast.Node) []byte {
	var out []byte
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		out = append(out, line.Value(source)...)
	}
	return out
}

// htmlBlock shows raw HTML as it was written.
func (w *writer) htmlBlock(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	raw := lines(source, n)
	if block, ok := n.(*ast.HTMLBlock); ok && block.HasClosure() {
		raw = append(raw, block.ClosureLine.Value(source)...)
	}
	_, err := fmt.Fprintf(out, "<pre class=\"raw\">%s</pre>\n", escaped(bytes.TrimRight(raw, "\n")))
	return ast.WalkSkipChildren, err
}

func (w *writer) rawHTML(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	raw, ok := n.(*ast.RawHTML)
	if !entering || !ok {
		return ast.WalkSkipChildren, nil
	}
	_, err := fmt.Fprintf(out, "<code class=\"raw\">%s</code>", escaped(raw.Segments.Value(source)))
	return ast.WalkSkipChildren, err
}

// heading adds a heading to the outline. The page's own headings rank above those
// of a text. So a heading of a text keeps its own level as a class only.
func (w *writer) heading(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h, ok := n.(*ast.Heading)
	if !ok {
		return ast.WalkContinue, nil
	}
	level := min(h.Level+3, 6)
	if !entering {
		_, err := fmt.Fprintf(out, "</h%d>\n", level)
		return ast.WalkContinue, err
	}
	id := ""
	if w.prefix != "" {
		e := Heading{h.Level, safe.New(plainText(source, h)).Line(), fmt.Sprintf("%s-%d", w.prefix, len(w.outline)+1)}
		w.outline = append(w.outline, e)
		id = ` id="` + e.Anchor + `"`
	}
	_, err := fmt.Fprintf(out, `<h%d class="as-h%d"%s>`, level, h.Level, id)
	return ast.WalkContinue, err
}

// plainText returns the text of a node without its markup.
func plainText(source []byte, n ast.Node) string {
	var out strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			out.Write(c.Segment.Value(source))
			if c.SoftLineBreak() || c.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.String:
			out.Write(c.Value)
		case *ast.AutoLink:
			out.Write(c.Label(source))
		case *ast.RawHTML:
			out.Write(c.Segments.Value(source))
		case *ast.Link:
			if question, ok := cited(c); ok {
				out.WriteString("[q:" + question + "]")
			}
			out.WriteString(plainText(source, c))
		default:
			out.WriteString(plainText(source, c))
		}
	}
	return out.String()
}

func (w *writer) code(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkSkipChildren, nil
	}
	language := ""
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		name := fenced.Language(source)
		if w.drawer.draws(string(name)) {
			_, err := out.WriteString(w.drawer.diagram(lines(source, n)))
			return ast.WalkSkipChildren, err
		}
		if len(name) > 0 && len(name) <= 40 {
			language = `<span class="lang">` + escaped(name) + "</span>"
		}
	}
	_, err := out.WriteString(codeBlock(language, lines(source, n)))
	return ast.WalkSkipChildren, err
}

func codeBlock(language string, code []byte) string {
	return fmt.Sprintf(`<div class="code">%s<pre tabindex="0"><code>%s</code></pre></div>`+"\n", language, escaped(code))
}

// address returns where a link may lead, and the host that the page shows for
// it.
func address(destination []byte) (href, host string, ok bool) {
	u, err := url.Parse(string(destination))
	if err != nil {
		return "", "", false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return u.String(), u.Host, u.Host != ""
	case "mailto":
		return u.String(), u.Opaque, u.Opaque != ""
	}
	return "", "", false
}

// anchor opens a link. The linked site learns nothing about the page.
func anchor(href string) string {
	return `<a class="out" rel="noopener noreferrer nofollow" target="_blank" href="` + template.HTMLEscapeString(href) + `">`
}

func (w *writer) link(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	link, ok := n.(*ast.Link)
	if !ok {
		return ast.WalkContinue, nil
	}
	if question, ok := cited(link); ok {
		if !entering {
			return ast.WalkContinue, nil
		}
		_, err := out.WriteString(w.citation(question))
		return ast.WalkContinue, err
	}
	href, host, leads := address(link.Destination)
	var text string
	switch {
	case entering && leads:
		text = anchor(href)
	case entering:
		text = `<span class="dead">`
	case leads:
		text = "</a>" + linkTitle(host, link.Title)
	default:
		text = "</span>" + linkTitle(string(link.Destination), link.Title)
	}
	_, err := out.WriteString(text)
	return ast.WalkContinue, err
}

// linkTitle says where a link leads, whatever its text claims.
func linkTitle(where string, title []byte) string {
	if len(title) > 0 {
		where += " “" + string(title) + "”"
	}
	return ` <span class="where">` + template.HTMLEscapeString(where) + "</span>"
}

// image writes a link to the image. Loading the image would tell its site that
// somebody reads the page.
func (w *writer) image(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	image, ok := n.(*ast.Image)
	if !entering || !ok {
		return ast.WalkSkipChildren, nil
	}
	open, end := `<span class="dead">`, "</span>"
	href, host, leads := address(image.Destination)
	if leads {
		open, end = anchor(href), "</a>"
	} else {
		host = string(image.Destination)
	}
	_, err := fmt.Fprintf(out, "%simage: %s%s%s", open, template.HTMLEscapeString(plainText(source, image)), end, linkTitle(host, image.Title))
	return ast.WalkSkipChildren, err
}

func (w *writer) autoLink(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	link, ok := n.(*ast.AutoLink)
	if !entering || !ok {
		return ast.WalkContinue, nil
	}
	label := escaped(link.Label(source))
	destination := link.URL(source)
	if link.AutoLinkType == ast.AutoLinkEmail && !bytes.HasPrefix(bytes.ToLower(destination), []byte("mailto:")) {
		destination = slices.Concat([]byte("mailto:"), destination)
	}
	if href, _, leads := address(destination); leads {
		label = anchor(href) + label + "</a>"
	}
	_, err := out.WriteString(label)
	return ast.WalkContinue, err
}

func (w *writer) checkBox(out util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	mark := "☐ "
	if box, ok := n.(*extast.TaskCheckBox); ok && box.IsChecked {
		mark = "☑ "
	}
	_, err := out.WriteString(mark)
	return ast.WalkContinue, err
}
