package themes

import "testing"

// A command does not know the background of the terminal that it prints into.
func TestWhatIsPrintedIsReadableOnWhiteAndOnBlack(t *testing.T) {
	const least = 3.8
	for _, c := range Printed().colours() {
		fg, ok := parse(c.Color)
		if !ok {
			continue
		}
		for _, ground := range []Color{"#ffffff", "#000000", "#1e1e2e"} {
			bg, _ := parse(ground)
			if got := contrast(fg.luminance(), bg.luminance()); got < least {
				t.Errorf("%s %s on %s has %.2f:1, less than %.1f:1", c.name, c.Color, ground, got, least)
			}
		}
	}
}
