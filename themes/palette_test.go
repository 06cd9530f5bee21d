package themes

import (
	"fmt"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestReadable checks that every theme has WCAG's contrast, 4.5:1 for text and 3:1
// for marks (in high contrast 7:1 and 4.5:1), on the backgrounds that it is made
// for and on those that it paints. LowContrast finds nothing there either.
func TestReadable(t *testing.T) {
	for _, theme := range everyTheme() {
		if !measurable(theme) {
			continue
		}
		if low := theme.LowContrast(); len(low) > 0 {
			t.Errorf("%s: %v", theme.Name, low)
		}
		for depth, theme := range depths(theme) {
			t.Run(theme.Name+"/"+depth, func(t *testing.T) {
				for _, pair := range theme.pairs() {
					got := contrastOf(value(t, pair.fg), value(t, pair.bg))
					if got < pair.least {
						t.Errorf("%s %s on %s: contrast %.2f, want at least %.1f", pair.name, pair.fg, pair.bg, got, pair.least)
					}
				}
			})
		}
	}
}

// TestDistinct checks that colours with opposite meanings never look the same, even
// in 256 colours.
func TestDistinct(t *testing.T) {
	for _, theme := range everyTheme() {
		if !measurable(theme) {
			continue
		}
		for depth, theme := range depths(theme) {
			p := theme.Palette
			opposites := [][2]Color{
				{p.Success, p.Danger}, {p.Success, p.Warning}, {p.Warning, p.Danger}, {p.Code.Added, p.Code.Removed}, {p.AddedBg, p.RemovedBg},
				{p.Text, p.Muted}, {p.Text, p.Accent}, {p.Border, p.BorderFocus}, {p.Text, p.Heading}, {p.Text, p.Link}, {p.Surface, p.FocusBg}, {p.Danger, p.Required},
			}
			for _, ground := range theme.Backgrounds { // backgrounds painted on it must be visible
				opposites = append(opposites, [2]Color{ground, p.FocusBg}, [2]Color{ground, p.CodeBg}, [2]Color{ground, p.Border},
					[2]Color{ground, p.AddedBg}, [2]Color{ground, p.RemovedBg}, [2]Color{ground, p.Surface})
			}
			for _, o := range opposites {
				if value(t, o[0]) == value(t, o[1]) {
					t.Errorf("%s at %s: %s and %s look the same", theme.Name, depth, o[0], o[1])
				}
			}
		}
	}
}

// TestColoursAreFarEnoughApart checks by distances in Oklab that colours which stand beside
// one another can be told at a glance, and that grounds can be seen.
func TestColoursAreFarEnoughApart(t *testing.T) {
	for _, theme := range everyTheme() {
		if !measurable(theme) {
			continue
		}
		p := theme.Palette
		type apart struct {
			name  string
			a, b  Color
			least float64
		}
		own := theme.Name == DefaultDark || theme.Name == DefaultLight
		checks := []apart{
			{"danger and required", p.Danger, p.Required, 0.07},
			{"heading and warning", p.Heading, p.Warning, 0.06},
			{"surface and focus", p.Surface, p.FocusBg, 0.019},
		}
		if own {
			checks = append(checks, apart{"danger and required", p.Danger, p.Required, 0.09})
		}
		if !theme.Dark { // titles are ink there; the colour of warnings is for warnings
			checks = append(checks, apart{"heading and warning", p.Heading, p.Warning, 0.17})
		}
		for _, ground := range theme.Backgrounds {
			checks = append(checks, apart{"background and surface", ground, p.Surface, 0.015}, apart{"background and focus", ground, p.FocusBg, 0.03})
		}
		for _, c := range checks {
			a, _ := parseColor(c.a)
			b, _ := parseColor(c.b)
			if got := math.Sqrt(a.lab().distance(b.lab())); got < c.least {
				t.Errorf("%s: %s, %s and %s, are %.3f apart, want %.3f", theme.Name, c.name, c.a, c.b, got, c.least)
			}
		}
	}
}

func TestPalettesAreComplete(t *testing.T) {
	hex := regexp.MustCompile(`^#[0-9a-f]{6}$`)
	seen := map[string]bool{}
	for _, theme := range everyTheme() {
		if seen[strings.ToLower(theme.Name)] || theme.Name == "" || strings.TrimSpace(theme.Name) != theme.Name {
			t.Errorf("theme name %q is empty, padded or taken", theme.Name)
		}
		seen[strings.ToLower(theme.Name)] = true
		if !measurable(theme) {
			continue
		}
		if p := theme.Palette; len(theme.Backgrounds) == 0 || p.Painted() && !slices.Equal(theme.Backgrounds, []Color{p.Background}) {
			t.Errorf("%s is made for the backgrounds %q, and paints %q", theme.Name, theme.Backgrounds, p.Background)
		}
		for _, c := range theme.Palette.colours() {
			if !hex.MatchString(string(c.Color)) && (c.name != "background" || c.Color != "") {
				t.Errorf("%s: %s is %q, want #rrggbb in lower case", theme.Name, c.name, c.Color)
			}
		}
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

// TestThemesAreNotShared checks that a caller cannot change another caller's theme.
func TestThemesAreNotShared(t *testing.T) {
	Default(true).Backgrounds[0] = "#123456"
	if Default(true).Backgrounds[0] == "#123456" {
		t.Error("a caller changed the theme of all")
	}
}

// everyTheme returns all themes, each once.
func everyTheme() []Theme {
	var all []Theme
	for f := range (Collection{}).families {
		all = append(all, f.Themes...)
	}
	return all
}

// measurable reports whether the test knows how a theme's colours look.
func measurable(theme Theme) bool { return strings.HasPrefix(string(theme.Palette.Accent), "#") }

// depths returns a theme as terminals of each colour depth show it.
func depths(theme Theme) map[string]Theme {
	indexed := theme
	indexed.Palette = Indexed(theme)
	if theme.Palette.Painted() {
		indexed.Backgrounds = []Color{indexed.Palette.Background}
	}
	return map[string]Theme{"truecolor": theme, "256": indexed}
}

// value returns a colour's sRGB values.
func value(t *testing.T, c Color) color.RGBA {
	t.Helper()
	out := color.RGBA{A: 255}
	if index, err := strconv.ParseUint(string(c), 10, 8); err == nil && index >= 16 {
		r, g, b, _ := ansi.IndexedColor(index).RGBA()
		return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
	}
	if _, err := fmt.Sscanf(string(c), "#%02x%02x%02x", &out.R, &out.G, &out.B); err != nil {
		t.Fatalf("colour %q: %v", c, err)
	}
	return out
}

// contrastOf returns WCAG 2's contrast ratio, from 1 to 21.
func contrastOf(a, b color.RGBA) float64 {
	la, lb := brightness(a), brightness(b)
	return (math.Max(la, lb) + 0.05) / (math.Min(la, lb) + 0.05)
}

func brightness(c color.RGBA) float64 {
	linear := func(v uint8) float64 { // a separate implementation, so that it finds a mistake in the package's own
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// The grounds of added and removed text are green and red in 256 colours, too. Their nearest
// colours would be two greys in most themes.
func TestChangesKeepTheirColoursIn256Colours(t *testing.T) {
	for _, theme := range everyTheme() {
		if !measurable(theme) {
			continue
		}
		p := Indexed(theme)
		added, removed := value(t, p.AddedBg), value(t, p.RemovedBg)
		if added.G <= max(added.R, added.B) || removed.R <= max(removed.G, removed.B) {
			t.Errorf("%s: added text lies on %s, %v, and removed text on %s, %v", theme.Name, p.AddedBg, added, p.RemovedBg, removed)
		}
	}
}
