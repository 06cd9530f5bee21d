package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"planb/themes"
	"planb/tui/screen"
)

// themesRig drives the choice of a theme in its window.
type themesRig struct {
	*browseRig
	screen *themesScreen
	saved  []string
	fails  error
}

func pickTheme(t *testing.T, o screen.Terminal, width, height int) *themesRig {
	t.Helper()
	r := &themesRig{}
	o.Keeper.Save = func(name string) (string, error) {
		r.saved = append(r.saved, name)
		return "~/.config/planb/config.toml", r.fails
	}
	screen, err := newThemesScreen(o)
	if err != nil {
		t.Fatal(err)
	}
	choice, err := o.Choice()
	if err != nil {
		t.Fatal(err)
	}
	w := newWindow(screen, choice)
	w.painted = true
	r.browseRig, r.screen = &browseRig{t: t, w: w}, screen
	r.run(screen.Init())
	r.send(tea.WindowSizeMsg{Width: width, Height: height})
	return r
}

// under is the theme that everything is drawn in, by its palette.
func (r *themesRig) under() string {
	for _, c := range (themes.Collection{}).Choices() {
		if !c.Follows && c.Theme.Palette == r.w.look.Palette {
			return c.Name
		}
	}
	return "?"
}

func (r *themesRig) write(text string) *themesRig {
	for _, c := range text {
		r.send(tea.KeyPressMsg{Code: c, Text: string(c)})
	}
	return r
}

// TestThemesScreens compares what is drawn with the screens in testdata.
func TestThemesScreens(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]func(r *themesRig){
		"first":  func(*themesRig) {},
		"nord":   func(r *themesRig) { r.keys("/"); r.write("nord"); r.keys("down") },
		"trying": func(r *themesRig) { r.keys("down tab down 2") },
	} {
		for _, size := range [][2]int{{40, 16}, {40, 24}, {80, 24}, {120, 40}} {
			t.Run(fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), func(t *testing.T) {
				r := pickTheme(t, screen.Terminal{}, size[0], size[1])
				play(r)
				golden.RequireEqual(t, r.content())
			})
		}
	}
}

func TestChoosingATheme(t *testing.T) {
	r := pickTheme(t, screen.Terminal{Theme: "gruvbox-dark"}, 120, 40)
	if r.under() != "gruvbox-dark" {
		t.Errorf("it begins with %s", r.under())
	}
	r.keys("down")
	if r.under() != "gruvbox-light" {
		t.Errorf("a step down shows %s", r.under())
	}
	r.keys("/")
	r.write("storm")
	if r.under() != "tokyo-night-storm" || len(r.saved) != 0 {
		t.Errorf("the filter shows %s; saved is %q", r.under(), r.saved)
	}
	r.keys("enter")
	if len(r.saved) != 1 || r.saved[0] != "tokyo-night-storm" || r.w.notice != "The theme is now tokyo-night-storm, in ~/.config/planb/config.toml." || !r.w.ending {
		t.Errorf("saved is %q, said %q", r.saved, r.w.notice)
	}
}

func TestFamiliesFollowTheBackgroundInThePicker(t *testing.T) {
	r := pickTheme(t, screen.Terminal{}, 120, 40)
	if !r.w.asks() {
		t.Error("the background is not asked for")
	}
	r.send(tea.BackgroundColorMsg{Color: screen.Color("#ffffff")})
	r.keys("/")
	r.write("solarized")
	if r.under() != "solarized-light" {
		t.Errorf("on a light terminal the family shows %s", r.under())
	}
	r.keys("enter")
	if len(r.saved) != 1 || r.saved[0] != "solarized" {
		t.Errorf("saved is %q, want the family", r.saved)
	}
}

func TestLeavingThePickerChangesNothing(t *testing.T) {
	for _, keys := range []string{"down down esc", "down q", "down ctrl+c", "/ esc esc", "tab down esc esc", "tab ctrl+c"} {
		r := pickTheme(t, screen.Terminal{}, 120, 40)
		r.keys(keys)
		if len(r.saved) > 0 || !r.w.ending || r.w.notice != "" {
			t.Errorf("%s: saved %q, left %v, said %q", keys, r.saved, r.w.ending, r.w.notice)
		}
	}
}

func TestSavingAThemeMayFail(t *testing.T) {
	r := pickTheme(t, screen.Terminal{}, 120, 40)
	r.fails = errors.New("config.toml can't be written: it is read-only (mode 0444)")
	r.keys("down enter")
	r.shows("it is read-only")
	if r.w.ending {
		t.Error("it left, though nothing was saved")
	}
	r.fails = nil
	r.keys("enter")
	if len(r.saved) != 2 || !r.w.ending {
		t.Errorf("saved %q after a second try", r.saved)
	}
}

// What is stronger than the settings is said where one chooses, and when it is done.
func TestWhatIsStrongerIsSaid(t *testing.T) {
	r := pickTheme(t, screen.Terminal{Theme: "nord", Keeper: screen.ThemeKeeper{Stronger: "PLANB_THEME"}}, 80, 24)
	r.shows("PLANB_THEME is set and stronger")
	r.keys("down")
	if r.under() != "nord-dark" {
		t.Errorf("it shows %s", r.under())
	}
	r.keys("enter")
	if !strings.HasSuffix(r.w.notice, "PLANB_THEME is set and stronger: it counts until it is unset.") {
		t.Errorf("it said %q", r.w.notice)
	}
	r = pickTheme(t, screen.Terminal{NoColor: true, Keeper: screen.ThemeKeeper{Stronger: "NO_COLOR"}}, 80, 24)
	r.keys("down down down")
	r.shows("NO_COLOR is set and stronger")
	if !r.w.look.Palette.Colorless() {
		t.Error("a colour was shown in spite of NO_COLOR")
	}
}

// The form can be tried: nothing that it asks its holder for is done.
func TestThePreviewIsTriedAndNothingSent(t *testing.T) {
	r := pickTheme(t, screen.Terminal{}, 120, 40)
	form := r.screen.preview.form
	r.keys("tab down space right")
	if form.state.tab == 0 {
		t.Error("the tab did not change")
	}
	r.keys("ctrl+s")
	r.write("typed")
	r.keys("ctrl+s ctrl+s")
	r.shows("typed", "nothing is sent")
	r.keys("ctrl+g esc esc") // the page of answers first
	if r.w.ending || r.screen.trying || len(r.w.stack) != 1 {
		t.Errorf("after Esc it is tried %v, left %v", r.screen.trying, r.w.ending)
	}
	r.send(tea.MouseClickMsg{X: 5, Y: 5, Button: tea.MouseLeft})
	if r.under() == "dark" {
		t.Error("a click on the list shows no other theme")
	}
}

func TestNoThemeOfThatName(t *testing.T) {
	r := pickTheme(t, screen.Terminal{}, 80, 24)
	r.keys("/")
	r.write("zzz")
	r.shows("no theme is called so")
	r.keys("enter")
	if len(r.saved) > 0 {
		t.Errorf("saved %q", r.saved)
	}
	r.keys("esc")
	r.shows("gruvbox")
}
