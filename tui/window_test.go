package tui

import (
	"context"
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"planb/themes"
	"planb/tui/askscreen"
	"planb/tui/screen"
)

// stub is a screen that notes what happens to it.
type stub struct {
	name          string
	got           []tea.Msg
	width, height int
	palette       themes.Palette
	closed        chan struct{}
}

func newStub(name string) *stub { return &stub{name: name, closed: make(chan struct{}, 1)} }

func (s *stub) Init() tea.Cmd { return nil }

func (s *stub) Update(msg tea.Msg) tea.Cmd {
	s.got = append(s.got, msg)
	return nil
}

func (s *stub) Resize(width, height int) { s.width, s.height = width, height }
func (s *stub) View() screen.Frame       { return screen.Frame{Content: s.name, Title: "title of " + s.name} }
func (s *stub) Retheme(l *screen.Look)   { s.palette = l.Palette }

func (s *stub) Close(context.Context) ([]string, error) {
	s.closed <- struct{}{}
	return []string{s.name + " is closed"}, nil
}

func (s *stub) saw(msg tea.Msg) bool {
	for _, got := range s.got {
		if got == msg {
			return true
		}
	}
	return false
}

type news struct{ text string }

func openWindow(root screen.Screen) *window {
	choice, err := (themes.Collection{}).Find("")
	if err != nil {
		panic(err)
	}
	w := newWindow(root, choice)
	w.ask = func() error { return nil }
	w.Init()
	w.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	return w
}

func TestWindowPaintsWhenTheBackgroundIsKnown(t *testing.T) {
	for name, c := range map[string]struct {
		msg  tea.Msg
		dark bool
	}{
		"a light background":                {tea.BackgroundColorMsg{Color: color.White}, false},
		"a dark background":                 {tea.BackgroundColorMsg{Color: color.Black}, true},
		"a terminal that knows no question": {uv.PrimaryDeviceAttributesEvent{1, 2}, true},
		"a terminal that says nothing":      {backgroundOverdue{}, true},
	} {
		t.Run(name, func(t *testing.T) {
			root := newStub("root")
			w := openWindow(root)
			if v := w.View(); v.Content != "" || v.AltScreen {
				t.Errorf("it painted %q before it knew", v.Content)
			}
			w.Update(c.msg)
			if v := w.View(); v.Content != "root" || !v.AltScreen || v.WindowTitle != "title of root" {
				t.Errorf("it painted %+v", v)
			}
			if want := themes.Default(c.dark).Palette; root.palette != want {
				t.Error("the palette is for the other background")
			}
		})
	}
}

func TestLateBackgroundStillCounts(t *testing.T) {
	root := newStub("root")
	w := openWindow(root)
	w.Update(backgroundOverdue{})
	w.Update(tea.BackgroundColorMsg{Color: color.White})
	if root.palette != themes.Default(false).Palette {
		t.Error("a slow terminal's answer was ignored")
	}
	w.Update(screen.SwitchTheme{})
	w.Update(tea.BackgroundColorMsg{Color: color.White})
	if root.palette != themes.Default(true).WithBackground().Palette {
		t.Error("the terminal's background overruled the person's choice")
	}
	if !root.saw(screen.Relaid{}) {
		t.Error("the screen was not told that its look changed")
	}
}

// TestThemeOnTheOtherBackground holds that a theme made for another background than
// the terminal's can be read there, however it was chosen.
func TestThemeOnTheOtherBackground(t *testing.T) {
	bright, dark := tea.BackgroundColorMsg{Color: color.White}, tea.BackgroundColorMsg{Color: color.Black}
	for _, c := range []struct {
		name  string
		told  tea.Msg
		turns int
		want  themes.Color // the background that is painted
	}{
		{"light", dark, 0, "#fafafa"},
		{"light", bright, 0, ""},
		{"light", backgroundOverdue{}, 0, "#fafafa"}, // it is read on any ground then
		{"dark", bright, 0, "#1e1e2e"},
		{"planb", dark, 0, ""},
		{"planb", dark, 1, "#fafafa"},
		{"planb", dark, 2, ""},
		{"planb", backgroundOverdue{}, 0, ""},
		{"planb", backgroundOverdue{}, 1, "#fafafa"},
		{"terminal-light", dark, 0, ""},
		{"none", dark, 1, ""},
	} {
		choice, err := (themes.Collection{}).Find(c.name)
		if err != nil {
			t.Fatal(err)
		}
		root := newStub("root")
		w := newWindow(root, choice)
		w.ask = func() error { return nil }
		w.Init()
		if w.painted != !choice.Follows {
			t.Errorf("%s is painted before the terminal answered: %v", c.name, w.painted)
		}
		w.Update(c.told)
		for range c.turns {
			w.Update(screen.SwitchTheme{})
		}
		if got := root.palette.Background; got != c.want {
			t.Errorf("%s, after %T and %d turns, paints %q, want %q", c.name, c.told, c.turns, got, c.want)
		}
	}
}

func TestWindowWithoutColoursHasNothingToSwitch(t *testing.T) {
	w := newWindow(newStub("root"), only(themes.None()))
	w.Update(screen.SwitchTheme{})
	if !w.look.Palette.Colorless() {
		t.Error("a colour came into a window without colours")
	}
}

func TestMessagesReachWhoTheyConcern(t *testing.T) {
	root, over := newStub("root"), newStub("over")
	w := openWindow(root)
	w.Update(screen.Push{Screen: over})
	if over.width != 80 || over.height != 24 || over.palette != root.palette {
		t.Error("a pushed screen was not sized and coloured")
	}
	key := tea.KeyPressMsg{Code: 'x', Text: "x"}
	for _, msg := range []tea.Msg{key, tea.MouseClickMsg{X: 1}, tea.PasteMsg{Content: "pasted"}} {
		w.Update(msg)
		if root.saw(msg) || !over.saw(msg) {
			t.Errorf("%T did not go to the topmost screen alone", msg)
		}
	}
	w.Update(news{"for all"})
	if !root.saw(news{"for all"}) || !over.saw(news{"for all"}) {
		t.Error("a message did not reach every screen")
	}
}

func TestClosingScreens(t *testing.T) {
	root, middle, top := newStub("root"), newStub("middle"), newStub("top")
	w := openWindow(root)
	w.Update(backgroundOverdue{})
	w.Update(screen.Push{Screen: middle})
	w.Update(screen.Push{Screen: top})
	_, cmd := w.Update(screen.Close{Screen: middle})
	if len(w.stack) != 1 || w.top() != root {
		t.Fatalf("%d screens are left", len(w.stack))
	}
	runAll(cmd)
	for _, s := range []*stub{middle, top} {
		select {
		case <-s.closed:
		default:
			t.Errorf("%s was not closed", s.name)
		}
	}
	if _, cmd := w.Update(screen.Close{Screen: middle}); cmd != nil {
		t.Error("a screen was closed twice")
	}
	if _, cmd := w.Update(screen.Pop{}); cmd == nil || len(w.stack) != 1 || !w.ending {
		t.Error("closing the last screen does not end the program")
	}
	if _, cmd := w.Update(screen.Push{Screen: top}); cmd != nil || len(w.stack) != 1 {
		t.Error("a screen came up on a program that ends")
	}
	w.notice = "the notice"
	parting, err := w.closeAll(t.Context())
	if got := strings.Join(parting, "|"); got != "middle is closed|top is closed|root is closed|the notice" || err != nil {
		t.Errorf("the end says %q, %v", got, err)
	}
}

// A screen that was closed just before the program ends still saves what it has, and says what it
// has to say.
func TestTheEndWaitsForAScreenThatIsClosed(t *testing.T) {
	root, over := newStub("root"), newStub("over")
	w := openWindow(root)
	w.Update(screen.Push{Screen: over})
	_, cmd := w.Update(screen.Close{Screen: over})
	parting, err := w.closeAll(t.Context()) // no command has run
	if got := strings.Join(parting, "|"); got != "over is closed|root is closed" || err != nil {
		t.Errorf("the end says %q, %v", got, err)
	}
	runAll(cmd)
	if len(over.closed) != 1 {
		t.Errorf("the screen was closed %d times", len(over.closed))
	}
}

func TestEndWaitsForTheTerminalsAnswer(t *testing.T) {
	w := openWindow(newStub("root"))
	if _, cmd := w.Update(screen.Quit{}); cmd != nil {
		t.Error("the program ends, and the terminal's answer goes to the shell")
	}
	if _, cmd := w.Update(tea.BackgroundColorMsg{Color: color.Black}); ends(cmd) {
		t.Error("the program ends before the second answer")
	}
	if _, cmd := w.Update(uv.PrimaryDeviceAttributesEvent{1}); !ends(cmd) {
		t.Error("the program does not end")
	}
}

func ends(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	_, quit := cmd().(tea.QuitMsg)
	return quit
}

func TestProgramWithNothingToShowLeavesTheScreenAlone(t *testing.T) {
	root := askscreen.New(newWorld(t).Store, askscreen.Options{})
	w := openWindow(root)
	w.Update(backgroundOverdue{})
	if v := w.View(); v.AltScreen || v.Content != "" {
		t.Errorf("it shows %+v", v)
	}
}

// runAll runs a command and all that come of it.
func runAll(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	if batch, ok := cmd().(tea.BatchMsg); ok {
		for _, c := range batch {
			runAll(c)
		}
	}
}
