package page_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Text is legible on every background it stands on, in light and in dark: 4.5
// to 1, as WCAG 2 asks for.
func TestColoursCanBeRead(t *testing.T) {
	css, err := os.ReadFile("page.css")
	if err != nil {
		t.Fatal(err)
	}
	light, rest, _ := strings.Cut(string(css), "@media (prefers-color-scheme: dark)")
	dark, _, _ := strings.Cut(rest, "* {")
	for name, text := range map[string]string{"light": light, "dark": dark} {
		colours := map[string]string{}
		for _, m := range regexp.MustCompile(`--([a-z-]+): (#[0-9a-f]{6})`).FindAllStringSubmatch(text, -1) {
			colours[m[1]] = m[2]
		}
		for ground, inks := range map[string]string{
			"paper":        "ink soft faint accent link title good warn bad note info",
			"card":         "ink soft faint accent link title good warn bad note info",
			"tint":         "ink soft faint accent link",
			"code":         "ink soft faint link accent info title note", // drawings use the last four
			"added":        "ink faint good",
			"removed":      "ink faint bad",
			"added-word":   "ink",
			"removed-word": "ink",
		} {
			for ink := range strings.FieldsSeq(inks) {
				if ratio := contrast(t, colours[ink], colours[ground]); ratio < 4.5 {
					t.Errorf("%s: %s %s on %s %s is %.2f to 1", name, ink, colours[ink], ground, colours[ground], ratio)
				}
			}
		}
	}
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(t *testing.T, colour string) (sum float64) {
	t.Helper()
	if len(colour) != 7 {
		t.Fatalf("the colour %q", colour)
	}
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
