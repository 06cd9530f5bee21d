package themepicker

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// below is a screen that nothing may reach while themes are chosen.
type below struct {
	t     *testing.T
	width *int
}

func (b below) Init() tea.Cmd        { b.t.Error("the screen below is started again"); return nil }
func (b below) Resize(width, _ int)  { *b.width = width }
func (b below) Retheme(*screen.Look) {}
func (b below) View() screen.Frame   { return screen.Frame{Content: strings.Repeat("below\n", 30)} }
func (b below) Update(tea.Msg) tea.Cmd {
	b.t.Error("a message reached the screen below")
	return nil
}

// rig drives a picker, and has what it asks of its window.
type rig struct {
	t      *testing.T
	picker *Picker
	asked  []tea.Msg
	width  int // of the screen below
	saved  []string
	fails  error
}

func pick(t *testing.T, terminal screen.Terminal, width, height int) *rig {
	t.Helper()
	r := &rig{t: t}
	terminal.Keeper.Save = func(name string) (string, error) {
		r.saved = append(r.saved, name)
		return "config.toml", r.fails
	}
	now, err := terminal.Choice()
	if err != nil {
		t.Fatal(err)
	}
	r.picker = New(terminal, below{t, &r.width}, now)
	var look *screen.Look
	r.picker.Retheme(look.With(now.Theme.Palette))
	r.picker.Resize(width, height)
	return r
}

func (r *rig) send(msg tea.Msg) {
	cmd := r.picker.Update(msg)
	if wanted := r.picker.Wants(); wanted != nil {
		r.asked = append(r.asked, wanted)
	}
	for cmd != nil {
		answer := cmd()
		if own, ok := answer.(saved); ok {
			cmd = r.picker.Update(own)
			continue
		}
		r.asked = append(r.asked, answer)
		return
	}
}

func (r *rig) keys(names string) *rig {
	for _, name := range strings.Fields(names) {
		r.send(tuitest.Key(r.t, name))
	}
	return r
}

// last is what was asked of the window last.
func (r *rig) last() tea.Msg {
	if len(r.asked) == 0 {
		return nil
	}
	return r.asked[len(r.asked)-1]
}

func (r *rig) shown() string {
	show, ok := r.last().(screen.ShowTheme)
	if !ok {
		r.t.Fatalf("the last message is %T", r.last())
	}
	return show.Choice.Name
}

func (r *rig) text() string { return ansi.Strip(r.picker.View().Content) }

// A pasted text is a filter only while one is typed, and a filter finds names and
// backgrounds.
func TestTheFilter(t *testing.T) {
	r := pick(t, screen.Terminal{Theme: "nord"}, 80, 24)
	r.send(tea.PasteMsg{Content: "light"})
	if len(r.asked) > 0 {
		t.Errorf("a paste asked for %+v", r.last())
	}
	r.keys("/")
	r.send(tea.PasteMsg{Content: "LIGHT dracula"})
	if got := r.shown(); got != "dracula" {
		t.Errorf("it shows %s", got)
	}
	if r.keys("down"); r.shown() != "dracula-light" {
		t.Errorf("a step down shows %s", r.shown())
	}
	r.keys("ctrl+u z z z")
	if !strings.Contains(r.text(), "no theme has that") {
		t.Errorf("it draws\n%s", r.text())
	}
	asked := len(r.asked)
	if r.keys("enter"); len(r.saved) > 0 || len(r.asked) > asked {
		t.Errorf("with nothing under the cursor it saved %q and asked for %+v", r.saved, r.last())
	}
	r.keys("backspace backspace backspace n o r d esc")
	if r.picker.filtered() || r.shown() != "nord" {
		t.Errorf("after Esc it shows %s", r.shown())
	}
}

func TestTheMouse(t *testing.T) {
	r := pick(t, screen.Terminal{}, 80, 24)
	r.send(tea.MouseClickMsg{X: 60, Y: 3, Button: tea.MouseLeft})
	if got := r.shown(); got != "light" {
		t.Errorf("a click on the third row shows %s", got)
	}
	asked := len(r.asked)
	r.send(tea.MouseClickMsg{X: 60, Y: 3, Button: tea.MouseRight})
	r.send(tea.MouseClickMsg{X: 60, Y: 0, Button: tea.MouseLeft})
	if len(r.asked) > asked {
		t.Errorf("they asked for %+v", r.last())
	}
	r.send(tea.MouseWheelMsg{X: 60, Y: 4, Button: tea.MouseWheelUp})
	if got := r.shown(); got != "dark" {
		t.Errorf("the wheel shows %s", got)
	}
}

// The theme is kept once, however often Enter is pressed meanwhile, and can be kept again
// when that failed.
func TestKeeping(t *testing.T) {
	r := pick(t, screen.Terminal{Keeper: screen.ThemeKeeper{Stronger: "PLANB_THEME"}}, 80, 24)
	r.keys("down")
	first := r.picker.Update(tuitest.Key(t, "enter"))
	if again := r.picker.Update(tuitest.Key(t, "enter")); again != nil {
		t.Error("a second Enter saves again")
	}
	r.fails = errors.New("the disk is full")
	r.send(first())
	if !strings.Contains(r.text(), "the disk is full") {
		t.Errorf("it draws\n%s", r.text())
	}
	r.fails = nil
	r.keys("enter")
	chosen, ok := r.last().(Chosen)
	if !ok || chosen.Picker != r.picker || chosen.Choice.Name != "dark" ||
		chosen.Notice != "Kept in your settings: dark. PLANB_THEME is set and decides; unset it to see this theme." {
		t.Errorf("it ends with %+v", r.last())
	}
}

// Every way out but Enter leaves everything as it was, and asks before the next key.
func TestLeaving(t *testing.T) {
	for _, keys := range []string{"down esc", "down q", "down ctrl+c", "/ n o r d esc esc", "/ ctrl+c"} {
		r := pick(t, screen.Terminal{Theme: "nord-dark"}, 80, 24)
		chosen, ok := r.keys(keys).last().(Chosen)
		if !ok || chosen.Choice.Name != "nord-dark" || chosen.Notice != "" || len(r.saved) > 0 {
			t.Errorf("%s: it ends with %+v, saved %q", keys, r.last(), r.saved)
		}
	}
}

// Without colours no theme is shown, but one can be kept for other terminals.
func TestWithoutColours(t *testing.T) {
	r := pick(t, screen.Terminal{NoColor: true}, 80, 24)
	if r.keys("home down down"); len(r.asked) > 0 {
		t.Errorf("it asked for %+v", r.last())
	}
	if r.keys("enter"); len(r.saved) != 1 || r.saved[0] != "light" {
		t.Errorf("kept is %q", r.saved)
	}
}

// A theme is drawn with its own colours on its own background; where none can be shown, with
// none.
func TestTheSwatches(t *testing.T) {
	nord, err := (themes.Collection{}).Find("nord-light")
	if err != nil {
		t.Fatal(err)
	}
	row := func(r *rig) string {
		for line := range strings.Lines(r.keys("/ n o r d").picker.View().Content) {
			if strings.Contains(ansi.Strip(line), "nord-light") {
				return line
			}
		}
		t.Fatalf("nord-light is not listed:\n%s", r.text())
		return ""
	}
	shown := row(pick(t, screen.Terminal{Theme: themes.DefaultDark}, 80, 24))
	if got := strings.Count(shown, "●"); got != 6 {
		t.Errorf("%d colours are shown: %q", got, shown)
	}
	for _, colour := range []themes.Color{nord.Theme.Palette.Background, nord.Theme.Palette.Accent} {
		r, g, b, _ := screen.Color(colour).RGBA()
		if want := fmt.Sprintf("2;%d;%d;%d", r>>8, g>>8, b>>8); !strings.Contains(shown, want) {
			t.Errorf("%s is not among them: %q", want, shown)
		}
	}
	if plain := row(pick(t, screen.Terminal{NoColor: true}, 80, 24)); strings.Contains(plain, "●") {
		t.Errorf("without colours there are some: %q", plain)
	}
}

// The buttons of the form below stay in sight.
func TestTheBoxLeavesTheButtonsAlone(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 20}, {40, 15}} {
		lines := strings.Split(pick(t, screen.Terminal{}, size[0], size[1]).text(), "\n")
		if got := lines[size[1]-2]; !strings.HasPrefix(got, "below") {
			t.Errorf("%d×%d: the line of buttons is %q", size[0], size[1], got)
		}
	}
}

// The box keeps within the screen, whatever its size.
func TestTheBoxFits(t *testing.T) {
	for width := 40; width <= 130; width += 15 {
		for height := 12; height <= 50; height += 6 {
			r := pick(t, screen.Terminal{Theme: themes.DefaultDark}, width, height)
			lines := strings.Split(r.keys("/ d").text(), "\n")
			if len(lines) != height {
				t.Errorf("%d×%d: %d lines", width, height, len(lines))
			}
			for _, line := range lines {
				if ansi.StringWidth(line) > width {
					t.Errorf("%d×%d: %q is too wide", width, height, line)
				}
			}
			if text := strings.Join(lines, "\n"); !strings.Contains(text, "╭─ Themes") || !strings.Contains(text, "╯") || !strings.Contains(text, "filter d") {
				t.Errorf("%d×%d:\n%s", width, height, text)
			}
		}
	}
}

// The box keeps off the screen below, which gets the width that is left.
func TestTheBoxKeepsOff(t *testing.T) {
	r := pick(t, screen.Terminal{Theme: "dark"}, 80, 24)
	lines := strings.Split(r.text(), "\n")
	if before, _, ok := strings.Cut(lines[0], "╭"); !ok || !strings.HasSuffix(before, " ") {
		t.Errorf("the box begins with %q", lines[1])
	}
	if r.width != 80-39 {
		t.Errorf("the screen below is %d wide", r.width)
	}
}
