package tui

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/exp/golden"

	"planb/themes"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/themepicker"
	"planb/tui/tuitest"
)

// themesRig drives the choice of a theme in its window.
type themesRig struct {
	*browseRig
	saved []string
	fails error
}

// themesOver shows a screen in a window whose themes can be kept.
func themesOver(t *testing.T, root screen.Screen, o screen.Terminal, width, height int) *themesRig {
	t.Helper()
	r := &themesRig{}
	o.Keeper.Save = func(name string) (string, error) {
		r.saved = append(r.saved, name)
		return "config.toml", r.fails
	}
	choice, err := o.Choice()
	if err != nil {
		t.Fatal(err)
	}
	r.browseRig = &browseRig{t: t, w: newWindow(root, choice)}
	r.w.painted, r.w.terminal = true, o
	r.run(root.Init())
	r.send(tea.WindowSizeMsg{Width: width, Height: height})
	return r
}

// pickTheme is what planb tui themes shows.
func pickTheme(t *testing.T, o screen.Terminal, width, height int) *themesRig {
	t.Helper()
	sample, err := newThemeSample(o.Keys)
	if err != nil {
		t.Fatal(err)
	}
	return themesOver(t, sample, o, width, height)
}

// overForm shows a half-filled form.
func overForm(t *testing.T, o screen.Terminal, width, height int) (*themesRig, *form.Form) {
	t.Helper()
	f := form.New(formInputOf(tuitest.Parse(t, tuitest.RichForm)), nil)
	r := themesOver(t, f, o, width, height)
	r.keys("right 2 n")
	r.write("as ever").keys("esc")
	return r, f
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

func (r *themesRig) keys(names string) *themesRig {
	r.t.Helper()
	r.browseRig.keys(names)
	return r
}

func (r *themesRig) choose() *themesRig {
	r.t.Helper()
	r.keys("esc T")
	if _, ok := r.w.top().(*themepicker.Picker); !ok {
		r.t.Fatalf("no themes are listed over\n%s", r.text())
	}
	return r
}

// TestThemesScreens compares what is drawn with the screens in testdata.
func TestThemesScreens(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]func(r *themesRig){
		"first": func(*themesRig) {},
		"nord":  func(r *themesRig) { r.keys("/"); r.write("nord"); r.keys("down") },
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
	if len(r.saved) != 1 || r.saved[0] != "tokyo-night-storm" || r.w.notice != "Kept in your settings: tokyo-night-storm." || !r.w.ending {
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
	for _, keys := range []string{"down down esc", "down q", "down ctrl+c", "/ esc esc", "2 space ctrl+s esc"} {
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
	r.shows("read-only (mode")
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
	r.shows("PLANB_THEME is set and decides;", "unset it to see this theme.")
	r.keys("down")
	if r.under() != "nord-dark" {
		t.Errorf("it shows %s", r.under())
	}
	r.keys("enter")
	if !strings.HasSuffix(r.w.notice, "PLANB_THEME is set and decides; unset it to see this theme.") {
		t.Errorf("it said %q", r.w.notice)
	}
	r = pickTheme(t, screen.Terminal{NoColor: true, Keeper: screen.ThemeKeeper{Stronger: "NO_COLOR"}}, 80, 24)
	r.keys("down down down")
	r.shows("NO_COLOR is set and decides; unset", "it to see this theme.")
	if !r.w.look.Palette.Colorless() {
		t.Error("a colour was shown in spite of NO_COLOR")
	}
}

func TestNoThemeOfThatName(t *testing.T) {
	r := pickTheme(t, screen.Terminal{}, 80, 24)
	r.keys("/")
	r.write("zzz")
	r.shows("no theme has that")
	r.keys("enter")
	if len(r.saved) > 0 {
		t.Errorf("saved %q", r.saved)
	}
	r.keys("esc")
	r.shows("gruvbox")
}

func TestThemesOverAForm(t *testing.T) {
	for _, size := range [][2]int{{40, 16}, {40, 24}, {80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			r, _ := overForm(t, screen.Terminal{Theme: "nord", Keeper: screen.ThemeKeeper{Stronger: "PLANB_THEME"}}, size[0], size[1])
			r.choose().keys("down / d")
			golden.RequireEqual(t, r.content())
		})
	}
}

// The form that is open is what each theme is seen on, and nothing of it changes:
// neither by leaving, nor by the keys that would answer it.
func TestAThemeIsTriedOnTheFormThatIsOpen(t *testing.T) {
	r, f := overForm(t, screen.Terminal{Theme: "gruvbox-dark"}, 120, 40)
	entry, content := f.Entry(), r.content()
	r.keys("esc T down")
	if r.under() != "gruvbox-light" {
		t.Errorf("a step down shows %s", r.under())
	}
	r.shows("Which format?", "as ever", "Themes", "as it was")
	r.keys("1 space backspace ctrl+s n tab x")
	r.send(tea.PasteMsg{Content: "pasted"})
	r.send(tea.MouseClickMsg{X: 5, Y: 8, Button: tea.MouseLeft})
	r.keys("esc")
	if r.content() != content || r.under() != "gruvbox-dark" || len(r.saved) > 0 {
		t.Errorf("back in %s, with %q saved:\n%s", r.under(), r.saved, r.text())
	}
	if !reflect.DeepEqual(f.Entry(), entry) {
		t.Errorf("the answers became %+v", f.Entry())
	}
	r.keys("esc T / s t o r m enter")
	if r.under() != "tokyo-night-storm" || len(r.saved) != 1 || r.saved[0] != "tokyo-night-storm" || len(r.w.stack) != 1 {
		t.Errorf("kept is %q, shown is %s", r.saved, r.under())
	}
	r.shows("✓ Kept in your settings: tokyo-night-storm.", "as ever")
	if !reflect.DeepEqual(f.Entry(), entry) {
		t.Errorf("the answers became %+v", f.Entry())
	}
}

// Over a slow line keys come in bunches: those behind T are the list's, those
// behind Esc the form's, though no command has run between them.
func TestNoKeyGoesPastTheThemes(t *testing.T) {
	r, f := overForm(t, screen.Terminal{Theme: "nord"}, 80, 24)
	r.keys("up up esc")
	for _, key := range []string{"T", "1", "space", "backspace", "/", "2", "esc", "esc", "3"} {
		r.w.Update(tuitest.Key(t, key))
	}
	if got := f.Entry().Fields["fields"]; !reflect.DeepEqual(got.Picked, []string{"date"}) {
		t.Errorf("the fields are %+v", got)
	}
}

// Terminals and tmux make one key with Alt of Esc and what is pressed soon after it. That key is for
// the screen below: it keeps no theme and shows none.
func TestAKeyRightBehindEscIsNotForTheThemes(t *testing.T) {
	for _, key := range []tea.KeyPressMsg{{Code: tea.KeyEnter, Mod: tea.ModAlt}, {Code: 'j', Mod: tea.ModAlt}, {Code: '?', Mod: tea.ModAlt}} {
		r, _ := overForm(t, screen.Terminal{Theme: "nord-dark"}, 80, 24)
		r.choose().keys("down down").send(key)
		if r.under() != "nord-dark" || len(r.saved) > 0 || len(r.w.stack) != 1 {
			t.Errorf("esc and %s leave %d screens in %s, with %q saved", key, len(r.w.stack), r.under(), r.saved)
		}
	}
}

func TestAltDeletesAWordOfTheFilterOfThemes(t *testing.T) {
	r, _ := overForm(t, screen.Terminal{Theme: "nord-dark"}, 80, 24)
	r.choose().keys("/ d a r k alt+backspace s t o r m")
	if r.under() != "tokyo-night-storm" {
		t.Errorf("the filter shows %s", r.under())
	}
}

// A theme that was turned light or dark is what Esc goes back to.
func TestEscGoesBackToWhatWasTurned(t *testing.T) {
	r, _ := overForm(t, screen.Terminal{Theme: "nord"}, 80, 24)
	r.keys("esc t")
	if r.choose().keys("down down"); r.under() == "nord-light" {
		t.Error("nothing else was shown")
	}
	if r.keys("ctrl+c"); r.under() != "nord-light" || r.w.ending {
		t.Errorf("it went back to %s, ending %v", r.under(), r.w.ending)
	}
}

func TestKeepingAThemeOverAFormMayFail(t *testing.T) {
	r, _ := overForm(t, screen.Terminal{Keeper: screen.ThemeKeeper{Stronger: "PLANB_THEME"}}, 40, 24)
	r.fails = errors.New("config.toml can't be written: it is read-only (mode 0444)")
	r.choose().shows("PLANB_THEME is set")
	r.keys("down enter")
	r.shows("read-only (mode")
	if len(r.w.stack) != 2 {
		t.Error("it went back, though nothing was kept")
	}
	r.fails = nil
	if r.keys("enter"); len(r.saved) != 2 || len(r.w.stack) != 1 {
		t.Errorf("a second try saved %q", r.saved)
	}
	r.shows("Kept in your settings")
}

// Families follow the terminal's background, which is asked for then, if nothing
// had asked before.
func TestThemesOverAFormAskForTheBackground(t *testing.T) {
	r, _ := overForm(t, screen.Terminal{Theme: "nord-dark"}, 80, 24)
	r.w.ask = func() error { t.Error("it was asked while the program writes"); return nil }
	r.choose()
	r.send(tea.BackgroundColorMsg{Color: screen.Color("#ffffff")})
	r.keys("/ s o l a r i z e d")
	if r.under() != "solarized-light" || len(r.raw) != 1 || r.raw[0].Msg != backgroundQuestion {
		t.Errorf("on a light terminal the family shows %s; it was asked %q", r.under(), r.raw)
	}
	if r.keys("esc").keys("esc").choose(); len(r.raw) != 1 {
		t.Error("it was asked again")
	}
}

// What is below may end by itself: the list goes with it.
func TestThemesLeaveWithTheScreenBelow(t *testing.T) {
	r, f := overForm(t, screen.Terminal{}, 80, 24)
	over := r.choose().w.top().(*themepicker.Picker)
	r.w.stack = append([]screen.Screen{newStub("root")}, r.w.stack...)
	r.send(screen.Close{Screen: f})
	if len(r.w.stack) != 1 {
		t.Errorf("%d screens are left", len(r.w.stack))
	}
	r.send(themepicker.Chosen{Picker: over, Choice: only(themeNamed(t, "nord")), Notice: "Kept"}) // what came too late
	if r.w.choice.Name == "nord" {
		t.Error("a list that is gone chose a theme")
	}
}

// From everywhere that has a key for light and dark, another opens the themes.
func TestThemesOverScreensForLookingAround(t *testing.T) {
	w := newWorld(t)
	w.Past()
	r := w.browse(false, 100, 30, themes.Default(true))
	r.w.terminal.Keeper.Save = func(string) (string, error) { return "config.toml", nil }
	for i, open := range []string{"", "enter", "G enter", "d"} {
		r.keys(open)
		below := r.w.top()
		r.keys("T down")
		r.shows("Themes")
		r.keys("esc")
		if r.w.top() != below || r.w.choice.Name != themes.DefaultDark {
			t.Fatalf("after %d steps, Esc leaves %T in %s", i, r.w.top(), r.w.choice.Name)
		}
		r.keys("T down enter")
		r.shows("Kept in your settings: light.")
		if r.w.top() != below || r.w.choice.Name != themes.DefaultLight {
			t.Fatalf("after %d steps, Enter leaves %T in %s", i, r.w.top(), r.w.choice.Name)
		}
		r.keys("T up enter")
	}
	if len(r.w.stack) != 4 {
		t.Errorf("only %d screens were tried", len(r.w.stack))
	}
}

// A person who leaves the themes finds the screen below as it was, and beside the themes all of it.
func TestTheScreenBelowTheThemesIsLaidOutAgain(t *testing.T) {
	w := newWorld(t)
	w.Past()
	r := w.browse(false, 120, 30, themes.Default(true))
	r.w.terminal.Keeper.Save = func(string) (string, error) { return "config.toml", nil }
	r.keys("enter G enter")
	for _, open := range []string{"", "d m"} { // a plan, and what changed in it
		r.keys(open)
		before := r.text()
		for _, keys := range []string{"T", "T down", "T down up"} {
			r.keys(keys)
			r.shows("Themes", "Events of one customer stay in order.")
			if r.keys("esc"); r.text() != before {
				t.Errorf("after %s and esc, %T shows\n%s\nbefore:\n%s", keys, r.w.top(), r.text(), before)
			}
		}
	}
}

// A theme of the person's own is listed, and what is hard to read in it is said before
// and after it is kept.
func TestAThemeOfOnesOwnIsChosen(t *testing.T) {
	nord := themeNamed(t, "nord-dark")
	nord.Name, nord.Palette.Muted, nord.Palette.Note = "mine", "#444c5e", "#444c5e"
	own, err := themes.Collection{}.With(themes.Family{Name: "mine", Dark: "mine", Light: "mine", Themes: []themes.Theme{nord}})
	if err != nil {
		t.Fatal(err)
	}
	r := pickTheme(t, screen.Terminal{Themes: own}, 120, 40)
	r.keys("/")
	r.write("mine")
	r.shows("mine", "Hard to read: muted and", "note.")
	if r.w.look.Palette != nord.Palette {
		t.Error("it is not shown")
	}
	r.keys("enter")
	if len(r.saved) != 1 || r.saved[0] != "mine" || r.w.notice != "Kept in your settings: mine. Hard to read: muted and note." {
		t.Errorf("saved is %q, said %q", r.saved, r.w.notice)
	}
}
