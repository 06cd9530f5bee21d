package tui

import (
	"image/color"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

func themeNamed(t testing.TB, name string) themes.Theme {
	t.Helper()
	theme, err := (themes.Collection{}).Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return theme.Theme
}

// Every cell of the window has the theme's background, or one that it paints on
// that, and no text is left in the terminal's own colour.
func TestGroundLiesUnderEverything(t *testing.T) {
	theme := themeNamed(t, "nord")
	r := rigIn(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 24, theme)
	g := newGround(theme.Palette, false)
	for _, content := range []string{r.form.View().Content, "", "one\n\x1b[1mtwo\x1b[0m three", strings.Repeat("世", 100)} {
		screen := uv.NewScreenBuffer(80, 24)
		uv.NewStyledString(g.paint(content, 80, 24)).Draw(screen, screen.Bounds())
		for y := range 24 {
			for x := range 80 {
				cell := screen.CellAt(x, y)
				if cell.Width == 0 {
					continue // the right half of a wide character
				}
				if cell.Style.Bg == nil || cell.Style.Fg == nil {
					t.Fatalf("the cell at %d,%d, %q, is drawn in %v on %v", x, y, cell.Content, cell.Style.Fg, cell.Style.Bg)
				}
			}
		}
		plain := uv.NewScreenBuffer(80, 24)
		uv.NewStyledString(content).Draw(plain, plain.Bounds())
		if trimmed(screen.String()) != trimmed(plain.String()) {
			t.Errorf("the text became\n%s", screen.String())
		}
	}
}

// trimmed is a screen's text without what is blank at the ends of its lines.
func trimmed(screen string) string {
	lines := strings.Split(ansi.Strip(screen), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \r")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func TestNoGroundWhereTheTerminalsOwnWillDo(t *testing.T) {
	for _, name := range []string{"dark", "light", "terminal", "none"} {
		g := newGround(themeNamed(t, name).Palette, false)
		if got := g.paint("text", 80, 24); got != "text" {
			t.Errorf("%s paints %q", name, got)
		}
	}
}

// GNU screen would erase with the terminal's background.
func TestGroundLeavesNothingToErasingInScreen(t *testing.T) {
	g := newGround(themeNamed(t, "nord").Palette, true)
	if got := g.paint("two words", 20, 2); strings.Contains(got, " ") || ansi.StringWidth(strings.Split(got, "\n")[0]) < 20 {
		t.Errorf("it paints %q", got)
	}
	st := screen.NewStyles(themeNamed(t, "dark").Palette)
	g = newGround(themeNamed(t, "dark").Palette, true)
	got := g.paint("one row\n"+st.Focused("  another", 20), 20, 2)
	if first, second, _ := strings.Cut(got, "\n"); first != "one row" || strings.Contains(second, " ") {
		t.Errorf("on the terminal's own ground it paints %q", got)
	}
}

// What is drawn with follows what the terminal can show.
func TestThemesFollowTheTerminal(t *testing.T) {
	indexed := func(name string) themes.Palette { return themes.Indexed(themeNamed(t, name)) }
	for name, c := range map[string]struct {
		theme   string
		profile colorprofile.Profile
		light   bool
		want    themes.Palette
	}{
		"true colour":                      {"nord", colorprofile.TrueColor, false, themeNamed(t, "nord-dark").Palette},
		"a family on light":                {"nord", colorprofile.TrueColor, true, themeNamed(t, "nord-light").Palette},
		"one of it on light":               {"nord-dark", colorprofile.TrueColor, true, themeNamed(t, "nord-dark").Palette},
		"nothing is known of the terminal": {"nord", colorprofile.Unknown, false, themeNamed(t, "nord-dark").Palette},
		"256 colours":                      {"nord", colorprofile.ANSI256, false, indexed("nord-dark")},
		"16 colours":                       {"nord", colorprofile.ANSI, false, themeNamed(t, "terminal-dark").Palette},
		"16 colours on light":              {"nord-dark", colorprofile.ANSI, true, themeNamed(t, "terminal-light").Palette},
		"no colours":                       {"nord", colorprofile.ASCII, false, themes.Palette{}},
		"none wins":                        {"none", colorprofile.TrueColor, false, themes.Palette{}},
	} {
		t.Run(name, func(t *testing.T) {
			choice, err := (themes.Collection{}).Find(c.theme)
			if err != nil {
				t.Fatal(err)
			}
			root := newStub("root")
			w := newWindow(root, choice)
			w.Init()
			w.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
			w.Update(tea.ColorProfileMsg{Profile: c.profile})
			if c.light {
				w.Update(tea.BackgroundColorMsg{Color: color.White})
			}
			if root.palette != c.want {
				t.Errorf("it is drawn with %+v", root.palette)
			}
		})
	}
}

// The key for light and dark stays within the family.
func TestTurningLightAndDark(t *testing.T) {
	for name, want := range map[string][]string{
		"nord": {"nord-light", "nord-dark"}, "rose-pine-moon": {"rose-pine-dawn", "rose-pine-moon"}, "light": {"dark", "light"},
	} {
		choice, err := (themes.Collection{}).Find(name)
		if err != nil {
			t.Fatal(err)
		}
		root := newStub("root")
		w := newWindow(root, choice)
		for _, theme := range want {
			w.Update(screen.SwitchTheme{})
			if root.palette != themeNamed(t, theme).Palette {
				t.Errorf("%s: it is not turned to %s", name, theme)
			}
		}
	}
}

// A cursor in the terminal's own colour might not be seen.
func TestCursorIsSeenOnTheGround(t *testing.T) {
	for name, painted := range map[string]bool{"nord": true, "dark": false} {
		w := newWindow(&cursorStub{newStub("root")}, only(themeNamed(t, name)))
		w.painted = true
		w.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		if got := w.View().Cursor.Color; (got != nil) != painted {
			t.Errorf("%s: the cursor's colour is %v", name, got)
		}
	}
}

type cursorStub struct{ *stub }

func (*cursorStub) View() screen.Frame {
	return screen.Frame{Content: "text", Cursor: tea.NewCursor(1, 0)}
}

// Without a background of its own the focus is still to be seen.
func TestTerminalColoursMarkTheFocus(t *testing.T) {
	st := screen.NewStyles(themeNamed(t, "terminal").Palette)
	for name, s := range map[string]bool{
		"the field":     strings.Contains(st.InputHere.Render("x"), "\x1b[4m"),
		"the button":    st.Pressed.GetReverse(),
		"a word put in": st.AddedWord.GetReverse(),
		"the faint":     st.Faint.GetFaint(),
		"the rule":      st.Rule.GetFaint(),
	} {
		if !s {
			t.Errorf("%s looks like everything else", name)
		}
	}
}
