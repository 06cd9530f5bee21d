package themes

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// families does not read a file that it does not name.
func TestEveryPaletteIsAFamily(t *testing.T) {
	var names []string
	for f := range (Collection{}).families {
		if f.Name != NoColor {
			names = append(names, f.Name+".toml")
		}
	}
	entries, err := palettes.ReadDir("palettes")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if !slices.Contains(names, entry.Name()) {
			t.Errorf("%s is not in families, or names itself otherwise", entry.Name())
		}
	}
	if len(entries) != len(names) {
		t.Errorf("%d files, %d families", len(entries), len(names))
	}
}

// A form cannot paint before it has its theme. The last family that has a file takes longest.
func BenchmarkFind(b *testing.B) {
	for _, name := range []string{defaultFamily, terminalFamily, NoColor} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := (Collection{}).Find(name); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestFind(t *testing.T) {
	for _, name := range (Collection{}).Names() {
		for _, spelling := range []string{name, strings.ToUpper(name), " " + name + " ", strings.ReplaceAll(name, "-", " "), strings.ReplaceAll(name, "-", "")} {
			if got, err := (Collection{}).Find(spelling); err != nil || got.Name != name {
				t.Errorf("Find(%q) = %q, %v", spelling, got.Name, err)
			}
		}
	}
	if c, err := (Collection{}).Find("Rosé Pine"); err != nil || c.Name != "rose-pine" {
		t.Errorf("Rosé Pine is %q, %v", c.Name, err)
	}
	if c, err := (Collection{}).Find(""); err != nil || c.On(true).Name != DefaultDark || c.On(false).Name != DefaultLight {
		t.Errorf("no name stands for %+v, %v", c, err)
	}
}

// A family's name follows the terminal's background; a theme's name does not. Both
// have a counterpart to switch to.
func TestChoices(t *testing.T) {
	for _, c := range (Collection{}).Choices() {
		switch {
		case c.Theme.Palette.Colorless():
			if c.Follows || c.Other.Name != c.Theme.Name {
				t.Errorf("%s turns into %s", c.Name, c.Other.Name)
			}
		case c.Theme.Dark == c.Other.Dark:
			t.Errorf("%s and its counterpart %s are alike dark", c.Name, c.Other.Name)
		case c.Follows && (!c.On(true).Dark || c.On(false).Dark):
			t.Errorf("%s does not follow the background", c.Name)
		case !c.Follows && (c.On(true).Name != c.Name || c.On(false).Name != c.Name):
			t.Errorf("%s follows the background, though it is one theme", c.Name)
		}
	}
	for family, pair := range map[string][2]string{
		"planb": {"dark", "light"}, "catppuccin": {"catppuccin-mocha", "catppuccin-latte"}, "dracula": {"dracula-dark", "dracula-light"},
		"gruvbox": {"gruvbox-dark", "gruvbox-light"}, "nord": {"nord-dark", "nord-light"}, "rose-pine": {"rose-pine-main", "rose-pine-dawn"},
		"solarized": {"solarized-dark", "solarized-light"}, "tokyo-night": {"tokyo-night-night", "tokyo-night-day"},
		"high-contrast": {"high-contrast-dark", "high-contrast-light"}, "terminal": {"terminal-dark", "terminal-light"},
	} {
		c, err := (Collection{}).Find(family)
		if err != nil || c.On(true).Name != pair[0] || c.On(false).Name != pair[1] {
			t.Errorf("%s is %s on dark and %s on light (%v), want %v", family, c.On(true).Name, c.On(false).Name, err, pair)
		}
	}
}

func TestUnknownNames(t *testing.T) {
	for typed, meant := range map[string]string{
		"solarised": "solarized", "tokio-night": "tokyo-night", "catpuccin": "catppuccin", "nrod": "", "neon": "", "gruvbox-drak": "gruvbox-dark",
		"rosepine dawn": "rose-pine-dawn", "drakula": "dracula", "highcontrast-ligt": "high-contrast-light", "x": "", "🦊": "",
	} {
		_, err := (Collection{}).Find(typed)
		var unknown *UnknownError
		if !errors.As(err, &unknown) {
			if c, _ := (Collection{}).Find(typed); c.Name != meant {
				t.Errorf("%q: %v", typed, err)
			}
			continue
		}
		if got := nearest(typed, (Collection{}).Names()); got != meant {
			t.Errorf("%q: nearest is %q, want %q", typed, got, meant)
		}
		want := fmt.Sprintf("there is no theme %q; ", typed)
		if meant != "" {
			want += "did you mean " + meant + "? "
		}
		if want += "`planb tui themes` shows them all"; err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
	}
}

// Sixteen keeps the brightness of a theme that uses the terminal's background. A
// theme that paints its own follows the terminal's.
func TestSixteen(t *testing.T) {
	for name, want := range map[string][2]string{ // on dark, on light
		"": {"terminal-dark", "terminal-light"}, "dark": {"terminal-dark", "terminal-dark"}, "light": {"terminal-light", "terminal-light"},
		"nord": {"terminal-dark", "terminal-light"}, "nord-dark": {"terminal-dark", "terminal-light"},
		"terminal-light": {"terminal-light", "terminal-light"}, "none": {"none", "none"},
	} {
		c, err := (Collection{}).Find(name)
		if err != nil {
			t.Fatal(err)
		}
		got := Sixteen(c)
		if got.On(true).Name != want[0] || got.On(false).Name != want[1] || got.Name != c.Name {
			t.Errorf("%q is %s on dark and %s on light, want %v", name, got.On(true).Name, got.On(false).Name, want)
		}
	}
}

// TestTerminalColours checks the rules by which the terminal's colours were chosen,
// because their contrast cannot be measured.
func TestTerminalColours(t *testing.T) {
	hues := map[bool][]Color{true: {"", "2", "3", "6", "9", "13"}, false: {"", "1", "4", "5"}}
	for _, theme := range read(terminalFamily).Themes {
		p := theme.Palette
		for _, c := range p.colours() {
			if !slices.Contains(hues[theme.Dark], c.Color) {
				t.Errorf("%s: %s is %q, not one of %q", theme.Name, c.name, c.Color, hues[theme.Dark])
			}
		}
		for _, own := range []Color{p.Background, p.Text, p.Muted, p.Faint, p.AccentText, p.FocusBg, p.CodeBg, p.AddedBg, p.RemovedBg} {
			if own != "" {
				t.Errorf("%s: text and backgrounds are the terminal's, got %q", theme.Name, own)
			}
		}
		for _, o := range [][2]Color{{p.Success, p.Danger}, {p.Success, p.Warning}, {p.Warning, p.Danger}, {p.Code.Added, p.Code.Removed}, {p.Text, p.Accent}} {
			if o[0] == o[1] {
				t.Errorf("%s: %q stands for opposites", theme.Name, o[0])
			}
		}
		if got := Indexed(theme); got != p {
			t.Errorf("%s is something else in 256 colours: %+v", theme.Name, got)
		}
	}
}

// Text has more contrast than Muted, and Muted more than Faint.
func TestHierarchy(t *testing.T) {
	for _, theme := range everyTheme() {
		if !measurable(theme) {
			continue
		}
		ground := theme.Backgrounds[len(theme.Backgrounds)-1]
		of := func(c Color) float64 { return contrastOf(value(t, c), value(t, ground)) }
		p := theme.Palette
		if of(p.Text) < 1.15*of(p.Muted) || of(p.Muted) < 1.1*of(p.Faint) {
			t.Errorf("%s: text has %.1f:1, muted %.1f:1, faint %.1f:1", theme.Name, of(p.Text), of(p.Muted), of(p.Faint))
		}
	}
}
