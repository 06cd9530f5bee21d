package tui

import (
	"context"
	"strings"
	"testing"

	"planb/store"
	"planb/themes"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

func TestSplitIsRememberedForLaterForms(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask := w.IllustratedAsk(session, "One", "")
	d, h := w.host(askPlan{id: ask.ID})
	d.press("<", "<")
	var moved store.Split
	d.do(func() { moved = h.form.Divided() })
	d.press("ctrl+c", "ctrl+c")
	d.end()
	kept, err := w.User("you@desk").Split(t.Context())
	if err != nil || kept != moved || kept.Below == 0 {
		t.Fatalf("kept as %+v, moved to %+v, %v", kept, moved, err)
	}
	if others, err := w.User("somebody@else").Split(t.Context()); err != nil || others != (store.Split{}) {
		t.Errorf("it was kept for others, too: %+v, %v", others, err)
	}
	other := w.IllustratedAsk(session, "Two", "")
	d, h = w.host(askPlan{id: other.ID})
	d.until("the next form to be divided alike", func() bool { return h.form.Divided() == moved })
	d.press("ctrl+c", "ctrl+c")
	d.end()
}

// TestSplitIsRememberedHoweverSoonTheyLeave holds that a border stays where it was
// put, though what the form tells of it did not come, or was not kept yet.
func TestSplitIsRememberedHoweverSoonTheyLeave(t *testing.T) {
	for name, meanwhile := range map[string]func(h *askScreen){
		"not told":     func(*askScreen) {},
		"not due":      func(h *askScreen) { h.Update(form.SplitMoved{AskID: h.Ask.ID}) },
		"not kept yet": func(h *askScreen) { h.Update(form.SplitMoved{AskID: h.Ask.ID}); h.Update(splitDue{fromHost{h.host}}) },
		"moved again": func(h *askScreen) {
			h.Update(form.SplitMoved{AskID: h.Ask.ID})
			kept := h.Update(splitDue{fromHost{h.host}})()
			h.Update(tuitest.Key(t, "<"))
			h.Update(form.SplitMoved{AskID: h.Ask.ID})
			h.Update(kept)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ask := w.IllustratedAsk(w.Session("Names", "/home/you/ships"), "One", "")
			h := w.screen(askPlan{id: ask.ID})
			h.Retheme((*screen.Look)(nil).With(themes.Default(true).Palette))
			h.Resize(80, 24)
			h.Update(h.start()())
			h.Update(screen.Relaid{})
			h.Update(tuitest.Key(t, "<"))
			meanwhile(h)
			moved := h.form.Divided()
			if _, err := h.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			kept, err := w.User("you@desk").Split(t.Context())
			if err != nil || kept != moved || kept.Below == 0 {
				t.Errorf("kept as %+v, moved to %+v, %v", kept, moved, err)
			}
		})
	}
}

// brokenSplits is a store that remembers nothing about borders.
type brokenSplits struct{ AskStore }

func (brokenSplits) Split(context.Context) (store.Split, error) { return store.Split{}, errBroken }

func (brokenSplits) KeepSplit(context.Context, store.Split) error { return errBroken }

// TestAStoreWithoutSplitsIsNoTrouble holds that the person hears of nothing, and
// that the pane's next form is divided as they want all the same.
func TestAStoreWithoutSplitsIsNoTrouble(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	first, second := w.IllustratedAsk(session, "One", window1), w.IllustratedAsk(session, "Two", window1)
	h := newAskScreen(brokenSplits{w.Store}, askPlan{id: first.ID, place: window1, by: "you@desk", now: w.Clock})
	d := drive(t, h, 80, 24)
	d.until("the form to open", func() bool { return h.phase == phaseOpen })
	d.press("<", "<")
	var moved store.Split
	d.do(func() { moved = h.form.Divided() })
	d.until("it to be tried", func() bool { return !h.splitting })
	if text := d.text(); moved.Below == 0 || strings.Contains(text, errBroken.Error()) {
		t.Errorf("divided %+v:\n%s", moved, text)
	}
	d.press("ctrl+c", "ctrl+c")
	d.until("the next form to open", func() bool { return h.Ask.ID == second.ID && h.phase == phaseOpen })
	d.do(func() {
		if h.form.Divided() != moved {
			t.Errorf("the next form is divided %+v, want %+v", h.form.Divided(), moved)
		}
	})
	d.ready(h)
	d.press("ctrl+c", "ctrl+c")
	if parting := d.end(); strings.Contains(strings.Join(parting, " "), errBroken.Error()) {
		t.Errorf("printed %q", parting)
	}
}
