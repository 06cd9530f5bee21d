package panes_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/themes"
)

// A person chooses a theme in the list. It is in the settings file then, the
// rest of the file is unchanged, and the next form is drawn in it.
func TestAThemeIsChosenAndTheNextFormHasIt(t *testing.T) {
	t.Parallel()
	tm := rig.StartTmux(t, 100, 30)
	tm.Run("set-option", "-g", "default-terminal", "xterm-256color")
	file := filepath.Join(tm.Home, "config", "planb", "config.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("# mine\nwait = \"0s\"\n\n[ring]\nbell = false # at night\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(args ...string) string {
		// Outside tmux the terminal's own statement about its colours counts.
		return tm.NewWindow(append([]string{"--", "env", "TMUX=", "TMUX_PANE=", "COLORTERM=truecolor", "LC_ALL=C.UTF-8",
			"HOME=" + tm.Home, "PLANB_DATA_DIR=" + filepath.Join(tm.Home, "data"), "XDG_CONFIG_HOME=" + filepath.Join(tm.Home, "config"), rig.Planb(t)}, args...)...)
	}
	nord, err := (themes.Collection{}).Find("nord")
	if err != nil {
		t.Fatal(err)
	}
	p := nord.Theme.Palette
	drawn := func(pane string, rows ...string) string {
		text, _ := tm.Try(append([]string{"capture-pane", "-e", "-p", "-t", pane}, rows...)...) // a pane that is gone shows nothing
		return text
	}
	// title is the first row: the list below it shows the colours of every theme.
	title := func(pane string) string { return drawn(pane, "-E", "0") }

	pane := open("tui", "themes")
	tm.Shows(pane, "as it was", "rose-pine")
	if strings.Contains(title(pane), sgrOf(t, "48", p.Background)) {
		t.Error("Nord is there before it was chosen")
	}
	tm.Text(pane, "/nord")
	tm.Shows(pane, "filter nord")
	rig.Until(t, "the list and the form are drawn in Nord", func() bool {
		return strings.Contains(title(pane), sgrOf(t, "48", p.Background)) && strings.Contains(title(pane), sgrOf(t, "38", p.Heading))
	})
	tm.Keys(pane, "Enter")
	tm.Gone(pane)
	if text, err := os.ReadFile(file); err != nil || string(text) != "# mine\nwait = \"0s\"\ntheme = \"nord\"\n\n[ring]\nbell = false # at night\n" {
		t.Errorf("the settings are %q, %v", text, err)
	}

	light, err := filepath.Abs(filepath.Join("testdata", "specs", "light.json"))
	if err != nil {
		t.Fatal(err)
	}
	form := open("ask", light)
	tm.Ready(form)
	text := drawn(form)
	for role, sgr := range map[string]string{"background": sgrOf(t, "48", p.Background), "heading": sgrOf(t, "38", p.Heading), "accent": sgrOf(t, "38", p.Accent)} {
		if !strings.Contains(text, sgr) {
			t.Errorf("the form has not Nord's %s (%s):\n%q", role, sgr, text)
		}
	}

	// Another theme is chosen in the form's menu, and the answers stay.
	tm.Keys(form, "2")
	answered := []string{"1/2", "▌   ◉ 2  After 24 hours", "enter next question"}
	tm.Shows(form, answered...)
	tm.Keys(form, "C-c")
	tm.Shows(form, "Choose a theme")
	tm.Text(form, "T")
	tm.Shows(form, "as it was")
	tm.Text(form, "/dawn")
	dawn, err := (themes.Collection{}).Find("rose-pine-dawn")
	if err != nil {
		t.Fatal(err)
	}
	painted := func(p themes.Palette) func() bool {
		return func() bool { return strings.Contains(title(form), sgrOf(t, "48", p.Background)) }
	}
	rig.Until(t, "the form is seen in Dawn", painted(dawn.Theme.Palette))
	tm.Keys(form, "C-c")
	rig.Until(t, "it is in Nord again", func() bool { return painted(p)() && !painted(dawn.Theme.Palette)() })
	tm.Shows(form, answered...)
	tm.Keys(form, "C-c")
	tm.Text(form, "T/dawn")
	rig.Until(t, "the form is seen in Dawn again", painted(dawn.Theme.Palette))
	tm.Keys(form, "Enter")
	tm.Shows(form, "Kept in your settings: rose-pine-dawn", "1/2")
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "\ntheme = \"rose-pine-dawn\"\n") {
		t.Errorf("the settings are %q, %v", text, err)
	}
}

// sgrOf returns a true colour as an SGR sequence has it: 38 for text, 48 for
// the background.
func sgrOf(t *testing.T, layer string, c themes.Color) string {
	t.Helper()
	v := rig.RGB(c)
	return fmt.Sprintf("%s;2;%d;%d;%d", layer, v.R, v.G, v.B)
}
