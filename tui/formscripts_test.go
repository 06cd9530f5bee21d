package tui

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planb/themes"
	"planb/tui/cells"
	"planb/tui/tuitest"
)

// Scripts that run from right to left, wide characters, joined emoji, stacked marks
// and Indic syllables leave the frame as it is, on terminals that count clusters and
// on those that do not.
func TestScriptsKeepTheFrame(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../testdata/specs/scripts.json")
	if err != nil {
		t.Fatal(err)
	}
	spec := tuitest.Parse(t, string(raw))
	for _, size := range [][2]int{{40, 20}, {80, 24}, {120, 40}} {
		for _, tab := range []string{"intro", "options", "text"} {
			t.Run(fmt.Sprintf("%s-%d", tab, size[0]), func(t *testing.T) {
				r := rigIn(t, formInputOf(spec), size[0], size[1], themes.Default(true))
				if tab != "intro" {
					r.Keys("right")
				}
				if tab == "text" {
					r.keys("ctrl+pgdown").write("रात के ३ बजे 👩🏽‍💻")
				}
				frame := r.form.View()
				if tab == "text" && frame.Cursor == nil {
					t.Fatal("there is no caret")
				}
				sees := map[string]string{"clusters": frame.Content, "characters": fitted(frame, size[0]).Content}
				for terminal, content := range sees {
					width := ansi.StringWidth
					if terminal == "characters" {
						width = cells.Width
					}
					if at := bars(content, width); len(at) > 1 {
						t.Errorf("where %s are counted, the panel's edge is in columns %v:\n%s", terminal, at, content)
					}
					for _, line := range strings.Split(content, "\n") {
						if width(line) > size[0] {
							t.Errorf("where %s are counted, a line has %d cells of %d: %q", terminal, width(line), size[0], line)
						}
					}
				}
				golden.RequireEqual(t, sees["clusters"]+"\n"+sees["characters"])
			})
		}
	}
}

// bars are the columns of the first bar of every line but those of tables.
func bars(content string, width func(string) int) map[int]int {
	at := map[int]int{}
	for _, line := range strings.Split(ansi.Strip(content), "\n") {
		if before, _, found := strings.Cut(line, "│"); found && width(before) > 40 {
			at[width(before)]++
		}
	}
	return at
}
