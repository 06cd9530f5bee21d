package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"

	"github.com/charmbracelet/x/term"

	"planb/questions/safe"
	"planb/setup/layout"
)

// columns returns the width of a line written to the file.
func columns(to *os.File) int {
	if width, _, err := term.GetSize(to.Fd()); err == nil && width > 0 {
		return width
	}
	return layout.Endless
}

// width is the width of a line on stdout.
func (p base) width() int { return columns(p.stdout) }

// print writes text to stdout unchanged.
func (p base) print(text string) error {
	_, err := io.WriteString(p.stdout, text)
	return err
}

// tell prints a message for the person on stdout, broken to the width.
func (p base) tell(text string) error { return p.print(layout.Message("", text, p.width())) }

// warn prints trouble that does not end the command to stderr; there is no
// place to report that stderr fails. It cleans the text, which may quote names
// from outside.
func (p base) warn(text string) {
	_, _ = io.WriteString(p.stderr, layout.Message("planb: ", safe.New(text).Block(), columns(p.stderr))+"\n")
}

// printJSON writes a value as indented JSON.
func printJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// encodeLine encodes value as one line of JSON, with < and > unescaped.
func encodeLine(value any) ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return line.Bytes(), err
}
