package themes

import (
	"fmt"
	"image/color"
	"math"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestReadable holds every theme to WCAG's 4.5:1 for text and 3:1 for marks, on
// the backgrounds it is made for and on those it paints itself.
func TestReadable(t *testing.T) {
	for _, theme := range all() {
		if theme.Palette.Colorless() {
			continue
		}
		for depth, show := range depths() {
			t.Run(theme.Name+"/"+depth, func(t *testing.T) {
				for _, pair := range pairs(theme) {
					got := contrast(show(rgb(t, pair.fg)), show(rgb(t, pair.bg)))
					if got < pair.min {
						t.Errorf("%s %s on %s: contrast %.2f, want at least %.1f", pair.name, pair.fg, pair.bg, got, pair.min)
					}
				}
			})
		}
	}
}

// TestDistinct holds that the colours which say opposite things never look the
// same, not even at 256 colours.
func TestDistinct(t *testing.T) {
	for _, theme := range all() {
		p := theme.Palette
		if p.Colorless() {
			continue
		}
		opposites := [][2]Color{
			{p.Success, p.Danger}, {p.Success, p.Warning}, {p.Warning, p.Danger}, {p.Code.Added, p.Code.Removed}, {p.AddedBg, p.RemovedBg},
			{p.Text, p.Muted}, {p.Text, p.Accent}, {p.Border, p.BorderFocus}, {p.Text, p.Heading}, {p.Text, p.Link},
		}
		for depth, show := range depths() {
			for _, o := range opposites {
				if show(rgb(t, o[0])) == show(rgb(t, o[1])) {
					t.Errorf("%s at %s: %s and %s look the same", theme.Name, depth, o[0], o[1])
				}
			}
		}
	}
}

func TestPalettesAreComplete(t *testing.T) {
	hex := regexp.MustCompile(`^#[0-9a-f]{6}$`)
	seen := map[string]bool{}
	for _, theme := range all() {
		if seen[strings.ToLower(theme.Name)] || theme.Name == "" || strings.TrimSpace(theme.Name) != theme.Name {
			t.Errorf("theme name %q is empty, padded or taken", theme.Name)
		}
		seen[strings.ToLower(theme.Name)] = true
		if theme.Palette.Colorless() {
			continue
		}
		if len(theme.Backgrounds) == 0 {
			t.Errorf("%s names no background it is made for", theme.Name)
		}
		for name, c := range colours(reflect.ValueOf(theme.Palette), "") {
			if !hex.MatchString(string(c)) {
				t.Errorf("%s: %s is %q, want #rrggbb in lower case", theme.Name, name, c)
			}
		}
	}
}

func TestByName(t *testing.T) {
	for _, name := range Names() {
		for _, spelling := range []string{name, strings.ToUpper(name), " " + name + " "} {
			got, err := ByName(spelling)
			if err != nil || got.Name != name {
				t.Errorf("ByName(%q) = %q, %v", spelling, got.Name, err)
			}
		}
	}
	_, err := ByName("solarised")
	want := `unknown theme "solarised": choose one of ` + strings.Join(Names(), ", ")
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestDefaults(t *testing.T) {
	if d := Default(true); !d.Dark || d.Palette.Colorless() {
		t.Errorf("the dark default is %+v", d)
	}
	if l := Default(false); l.Dark || l.Palette.Colorless() {
		t.Errorf("the light default is %+v", l)
	}
	if !None().Palette.Colorless() {
		t.Error("the theme without colours has some")
	}
}

// TestThemesAreNotShared holds that a caller who changes what it was given
// changes nothing for others.
func TestThemesAreNotShared(t *testing.T) {
	Default(true).Backgrounds[0] = "#123456"
	if Default(true).Backgrounds[0] == "#123456" {
		t.Error("a caller changed the theme of all")
	}
}

type pair struct {
	name   string
	fg, bg Color
	min    float64
}

// pairs returns what stands on what in a theme.
func pairs(theme Theme) []pair {
	const text, mark = 4.5, 3.0
	p := theme.Palette
	var out []pair
	for name, c := range colours(reflect.ValueOf(p), "") {
		switch name {
		case "AccentText":
			out = append(out, pair{name, c, p.Accent, text})
			continue
		case "FocusBg", "CodeBg", "AddedBg", "RemovedBg", "Border":
			continue // painted under text, or decoration
		case "Code.Added":
			out = append(out, pair{name, c, p.AddedBg, text})
		case "Code.Removed":
			out = append(out, pair{name, c, p.RemovedBg, text})
		}
		least := text
		if name == "BorderFocus" {
			least = mark
		}
		for _, bg := range append([]Color{p.FocusBg}, theme.Backgrounds...) {
			out = append(out, pair{name, c, bg, least})
		}
		if strings.HasPrefix(name, "Code.") || name == "Text" {
			out = append(out, pair{name, c, p.CodeBg, text})
		}
	}
	return out
}

// colours returns every colour of a palette by the name of its field.
func colours(v reflect.Value, prefix string) map[string]Color {
	out := map[string]Color{}
	for i := range v.NumField() {
		name := prefix + v.Type().Field(i).Name
		switch f := v.Field(i); f.Kind() {
		case reflect.Struct:
			for n, c := range colours(f, name+".") {
				out[n] = c
			}
		default:
			out[name] = Color(f.String())
		}
	}
	return out
}

// depths returns how a terminal of each colour depth shows a colour.
func depths() map[string]func(color.RGBA) color.RGBA {
	return map[string]func(color.RGBA) color.RGBA{
		"truecolor": func(c color.RGBA) color.RGBA { return c },
		"256": func(c color.RGBA) color.RGBA {
			r, g, b, _ := ansi.Convert256(c).RGBA()
			return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
		},
	}
}

func rgb(t *testing.T, c Color) color.RGBA {
	t.Helper()
	out := color.RGBA{A: 255}
	if _, err := fmt.Sscanf(string(c), "#%02x%02x%02x", &out.R, &out.G, &out.B); err != nil {
		t.Fatalf("colour %q: %v", c, err)
	}
	return out
}

// contrast is WCAG 2's contrast ratio, 1 to 21.
func contrast(a, b color.RGBA) float64 {
	la, lb := luminance(a), luminance(b)
	return (math.Max(la, lb) + 0.05) / (math.Min(la, lb) + 0.05)
}

func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}
