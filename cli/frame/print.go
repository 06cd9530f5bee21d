package frame

import (
	"bytes"
	"encoding/json"
	"io"
	"os"

	"github.com/charmbracelet/x/term"

	"planb/cli/layout"
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
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// EncodeLine encodes value as one line of JSON, with < and > unescaped.
func EncodeLine(value any) ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return line.Bytes(), err
}
