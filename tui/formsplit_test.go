package tui

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/store"
	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// TestSplitKeepsBothSidesUsable holds of any share and any size that each side
// has its least, and that a border put somewhere is found there again.
func TestSplitKeepsBothSidesUsable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := split{Beside: rapid.IntRange(0, splitWhole).Draw(t, "beside"), Below: rapid.IntRange(0, splitWhole).Draw(t, "below")}
		width := rapid.IntRange(sideWidth, wideWidth).Draw(t, "width")
		rows := rapid.IntRange(panelLeastBody, 100).Draw(t, "rows")
		if cells := s.beside(width); cells < leastPanel || width-cells < leastQuestions {
			t.Fatalf("%+v leaves %d of %d cells to the panel", s, cells, width)
		}
		if high := s.below(rows); high < panelLeast || rows-high < leastQuestionRows {
			t.Fatalf("%+v leaves %d of %d rows to the panel", s, high, rows)
		}
		for _, p := range []panelPlan{{of: width}, {of: rows, below: true}} {
			for size := p.size(s); ; size++ {
				to := p.with(s, size)
				if p.size(to) != size {
					break // no further
				}
				if again := p.with(to, p.size(to)); again != to || to.Beside > splitWhole || to.Below > splitWhole {
					t.Fatalf("%d of %d is kept as %+v and then as %+v", size, p.of, to, again)
				}
			}
		}
	})
}

// borderOf is the first column of the panel, or its first row.
func borderOf(r *formRig) int {
	r.View()
	if r.q().panel.plan.below {
		return r.q().panel.at.Y
	}
	return r.q().panel.at.X
}

func TestKeysMoveTheBorder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		width, height int
		step          int
		least, most   int // where the border can be
	}{
		{"beside", 120, 40, splitCells, leastQuestions, 120 - leastPanel},
		{"below", 80, 40, splitRows, 0, 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), c.width, c.height).keys("right")
			was := borderOf(r)
			if now := borderOf(r.keys("<")); now != was-c.step {
				t.Errorf("< moved the border from %d to %d", was, now)
			}
			if now := borderOf(r.keys("> >")); now != was+c.step {
				t.Errorf("> moved the border from %d to %d", was-c.step, now)
			}
			if told, ok := last[splitMoved](r); !ok || told.AskID != "the-ask" {
				t.Errorf("the holder was told %+v", told)
			}
			for _, key := range []string{"<", ">"} {
				for range 60 {
					r.keys(key)
				}
				if !strings.Contains(r.screen(), "The border goes no further.") {
					t.Errorf("%s moves the border for ever:\n%s", key, r.screen())
				}
				told := len(r.told)
				at, screen := borderOf(r), r.View().Content
				r.keys(key)
				if len(r.told) != told || r.View().Content != screen {
					t.Errorf("at the end, %s still does something", key)
				}
				if at < c.least || at > c.most {
					t.Errorf("%s moved the border to %d", key, at)
				}
				if r.keys("down"); strings.Contains(lastRow(r), key+" ") {
					t.Errorf("%s is still offered: %s", key, lastRow(r))
				}
			}
		})
	}
}

// TestSplitFitsAnotherSize holds that the share stays what it was when the
// window changes.
func TestSplitFitsAnotherSize(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 40).keys("right < < <")
	share := float64(120-borderOf(r)) / 120
	r.Resize(160, 40)
	r.send(screen.Relaid{})
	if got := float64(160-borderOf(r)) / 160; got < share-0.01 || got > share+0.01 {
		t.Errorf("of 160 cells the panel has %.2f, it had %.2f", got, share)
	}
	r.Resize(120, 40)
	r.send(screen.Relaid{})
	if got := float64(120-borderOf(r)) / 120; got != share {
		t.Errorf("back in 120 cells the panel has %.2f, it had %.2f", got, share)
	}
}

func TestNoPanelNoBorder(t *testing.T) {
	r := rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 50, 14).keys("right <")
	if _, told := last[splitMoved](r); told || !strings.Contains(r.screen(), "z shows it on") {
		t.Errorf("without room for a panel < did this (told %v):\n%s", told, r.screen())
	}
	r = rig(t, formInputOf(tuitest.Parse(t, tuitest.RichForm)), 120, 40).keys("right end <")
	if _, told := last[splitMoved](r); told {
		t.Error("on a tab without illustrations a border moved")
	}
}

func TestSplitIsRememberedForLaterForms(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask := w.IllustratedAsk(session, "One", "")
	d, h := w.host(askPlan{id: ask.ID})
	d.press("<", "<")
	var moved split
	d.do(func() { moved = asked(h.form).panel.split })
	d.press("ctrl+c", "ctrl+c")
	d.end()
	kept, err := w.User("you@desk").Split(t.Context())
	if err != nil || split(kept) != moved || kept.Below == 0 {
		t.Fatalf("kept as %+v, moved to %+v, %v", kept, moved, err)
	}
	if others, err := w.User("somebody@else").Split(t.Context()); err != nil || others != (store.Split{}) {
		t.Errorf("it was kept for others, too: %+v, %v", others, err)
	}
	other := w.IllustratedAsk(session, "Two", "")
	d, h = w.host(askPlan{id: other.ID})
	d.until("the next form to be divided alike", func() bool { return asked(h.form).panel.split == moved })
	d.press("ctrl+c", "ctrl+c")
	d.end()
}

// TestSplitIsRememberedHoweverSoonTheyLeave holds that a border stays where it was
// put, though what the form tells of it did not come, or was not kept yet.
func TestSplitIsRememberedHoweverSoonTheyLeave(t *testing.T) {
	for name, meanwhile := range map[string]func(h *askScreen){
		"not told":     func(*askScreen) {},
		"not due":      func(h *askScreen) { h.Update(splitMoved{h.Ask.ID}) },
		"not kept yet": func(h *askScreen) { h.Update(splitMoved{h.Ask.ID}); h.Update(splitDue{fromHost{h.host}}) },
		"moved again": func(h *askScreen) {
			h.Update(splitMoved{h.Ask.ID})
			kept := h.Update(splitDue{fromHost{h.host}})()
			h.Update(tuitest.Key(t, "<"))
			h.Update(splitMoved{h.Ask.ID})
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
			moved := asked(h.form).panel.split
			if _, err := h.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			kept, err := w.User("you@desk").Split(t.Context())
			if err != nil || split(kept) != moved || kept.Below == 0 {
				t.Errorf("kept as %+v, moved to %+v, %v", kept, moved, err)
			}
		})
	}
}

// brokenSplits is a store that remembers nothing about borders.
type brokenSplits struct{ AskStore }

func (brokenSplits) Split(context.Context) (store.Split, error)   { return store.Split{}, errBroken }
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
	var moved split
	d.do(func() { moved = asked(h.form).panel.split })
	d.until("it to be tried", func() bool { return !h.splitting })
	if text := d.text(); moved.Below == 0 || strings.Contains(text, errBroken.Error()) {
		t.Errorf("divided %+v:\n%s", moved, text)
	}
	d.press("ctrl+c", "ctrl+c")
	d.until("the next form to open", func() bool { return h.Ask.ID == second.ID && h.phase == phaseOpen })
	d.do(func() {
		if asked(h.form).panel.split != moved {
			t.Errorf("the next form is divided %+v, want %+v", asked(h.form).panel.split, moved)
		}
	})
	d.ready(h)
	d.press("ctrl+c", "ctrl+c")
	if parting := d.end(); strings.Contains(strings.Join(parting, " "), errBroken.Error()) {
		t.Errorf("printed %q", parting)
	}
}
