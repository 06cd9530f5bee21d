package form

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"planb/themes"
	"planb/tui/form/field"
	"planb/tui/marks"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// TestFormFitsEverySize presses any keys at any size. It holds that a frame keeps to its size,
// and that the caret and the focus stay on the screen.
func TestFormFitsEverySize(t *testing.T) {
	t.Parallel()
	names := strings.Fields(`up down left right home end tab shift+tab enter space backspace 1 2 5 d n z y / ? a f1
		esc ctrl+s ctrl+c ctrl+u ctrl+d pgup pgdown shift+up shift+down alt+left alt+right alt+k b delete ctrl+w < > shift+left shift+right
		r * N ctrl+z ctrl+y v w k`)
	spec := tuitest.Parse(t, tuitest.RichForm)
	look := (*screen.Look)(nil).With(themes.Default(true).Palette)
	rapid.Check(t, func(rt *rapid.T) {
		f := New(formInputOf(spec), nil)
		r := &formRig{t: t, Form: f, Holder: &tuitest.Holder{T: t, Screen: f}}
		r.Retheme(look)
		r.Run(r.Init())
		for range rapid.IntRange(1, 25).Draw(rt, "steps") {
			width, height := rapid.IntRange(40, 200).Draw(rt, "width"), rapid.IntRange(12, 60).Draw(rt, "height")
			r.Resize(width, height)
			name := rapid.SampledFrom(names).Draw(rt, "key")
			r.keys(name)
			switch rapid.IntRange(0, 9).Draw(rt, "mouse") {
			case 0:
				r.send(tea.MouseClickMsg{X: rapid.IntRange(0, width-1).Draw(rt, "x"), Y: rapid.IntRange(0, height-1).Draw(rt, "y"), Button: tea.MouseLeft})
			case 1:
				r.send(tea.MouseWheelMsg{X: 3, Y: height / 2, Button: tea.MouseWheelDown})
				r.keys("shift+up")
			case 2:
				at := borderOf(r)
				r.send(tea.MouseClickMsg{X: at, Y: at, Button: tea.MouseLeft})
				r.send(tea.MouseMotionMsg{X: rapid.IntRange(0, width-1).Draw(rt, "x"), Y: rapid.IntRange(0, height-1).Draw(rt, "y"), Button: tea.MouseLeft})
				r.send(tea.MouseReleaseMsg{Button: tea.MouseLeft})
			}
			if r.stage == sending {
				r.send(Settled{AskID: "the-ask", Err: fmt.Errorf("full")})
			}
			f := r.View()
			onlySGR(t, name, f.Content, width, height)
			r.frame.stale = true
			if r.View().Content != f.Content {
				rt.Fatalf("%s at %d×%d: drawn twice, the form looks different", name, width, height)
			}
			clear(r.q().aside)
			r.frame.stale = true
			if r.View().Content != f.Content {
				rt.Fatalf("%s at %d×%d: a question is not drawn as it is now", name, width, height)
			}
			if c := f.Cursor; c != nil && (c.X < 0 || c.X >= width || c.Y < 0 || c.Y >= height) {
				rt.Fatalf("%s at %d×%d: the caret is at %d,%d", name, width, height, c.X, c.Y)
			}
			if r.q().state.text() != nil && !r.covered() && f.Cursor == nil && !r.q().scroll.free {
				rt.Fatalf("%s at %d×%d: text is written on %s without a caret on the screen\n%s", name, width, height, r.where(), r.screen())
			}
			if e := r.q().state.focused(); e != nil && !r.covered() && !r.q().scroll.free &&
				!strings.Contains(r.screen(), marks.Bar) && !strings.Contains(r.screen(), marks.Focus) {
				rt.Fatalf("%s at %d×%d: the focus is off the screen\n%s", name, width, height, r.screen())
			}
			if d := r.dialog; d != nil && f.Cursor == nil && d.Writing() {
				rt.Fatalf("%s at %d×%d: a dialog's text is written without a caret on the screen\n%s", name, width, height, r.screen())
			}
			if (r.dialog != nil && r.dialog.Lettered() && !r.gate.waits() || r.dialog == nil && r.q().summary != nil && r.sheet == nil && !r.q().summary.free && !r.q().summary.here().kind.isButton()) && !strings.Contains(r.screen(), marks.Focus) && (r.dialog == nil || !r.dialog.Writing()) {
				rt.Fatalf("%s at %d×%d: what the cursor is on is off the screen\n%s", name, width, height, r.screen())
			}
			if c, ok := focusedChoice(r); ok && f.Cursor == nil && !strings.Contains(r.screen(), marks.Focus) {
				rt.Fatalf("%s at %d×%d: option %d is off the screen\n%s", name, width, height, c.Row(), r.screen())
			}
		}
	})
}

// TestFormDrawnTwiceIsTheSame holds that a second drawing changes nothing. The window grows
// until all rows but one fit; then the view stands lower than it may.
func TestFormDrawnTwiceIsTheSame(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 40, 12).keys("right alt+right tab tab tab shift+tab")
	if r.q().scroll.body < 2 {
		t.Fatalf("the view did not move: this test needs it to\n%s", r.screen())
	}
	r.Resize(62, 15)
	first := r.keys("shift+tab").screen()
	r.frame.stale = true
	if again := r.screen(); again != first {
		t.Errorf("drawn once:\n%s\ndrawn again:\n%s", first, again)
	}
}

// TestFormBeginsWithAWholeItem holds that with a focus that moves down, the first row in view
// is the label of a question, an option, or empty, and never the rest of one.
func TestFormBeginsWithAWholeItem(t *testing.T) {
	spec := tuitest.Parse(t, tuitest.RichForm)
	labels := []string{}
	for _, q := range spec.Questions {
		labels = append(labels, q.Label.Line()[:8])
	}
	moved := false
	for height := 16; height <= 30; height++ {
		r := rig(t, formInputOf(spec), 80, height).keys("right")
		head := 0 // rows above the questions
		for i, line := range strings.Split(r.screen(), "\n") {
			if strings.HasPrefix(line, "──") || strings.HasPrefix(line, "━━") {
				head = i + 1
				break
			}
		}
		for range 40 {
			first := strings.TrimLeft(strings.Split(r.keys("down").screen(), "\n")[head], " "+marks.Bar+marks.Focus)
			begins := first == "" || strings.ContainsAny(first[:min(3, len(first))], "○◉□■")
			for _, label := range labels {
				begins = begins || strings.HasPrefix(first, label)
			}
			if !begins {
				t.Errorf("in %d rows the view begins with %q\n%s", height, first, r.screen())
			}
			moved = moved || r.q().scroll.body > 0
		}
	}
	if !moved {
		t.Error("the view never moved: this test needs it to")
	}
}

// covered reports whether something lies over the questions.
func (r *formRig) covered() bool { return r.dialog != nil || r.sheet != nil || r.q().summary != nil }

// focusedChoice returns the list with the cursor, if it is in view.
func focusedChoice(r *formRig) (field.Illustrated, bool) {
	e := r.q().state.focused()
	if e == nil || r.covered() || r.q().scroll.free || e.onNote {
		return nil, false
	}
	c, ok := e.field.(field.Illustrated)
	return c, ok && !c.IsFilter(c.Text()) && len(c.Options()) > 0
}

// TestFormFoldsTallOptions holds that options too tall for the screen are
// folded, all but the one with the cursor.
func TestFormFoldsTallOptions(t *testing.T) {
	long := strings.Repeat("a label that goes on and on ", 14)
	var options []string
	for i := range 8 {
		options = append(options, fmt.Sprintf(`"%d %send%d"`, i, long, i))
	}
	spec := tuitest.Parse(t, `{"title":"t","questions":[{"id":"q","kind":"single","label":"Which?","options":[`+strings.Join(options, ",")+`]}]}`)
	r := rig(t, formInputOf(spec), 80, 24)
	for i := range 8 {
		screen := r.screen()
		if !strings.Contains(screen, fmt.Sprintf("end%d", i)) {
			t.Errorf("option %d is not unfolded:\n%s", i, screen)
		}
		if n := strings.Count(screen, "end"); n != 1 {
			t.Errorf("%d options are unfolded:\n%s", n, screen)
		}
		if !strings.Contains(screen, " …") {
			t.Errorf("nothing says that there is more:\n%s", screen)
		}
		r.keys("down")
	}
}

func TestFormMouse(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 34)
	click := func(text string) {
		t.Helper()
		for y, line := range strings.Split(r.screen(), "\n") {
			if i := strings.Index(line, text); i >= 0 {
				r.send(tea.MouseClickMsg{X: ansi.StringWidth(line[:i]), Y: y, Button: tea.MouseLeft})
				return
			}
		}
		t.Fatalf("%q is not on the screen:\n%s", text, r.screen())
	}
	click("Format")
	click("JSON")
	click("total")
	click("Next ›")
	click("orders-2026")
	r.write("o.csv")
	click("○ 1")
	click("○ 4")
	if got, want := r.answersNow(), `{"format":"json","fields":["total"],"name":"o.csv","mood":4}`; got != want {
		t.Errorf("clicks answered %s, want %s\n%s", got, want, r.screen())
	}
	click("Menu")
	click("Reply without")
	if r.dialog == nil || r.dialog.Title != "Reply without finishing" {
		t.Errorf("the menu can't be clicked:\n%s", r.screen())
	}
}

func TestFormWheelScrolls(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 16)
	before := r.screen()
	r.send(tea.MouseWheelMsg{X: 5, Y: 8, Button: tea.MouseWheelDown})
	if r.screen() == before {
		t.Errorf("the wheel does not scroll the introduction:\n%s", before)
	}
	r.keys("right").Resize(80, 22)
	r.send(screen.Relaid{})
	panel := r.q().panel.at
	r.send(tea.MouseWheelMsg{X: panel.X + 3, Y: panel.Y + 2, Button: tea.MouseWheelDown})
	if r.q().panel.top == 0 && r.q().panel.last > 0 {
		t.Errorf("the wheel does not scroll the illustration:\n%s", r.screen())
	}
	r.send(tea.MouseWheelMsg{X: 5, Y: 6, Button: tea.MouseWheelDown})
	if r.q().scroll.body == 0 {
		t.Errorf("the wheel does not scroll the questions:\n%s", r.screen())
	}
	if r.keys("down"); !strings.Contains(r.screen(), marks.Focus) {
		t.Errorf("a key does not bring the focus back:\n%s", r.screen())
	}
}

// TestFormQuestionsStandApart holds that exactly one row separates two questions at each
// height, and that no question moves when the focus does.
func TestFormQuestionsStandApart(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 24).keys("right alt+right")
	labels := []string{"What is the file called?", "When does it leave?", "How many days is it kept?", "How sure are you?"}
	var first []int
	for range labels {
		lines := strings.Split(r.screen(), "\n")
		var at []int
		for i, line := range lines {
			if slices.ContainsFunc(labels, func(label string) bool { return strings.Contains(line, label) }) {
				at = append(at, i)
				if i > 1 && (strings.TrimSpace(lines[i-1]) != "" || len(at) > 1 && strings.TrimSpace(lines[i-2]) == "") {
					t.Errorf("not one row above %q:\n%s", line, r.screen())
				}
			}
		}
		if first == nil {
			first = at
		}
		if len(at) != len(labels) || !slices.Equal(at, first) {
			t.Errorf("with the focus on %s the questions are in rows %v, before in %v:\n%s", r.where(), at, first, r.screen())
		}
		r.keys("tab")
	}
}
