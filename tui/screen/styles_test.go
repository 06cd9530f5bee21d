package screen

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"planb/themes"
)

// Lip Gloss underlines character by character, which takes clusters apart.
func TestUnderliningKeepsClustersWhole(t *testing.T) {
	for name, style := range map[string]lipgloss.Style{
		"tab": NewStyles(themes.None().Palette).TabHere, "input": NewStyles(themes.None().Palette).InputHere, "match": NewStyles(themes.Default(true).Palette).Match,
	} {
		const text = "क्षमा 👩🏽‍💻"
		if drawn := style.Render(text); !strings.Contains(drawn, text) || !strings.Contains(drawn, "\x1b[4m") {
			t.Errorf("%s draws %q", name, drawn)
		}
	}
}
