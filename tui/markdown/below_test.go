package markdown

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/themes"
)

func TestAHeadingThatRepeatsTheTitleIsLeftOut(t *testing.T) {
	const wide = "```\n" + "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" + "\n```\n"
	for _, theme := range []themes.Theme{themes.Default(true), themes.None()} {
		renderer := New(theme.Palette, 0)
		for text, left := range map[string]string{
			"# Ships\n\nThe first.\n":     "The first.",
			"## Ships\n\nThe first.\n":    "The first.",
			"### *Ships*\n\nThe first.\n": "The first.",
			"# Boats\n\nThe first.\n":     "Boats",
			"# Ships":                     "Ships", // nothing would be left
			"# Ships\n\n" + wide:          "aaaa",
		} {
			doc := renderer.Render(safe.New(text), 40).Below("ships")
			if first := strings.TrimSpace(ansi.Strip(doc.Lines[0])); !strings.HasPrefix(first, left) {
				t.Errorf("%s: %q begins with %q", theme.Name, text, first)
			}
			if len(doc.Source) != len(doc.Lines) {
				t.Errorf("%s: %q has %d lines and the source of %d", theme.Name, text, len(doc.Lines), len(doc.Source))
			}
			for _, block := range doc.Wide {
				if line := ansi.Strip(doc.Lines[block.From]); !strings.Contains(line, "aaaa") {
					t.Errorf("%s: %q has a wide block at %q", theme.Name, text, line)
				}
			}
		}
	}
}
