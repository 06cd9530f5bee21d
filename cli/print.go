package cli

import (
	"io"
	"os"

	"github.com/charmbracelet/x/term"

	"planb/questions/safe"
	"planb/setup/layout"
)

// columns is how wide a line written to the file may be.
func columns(to *os.File) int {
	if width, _, err := term.GetSize(to.Fd()); err == nil && width > 0 {
		return width
	}
	return layout.Endless
}

// width is how wide a line on stdout may be.
func (p program) width() int { return columns(p.stdout) }

// print writes to stdout what is to stay as it is.
func (p program) print(text string) error {
	_, err := io.WriteString(p.stdout, text)
	return err
}

// tell tells the person something on stdout.
func (p program) tell(text string) error { return p.print(layout.Message("", text, p.width())) }

// warn tells the person of trouble that ends nothing. What cannot be written to
// stderr can be told nowhere. It may quote what others named, such as a file.
func (p program) warn(text string) {
	_, _ = io.WriteString(p.stderr, layout.Message("planb: ", safe.New(text).Block(), columns(p.stderr))+"\n")
}
