package tui

import (
	"bytes"
	"os"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"planb/themes"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// terminalLine counts what Bubble Tea's renderer sends for one frame after another.
type terminalLine struct {
	sent   bytes.Buffer
	cells  uv.ScreenBuffer
	screen *uv.TerminalRenderer
}

func newTerminalLine(width, height int) *terminalLine {
	l := &terminalLine{cells: uv.NewScreenBuffer(width, height)}
	l.screen = uv.NewTerminalRenderer(&l.sent, []string{"TERM=xterm-256color"})
	l.screen.SetColorProfile(colorprofile.TrueColor)
	l.screen.SetScrollOptim(true)
	l.screen.SetTabStops(width)
	l.screen.SetBackspace(true)
	l.screen.EnterAltScreen()
	return l
}

// draw sends a frame and returns what that took.
func (l *terminalLine) draw(t *testing.T, content string) string {
	t.Helper()
	l.sent.Reset()
	l.cells.Clear()
	uv.NewStyledString(content).Draw(l.cells, l.cells.Bounds())
	l.screen.Render(l.cells.RenderBuffer)
	if err := l.screen.Flush(); err != nil {
		t.Fatal(err)
	}
	return l.sent.String()
}

// themedForm is a form in a window, as a terminal of true colours gets it.
func themedForm(t *testing.T, raw string, theme themes.Theme) *browseRig {
	t.Helper()
	f := form.New(formInputOf(tuitest.Parse(t, raw)), nil)
	r := &browseRig{t: t, w: newWindow(f, only(theme))}
	r.w.painted, r.w.profile = true, colorprofile.TrueColor
	return r
}

// Every theme is to stand after few bytes over a slow line, also one that paints
// a background of its own, and to move its highlight for few.
func TestEveryThemeSendsFewBytes(t *testing.T) {
	t.Parallel()
	const firstPaint = 8<<10 - 256              // the rest is for the terminal's modes
	most := map[bool]int{false: 250, true: 450} // for a moved highlight; with an illustration that follows it
	heavy, err := os.ReadFile("../testdata/specs/heavy.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range (themes.Collection{}).Choices() {
		if c.Follows {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			l, r := newTerminalLine(120, 40), themedForm(t, string(heavy), c.Theme)
			_, rendering := r.w.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
			sent := len(l.draw(t, r.content())) // before anything is rendered
			r.run(rendering)
			sent += len(l.draw(t, r.content()))
			if sent > firstPaint {
				t.Errorf("the first paint sends %d bytes, want at most %d", sent, firstPaint)
			}
			var dearest [2]int
			for i, illustrated := range []bool{false, true} {
				l, r := newTerminalLine(120, 40), themedForm(t, tuitest.OptionsForm(illustrated), c.Theme)
				r.send(tea.WindowSizeMsg{Width: 120, Height: 40})
				r.send(screen.Relaid{})
				l.draw(t, r.content())
				for _, key := range []string{"down", "down", "down", "up"} {
					r.keys(key)
					got := l.draw(t, r.content())
					if len(got) > most[illustrated] {
						t.Errorf("%s sends %d bytes, want at most %d: %q", key, len(got), most[illustrated], got)
					}
					dearest[i] = max(dearest[i], len(got))
				}
			}
			t.Logf("first paint %d, a moved highlight %d, with an illustration %d", sent, dearest[0], dearest[1])
		})
	}
}
