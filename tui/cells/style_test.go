package cells

import (
	"testing"

	"charm.land/lipgloss/v2"
)

func TestAStyleDrawsAsLipGlossDoes(t *testing.T) {
	red, none := lipgloss.Color("#ff0000"), lipgloss.NoColor{}
	theirs := lipgloss.NewStyle()
	for name, row := range map[string]struct {
		ours   Style
		theirs lipgloss.Style
	}{
		"nothing":    {Style{}, theirs},
		"no colour":  {Style{}.Foreground(none).Background(none), theirs.Foreground(none).Background(none)},
		"foreground": {Style{}.Foreground(red), theirs.Foreground(red)},
		"background": {Style{}.Background(lipgloss.Color("4")), theirs.Background(lipgloss.Color("4"))},
		"everything": {Style{}.Background(red).Faint(true).Reverse(true).Italic(true).Bold(true).Foreground(lipgloss.Color("200")),
			theirs.Background(red).Faint(true).Reverse(true).Italic(true).Bold(true).Foreground(lipgloss.Color("200"))},
		"taken back": {Style{}.Bold(true).Faint(true).Bold(false), theirs.Faint(true)},
	} {
		for _, text := range []string{"", "text", "two words"} {
			if got, want := row.ours.Render(text), row.theirs.Render(text); got != want {
				t.Errorf("%s: %q becomes %q, want %q", name, text, got, want)
			}
		}
	}
}

func TestAStyleDrawsEachLineByItself(t *testing.T) {
	bold := Style{}.Bold(true)
	for style, want := range map[Style]string{
		{}:                   "long\n\nx",
		bold:                 "\x1b[1mlong\x1b[m\n\x1b[1m\x1b[m\n\x1b[1mx\x1b[m",
		bold.Underline(true): "\x1b[1m\x1b[4mlong\x1b[24m\x1b[m\n\x1b[1m\x1b[4m\x1b[24m\x1b[m\n\x1b[1m\x1b[4mx\x1b[24m\x1b[m",
	} {
		if got := style.Render("long\n\nx"); got != want {
			t.Errorf("%+v draws %q, want %q", style, got, want)
		}
	}
	if got, want := (Style{}).Struck(true).Render("क्षमा", "👩🏽‍💻"), "\x1b[9mक्षमा 👩🏽‍💻\x1b[29m"; got != want {
		t.Errorf("struck: %q, want %q", got, want)
	}
}
