package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/screen"
	"planb/tui/tuitest"
)

// TestSmallWindowTakesNoInput holds that what cannot be seen cannot be answered: a
// form keeps what it had, and takes keys again as soon as it is drawn.
func TestSmallWindowTakesNoInput(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 80, 24).keys("right")
	before := r.where()
	w := openWindow(r.form)
	w.Update(backgroundOverdue{})
	for _, size := range [][2]int{{30, 8}, {39, 24}, {80, 11}, {1, 1}} {
		w.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, key := range strings.Fields("2 enter x space tab down esc ctrl+s ctrl+s n / q pgdown") {
			if _, cmd := w.Update(tuitest.Key(t, key)); cmd != nil {
				t.Errorf("%v: %s does something", size, key)
			}
		}
		w.Update(tea.PasteMsg{Content: "pasted"})
		w.Update(tea.MouseClickMsg{X: 1, Y: 1, Button: tea.MouseLeft})
		w.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
		w.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
		if got := r.answersNow(); got != `{}` || r.where() != before || r.Dialog() != "" {
			t.Errorf("%v: keys that nobody saw answered %s and led to %s", size, got, r.where())
		}
	}
	if w.Update(tuitest.Key(t, "2")); r.answersNow() != `{"format":"json"}` {
		t.Errorf("the window grew again and takes no keys: %s", r.answersNow())
	}
	w.Update(tea.WindowSizeMsg{Width: 30, Height: 8})
	w.Update(tuitest.Key(t, "ctrl+c"))
	_, cmd := w.Update(tuitest.Key(t, "ctrl+c"))
	if r.Run(cmd); !toldLater(r) {
		t.Error("ctrl+c twice does not leave a window that is too small")
	}
}

// TestSmallWindowCanBeLeftBeforeItsFormIsEntered holds that a form which came up by
// itself is entered unseen only to leave it, and that its window says how.
func TestSmallWindowCanBeLeftBeforeItsFormIsEntered(t *testing.T) {
	in := formInputOf(tuitest.Parse(t, tuitest.RichForm))
	var ends []func(time.Time) tea.Msg
	var past, last time.Duration
	in.Unasked, in.Now = true, func() time.Time { return tuitest.Moment.Add(past) }
	in.Tick = func(wait time.Duration, fn func(time.Time) tea.Msg) tea.Cmd {
		ends, last = append(ends, fn), wait
		return nil
	}
	pause := func(r *formRig) {
		past += last
		for _, fn := range ends {
			r.Send(fn(tuitest.Moment))
		}
		ends, past = nil, past+time.Minute
	}
	r := rig(t, in, 80, 24)
	w := openWindow(r.form)
	w.Update(backgroundOverdue{})
	w.Update(tea.WindowSizeMsg{Width: 60, Height: 8})
	says := func() string { return strings.Join(strings.Fields(ansi.Strip(w.View().Content)), " ") }
	if got := says(); !strings.HasSuffix(got, "↓, a pause and ctrl+c twice leave.") {
		t.Errorf("it says %q", got)
	}
	press := func(keys string) {
		for _, key := range strings.Fields(keys) {
			_, cmd := w.Update(tuitest.Key(t, key))
			r.Run(cmd)
		}
	}
	press("ctrl+c ctrl+c down x")
	pause(r)
	if r.form.Entered() || toldLater(r) {
		t.Fatal("typing entered it")
	}
	press("down")
	pause(r)
	if got := says(); !strings.HasSuffix(got, "larger. ctrl+c twice leaves.") {
		t.Errorf("entered, it says %q", got)
	}
	press("down 1 enter space ctrl+s")
	if r.where() != "" || r.answersNow() != `{}` || r.Dialog() != "" {
		t.Errorf("keys that nobody saw led to %s with %s", r.where(), r.answersNow())
	}
	if press("ctrl+c ctrl+c"); !toldLater(r) {
		t.Error("the window cannot be left")
	}
}

// TestSmallWindowSizesNoScreen holds that no screen is laid out in less than it
// needs, also one that comes up meanwhile.
func TestSmallWindowSizesNoScreen(t *testing.T) {
	root, over := newStub("root"), newStub("over")
	w := openWindow(root)
	w.Update(tea.WindowSizeMsg{Width: 39, Height: 12})
	w.Update(screen.Push{Screen: over})
	if root.width != 80 || root.height != 24 || over.width != 0 {
		t.Errorf("screens got %d×%d and %d×%d", root.width, root.height, over.width, over.height)
	}
	w.Update(tea.WindowSizeMsg{Width: 40, Height: 12})
	for _, s := range []*stub{root, over} {
		if s.width != 40 || s.height != 12 {
			t.Errorf("the window grew, and %s has %d×%d", s.name, s.width, s.height)
		}
	}
}

// TestSmallWindowSaysSo holds that the message is whole, and fits, wherever a word
// of it does.
func TestSmallWindowSaysSo(t *testing.T) {
	w := openWindow(newStub("root"))
	w.Update(backgroundOverdue{})
	for width := 1; width <= 120; width++ {
		for height := 1; height <= 30; height++ {
			if width >= leastWidth && height >= leastHeight {
				continue
			}
			w.Update(tea.WindowSizeMsg{Width: width, Height: height})
			text := ansi.Strip(w.View().Content)
			lines := strings.Split(text, "\n")
			for _, line := range lines {
				if ansi.StringWidth(line) > width || len(lines) > height {
					t.Fatalf("%d×%d: it does not fit:\n%s", width, height, text)
				}
			}
			words := strings.Join(strings.Fields(text), " ")
			roomy, some := width >= 20 && height >= 5, width >= 10 && height >= 3
			switch {
			case roomy && words != fmt.Sprintf("planb needs 40×12 cells, here are %d×%d. Make the window larger. ctrl+c twice leaves.", width, height),
				some && !(strings.Contains(words, "needs 40×12") && strings.Contains(words, fmt.Sprintf("%d×%d", width, height))),
				width >= 5 && !strings.Contains(words, "40×12"):
				t.Errorf("%d×%d: it says %q", width, height, words)
			}
		}
	}
}
