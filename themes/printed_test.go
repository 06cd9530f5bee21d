package themes

import "testing"

// A command does not know the background of the terminal that it prints into.
func TestWhatIsPrintedIsReadableOnWhiteAndOnBlack(t *testing.T) {
	const least = 3.8
	for _, c := range Printed().colours() {
		fg, ok := parseColor(c.Color)
		if !ok {
			continue
		}
		for _, ground := range []Color{"#ffffff", "#000000", "#1e1e2e"} {
			bg, _ := parseColor(ground)
			if got := contrast(fg.luminance(), bg.luminance()); got < least {
				t.Errorf("%s %s on %s has %.2f:1, less than %.1f:1", c.name, c.Color, ground, got, least)
			}
		}
	}
}

// A theme that a person named is read on the grounds that it is made for, as it is on screens.
func TestWhatIsPrintedInATheme(t *testing.T) {
	for _, choice := range (Collection{}).Choices() {
		theme := choice.Theme
		p := theme.Printed()
		if p.Text != "" || p.Painted() || p.Surface != "" || p.FocusBg != "" || p.CodeBg != "" || p.AddedBg != "" || p.RemovedBg != "" {
			t.Errorf("%s sets text or a ground: %+v", theme.Name, p)
		}
		least, _ := theme.promised()
		for _, c := range p.colours() {
			fg, ok := parseColor(c.Color)
			if !ok || c.name == "border" || c.name == "border-focus" {
				continue
			}
			for _, ground := range theme.Backgrounds {
				bg, _ := parseColor(ground)
				if got := contrast(fg.luminance(), bg.luminance()); got < least {
					t.Errorf("%s: %s %s on %s has %.2f:1, less than %.1f:1", theme.Name, c.name, c.Color, ground, got, least)
				}
			}
		}
	}
}

// What a command knows of the background lets it print as its screens draw.
func TestWhatIsPrintedOnAKnownGround(t *testing.T) {
	for dark, grounds := range map[bool][]Color{true: {"#000000", "#1e1e2e"}, false: {"#ffffff", "#fafafa"}} {
		p := PrintedOn(dark)
		for _, c := range p.colours() {
			fg, ok := parseColor(c.Color)
			if !ok || c.Color == p.Border {
				continue
			}
			for _, ground := range grounds {
				bg, _ := parseColor(ground)
				if got := contrast(fg.luminance(), bg.luminance()); got < 4.5 {
					t.Errorf("%s %s on %s has %.2f:1, less than 4.5:1", c.name, c.Color, ground, got)
				}
			}
		}
		if p.Text != "" || p.Painted() || p.CodeBg != "" {
			t.Errorf("it sets text or a ground: %+v", p)
		}
	}
}
