package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
	"strings"

	"planb/store/archive"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

// Write writes the session as a page. It draws diagrams with draw; if draw is
// nil, it shows their sources.
func Write(ctx context.Context, w io.Writer, s archive.Session, draw Draw) error {
	told, err := s.Tell(ctx)
	if err != nil {
		return err
	}
	layout, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := layout.Execute(&out, newView(told, newDrawer(draw))); err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

// policy allows the page's one style and nothing else.
func policy(style string) string {
	sum := sha256.Sum256([]byte(style))
	return strings.Join([]string{
		"default-src 'none'",
		"style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'",
		"base-uri 'none'",
		"form-action 'none'",
	}, "; ")
}
