package themes

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// mine is a family as a person may write it: one of planb's with another name.
func mine(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("palettes/gruvbox.toml")
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "gruvbox", "mine")
}

// Everything that planb's own files hold can be written by a person.
func TestEveryPaletteCanBeWrittenByAPerson(t *testing.T) {
	for f := range (Collection{}).families {
		if f.Name == NoColor {
			continue
		}
		text, err := palettes.ReadFile("palettes/" + f.Name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(text); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

func TestAPersonsFamilyIsFound(t *testing.T) {
	f, err := Parse([]byte(mine(t)))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Collection{}.With(f)
	if err != nil {
		t.Fatal(err)
	}
	found, err := c.Find("Mine")
	if err != nil || !found.Follows || found.On(true).Name != "mine-dark" || found.On(false).Name != "mine-light" {
		t.Errorf("mine is %+v, %v", found, err)
	}
	if names := strings.Join(c.Names(), " "); !strings.Contains(names, "planb dark light mine mine-dark mine-light catppuccin ") {
		t.Errorf("the names are %s", names)
	}
	if indexed := Indexed(found.Theme); indexed.Accent == found.Theme.Palette.Accent {
		t.Error("it has no palette of 256 colours")
	}
	if _, err := c.Find("mime-dark"); err == nil || !strings.Contains(err.Error(), "did you mean mine-dark?") {
		t.Errorf("a mistyped name says %v", err)
	}
	if _, err := (Collection{}).Find("mine"); err == nil {
		t.Error("planb's own collection has it, too")
	}
}

// A family of one theme needs neither dark nor light.
func TestAFamilyOfOneTheme(t *testing.T) {
	text := mine(t)
	text = strings.NewReplacer("dark = \"mine-dark\"\n", "", "light = \"mine-light\"\n", "", "name = \"mine-dark\"", "name = \"mine\"").Replace(text[:strings.LastIndex(text, "[[theme]]")])
	f, err := Parse([]byte("\ufeff" + text))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Collection{}.With(f)
	if err != nil {
		t.Fatal(err)
	}
	if found, err := c.Find("mine"); err != nil || found.Follows || found.Other.Name != "mine" || found.Family != "mine" {
		t.Errorf("it is %+v, %v", found, err)
	}
}

// Files that were written before there was a surface still work. Their surface is between
// two backgrounds that all text is readable on.
func TestASurfaceIsMadeIfAFileHasNone(t *testing.T) {
	var text strings.Builder
	for line := range strings.Lines(mine(t)) {
		if !strings.HasPrefix(line, "surface = ") {
			text.WriteString(line)
		}
	}
	f, err := Parse([]byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	for _, theme := range f.Themes {
		p := theme.Palette
		if _, ok := parseColor(p.Surface); !ok || p.Surface == p.Background || p.Surface == p.FocusBg {
			t.Errorf("%s: the surface is %q", theme.Name, p.Surface)
		}
		if low := theme.LowContrast(); len(low) > 0 {
			t.Errorf("%s: %v", theme.Name, low)
		}
	}
}

func TestMistakesInAFamilyAreNamed(t *testing.T) {
	for _, test := range []struct {
		name, from, to string
		want           string
	}{
		{"no TOML", `dark = true`, `dark = `, `line 9: `},
		{"no colour", `muted = "#bdae93"`, `muted = "grey"`, `line 15: the theme mine-dark has "grey" for palette.muted; write "#rrggbb", or "0" to "15" for a colour of the terminal`},
		{"no text", `muted = "#bdae93"`, `muted = 3`, `line 15: the value has the wrong type; names and colours are text in quotes, dark is true or false, backgrounds is a list (column 9)`},
		{"a key that is not there", `muted = "#bdae93"`, `mutet = "#bdae93"`, `line 15: there is no "theme.palette.mutet" in a theme's file; did you mean muted?`},
		{"nonsense", `muted = "#bdae93"`, "muted = \"#bdae93\"\nzzzq = 1", `line 16: there is no "theme.palette.zzzq" in a theme's file; take the line out`},
		{"missing colours", "muted = \"#bdae93\" # fg3\nfaint = \"#b0a18c\"", "#", `line 7: the theme mine-dark has no "#rrggbb" for muted, faint; give every colour one, under [theme.palette] and [theme.palette.code]`},
		{"a family without a name", `name = "mine"`, ``, `the family is called ""; a name has up to 40 lower-case letters`},
		{"a name that cannot be typed", `name = "mine"`, `name = "My\u001b"`, `line 2: the family is called "My\x1b"; a name has`},
		{"a theme without a name", `name = "mine-light"`, ``, `line 46: the theme is called ""; a name has up to 40 lower-case letters, digits and hyphens, such as name = "mine-dark"`},
		{"a name twice", `name = "mine-light"`, `name = "mine-dark"`, `line 47: there are two themes called mine-dark; take another name`},
		{"the family's name", `name = "mine-light"`, `name = "mine"`, `line 47: the theme is called mine, as its family; take another name, such as mine-dark`},
		{"another's theme", `light = "mine-light"`, `light = "nord-light"`, `line 4: light = "nord-light" names no theme of the family; write one of mine-dark, mine-light`},
		{"no light theme", `light = "mine-light"`, ``, `light = "" names no theme of the family; write one of mine-dark, mine-light`},
		{"no background", "backgrounds = [\"#282828\"]\n\n[theme.palette]\nbackground = \"#282828\" # bg\n", "[theme.palette]\n", `line 7: the theme mine-dark names no background; add background to its palette, or, to keep the terminal's, backgrounds = ["#rrggbb"]`},
		{"a background that is none", "backgrounds = [\"#282828\"]", "backgrounds = [\"black\"]", `line 10: the theme mine-dark has "black" for backgrounds; write "#rrggbb"`},
		{"the other brightness", "dark = true\n", "", `line 7: the theme mine-dark has the background #282828; write dark = true under its [[theme]]`},
		{"two kinds of colours", `accent = "#8ec07c"`, `accent = "2"`, `line 17: the theme mine-dark has #282828 for background, but no "#rrggbb" for accent; write all its colours in the same way`},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := mine(t)
			if !strings.Contains(text, test.from) {
				t.Fatalf("no %q in the file", test.from)
			}
			_, err := Parse([]byte(strings.Replace(text, test.from, test.to, 1)))
			wrong, ok := errors.AsType[*ParseError](err)
			if !ok || !strings.HasPrefix(wrong.Error(), test.want) {
				t.Errorf("the error is\n%v\nwant\n%s", err, test.want)
			}
		})
	}
	if _, err := Parse(nil); err == nil {
		t.Error("an empty file is a family")
	}
	if _, err := Parse([]byte(`name = "mine"`)); err == nil || !strings.Contains(err.Error(), "has no theme; add one under [[theme]]") {
		t.Errorf("a family of none: %v", err)
	}
	for _, taken := range []string{"nord", "dark", "none"} {
		if _, err := (Collection{}).With(Family{Name: taken}); err == nil || !strings.Contains(err.Error(), "is taken by the theme "+taken) {
			t.Errorf("%s: %v", taken, err)
		}
	}
}

// A mistake is named, too, in a file with a byte order mark, and in one with its themes in a
// list.
func TestMistakesInUnusualFilesAreNamed(t *testing.T) {
	for text, want := range map[string]string{
		"\ufeff" + strings.Replace(mine(t), `muted = "#bdae93"`, `muted = "grey"`, 1):    `line 15: the theme mine-dark has "grey" for palette.muted`,
		"name = \"mine\"\ntheme = [\n{name = \"a\", palette = {muted = \"grey\"}},\n]\n": `line 2: the theme a has "grey" for palette.muted`,
		"name = \"mine\"\ntheme = [{name = \"A\"}]\n":                                    `line 2: the theme is called "A"`,
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("the error is\n%v\nwant\n%s", err, want)
		}
	}
}

// What is hard to read is accepted, and named.
func TestLowContrastIsNamed(t *testing.T) {
	f, err := Parse([]byte(strings.Replace(mine(t), `muted = "#bdae93"`, `muted = "#555555"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	low := f.Themes[0].LowContrast()
	if len(low) != 1 || low[0].String() != "muted #555555 on #3c3836 has 1.6:1, less than 4.5:1" {
		t.Errorf("it says %v", low)
	}
	if low := f.Themes[1].LowContrast(); len(low) > 0 {
		t.Errorf("of the other theme it says %v", low)
	}
}
