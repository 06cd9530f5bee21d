package compare

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"planb/plans/diff"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/screen"
)

// A row has as many lines as were counted when the page was laid out.
func TestLinesAreAsManyAsCounted(t *testing.T) {
	t.Parallel()
	st := screen.NewStyles(themes.Default(true).Palette)
	text := rapid.StringMatching(`([a-z]{1,9}| |\||-|世){0,30}`)
	rapid.Check(t, func(t *rapid.T) {
		d := diff.Between(text.Draw(t, "old")+"\n", text.Draw(t, "new")+"\n")
		width := rapid.IntRange(3, 30).Draw(t, "width")
		for _, line := range d.Lines {
			pieces, plain := piecesOf(line, false), ""
			for _, p := range pieces {
				plain += p.text
			}
			drawn := inkOf(&st, line.Op).draw("", pieces, width+signCells)
			if counted := cells.LineCount(plain, width); counted != len(drawn) {
				t.Fatalf("%q in %d cells: %d lines are counted, and %d drawn: %q", plain, width, counted, len(drawn), drawn)
			}
		}
	})
}

// The bar at the end of a table's row does not wrap alone.
func TestNoBarStandsAlone(t *testing.T) {
	t.Parallel()
	st := screen.NewStyles(themes.Default(true).Palette)
	const row = "| a receiver that is down for a day | a clock that is moved |"
	for width := 24; width < len(row)+signCells; width++ {
		for _, line := range Lines(&st, row, row, width) {
			if strings.TrimSpace(strings.ReplaceAll(ansi.Strip(line), "\u00a0", " ")) == "|" {
				t.Errorf("in %d cells a bar stands alone", width)
			}
		}
	}
}
