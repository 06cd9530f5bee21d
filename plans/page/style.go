package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"
)

//go:embed page.css
var pageCSS string

//go:embed head.html
var headHTML string

// Layout parses the template of a page. In it, {{template "head" .}} writes the head that all
// pages share, with the Title, the Style and the Policy of the data.
func Layout(text string) (*template.Template, error) {
	layout, err := template.New("head").Parse(headHTML)
	if err != nil {
		return nil, err
	}
	return layout.New("page").Parse(text)
}

// Style returns the style that every page shares: the colours for light and dark,
// the base elements, and all that Markdown writes.
func Style() string { return pageCSS }

// Policy returns the Content-Security-Policy of a page with that one style element
// and nothing else.
func Policy(style string) string {
	sum := sha256.Sum256([]byte(style))
	return strings.Join([]string{
		"default-src 'none'",
		"style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'",
		"base-uri 'none'",
		"form-action 'none'",
	}, "; ")
}
