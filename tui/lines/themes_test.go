package lines

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"planb/tui/screen"
)

// A theme is chosen line by line with the effect of the picker.
func TestThemesInPlainLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		options screen.Terminal
		typed   []string
		fails   error
		saved   string
		printed []string
	}{
		{name: "by its name", typed: []string{"Nord-Dark"}, saved: "nord-dark",
			printed: []string{"is saved in ~/planb/config.toml.", ", which counts now\n", "The theme is now nord-dark, in ~/planb/config.toml."}},
		{name: "by its number", typed: []string{"1"}, saved: "planb", printed: []string{"1. planb, dark or light as the terminal's background is, which counts now"}},
		{name: "the one that counts", options: screen.Terminal{Theme: "dracula"}, printed: []string{". dracula, dark or light as the terminal's background is, which counts now"}},
		{name: "none", typed: []string{""}, printed: []string{"Nothing was changed."}},
		{name: "not at all", printed: []string{"Themes: "}},
		{name: "after looking", typed: []string{"help", "nord light", "999", "blue", "all", "leave"},
			printed: []string{"several words", "\n17. nord-light, light\nA number", "There is no theme of that number", "No theme has that."}},
		{name: "not saved", typed: []string{"nord", ""}, fails: errors.New("the disk is full"), saved: "nord", printed: []string{"Not saved: the disk is full", "Nothing was changed."}},
		{name: "overruled", options: screen.Terminal{Keeper: screen.ThemeKeeper{Stronger: "PLANB_THEME"}}, typed: []string{"nord"}, saved: "nord",
			printed: []string{"PLANB_THEME is set and decides; unset it to see this theme.\n\n1. ", "config.toml. PLANB_THEME is set"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			o, saved := test.options, ""
			o.Input, o.Output, o.Environ = strings.NewReader(strings.Join(test.typed, "\n")+"\n"), &out, []string{"TERM=dumb"}
			if test.typed == nil {
				o.Input = strings.NewReader("")
			}
			o.Keeper.Where = "~/planb/config.toml"
			o.Keeper.Save = func(name string) (string, error) {
				saved = name
				return o.Keeper.Where, test.fails
			}
			if err := Themes(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			if saved != test.saved {
				t.Errorf("saved is %q, want %q", saved, test.saved)
			}
			prints(t, out.String(), test.printed...)
			if strings.Contains(out.String(), "\x1b") {
				t.Errorf("something is drawn:\n%q", out.String())
			}
		})
	}
}
