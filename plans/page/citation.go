package page

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// cites is an attribute that marks the links made from [q:id] in a plan.
// Markdown cannot set attributes, so no text can fake it.
const cites = "cites"

// citations parses the citations of a text as links.
type citations struct{ of map[string]bool }

// Trigger implements parser.InlineParser.
func (citations) Trigger() []byte { return []byte{'['} }

// Parse implements parser.InlineParser.
func (c citations) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	rest, ok := bytes.CutPrefix(line, []byte("[q:"))
	end := bytes.IndexByte(rest, ']')
	if !ok || end < 0 || !c.of[string(rest[:end])] {
		return nil
	}
	block.Advance(len("[q:") + end + 1)
	link := ast.NewLink()
	link.SetAttributeString(cites, string(rest[:end]))
	return link
}

// cited returns the question id of a link that is a citation.
func cited(link *ast.Link) (question string, ok bool) {
	value, ok := link.AttributeString(cites)
	if !ok {
		return "", false
	}
	question, ok = value.(string)
	return question, ok
}

// citation returns the link to an answer.
func (w *writer) citation(question string) string {
	cited := w.citing(question)
	if cited.Anchor == "" {
		return fmt.Sprintf(`<span class="cite none" title="No answer to it came before this version.">%s</span>`, template.HTMLEscapeString(question))
	}
	shown := cmp.Or(cited.Said, cited.Label, question)
	return fmt.Sprintf(`<a class="cite" href="#%s" title="%s">%s</a>`, cited.Anchor, template.HTMLEscapeString(cited.Label), template.HTMLEscapeString(shown))
}
