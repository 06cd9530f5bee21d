package frame

import (
	"io"
	"os"

	"github.com/charmbracelet/x/term"

	"planb/cli/layout"
	"planb/plainjson"
	"planb/questions/safe"
)

// Columns returns the width of a line written to the file.
func Columns(to *os.File) int {
	if width, _, err := term.GetSize(to.Fd()); err == nil && width > 0 {
		return width
	}
	return layout.Endless
}

// Width is the width of a line on stdout.
func (p Program) Width() int { return Columns(p.Stdout) }

// Print writes text to stdout unchanged.
func (p Program) Print(text string) error {
	_, err := io.WriteString(p.Stdout, text)
	return err
}

// Tell prints a message for the person on stdout, broken to the width.
func (p Program) Tell(text string) error { return p.Print(layout.Message("", text, p.Width())) }

// Warn prints trouble that does not end the command to stderr; there is no
// place to report that stderr fails. It cleans the text, which may quote names
// from outside.
func (p Program) Warn(text string) {
	_, _ = io.WriteString(p.Stderr, layout.Message("planb: ", safe.New(text).Block(), Columns(p.Stderr))+"\n")
}

// PrintJSON writes a value as indented JSON.
func PrintJSON(w io.Writer, value any) error {
	text, err := plainjson.Indent(value, "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}
