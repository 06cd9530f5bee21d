package sessionpage

import (
	"bytes"
	"context"
	_ "embed"
	"io"

	"planb/plans/page"
	"planb/store/archive"
)

//go:embed page.html
var pageHTML string

//go:embed session.css
var sessionCSS string

// Write writes the session as a page. It draws diagrams with draw; if draw is
// nil, it shows their sources.
func Write(ctx context.Context, w io.Writer, s archive.Session, draw page.Draw) error {
	told, err := s.Tell(ctx)
	if err != nil {
		return err
	}
	layout, err := page.Layout(pageHTML)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := layout.Execute(&out, newView(told, page.NewDrawer(draw))); err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}
