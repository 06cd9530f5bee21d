package ink

import (
	"testing"

	"github.com/charmbracelet/colorprofile"

	"planb/themes"
)

// What is printed has the colours of the theme that the person named, or planb's own.
func TestThePaletteOfWhatIsPrinted(t *testing.T) {
	of := func(name string, dark bool) themes.Palette {
		choice, err := (themes.Collection{}).Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return choice.On(dark).Printed()
	}
	for _, test := range []struct {
		name string
		on   ground
		want themes.Palette
	}{
		{"", unknown, themes.Printed()},
		{"", dark, themes.PrintedOn(true)},
		{"", light, themes.PrintedOn(false)},
		{"gruvbox-dark", unknown, of("gruvbox-dark", true)},
		{"gruvbox-dark", light, of("gruvbox-dark", true)},
		{"gruvbox", light, of("gruvbox-light", false)},
		{"gruvbox", unknown, themes.Printed()},
		{"high-contrast-light", unknown, of("high-contrast-light", false)},
		{"none", dark, themes.Palette{}},
	} {
		choice, err := (themes.Collection{}).Find(test.name)
		if err != nil {
			t.Fatal(err)
		}
		under := func() ground { return test.on }
		if got := paletteFor(colorprofile.TrueColor, choice, test.name != "", under); got != test.want {
			t.Errorf("%q on %v: got %+v, want %+v", test.name, test.on, got, test.want)
		}
		if got := paletteFor(colorprofile.ANSI, choice, test.name != "", under); got != themes.PrintedSixteen() && test.name != "none" {
			t.Errorf("%q in sixteen colours: got %+v", test.name, got)
		}
	}
}

func TestWhatTheEnvironmentSaysOfTheGround(t *testing.T) {
	for _, test := range []struct {
		env  map[string]string
		want ground
	}{
		{nil, unknown},
		{map[string]string{"COLORFGBG": "15;0"}, dark},
		{map[string]string{"COLORFGBG": "15;default;8"}, dark},
		{map[string]string{"COLORFGBG": "0;15"}, light},
		{map[string]string{"COLORFGBG": "0;7"}, light},
		{map[string]string{"COLORFGBG": "0;default"}, unknown},
	} {
		if got := toldGround(test.env); got != test.want {
			t.Errorf("%v: got %v, want %v", test.env, got, test.want)
		}
	}
}
