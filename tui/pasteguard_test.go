package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/tui/askscreen"
	"planb/tui/tuitest"
)

// A pasted text may end the paste itself and go on with Ctrl+S, which is then a key.
func TestWhatFollowsAPasteDoesNotSendTheForm(t *testing.T) {
	t.Parallel()
	tuitest.InBubble(t, func(t *testing.T) {
		w := newWorld(t)
		ask := w.Ask(w.Session("Names", ""), "The new ship", "")
		d := drive(t, w.form(askscreen.Options{ID: ask.ID}), 80, 24)
		d.shows("the form", "What is it called?")
		paste := func(text string, behind ...string) {
			d.program.Send(tea.PasteStartMsg{})
			d.program.Send(tea.PasteMsg{Content: text})
			d.program.Send(tea.PasteEndMsg{})
			d.press(behind...)
		}
		paste("Vega", "ctrl+s", "x", "ctrl+s")
		d.program.Send(tea.PasteEndMsg{}) // the true one
		if text := d.text(); !strings.Contains(text, "Vega") || strings.Contains(text, "Vegax") {
			t.Errorf("the form has\n%s", text)
		}
		if got := w.Stored(ask.ID).Outcome.State; got != questions.Pending {
			t.Fatalf("the ask is %s", got)
		}
		d.until("keys to count again", func() bool { return !d.w.pastes.resting })
		paste(" II")
		d.until("keys to count again", func() bool { return !d.w.pastes.resting })
		d.press("!", "ctrl+s")
		d.end()
		if name, _ := w.Stored(ask.ID).Outcome.Reply.Answers["name"].Text(); name != "Vega II!" {
			t.Errorf("the answer is %q", name)
		}
	})
}

// The guard stands before every screen, and drops clicks as well.
func TestWhatFollowsAPasteComesToNoScreen(t *testing.T) {
	root := newStub("root")
	w := openWindow(root)
	root.got = nil
	key, click := tuitest.Key(t, "enter"), tea.MouseClickMsg{X: 1, Y: 1, Button: tea.MouseLeft}
	for _, msg := range []tea.Msg{tea.PasteMsg{Content: "x"}, tea.PasteEndMsg{}, key, click} {
		w.Update(msg)
	}
	if root.saw(key) || root.saw(click) || !root.saw(tea.PasteEndMsg{}) {
		t.Errorf("behind a paste came %v", root.got)
	}
	w.Update(pasteRested{w.pastes.run - 1})
	if w.Update(key); root.saw(key) {
		t.Error("an earlier rest ended the last one")
	}
	w.Update(pasteRested{w.pastes.run})
	if w.Update(key); !root.saw(key) {
		t.Error("after the rest keys do not count")
	}
}

// Typing, the wheel and the pointer do not prolong the rest without end.
func TestARestBehindAPasteEnds(t *testing.T) {
	key, wheel, motion := tuitest.Key(t, "x"), tea.MouseWheelMsg{Button: tea.MouseWheelDown}, tea.MouseMotionMsg{X: 1}
	for name, test := range map[string]struct {
		msgs []tea.Msg
		most int // rests that may begin
	}{
		"typing": {[]tea.Msg{key, key, key, key, key, key, key, key}, 3}, "the wheel": {[]tea.Msg{wheel, wheel}, 1}, "motion": {[]tea.Msg{motion, motion}, 1},
	} {
		root := newStub("root")
		w := openWindow(root)
		w.Update(tea.PasteEndMsg{})
		for _, msg := range test.msgs { // each comes right before the rest would end
			ended := pasteRested{w.pastes.run}
			w.Update(msg)
			w.Update(ended)
		}
		if w.pastes.run > test.most || w.pastes.resting {
			t.Errorf("%s: %d rests began, and it still rests: %t", name, w.pastes.run, w.pastes.resting)
		}
		if w.Update(key); !root.saw(key) {
			t.Errorf("%s: keys do not count again", name)
		}
	}
}
