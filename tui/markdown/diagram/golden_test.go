package diagram

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// TestFlowcharts draws every feature of flowcharts.
func TestFlowcharts(t *testing.T) {
	goldens(t, "flow")
}

// goldens draws the sources of a directory, with the options in their first lines.
func goldens(t *testing.T, directory string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", directory, "*.mmd"))
	if err != nil || len(files) == 0 {
		t.Fatal(len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".mmd"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d, err := Draw(string(text), optionsIn(t, string(text)))
			if err != nil {
				t.Fatal(err)
			}
			golden.RequireEqual(t, textOf(d)+strings.Join(append([]string{""}, d.Legend...), "\n"))
			checkDrawing(t, d)
		})
	}
}

func TestStates(t *testing.T) { goldens(t, "state") }

func TestSequences(t *testing.T) { goldens(t, "sequence") }

// optionsIn reads options from comments at the beginning of a source: "%% width 40",
// "%% ascii".
func optionsIn(t *testing.T, text string) Options {
	t.Helper()
	var o Options
	for line := range strings.Lines(text) {
		option, found := strings.CutPrefix(strings.TrimSpace(line), "%% ")
		if !found {
			break
		}
		if option == "ascii" {
			o.ASCII = true
		} else if _, err := fmt.Sscanf(option, "width %d", &o.Width); err != nil {
			t.Fatal(option, err)
		}
	}
	return o
}

// checkDrawing checks the promises of every drawing.
func checkDrawing(t *testing.T, d Drawing) {
	t.Helper()
	width := 0
	for _, line := range d.Lines {
		text := line.String()
		width = max(width, ansi.StringWidth(text))
		if strings.TrimRight(text, " ") != text {
			t.Errorf("%q ends with a space", text)
		}
		for i, span := range line {
			if span.Text == "" || i > 0 && line[i-1].Role == span.Role {
				t.Errorf("%q has spans that say nothing: %q", text, line)
			}
		}
	}
	if width != d.Width {
		t.Errorf("it is %d cells wide and says %d", width, d.Width)
	}
}

// textOf returns the lines of a drawing without its legend.
func textOf(d Drawing) string {
	var b strings.Builder
	for _, line := range d.Lines {
		b.WriteString(line.String())
		b.WriteByte('\n')
	}
	return b.String()
}
