package screen

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/themes"
)

// TestKeyLine holds what a line of keys gives up first where it is too narrow.
func TestKeyLine(t *testing.T) {
	hints := []Hint{
		{Label: "enter", Does: "next question", Brief: "next"},
		{Label: "", Does: "what has no key"},
		{Label: "ctrl+s", Does: "submit"},
		{Label: "←", Does: "pan"}, {Label: "→", Does: "pan"},
		{Label: "f1", Does: "help", Kept: true},
		{Label: "z", Does: "zoom"},
	}
	st := (*Look)(nil).With(themes.None().Palette).Styles
	for width, want := range map[int]string{
		80: "enter next question   ctrl+s submit   ←/→ pan   f1 help   z zoom",
		64: "enter next question   ctrl+s submit   ←/→ pan   f1 help   z zoom",
		63: "enter next   ctrl+s submit   ←/→ pan   f1 help   z zoom",
		54: "enter next   ctrl+s submit   ←/→ pan   f1 help",
		36: "enter next   ctrl+s submit   f1 help",
		30: "enter next question   f1 help",
		20: "enter next   f1 help",
		19: "←/→ pan   f1 help",
		10: "f1 help",
		6:  "z zoom",
		2:  "",
	} {
		if got := ansi.Strip(st.KeyLine(hints, width)); got != want {
			t.Errorf("%d cells: %q, want %q", width, got, want)
		}
	}
}
