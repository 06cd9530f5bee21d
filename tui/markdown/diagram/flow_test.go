package diagram

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
			golden.RequireEqual(t, d.String()+strings.Join(append([]string{""}, d.Legend...), "\n"))
			checkDrawing(t, d)
		})
	}
}

// TestStates draws every feature of state diagrams.
func TestStates(t *testing.T) { goldens(t, "state") }
